"""Work spread over this machine's cores (parallel) or several machines (ray_parallel); how fast this machine is (speed).

May import: base, names, players.policy.card.
"""
