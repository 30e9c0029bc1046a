"""All that agents, tournaments, training and reports know of 1987 Channel Tunnel; `spec` lists it."""
