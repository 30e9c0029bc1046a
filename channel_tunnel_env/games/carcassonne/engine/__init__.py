"""The rules of Carcassonne over one numpy record per game, compiled by numba.

    constants -> state -> board (laying, joining) -> roads -> legality, scoring -> transition -> setup

Coordinates: x grows east, y grows south, the start tile lies at (0, 0). The table is a torus of 32 x 32
cells of which the tiles may use at most 30 x 30, so two empty rows and columns always remain and
wrapping never makes false neighbours.
"""
