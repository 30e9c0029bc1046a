"""What agents, matches and reports know of Shaft Bluff; `spec` lists it."""
