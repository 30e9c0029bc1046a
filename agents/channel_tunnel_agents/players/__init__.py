"""Players that decide from observations: scripted, trained, random, the user's own; and filters.

own_agents                   `module:attribute`; a model of Stable-Baselines3
process_agent, module_process           programs; the program that plays a module; sources: whether their code has changed
scripted                     what games bring by name, scripted players and tree searches; uniform play
policy                       trained policies: network, file, card, graphs, the agent that plays them
shipped                      the trained policies that come with the package
pretrained                   API for trained policies as torch modules; onnx_policy: writes whole policies as ONNX files
restricted                   families of actions; an agent that may not, or must, take one

May import: base, games.
"""
