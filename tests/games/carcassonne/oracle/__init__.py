"""A second, slow reading of the rules of Carcassonne with The Tunnel."""
