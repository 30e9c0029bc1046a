"""A trained policy: its network, its file and card, and the agent that plays it."""
