"""Positions and records of games of any kind, read and written."""
