"""Self-play PPO: network, credit, training, saved policies."""
