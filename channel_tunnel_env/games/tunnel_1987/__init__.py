"""1987 Channel Tunnel: what the core must know of it. Its rules are in `engine`."""
