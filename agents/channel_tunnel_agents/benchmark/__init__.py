"""The benchmark: an agent on a track, from its games to a score card, a check of the card and a table of all cards.

The tracks and the shape of a card are in `channel_tunnel_env.tracks`.

    contests    what a track plays: rulesets, opponents, seatings, deals
    opponents   who plays as an opponent of a track
    playing     one part of a contest, its limits watched over
    estimates   figures with intervals over fixed lists, draws and seeds
    scoring     the scores of a track from its results
    running     all parts, kept so that a stopped run goes on; the card
    checking    a card's numbers, and a tenth of its games again
    ladder      the strengths of the fixed opponents, and the shares of tuned policies, measured once
    speed       how fast this machine is
    board       the page of a card, and that of all cards

May import: names, registry, rulesets, players, cluster, matches, statistics, and of balance how copies are tuned and how
pages are painted.
"""
