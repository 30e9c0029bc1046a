"""Is a ruleset fair? Games played by agents of several levels, and what they say of its rules and cards."""
