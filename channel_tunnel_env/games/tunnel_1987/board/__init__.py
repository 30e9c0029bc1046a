"""The board as a picture: the same drawing for notebooks, videos, windows and the browser.

    game -> view.read_board (what a viewer may know, as plain `values`) -> picture.to_svg (text)
                                                     -> faces.pictures (pixels, films)

Pure Python up to the SVG; `faces.pictures` makes pixels and films of it, which need optional libraries.
"""
