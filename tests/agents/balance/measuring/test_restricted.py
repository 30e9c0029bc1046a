"""Restricted play: what a filter takes away, what is then played, and what it costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents import AgentError, RandomAgent, make_agent, make_plain_agent
from channel_tunnel_agents.balance.measuring import restricted
from channel_tunnel_agents.balance.measuring.deals import chunk_seed
from channel_tunnel_agents.balance.measuring.restricted import RestrictionEffect, measure_restrictions
from channel_tunnel_agents.games.tunnel_1987.card_effects import deal_arms
from channel_tunnel_agents.games.tunnel_1987.families import FAMILIES
from channel_tunnel_agents.matches.arena import by_seat, deal_seeds, play_match, play_out
from channel_tunnel_agents.players.restricted import MODES, RestrictedAgent, Restriction, families, find_family
from channel_tunnel_env import BatchGame, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_IDS, ACTION_NAMES
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE, SECTION_BY_NAME

STANDARD, AGENDA, TINY = (load_ruleset(name) for name in ("standard", "agenda", "tiny"))


class Watched(RandomAgent):
    """Plays at random, and keeps what it was asked and what it did."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seen: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def __call__(self, observations, masks):
        actions = super().__call__(observations, masks)
        self.seen.append((observations, masks, actions))
        return actions


@pytest.fixture(scope="module")
def met() -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of 60 random games with all the rules in play."""
    batch = BatchGame(60, AGENDA, seed=1)
    batch.reset()
    agent = Watched(1)
    play_out(batch, lambda rows: agent(batch.observations[rows], batch.masks[rows]))
    observations, masks, _ = zip(*agent.seen, strict=True)
    return np.concatenate(observations), np.concatenate(masks)


@pytest.mark.parametrize("name", list(FAMILIES))
def test_a_filter_never_leaves_an_empty_mask(name: str, met) -> None:
    observations, masks = met
    covered = FAMILIES[name].covers(observations)
    for mode in MODES:
        left = Restriction.of(mode, name).apply(observations, masks)
        assert left.any(axis=1).all()
        assert not (left & ~masks).any()
        wrong = left & (covered if mode == "ban" else ~covered)
        assert (left == masks)[wrong.any(axis=1)].all()


def test_every_family_of_a_ruleset_is_met_in_random_play(met) -> None:
    observations, masks = met
    for family in families(AGENDA):
        assert (family.covers(observations) & masks).any(), family.name


def final_states(spec: str, ruleset, given: str = "heavy_machinery") -> np.ndarray:
    """How games end in which Britain is restricted, and the rival plays at random.

    In a third of the games either side has the given card from the start, so that it is often used.
    """
    batch = deal_arms(ruleset, [ruleset.card_keys.index(given)], deal_seeds(60, 2).tolist())
    play_out(batch, by_seat(batch, make_plain_agent(spec, ruleset, 1), RandomAgent(2)))
    return batch.states.view(np.ndarray)


@pytest.mark.parametrize(
    ("family", "tally", "kinds"),
    [
        *((kind, "tally_action", c.ACTION_KINDS) for kind in c.ACTION_KINDS),
        *(
            (f"develop_{kind}", "kind_count", c.CARD_KINDS)
            for kind in ("european_influence", "topographical_analysis", "control_room_3")
        ),
        *(
            (f"use_{kind}", "tally_ability", c.CARD_KINDS)
            for kind in ("new_workers", "exchange", "improve_technology", "control_room_4", "heavy_machinery")
        ),
        ("align", "tally_align", ()),
        ("keep_discs", "tally_kept", ()),
        ("spend_money", "tally_barrier", ()),
        ("agenda_keep", "agenda_completed", ()),
    ],
)
def test_the_tally_of_what_is_banned_stays_empty(family: str, tally: str, kinds: tuple[str, ...]) -> None:
    """However an action is entered, a card comes to the area, or an ability is used."""
    kind = family.removeprefix("develop_").removeprefix("use_")
    given = next(
        (key for key in STANDARD.card_keys if family == f"use_{kind}" and key.startswith(kind)), "heavy_machinery"
    )
    found = final_states(f"random!ban={family}", STANDARD if kinds else AGENDA, given)[tally]
    own = found[:, :, kinds.index(kind)] if kinds else found
    assert (own[:, c.BRITAIN] == 0).all()
    assert own[:, 1 - c.BRITAIN].any()


def test_a_forced_pass_ends_every_round_at_once() -> None:
    placed = final_states("random!force=pass", TINY)["tally_placed"]
    assert (placed[:, c.BRITAIN] == 0).all()


def test_families_hold_the_abilities_that_begin_their_action() -> None:
    chained = {
        "plan": {"use control_room_3"},
        "tunnel": {"use control_room_4"},
        "finance": set(),
        "technology": {"use control_room_5", "use improve_technology"},
        "develop": set(),
    }
    nothing_shown = np.zeros((1, OBSERVATION_SIZE), np.float32)
    for kind, names in chained.items():
        covered = np.flatnonzero(FAMILIES[kind].covers(nothing_shown)[0])
        used = {name for name in (ACTION_NAMES[i] for i in covered) if name.startswith("use")}
        assert used == names | {f"use heavy_machinery {kind}"}


def test_heavy_machinery_counts_as_the_only_card_it_can_develop(met) -> None:
    """The choice of a slot is not asked where one card alone can be paid for."""
    observations, _ = met
    develop = ACTION_IDS["use heavy_machinery develop"]
    kinds = np.stack([FAMILIES[f"develop_{kind}"].covers(observations)[:, develop] for kind in c.CARD_KINDS])
    assert kinds.any() and kinds.sum(axis=0).max() == 1
    display = observations[:, SECTION_BY_NAME["display"].slice].reshape(len(observations), 3, -1)
    stored = observations[:, SECTION_BY_NAME["storage"].slice][:, :5].any(axis=1)
    for row in np.flatnonzero(kinds.any(axis=0)):
        payable = [slot[:16].argmax() for slot in display[row] if slot[:16].any() and (slot[16] or stored[row])]
        assert set(payable) == {kinds[:, row].argmax()}


def test_promotion_spends_money_and_is_no_alignment(met) -> None:
    observations, masks = met
    phase = observations[:, SECTION_BY_NAME["phase"].start + c.PHASES.index("promotion")] > 0
    assert phase.any()
    assert not FAMILIES["align"].covers(observations)[phase].any()
    assert (FAMILIES["spend_money"].covers(observations) & masks)[phase].any(axis=1).all()


def test_technology_spends_no_money_where_a_counter_can_move_freely(met) -> None:
    observations, _ = met
    barriers = observations[:, SECTION_BY_NAME["barriers"].slice].reshape(-1, 4, 2)[:, :2]
    free = ((barriers[:, :, 0] == 0) & (barriers[:, :, 1] > 0)).any(axis=1)
    technology = FAMILIES["technology_space"].covers(observations)
    spends = FAMILIES["spend_money"].covers(observations) & technology
    assert free.any() and spends.any()
    assert not spends[free].any()


def test_a_family_by_card_covers_the_slots_whose_card_has_the_action() -> None:
    batch = BatchGame(40, STANDARD, seed=3)
    batch.reset()
    cards = STANDARD.data.deck.cards
    for row, state in enumerate(batch.states):
        shown = [cards[card] for card in state.slots]
        for kind in c.ACTION_KINDS[:-1]:
            covered = FAMILIES[f"{kind}_card"].covers(batch.observations[[row]])[0]
            expected = {
                ACTION_IDS[f"place {colour} slot_{slot + 1} secondary"]
                for slot, card in enumerate(shown)
                if card.secondary == kind
                for colour in ("blue", "black", "orange", "yellow", "white")
            }
            assert set(np.flatnonzero(covered)) == expected


def test_families_are_those_that_a_ruleset_has() -> None:
    tiny, standard, agenda = ({f.name for f in families(r)} for r in (TINY, STANDARD, AGENDA))
    assert {"tunnel", "use_heavy_machinery", "peek_own", "develop_political_duel"} <= tiny
    assert not {"use_exchange", "develop_exchange", "agenda_keep"} & tiny
    assert agenda == standard | {"agenda_keep"} == set(FAMILIES)
    assert all(family.sentence for family in FAMILIES.values())


def measure(**changes: Any) -> list[RestrictionEffect]:
    given: dict[str, Any] = {"agent": "heuristic", "ruleset": TINY, "deals": 60, "seed": 1}
    return measure_restrictions(**{**given, "workers": 1, **changes})


def test_a_ban_on_tunnels_costs_either_side_much() -> None:
    rows = measure(names=["tunnel"], modes=["ban"], ruleset=STANDARD)
    assert [(row.side, row.mode, row.family) for row in rows] == [
        ("britain", "ban", "tunnel"),
        ("france", "ban", "tunnel"),
    ]
    for row in rows:
        assert row.effect.high < 0
        assert row.p_holm < 0.001
        assert row.n == 60
        assert 0 < row.bound.low <= row.bound.value <= row.bound.high < 1


def test_a_restriction_that_never_binds_costs_nothing() -> None:
    """There are no Exchange cards in the tiny game."""
    games: list[int] = []
    rows = measure(names=["use_exchange"], progress=games.append)
    assert sum(games) == len(rows) * 60
    for row in rows:
        assert (row.effect.value, row.differing, row.p) == (0, 0, 1)
        assert row.bound.value == row.bound.low == 0 and 0.05 < row.bound.high < 0.1
        assert row.p == row.p_holm == 1


@pytest.mark.parametrize("agent", ["heuristic", "adept"])
@pytest.mark.parametrize("mode", MODES)
def test_only_the_named_side_is_restricted(agent: str, mode: str) -> None:
    """Against the agent itself each row is one pairing with a restricted agent, deal by deal."""
    seed, words = chunk_seed(1, 0), f"!{mode}=tunnel"
    free, bound = (make_agent(f"{agent}{each}", TINY, seed) for each in ("", words))
    even = play_match(free, free, 60, 1, TINY).points("britain")
    as_britain = play_match(bound, free, 60, 1, TINY).points("britain")
    as_france = play_match(free, bound, 60, 1, TINY).points("britain")
    rows = measure(agent=agent, names=["tunnel"], modes=[mode])
    for row, gains in zip(rows, (as_britain - even, even - as_france), strict=True):
        assert row.effect.value == pytest.approx(gains.mean())
        assert row.differing == np.count_nonzero(gains)


def test_games_that_a_restriction_does_not_touch_are_not_played_again(monkeypatch) -> None:
    """There are no Exchange cards in the tiny game: each decision is asked for once, whatever follows it."""
    agents: list[Watched] = []
    monkeypatch.setattr(restricted, "make_plain_agent", lambda *given: agents.append(Watched(1)) or agents[-1])
    asked = []
    for names in (["use_exchange"], ["use_exchange", "agenda_keep"]):
        agents.clear()
        assert all(row.differing == 0 for row in measure(names=names))
        asked.append(sum(len(masks) for agent in agents for _, masks, _ in agent.seen))
    assert asked[0] == asked[1] > 0


def test_the_name_of_a_restricted_agent_makes_it_again() -> None:
    for mode in MODES:
        for name in FAMILIES:
            spec = f"heuristic!{mode}={name}"
            agent = make_agent(spec, TINY)
            assert agent.name == spec
            assert isinstance(agent, RestrictedAgent)
            assert agent.agent.name == "heuristic"
            assert agent.restriction == Restriction(mode, find_family(name))
    twice = make_agent("random!ban=plan!force=tunnel", TINY)
    assert isinstance(twice, RestrictedAgent) and isinstance(twice.agent, RestrictedAgent)
    assert twice.name == "random!ban=plan!force=tunnel"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("heuristic!ban=tunel", "'tunel': no such name; did you mean 'tunnel'"),
        ("heuristic!ban=xyzzy", "known: plan, "),
        ("heuristic!bann=tunnel", "'bann': expected one of ban, force"),
        ("heuristic!tunnel", "expected AGENT!ban=FAMILY or AGENT!force=FAMILY"),
        ("heuristc!ban=tunnel", "did you mean 'heuristic'"),
        ("ismcts:10!ban=tunnel", "it searches"),
    ],
)
def test_a_wrong_restriction_is_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as refused:
        make_agent(spec, TINY)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"names": ["finanse"]}, "did you mean 'finance'"),
        ({"modes": ["forbid"]}, "expected one of ban, force"),
        ({"agent": "ismcts:10"}, "it searches"),
        ({"deals": 0}, "deals 0: 1 or more"),
        ({"seed": -1}, "seed -1: seeds are whole numbers"),
    ],
)
def test_what_cannot_be_measured_is_refused(changes, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        measure(**changes)
