"""All that agents, tournaments, training and reports know of Carcassonne; `spec` lists it."""
