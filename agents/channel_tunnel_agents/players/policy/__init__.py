"""A trained policy: its network, the file and the card it is kept in, and the agent that plays it."""
