"""The benchmark: an agent on a track, from its games to a score card, a check of the card and a table of all cards.

The tracks and the shape of a card are in `channel_tunnel_env.tracks`.

    contests    what a track plays: rulesets, opponents, seatings, numbers of deals
    playing     one part of a contest, its limits watched over; by which files an agent is known
    estimates   figures with intervals over fixed lists, draws and seeds
    scoring     the scores of a track from its results
    running     all parts, kept so that a stopped run goes on; the card
    checking    a card's numbers, its games again, and new deals
    board       the scores of a card, and the table of all cards

May import: names, registry, rulesets, players, exact, cluster, matches, statistics, and of balance how copies are tuned.
"""
