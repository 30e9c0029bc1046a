"""Players that look ahead in copies of the game with hidden cards re-dealt.

worlds           many imagined deals of one position, side by side
ismcts           tree search with random playouts; ismcts_tree: its kernel
policy_search    a trained policy, improved by short playouts; in a tree: `tree` of the game's folder

May import: base, players.
"""
