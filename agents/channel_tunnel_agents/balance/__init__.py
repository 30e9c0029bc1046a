"""Is a ruleset fair? Games played by agents of several levels, and what they say of its rules and cards.

measures           named figures of games, with intervals
compare            two sets of games, deal by deal; significance: p-values for many differences
targets            what a designer wants, as ranges of measures
parameters, sweep  the numbers of a ruleset varied; adapt: agents that learn the change
tune, overlay      a search for numbers that meet targets, and the ruleset file it writes
card_effects, arms what a card is worth: the same deals with it given or withheld
restricted         what it costs a side to go without, or to insist on, a kind of action
luck, variance, skill  how much is luck, of which source, and how much is skill
tension, traces   the course of games: who was ahead when; judges, score_judge: by whose judgement
openings           the first turns as a tree
coverage           how often the intervals of all these hold the truth
deals, figures     which deals a measurement plays; estimates with their n
report             all of it as a page

May import: everything but table and commands.
"""
