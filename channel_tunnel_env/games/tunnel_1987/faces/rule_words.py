"""Rulesets of 1987 Channel Tunnel in words, as `faces.registry` asks for them."""

from channel_tunnel_env.games.tunnel_1987.rule_changes import changes_in_words, figure_in_words
from channel_tunnel_env.games.tunnel_1987.rule_words import in_words

__all__ = ["changes_in_words", "figure_in_words", "in_words"]
