"""The reference is whole: generated pages are current, public names are on a page, and what is shown says what it takes."""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import channel_tunnel_agents
import channel_tunnel_env

griffe = pytest.importorskip("griffe")

ROOT = Path(__file__).parents[1]
CI = ROOT / ".ci"
DOCS = ROOT / "docs"
API = DOCS / "reference" / "api"
PACKAGES = (channel_tunnel_env, channel_tunnel_agents)
MOST_CHARACTERS = 100  # of a line of the commands' help
DIRECTIVE = re.compile(r"^::: (\S+)\n((?: {4}.*\n)*)", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What a caller cannot guess from the name of the type: which shape, which entries.
UNCLEAR = re.compile(r"NDArray|ndarray|tuple|dict|\bAny\b")


def written_pages() -> dict[str, Callable[[], str]]:
    """The generated pages by their names below docs."""
    sys.path.insert(0, str(CI))
    try:
        import write_pages

        pages: dict[str, Callable[[], str]] = write_pages.PAGES
        return pages
    finally:
        sys.path.remove(str(CI))


PAGES = written_pages()


@pytest.mark.parametrize("name", list(PAGES))
def test_a_generated_page_is_current(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run: make docs"


def test_the_check_names_a_stale_page_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import write_pages

    monkeypatch.setattr(write_pages, "PAGES", {"reference/a.md": lambda: "A\n", "b.json": lambda: "{}"})
    out = ["--out", str(tmp_path)]
    assert write_pages.main(out) == 0
    assert write_pages.main([*out, "--check"]) == 0
    (tmp_path / "reference" / "a.md").write_text("old")
    capsys.readouterr()
    assert write_pages.main([*out, "--check"]) == 1
    assert capsys.readouterr().err.count("a.md is stale") == 1
    assert (tmp_path / "reference" / "a.md").read_text() == "old"


def test_the_page_of_commands_is_the_same_on_every_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.commands import commands_page, help_of

    page = commands_page()
    help_lines = [line for block in re.findall(r"```text\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    assert max(map(len, help_lines)) <= MOST_CHARACTERS
    assert not re.search(r"\x1b|\bSTR\b|\(default: (?:None|''|)\)|[╭│]", page)
    assert str(Path.home()) not in page and str(ROOT) not in page
    before = help_of("play")
    for name, value in (("COLUMNS", "40"), ("FORCE_COLOR", "1"), ("TERM", "xterm-256color")):
        monkeypatch.setenv(name, value)
    assert help_of("play") == before


def test_every_built_in_game_has_the_same_pages() -> None:
    folders: dict[str, set[str]] = {}
    for name in PAGES:
        if name.count("/") == 2:
            folders.setdefault(name.split("/")[1], set()).add(name.split("/")[2])
    names = {f"{each}.md" for each in ("environment", "observation", "actions", "rulesets", "measures", "rules")}
    assert folders == dict.fromkeys(("1987", "carcassonne", "eurotunnel"), names)


# --- what the pages of the API show ---------------------------------------------------------------


@cache
def package(name: str) -> Any:
    """A package as the pages see it: read from its sources, not run."""
    return griffe.load(
        name,
        search_paths=[str(ROOT), str(ROOT / "agents")],
        docstring_parser="google",
        docstring_options={"warnings": False},
        resolve_aliases=True,
    )


def found(path: str) -> Any:
    """The object with a dotted path, where it is defined."""
    top, _, rest = path.partition(".")
    each = package(top)
    for part in rest.split(".") if rest else ():
        each = each.all_members[part] if each.is_class else each.members[part]
        if each.is_alias:
            each = package(top)[each.target_path.partition(".")[2]] if _ours(each) else each.final_target
    return each


def _ours(alias: Any) -> bool:
    for each in PACKAGES:
        if alias.target_path.startswith(f"{each.__name__}."):
            package(each.__name__)
    return False


def shown(page: Path) -> Iterator[tuple[str, Any]]:
    """What a page shows: each path, as it is written there, and its object."""
    for path, indented in DIRECTIVE.findall(page.read_text(encoding="utf-8") + "\n"):
        options = (yaml.safe_load(indented) or {}).get("options", {})
        each = found(path)
        yield path, each
        yield from _members(path, each, options)


def _members(path: str, each: Any, options: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The members below an object, as the options choose them."""
    if not (each.is_module or each.is_class):
        return
    names = options.get("members")
    refused = [rule.removeprefix("!") for rule in options.get("filters", ["!^_"])]
    members = each.all_members if options.get("inherited_members") else each.members
    for name in names if names is not None else members:
        if names is None and any(re.search(rule, name) for rule in refused):
            continue
        if names is None and each.is_module and members[name].is_alias:
            continue  # imported, not defined there
        member = members[name].final_target if members[name].is_alias else members[name]
        if member.has_docstring or names is not None:
            yield f"{path}.{name}", member
            yield from _members(f"{path}.{name}", member, {"filters": options.get("filters", ["!^_"])})


SHOWN = [(f"{page.stem}: {path}", each) for page in sorted(API.glob("*.md")) for path, each in shown(page)]
FUNCTIONS = [(where, each) for where, each in SHOWN if each.is_function]
CLASSES = [(where, each) for where, each in SHOWN if each.is_class]


def canonical(module: str, name: str) -> str:
    """Where what a module offers under a name is defined."""
    loaded = __import__(module, fromlist=[name])
    thing = getattr(loaded, name)
    return f"{getattr(thing, '__module__', module)}.{getattr(thing, '__qualname__', name)}"


def public_names() -> list[tuple[str, str]]:
    """(module, name) of all that `__all__` of the packages lists, and that a block of the documents imports."""
    names = {(each.__name__, name) for each in PACKAGES for name in each.__all__}
    for page in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]:
        for code in PYTHON.findall(page.read_text(encoding="utf-8")):
            for node in ast.walk(ast.parse(code)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("channel_tunnel"):
                    names |= {(str(node.module), alias.name) for alias in node.names}
    return sorted(names)


@pytest.mark.parametrize(("module", "name"), public_names())
def test_a_public_name_is_on_a_page_of_the_reference(module: str, name: str) -> None:
    places = {path.partition(": ")[2] for path, _ in SHOWN} | {each.canonical_path for _, each in SHOWN}
    assert places & {f"{module}.{name}", canonical(module, name)}


def sections(each: Any, kind: str) -> list[Any]:
    """The entries of a section of a docstring."""
    if not each.has_docstring:
        return []
    return [entry for part in each.docstring.parsed if part.kind.value == kind for entry in part.value]


def described(each: Any) -> set[str]:
    """Parameters that a docstring explains; several may share a line."""
    return {name.strip().lstrip("*") for entry in sections(each, "parameters") for name in entry.name.split(",")}


def parameters(function: Any) -> set[str]:
    """What a caller gives."""
    return {
        p.name.lstrip("*") for p in function.parameters if p.name not in ("self", "cls") and not p.name.startswith("_")
    }


@pytest.mark.parametrize(("where", "function"), FUNCTIONS, ids=[where for where, _ in FUNCTIONS])
def test_a_shown_function_explains_what_it_takes(where: str, function: Any) -> None:
    assert parameters(function) - described(function) == set()


@pytest.mark.parametrize(("where", "kind"), CLASSES, ids=[where for where, _ in CLASSES])
def test_a_shown_class_explains_what_it_is_made_from(where: str, kind: Any) -> None:
    """Its fields, of a data class, may be explained as attributes instead."""
    init = kind.all_members.get("__init__")
    if init is None or not init.is_function:
        return
    fields = {entry.name for entry in sections(kind, "attributes")}
    fields |= {name for name, member in kind.members.items() if member.is_attribute and member.has_docstring}
    heir = init.final_target if init.is_alias else init
    said = described(kind) | described(heir) | described(heir.parent)  # the class that has it
    assert parameters(init) - said - fields == set()


@pytest.mark.parametrize(("where", "function"), FUNCTIONS, ids=[where for where, _ in FUNCTIONS])
def test_a_shown_function_explains_what_it_returns(where: str, function: Any) -> None:
    if UNCLEAR.search(str(function.returns or "")):
        assert sections(function, "returns") or sections(function, "yields")


@pytest.mark.parametrize(("where", "function"), FUNCTIONS, ids=[where for where, _ in FUNCTIONS])
def test_a_shown_function_names_the_errors_that_it_raises(where: str, function: Any) -> None:
    named = {entry.annotation and str(entry.annotation) for entry in sections(function, "raises")}
    tree = ast.parse(textwrap.dedent(function.source))
    raised = {
        node.exc.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name)
        if re.fullmatch(r"\w+(Error|Failure)", node.exc.func.id) and node.exc.func.id != "NotImplementedError"
    }
    assert raised - named == set()
