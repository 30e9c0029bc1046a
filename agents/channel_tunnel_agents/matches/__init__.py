"""Games between agents: who plays whom on which deals, what is stored, and who is stronger.

evaluation                     one agent against others, in one call
arena                          many games at once, the same deals for both seats
ladder                         the fixed yardsticks of a training run
tournament, tournament_report  every pairing, in parts that survive an interruption; rating:
strengths from results tables, decisions, store       finished games as tables and files sources
whether a module's agent has changed since it played dataset                        games as
training data

May import: base, names, registry, players, search, cluster.
"""
