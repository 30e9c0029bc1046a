"""Games between agents: who meets on which deals, what is stored, and who is stronger.

evaluation                 one agent against others, in one call; the fixed yardsticks of a training run
arena                      who sits where; many games at once, the same deals at every table; what a seat has of a game
tournament                 all tables, in parts that survive an interruption
tournament_report          the report on tables of two seats; multiplayer_report: of more
rating, plackett_luce      strengths from results of two seats, and of more
tables, store              finished games and their decisions as tables and files
dataset                    games as training data

May import: base, games, names, registry, players, search, cluster.
"""
