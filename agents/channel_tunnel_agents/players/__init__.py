"""Players that decide from observations: scripted, trained, random, the user's own; and filters.

random_agent, module_agent, sb3_agent   uniform play; `module:attribute`; a model of Stable-Baselines3
process_agent, module_process           programs; the program that plays a module; sources: whether their code has changed
scripted                     the scripted players of every game by name; keys: what a seed is to their lots
policy                       trained policies: network, file, card, graphs, the agent that plays them
shipped                      the trained policies that come with the package
pretrained                   API for trained policies as torch modules; onnx_policy: whole policies as ONNX files
families, restricted         kinds of actions; an agent that may not, or must, take one

May import: base, games.
"""
