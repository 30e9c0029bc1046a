"""What games show of a ruleset; what only one game can show lies in its own folder.

measure            a named figure of games, with intervals; measures: which of them a game has
game               what a game tells the measurements of itself: levers, luck, turns
deals, figures     which deals a measurement plays; estimates with their n
significance       p-values for multiple comparisons, and how sure a difference is, in words
knowledge          what an agent knows of the rules
restricted         what it costs a side never to take, or always to take, a kind of action
luck, variance     how much is luck, of which source; where a deck is all the luck: when it decides
seats              each seat against the even share, the best against the worst
tension, traces    the course of games: who was ahead when; judges: who estimates that
"""
