"""Write the generated pages of docs/reference, and the schemas, from the live objects.

python .ci/write_pages.py            write them all
python .ci/write_pages.py --check    write nothing; exit status 1 and a line for each page that is stale
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pages.commands import commands_page, measures_page
from pages.environment import actions_page, environment_page, observation_page
from pages.games import GamePages, all_games
from pages.rulesets import card_schema, rules_page, ruleset_schema, rulesets_page, training_rulesets_page

DOCS = Path(__file__).parents[1] / "docs"
OF_A_GAME: dict[str, Callable[[GamePages], str]] = {
    "environment": environment_page,
    "observation": observation_page,
    "actions": actions_page,
    "rulesets": rulesets_page,
    "measures": measures_page,
    "rules": rules_page,
}
PAGES: dict[str, Callable[[], str]] = {
    **{
        f"reference/{game.folder}/{name}.md": partial(make, game)
        for game in all_games()
        for name, make in OF_A_GAME.items()
    },
    "reference/cli.md": commands_page,
    "reference/training-rulesets.md": training_rulesets_page,
    "ruleset.schema.json": ruleset_schema,
    "score-card.schema.json": card_schema,
}


def main(words: list[str] | None = None) -> int:
    """Write or check; 1 if a checked page is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; name the stale pages")
    parser.add_argument("--out", type=Path, default=DOCS, help="the folder of the pages")
    arguments = parser.parse_args(words)
    stale = 0
    for name, make in PAGES.items():
        path, text = arguments.out / name, make()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if arguments.check:
            print(f"{path} is stale: run make docs", file=sys.stderr)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {path}")
    return int(arguments.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
