"""Work spread over this machine's cores (parallel) or several machines (ray_parallel, travel).

May import: base, names, players.policy.card.
"""
