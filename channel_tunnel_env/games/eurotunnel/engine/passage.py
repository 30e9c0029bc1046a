"""Where units can go: ordinary steps, and convoys over the fleets that stand at sea (rules 2.6, 4.2)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c


@compiled
def fleets_at_sea(state, rules):
    """Seas that hold a fleet, as bits."""
    # Only fleets stand at sea, so any unit there is one.
    fleets = 0
    for sea in range(c.NUM_SEAS):
        if state.unit_power[int(rules.sea_province[sea])] >= 0:
            fleets |= 1 << sea
    return fleets


@compiled
def first_route(rules, a, b):
    """Place of the first route from one coast to another; the last ends where the next pair begins."""
    return int(rules.route_first[int(rules.coast[a]) * c.NUM_COASTS + int(rules.coast[b])])


@compiled
def after_routes(rules, a, b):
    """Place behind the last route from one coast to another."""
    return int(rules.route_first[int(rules.coast[a]) * c.NUM_COASTS + int(rules.coast[b]) + 1])


@compiled
def could_convoy(rules, a, b, fleets):
    """Whether fleets in some seas suffice for a convoy between two provinces."""
    if rules.coast[a] < 0 or rules.coast[b] < 0:  # NONE as an index would find the routes of other coasts
        return False
    for place in range(first_route(rules, a, b), after_routes(rules, a, b)):
        if int(rules.route[place]) & ~fleets == 0:  # a fleet on each of its seas
            return True
    return False


@compiled
def could_help_convoy(rules, a, b, fleets, sea):
    """As `could_convoy`, by a route that holds one sea."""
    for place in range(first_route(rules, a, b), after_routes(rules, a, b)):
        route = int(rules.route[place])
        if route & ~fleets == 0 and route >> sea & 1 == 1:
            return True
    return False


@compiled
def routes_over(rules, a, b, fleets):
    """The seas of all routes that some fleets make up, as bits."""
    found = 0
    for place in range(first_route(rules, a, b), after_routes(rules, a, b)):
        route = int(rules.route[place])
        if route & ~fleets == 0:
            found |= route  # together: in 1971 an army needs all its ordered routes (D2)
    return found
