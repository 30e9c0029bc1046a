"""The empirical game of a ruleset: a few policies that play each other, and what each seat gets when all choose well.

payoffs.py      what every policy gets in every seat against every other, on the same deals
equilibrium.py  which mixture of them nobody can improve on
meetings.py     one of them against the rest, from every seat
value.py        what each seat then gets, with an interval, and the bracket that best responses leave
"""
