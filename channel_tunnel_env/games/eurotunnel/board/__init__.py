"""The board as a picture: a schematic map, drawn for this package.

geometry.yaml -> geometry (outlines and places) -> land, pieces, orders, tunnels (their drawing) -> picture (the whole)
"""
