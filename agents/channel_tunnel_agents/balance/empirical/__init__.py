"""The empirical game of a ruleset: a few policies that play each other, and what each seat gets when all choose well.

payoffs.py   what every policy gets in every seat against every other, on the same deals
meetings.py  one of them against the rest, from every seat
value.py     which mixture of them nobody can improve on, what each seat then gets, and how sure that is
verdict.py   whether that is fair, and what speaks against it
"""
