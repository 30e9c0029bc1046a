"""All that agents, tournaments, training and reports know of Eurotunnel Diplomacy; `spec` lists it."""
