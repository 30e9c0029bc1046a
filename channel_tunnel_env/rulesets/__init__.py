"""Ruleset files of any game: read, laid over their bases, validated, compared."""
