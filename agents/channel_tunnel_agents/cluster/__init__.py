"""Work spread over the cores of this machine (parallel) or over machines (ray_parallel; travel: what goes along).

May import: base, names, players.policy.card.
"""
