"""The former place of `rulesets.ruleset`, kept for programs that import it from here."""

from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset

__all__ = ["AnyRuleset", "Ruleset", "load_ruleset"]
