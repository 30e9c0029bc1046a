"""The agents at the table: which are offered, the processes they run in, what they say of positions and moves."""
