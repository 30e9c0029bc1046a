"""The rules of Shaft Bluff over one numpy record per game, compiled by numba."""
