"""Games beside the 1987 one, one folder each; no game imports another."""
