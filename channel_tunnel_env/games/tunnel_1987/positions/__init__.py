"""Positions as plain data: their shape, their pieces, written and read."""
