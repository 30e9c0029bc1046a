"""Positions as plain data: their shape, their pieces, written and read."""

from channel_tunnel_env.games.tunnel_1987.positions.position import read_states, write_position, write_start

__all__ = ["read_states", "write_position", "write_start"]
