"""Written orders of Eurotunnel Diplomacy, as `faces.registry` asks for them."""

from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.outcome import outcome_lines

__all__ = ["adjudicate", "outcome_lines"]
