"""A trained policy: its network, its file and card, and the agent that plays it.

form, card, saved_policy     what policies of a game have in common; what one was trained for; its file
network                      torch modules, the only definition of a network
graphs, export               the same as ONNX graphs without weights, and their runtime; the command that writes them
judge, onnx_judge            logits and values of observations, and actions from them; by ONNX (by torch: network)
agent                        the agent, and which library judges for it
torch_agent                  the agent of a policy in training
"""
