"""The sample reports of the documents made again, as pages without their games, in docs/reports.

    python benchmarks/sample_reports.py                    # a quarter of an hour of two free cores
    python benchmarks/sample_reports.py --only standard

One is the whole report on the base game, the other the quick one on the ruleset of the quick start for designers, which
also stands there as its picture. Their games stay in runs/samples, so that a stopped report goes on.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import tyro

from channel_tunnel_agents.balance.judging import judge
from channel_tunnel_agents.balance.report.build import write_report
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.balance.report.stored import SUFFIX, keep_page
from channel_tunnel_env.outside.progress import show_progress

DOCS = Path(__file__).resolve().parents[1] / "docs"
GAMES = Path("runs") / "samples"
RULES = "my.yaml"  # as the quick start calls it
SAMPLES = {"standard": ReportSettings("standard"), "eleven-discs": ReportSettings(RULES, quick=True)}


def rules_of_the_quick_start() -> str:
    """The ruleset that a designer is asked to save."""
    page = (DOCS / "tutorials" / "first-ruleset.md").read_text(encoding="utf-8")
    found = re.search(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def make(name: str, settings: ReportSettings) -> None:
    """Play, write the report and keep its page."""
    with show_progress() as progress:
        verdicts = judge(settings.rules, settings.plan, progress=progress)
        written = write_report(settings, Path(name), progress.begin, judging=verdicts)
    kept = DOCS / "reports" / f"{name}{SUFFIX}"
    keep_page(written.page, kept)
    print(f"{kept.name}: {kept.stat().st_size:,} bytes. {written.page.plain.headline}")


def main(only: str = "") -> None:
    """Make them in the folder of their games: a page names its ruleset's file as the command did.

    Args:
        only: The name of one. Default: both.
    """
    GAMES.mkdir(parents=True, exist_ok=True)
    os.chdir(GAMES)
    Path(RULES).write_text(rules_of_the_quick_start(), encoding="utf-8")
    for name, settings in SAMPLES.items():
        if only in ("", name):
            make(name, settings)


if __name__ == "__main__":
    tyro.cli(main)
