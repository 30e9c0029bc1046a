"""What the game offers beyond its rules: each module is a part by its name."""
