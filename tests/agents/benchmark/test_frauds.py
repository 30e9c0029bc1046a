"""Ways to a better score than one's play is worth; none of them serves."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.benchmark import running
from channel_tunnel_agents.benchmark.checking import _lifted, check_card, compare
from channel_tunnel_agents.benchmark.contests import list_contests
from channel_tunnel_agents.benchmark.playing import play_part, stream_of
from channel_tunnel_agents.benchmark.running import CARD, BenchmarkEntry, enter, reference_of
from channel_tunnel_agents.matches.arena import by_seat, deal_games, deal_seeds, play_out
from channel_tunnel_env.tracks.card import ScoreCard, card_text
from tests.agents.benchmark.test_running import DUEL, PROGRAM, TINY, duel, program, resealed  # noqa: F401 - a fixture

GUESTS = "tests.agents.benchmark.guests"
RIVAL = "duel v heuristic"
pytestmark = pytest.mark.usefixtures("duel")


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> ScoreCard:
    """Of an agent that plays by chance."""
    return enter(BenchmarkEntry(DUEL, "random"), tmp_path_factory.mktemp("card"))


CHEAT = """
import hashlib, json, sys
book = json.load(open(sys.argv[1]))
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"type": "ready", "observations": "base64"}
    if asked["type"] == "act":
        keys = [hashlib.sha256((row["observation"] + row["mask"]).encode()).hexdigest() for row in asked["rows"]]
        actions = [book.get(key, row["legal"][0]) for key, row in zip(keys, asked["rows"])]
        answer = {"type": "actions", "id": asked["id"], "actions": actions}
    print(json.dumps(answer), flush=True)
"""


class Recorder:
    """Plays like the scripted player, but for a tenth of its moves, and notes what it saw and did in every game."""

    name = "recorder"

    def __init__(self, seed: int) -> None:
        self.rng, self.usual = np.random.default_rng(seed), make_agent("heuristic", TINY)
        self.lines: dict[int, dict[str, int]] = defaultdict(dict)

    def search(self, batch, rows):
        seen, masks = batch.numbers(rows), batch.masks[rows]
        stray = (masks * self.rng.random(masks.shape)).argmax(axis=1)
        actions = np.where(self.rng.random(len(rows)) < 0.1, stray, self.usual(seen, masks))
        for row, numbers, mask, action in zip(rows, seen, masks, actions, strict=True):
            text = base64.b64encode(numbers.astype("<f4").tobytes()).decode() + "".join(map(str, mask.astype(int)))
            self.lines[row][hashlib.sha256(text.encode()).hexdigest()] = int(action)
        return actions


def book_of(deals: int) -> dict[str, int]:
    """What to do in games that were won against the scripted player, of a part whose deals are known."""
    book: dict[str, int] = {}
    for attempt, seat in product(range(5), (0, 1)):
        recorder, rival = Recorder(attempt), make_agent("heuristic", TINY, stream_of(deals))
        cast = [rival, rival]
        cast[seat] = recorder
        batch = deal_games(deal_seeds(4, deals), TINY, *cast)
        play_out(batch, by_seat(batch, *cast))
        for row in np.flatnonzero(batch.states["winner"] == seat):
            book |= recorder.lines[row]
    return book


def test_who_knows_the_deals_that_were_played_before_wins_no_more(tmp_path: Path, card: ScoreCard) -> None:
    published = card.deals[RIVAL]
    book = [book_of(deals) for deals in published[:4]]
    (tmp_path / "book.json").write_text(json.dumps({key: action for part in book for key, action in part.items()}))
    name = program(tmp_path / "cheat.py", CHEAT, tmp_path / "book.json")
    contest = next(each for each in list_contests(DUEL, name, []) if each.key == RIVAL)
    known = [play_part(contest, part, published[part]).shares for part in range(4)]
    assert np.mean(known) > 0.4, "it does win on deals that it knows"
    cheat = enter(BenchmarkEntry(DUEL, name), tmp_path / "run")
    assert next(each for each in cheat.scores if each.key == RIVAL).high < 0.3


def test_no_process_of_an_agent_meets_a_deal_twice(tmp_path: Path, card: ScoreCard) -> None:
    """It could remember from one seat what the other holds; nor do contests share deals."""
    remembering = PROGRAM.replace("PLACE", "0").replace("import json, sys", "import json, os, sys").replace(
        'if asked["type"] == "act":',
        'if asked["type"] == "act":\n        print(os.getpid(), file=open(sys.argv[1], "a"))',
    )  # fmt: skip
    name = program(tmp_path / "mine.py", remembering, tmp_path / "asked")
    play_part(list_contests(DUEL, name, [])[0], 0)
    asked = (tmp_path / "asked").read_text().split()
    assert len({*asked}) == 2, "one for each seating"
    assert asked == sorted(asked, key=asked.index), "one after the other"
    assert len({seed for seeds in card.deals.values() for seed in seeds}) == 20


def test_a_module_cannot_weaken_its_rival(tmp_path: Path) -> None:
    card = enter(BenchmarkEntry(DUEL, f"{GUESTS}:Saboteur"), tmp_path)
    assert next(each for each in card.scores if each.key == RIVAL).high < 0.3
    assert card.agent.sees == "observations"


SPY = """
import json, os, pathlib, sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"type": "ready", "observations": "none"}
    if asked["type"] == "act":
        found = [json.dumps(dict(os.environ)), " ".join(sys.argv)]
        for each in ("cmdline", "environ"):
            try:
                found.append(pathlib.Path(f"/proc/{os.getppid()}/{each}").read_text())
            except OSError:
                pass
        found += [path.read_text() for path in pathlib.Path(sys.argv[1]).rglob("*") if path.is_file()]
        pathlib.Path(sys.argv[2]).write_text("\\n".join(found))
        answer = {"type": "actions", "id": asked["id"], "actions": [row["legal"][0] for row in asked["rows"]]}
    print(json.dumps(answer), flush=True)
"""


def test_an_agent_that_reads_its_parent_finds_no_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET_OF_THE_PARENT", "canary")
    table = DUEL.tables[0].model_copy(update={"opponents": ["random"], "deals": 1})
    track = DUEL.model_copy(update={"tables": [table]})
    name = program(tmp_path / "spy.py", SPY, tmp_path / "run", tmp_path / "found")
    card = enter(BenchmarkEntry(track, name), tmp_path / "run")
    (deals,) = card.deals["duel v random"]
    found = (tmp_path / "found").read_text()
    assert "plan.json" not in found and '"agent"' in found, "it has read the folder"
    assert str(deals) not in found
    assert not any(str(seed) in found for seed in deal_seeds(1, deals))
    assert "canary" not in found.partition("\n")[0], "its own environment"


def lifted(card: ScoreCard, part: float) -> dict[str, object]:
    """A card's results with this part of all games won instead of lost, and scores that follow."""
    results = {key: _lifted(rows, part) for key, rows in card.results.items()}
    contests = list_contests(DUEL, card.agent.name, [])
    return {"results": results, "scores": running.score(DUEL, contests, results, reference_of(DUEL), card.opponents)}


@pytest.mark.parametrize("agent", ["heuristic", pytest.param("process", marks=pytest.mark.heavy)])
def test_results_that_were_lifted_by_two_hundredths_do_not_hold(agent: str, tmp_path: Path) -> None:
    """Of an agent of this package, and of one that says it repeats itself."""
    if agent == "process":
        says = PROGRAM.replace("PLACE", "0").replace('"ready",', '"ready", "repeats": True,')
        agent = program(tmp_path / "mine.py", says)
    card = enter(BenchmarkEntry(DUEL, agent), tmp_path)
    assert card.agent.repeats
    found = check_card(tmp_path / CARD, agent=agent)
    assert found.holds and found.games == 320 and not found.differing, found
    resealed(card, tmp_path / CARD, **lifted(card, 0.02))
    found = check_card(tmp_path / CARD, agent=agent)
    assert not found.holds and "repeats itself" in found.words


def test_who_takes_back_that_it_repeats_itself_is_another_agent(tmp_path: Path) -> None:
    card = enter(BenchmarkEntry(DUEL, "heuristic"), tmp_path)
    resealed(card, tmp_path / CARD, agent=card.agent.model_copy(update={"repeats": False}), **lifted(card, 0.02))
    found = check_card(tmp_path / CARD, parts=1)
    assert not found.holds and found.words == "heuristic is another one here: repeats is True, and not False"


def of_chance(rng: np.random.Generator, chance: float) -> dict[str, list[list[float]]]:
    """Results in which every game is won with this chance; the two of a deal share half their luck."""
    shared = rng.random(40)
    luck = [np.where(rng.random(40) < 0.5, shared, rng.random(40)) for _ in range(2)]
    return {each.key: [[float(x < chance) for x in row] for row in luck] for each in list_contests(DUEL, "x:y", [])}


@pytest.mark.parametrize("chance", [0.03, 0.5])
def test_new_deals_pass_an_honest_card_and_find_the_lift_that_they_name(
    chance: float, card: ScoreCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, contests = np.random.default_rng(5), list_contests(DUEL, "x:y", [])
    passed = seen = 0
    for _ in range(60):
        mine, new = (of_chance(rng, chance) for _ in range(2))
        compared, lift = compare(DUEL, contests, card.model_copy(update={"results": mine}), new)
        passed += all(each.fits for each in compared)
        better = {key: _lifted(rows, lift) for key, rows in of_chance(rng, chance).items()}
        found, _ = compare(DUEL, contests, card.model_copy(update={"results": better}), of_chance(rng, chance))
        seen += not all(each.fits for each in found)
    assert passed >= 58 and seen >= 52, (passed, seen)


@pytest.mark.heavy
def test_a_lift_that_new_deals_can_see_does_not_hold_if_the_agent_plays_otherwise_each_time(tmp_path: Path) -> None:
    name = f"{GUESTS}:Lucky"
    card = enter(BenchmarkEntry(DUEL, name), tmp_path)
    assert not card.agent.repeats
    found = check_card(tmp_path / CARD, agent=name)
    assert found.holds and len(found.compared) == 3 and found.games == 160, found
    resealed(card, tmp_path / CARD, **lifted(card, 0.3))
    found = check_card(tmp_path / CARD, agent=name)
    assert not found.holds and "on new deals duel v random" in found.words


FORKING = """
import os, sys, time
if os.fork():
    time.sleep(60) if len(sys.argv) < 3 else None
else:
    open(sys.argv[1], "w").write(str(os.getpid()))
    time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_what_an_agent_has_forked_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("channel_tunnel_agents.players.process_agent.START_SECONDS", 2.0)
    name = program(tmp_path / "mine.py", FORKING, tmp_path / "child")
    with pytest.raises(Exception, match="no answer to hello within 2 s") as told:
        enter(BenchmarkEntry(DUEL, name), tmp_path / "run")
    assert "\n" not in str(told.value)
    child, stop = Path(f"/proc/{(tmp_path / 'child').read_text()}/stat"), time.monotonic() + 60
    while child.exists() and child.read_text().split()[2] not in "ZX":  # it was killed, and dies when it is its turn
        assert time.monotonic() < stop
        time.sleep(0.01)


def test_what_a_module_prints_and_reads_is_not_the_conversation(tmp_path: Path) -> None:
    card = enter(BenchmarkEntry(DUEL, f"{GUESTS}:Chatterbox"), tmp_path)
    assert card.games == 160 and card_text(card)
