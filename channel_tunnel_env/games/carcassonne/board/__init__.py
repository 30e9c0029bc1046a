"""The table of Carcassonne as a picture.

    geometry (where a tile's pieces lie) -> tiles (their drawing) -> table -> picture (the whole, as SVG)
    table -> page (the whole, as HTML for the browser)

Every drawing is ours; a tile is 100 units wide.
"""
