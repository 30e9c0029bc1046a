"""The board as a picture: the same drawing for notebooks, videos, windows and the browser.

    game -> view.read_board (what a viewer may know, as plain `values`) -> picture.to_svg (text)
                                                     -> faces.pictures (pixels, films)

Pure Python up to the SVG; `faces.pictures` makes pixels and films of it, which need optional libraries.
"""

from channel_tunnel_env.games.tunnel_1987.board.picture import to_svg
from channel_tunnel_env.games.tunnel_1987.board.values import Board
from channel_tunnel_env.games.tunnel_1987.board.view import read_board

__all__ = ["Board", "read_board", "to_svg"]
