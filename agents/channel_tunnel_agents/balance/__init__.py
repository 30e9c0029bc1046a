"""Is a ruleset fair? Games by agents of several levels, and what they show of its rules and cards.

measuring  what games show: measures with intervals, luck, skill, the course of games, cards, openings
changing   rules that are changed: compare, sweep, tune, and which numbers move the balance
report     all of it as a page

Compare and sweep serve every game that has measures, whatever its seats. The rest is for two seats, and serves games
that also tell the measurements of themselves; cards, restricted play and openings are of 1987 Channel Tunnel.

A room imports only those above it in this list, and everything of this package except table and commands.
"""
