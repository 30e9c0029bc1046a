"""A second, slow reading of the rules of Eurotunnel Diplomacy, and tests of its search and its random cases.

Written from the text of the rules alone; it shares no code with the engine. Everything is recomputed from the
board's borders: convoy routes, the pairs that a tunnel may join, legal orders, results.

| module | chapter of the rules |
|---|---|
| `board` | 2, 7.1: borders, routes, pairs of a tunnel |
| `position`, `orders` | 1: what stands on the board, and the notation of orders |
| `knowledge` | 7.3, 7.4, 7.7: who knows which tunnel, and which one a move takes |
| `legality` | 4: which orders are legal |
| `equations`, `solution` | 5: the decisions of a movement phase and their solution |
| `movement`, `retreats`, `winter` | 5.6, 6, 7, 8: the three kinds of phase |
| `game` | 3, 8.1: the phases of a year, victory |
| `random_cases` | seeded positions with orders that meet each other |
"""
