"""Is a ruleset fair? Games by agents of several levels, and what they show of its rules and cards.

measuring  what games show: measures with intervals, luck, skill, the course of games, cards, openings
changing   rules that are changed: compare, sweep, tune, and which numbers move the balance
empirical  the game between a ruleset's players, solved: what each seat gets, with an interval and a bracket
players    who they are, how more of them are trained, and how far off their value is
judging    the verdict on a ruleset, step by step; verdict_words: in sentences
report     all of it as a page

Compare, sweep, tune, gate, levers and the report serve every number of seats; luck by source and the course of
games are for two. Cards, restricted play and openings are of 1987 Channel Tunnel.

A room imports only those above it in this list, and everything of this package except table and commands.
"""
