"""Pictures and films of 1987 Channel Tunnel, as `core.spec` asks for them."""

from channel_tunnel_env.games.tunnel_1987.board.animation import read_film, write_film
from channel_tunnel_env.games.tunnel_1987.board.picture import to_svg
from channel_tunnel_env.games.tunnel_1987.board.raster import to_rgb

__all__ = ["read_film", "to_rgb", "to_svg", "write_film"]
