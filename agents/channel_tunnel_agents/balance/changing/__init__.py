"""What a change of the rules does, and which change does what a designer wants.

parameters       what is varied, and the rulesets that come of it; overlay: the ruleset file of a setting
compare          two sets of games, deal by deal
sweep            the same deals at every setting
levers           the numbers of a ruleset that move the balance most
targets          what a designer wants, as ranges of measures
tune             a search for numbers that meet targets

Each module ends with what it tells: tables, sentences and files.
"""
