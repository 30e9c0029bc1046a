"""HTTP: limits of connections, the guard at the door, routes. Decides nothing about a game."""
