"""What the game offers beyond its rules (see `faces.registry`)."""
