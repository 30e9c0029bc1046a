"""The documents tell the truth: their code runs, their links lead somewhere, the names they cite exist."""

from __future__ import annotations

import ast
import itertools
import re
from contextlib import nullcontext
from pathlib import Path

import pytest
import yaml

from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.scripted import PLAYERS
from channel_tunnel_env import RulesetError, load_ruleset
from channel_tunnel_env.cli.listing import COMMANDS as LISTED
from tests.sites import FOURTH, fourth_game

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "channel_tunnel_env"
ENGINE = PACKAGE / "games" / "tunnel_1987" / "engine"
README = ROOT / "README.md"
DOCS = ROOT / "docs"
GUIDE = DOCS / "how-to" / "change-the-rules.md"
DESIGNER = DOCS / "tutorials" / "first-ruleset.md"
RULES = DOCS / "reference" / "rulings-1987.md"
FOLLOWED_BY = ROOT / "tests" / "games" / "tunnel_1987" / "rulings.yaml"
WRITTEN_ELSEWHERE = {
    DOCS / f"report-{path.name.removesuffix('.json.gz')}.html" for path in (DOCS / "reports").glob("*.json.gz")
}
PAGES = sorted(DOCS.rglob("*.md"))
LEARNT_FROM = ("tutorials", "how-to")  # folders of pages whose blocks readers try
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *PAGES]
COMMANDS = re.compile(
    r"(?:python train.py|channel-tunnel train) (?P<train>[a-z]+)(?!\S)|python evaluate.py (?P<evaluate>[a-z]+)|"
    r"(?:python -m channel_tunnel_env|channel-tunnel) (?P<ours>[a-z][a-z-]*)|make (?P<make>[a-z-]+)|python (?P<script>[\w./]+\.py)"
)

# A block of Python and, right below it, what it prints, if that is shown.
FENCED = r"((?:(?!```).*\n)*)"
SHOWN = re.compile(rf"^```python\n{FENCED}```$(?:\n\n```text\n{FENCED}```$)?", re.MULTILINE)
# The same with a few words before what it prints, such as that processors differ.
FOLLOWED = re.compile(rf"^```python\n{FENCED}```$(?:\n(?:(?!```|#).*\n)*```(text)$)?", re.MULTILINE)

# A ruleset that is wrong and, right below it, the refusal.
REFUSED = re.compile(r'^```yaml title="wrong"\n(.*?)^```\n\n```text\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def numbered(language: str, *paths: Path) -> list[object]:
    """One test parameter for each block."""
    return [
        pytest.param(block, id=f"{path.stem}-{i}")
        for path in paths
        for i, block in enumerate(blocks(path, language), 1)
    ]


def python_blocks(below: re.Pattern[str], *paths: Path) -> list[object]:
    """One test parameter for each block of Python, with what stands below it, or ""."""
    return [
        pytest.param(code, shown, id=f"{path.relative_to(ROOT).with_suffix('')}-{i}")
        for path in paths
        for i, (code, shown) in enumerate(below.findall(path.read_text(encoding="utf-8")), 1)
    ]


@pytest.mark.parametrize(("code", "shown"), python_blocks(SHOWN, README, *PAGES))
def test_python_blocks_run_and_print_what_is_shown(
    code: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for library in ("sb3_contrib", "torch"):
        if library in code or ("club" in code or "master" in code):
            pytest.importorskip(library)
    block = compile(code, "a block of the documents", "exec")
    with fourth_game(tmp_path) if FOURTH in code else nullcontext():
        exec(block, {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert not shown or printed == shown


@pytest.mark.parametrize(
    ("code", "below"), python_blocks(FOLLOWED, *(page for page in PAGES if page.parent.name in LEARNT_FROM))
)
def test_a_block_that_prints_is_followed_by_its_output(code: str, below: str) -> None:
    assert below == "text" or "print(" not in code


@pytest.mark.parametrize("text", numbered("yaml", GUIDE, DESIGNER, README))
def test_rulesets_of_the_guide_load(text: str, tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(text, encoding="utf-8")
    load_ruleset(file)


def test_errors_of_the_guide_are_the_real_ones(tmp_path: Path) -> None:
    page = GUIDE.read_text(encoding="utf-8")
    shown = REFUSED.findall(page)
    assert len(shown) == len(blocks(GUIDE, 'yaml title="wrong"')) > 0
    file = tmp_path / "my.yaml"
    for text, message in shown:
        file.write_text(text, encoding="utf-8")
        with pytest.raises(RulesetError) as caught:
            load_ruleset(file)
        assert str(caught.value).replace(str(file), "my.yaml") == message.strip()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_commands_of_the_documents_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    presets = {preset.stem for preset in (ROOT / "configs" / "train").glob("*.yaml")}
    known = {
        "ours": {*LISTED},
        "evaluate": {name for name, known in LISTED.items() if known.agents == "evaluate"},
        "train": presets,
        "make": targets,
    }
    for found in COMMANDS.finditer("\n".join(blocks(path, "bash"))):
        kind, word = next((k, w) for k, w in found.groupdict().items() if w)
        exists = (ROOT / word).exists() if kind == "script" else word in known[kind]
        assert exists, f"{path.name}: {found[0]}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_relative_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists() or target in WRITTEN_ELSEWHERE, f"{path.name}: {link}"
        if anchor and target == RULES:
            assert f'<a id="{anchor}"></a>' in RULES.read_text(encoding="utf-8"), f"{path.name}: {link}"


def test_functions_that_follow_a_ruling_exist() -> None:
    """Chapters of the rulings, and the functions of the engine that follow each."""
    followed = yaml.safe_load(FOLLOWED_BY.read_text(encoding="utf-8"))
    anchors = re.findall(r'<a id="([a-z-]+)"></a>', RULES.read_text(encoding="utf-8"))
    assert followed.keys() <= set(anchors)
    cited = [name.split(".") for names in followed.values() for name in names]
    assert len(cited) > 90
    defined = {module: functions_of(ENGINE / f"{module}.py") for module, _ in cited}
    for module, function in cited:
        assert function in defined[module], f"{module}.{function}"


def functions_of(file: Path) -> set[str]:
    """Names of a module's own functions."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_chapter_of_the_rules_has_an_anchor() -> None:
    lines = RULES.read_text(encoding="utf-8").splitlines()
    for above, line in itertools.pairwise(lines):
        if re.match(r"##+ ", line):
            assert re.fullmatch(r'<a id="[a-z-]+"></a>', above), line


def test_chapters_and_rulings_cited_in_code_exist() -> None:
    text = RULES.read_text(encoding="utf-8")
    chapters = set(re.findall(r"^##+ (\d(?:\.\d)?)", text, re.MULTILINE))
    rulings = re.findall(r"^\| ([AB]\d\d) \|", text, re.MULTILINE)
    assert rulings == sorted(set(rulings))
    assert [r for r in rulings if r[0] == "A"] == [f"A{i:02d}" for i in range(1, 83)]
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.yaml")]):
        if path.is_relative_to(PACKAGE / "games"):
            continue  # other games cite rules of their own
        source = path.read_text(encoding="utf-8")
        assert set(re.findall(r"\bA\d\d\b", source)) <= set(rulings), path.name
        assert set(re.findall(r"\brules (\d(?:\.\d)?)", source)) <= chapters, path.name


def test_the_page_of_agents_names_every_agent() -> None:
    text = (DOCS / "reference" / "agents.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| `")]
    names = {"1987": "tunnel_1987", "Carcassonne": "carcassonne", "Eurotunnel": "eurotunnel"}
    for title, game in names.items():
        listed = {name for row in rows if row[1] == title for name in re.findall(r"`(\w+)`", row[0])}
        assert listed >= {*PLAYERS[game].NAMES, *AGENT_SPECS[game].shipped}, title


def test_tests_that_the_promises_name_exist() -> None:
    """A test is looked for in all files that its row names."""
    text = (ROOT / "tests" / "PROMISES.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "`" in line]
    assert len(rows) > 60
    for row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py|\w+\.py)`", row.rpartition(" | ")[2])
        folder = (ROOT / named[0]).parent if named else ROOT
        files = [ROOT / name if "/" in name else folder / name for name in named]
        modules = re.findall(r"python -m ([\w.]+)", row)
        files += [ROOT / module.replace(".", "/") for module in modules]
        missing = [f for f in files if not f.exists() and not f.with_suffix(".py").exists()]
        assert not missing, f"{missing}: {row}"
        source = "".join(f.read_text(encoding="utf-8") for f in files if f.is_file())
        absent = [name for name in re.findall(r"`(test_\w+)`", row) if f"def {name}(" not in source]
        assert not absent, f"{absent}: {row}"


def test_sizes_and_versions_in_the_readme_are_current() -> None:
    text = README.read_text(encoding="utf-8")
    rules = [load_ruleset(name) for name in ("standard", "carcassonne", "eurotunnel")]
    forms = [FORMS[each.spec.name] for each in rules]
    rows = {
        "actions": [f"{form.num_actions:,}" for form in forms],
        "observation": [f"{each.spec.observation.size(each):,}" for each in rules],
        "versions": [f"{form.observation_version}, {form.action_version}, v" for form in forms],
    }
    for row, values in rows.items():
        (line,) = re.findall(rf"^\| {row}\b.*$", text, re.MULTILINE)
        cells = line.split(" | ")[1:]
        assert all(cell.startswith(value) for cell, value in zip(cells, values, strict=True)), line


def test_modules_that_contributing_cites_exist() -> None:
    """With their folder: below a package, or below a game's folder in either package or in the tests."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"`((?:[\w.]+/)+[\w.]+\.(?:py|yaml|md))`", text))
    packages = (ROOT, PACKAGE, ROOT / "agents" / "channel_tunnel_agents")
    homes = [
        *packages,
        *(home / "games" / "tunnel_1987" for home in (*packages, ROOT / "tests")),
        PACKAGE / "games" / "eurotunnel",
    ]
    missing = {
        path
        for path in cited
        if not any((home / path.replace("NAME", "tunnel_1987")).exists() for home in homes)
        and not any((home / path.replace("NAME", "carcassonne")).exists() for home in homes)
    }
    assert not missing
    assert len(cited) > 50  # twenty rows of two or three places each
