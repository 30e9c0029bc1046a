"""The players of a ruleset: policies that read the rules, and policies that are trained for these rules.

training.py    trains a policy for one ruleset, by self-play or as a best response, and keeps it
population.py  the players that there are for a ruleset, and how it grows
"""
