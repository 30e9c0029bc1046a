"""Is a ruleset fair? Games by agents of several levels, and what they show of its rules and cards.

Compare and sweep serve every game that has measures, whatever its seats. The rest is for two seats, and serves games
that also tell the measurements of themselves; cards, restricted play and openings are of 1987 Channel Tunnel.

measure            a named figure of games, with intervals; measures: which of them a game has
game, games        what a game tells the measurements of itself: levers, luck, turns
compare            two sets of games, deal by deal; significance: p-values for multiple comparisons
disagreement       do agents disagree about a change? knowledge: what each of them knows of the rules
levers             the numbers of a ruleset that move the balance most
targets            what a designer wants, as ranges of measures
parameters, sweep  varying the numbers of a ruleset; adapt: agents that learn the change
tune, overlay      a search for numbers that meet targets, and the ruleset file it writes
card_effects, arms what a card is worth: the same deals with it given or withheld
restricted         what it costs a side never to take, or always to take, a kind of action
luck, variance, skill  how much is luck, of which source, and how much is skill
deck_luck          where a deck is all the luck: when it decides
tension, traces   the course of games: who was ahead when; judges, score_judge: who estimates that
openings           the first turns as a tree
coverage           how often the intervals of all these contain the true value
deals, figures     which deals a measurement plays; estimates with their n
report             all of it as a page

May import: everything except table and commands.
"""
