"""Every element of the table's page is looked up by one module, whose first lines say so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from channel_tunnel_agents import table

STATIC = Path(table.__file__).parent / "static"
PAGE = (STATIC / "index.html").read_text(encoding="utf-8")
MODULES = {
    path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
    for path in (STATIC / "table.js", *(STATIC / "table").glob("*.js"), *(STATIC / "games").glob("*.js"))
}
LOOKED_UP = re.compile(r"""(?:byId|getElementById)\(["']([\w-]+)["']\)|querySelector(?:All)?\(["'`]#([\w-]+)""")
# Elements that several modules may look up, with the reason.
SHARED: dict[str, str] = {}
# Elements that no module looks up, with the reason.
UNSERVED = {
    "advanced": "a fold of the page's own, which tests open",
    "main": "the place of everything, for styles and tests",
}


def ids(page: str) -> set[str]:
    return set(re.findall(r'\bid="([\w-]+)"', page))


def looked_up(source: str) -> set[str]:
    return {one or other for one, other in LOOKED_UP.findall(source)}


def head(source: str) -> str:
    """The comment that a module begins with."""
    lines = source.split("\n")
    first = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    return " ".join(line.removeprefix("//").strip() for line in lines[:first])


def told_in(source: str) -> set[str]:
    found = re.search(r"\bFills ([\w, -]+)\.", head(source))
    return set() if found is None or found[1] == "nothing" else set(found[1].split(", "))


def test_an_element_has_one_owner() -> None:
    for name in ids(PAGE) - set(SHARED):
        owners = [module for module, source in MODULES.items() if name in looked_up(source)]
        assert len(owners) <= 1, f"{name}: {owners}"


def test_no_element_is_named_in_vain() -> None:
    """An id serves a module, or the page itself: a label, a link, a tab."""
    within = set(re.findall(r'(?:aria-\w+|for)="([\w-]+)"', PAGE)) | set(re.findall(r'href="#([\w-]+)"', PAGE))
    served = within.union(*(looked_up(source) for source in MODULES.values()))
    assert ids(PAGE) - served == set(UNSERVED)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_names_the_elements_that_it_fills(module: str) -> None:
    source = MODULES[module]
    assert looked_up(source) <= ids(PAGE), "an element that the page has not"
    assert told_in(source) == looked_up(source)
