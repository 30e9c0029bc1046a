"""The rules as plain functions over one numpy record per game.

Reading order: constants, state, actions, legality, transition, cards, deviation, scoring.
"""
