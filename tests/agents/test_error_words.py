"""What a slip on the command line is answered: what is wrong, then the way out, in the words of who typed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from channel_tunnel_env.cli import main

FILES = {
    "my.yaml": "base: standard\nname: my\ndiscs: {hand: 11}\n",
    "space.yaml": "base: standard\nname: my own\n",
    "three.yaml": "base: carcassonne\nname: three\nplayers: 3\n",
    "targets.yaml": "targets: {first_seat_wins: [0.4, 0.6]}\n",
    "range.yaml": "targets: {britain_wins: [0.6, 0.4]}\n",
    "odd.yaml": "targets: {rounds: [1, 2]}\nagnet: club\n",
}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            "tournament random greedy",
            "agent 'greedy' plays the game carcassonne and eurotunnel; ruleset standard is of the game tunnel_1987; "
            "add --ruleset carcassonne",
        ),
        ("play --opponent huristic", "agent 'huristic': no such agent; did you mean 'heuristic'? Known: random, "),
        ("check space.yaml", "name: 'my own': allowed: letters, digits, _ . and -, but no spaces"),
        (
            "gate targets.yaml",
            "targets.yaml: measure 'first_seat_wins': unknown in this game; it belongs to carcassonne: "
            "add --ruleset carcassonne",
        ),
        ("gate range.yaml", "range.yaml: britain_wins: from 0.6 is above to 0.4"),
        ("gate odd.yaml", "odd.yaml: line 2, column 1: agnet: unknown key; did you mean 'agent'?"),
        ("tune --targets my.yaml --param discs.hand=8..12", "my.yaml: this is a ruleset, not a targets file"),
        ("gate standard my.yaml", "my.yaml: this is a ruleset, not a targets file"),
        (
            "tournament random club --ruleset my.yaml",
            "agent 'club': it was trained for standard, and my has other rules; take adept, which reads the rules, or "
            "frozen:club, which plays as it is",
        ),
        (
            "compare carcassonne three.yaml",
            "ruleset three: 3 seats, and carcassonne has 2; compare it with rules for as many: a file with "
            "base: carcassonne and players: 3",
        ),
        ("check my.yaml --games -5", "games -5: allowed: 1 to 100,000,000"),
        ("check my.yaml --threads 5000", "threads 5000: allowed: 1 to 1,024"),
        ("table --host 300.1.1.1", "--host 300.1.1.1: no address of this machine"),
        ("rules my.yml", "my.yml: no such file, and no ruleset of that name; did you mean 'my.yaml'? Known: "),
        ("rules my", "my: no such file, and no ruleset of that name; did you mean 'my.yaml'? Known: "),
    ],
)
def test_a_slip_is_answered_with_the_way_out(
    words: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert main(words.split()) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert line in told and "Value error" not in told and str(Path(__file__).parents[2]) not in told
