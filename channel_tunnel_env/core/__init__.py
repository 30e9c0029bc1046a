"""What every game shares and what knows no game: loops, batches, single games, streams of luck.

verbs (the rules by name) -> rows -> kernels -> spec (what a game must provide) -> machine -> game, batch
"""
