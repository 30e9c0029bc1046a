"""The examples for other libraries and the tutorials: short, complete, listed, and those whose library is here run."""

from __future__ import annotations

import ast
import importlib.util
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))
PAGE = ROOT / "docs" / "how-to" / "other-libraries.md"
MAX_LINES = 60
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.py"))
QUICK_TUTORIAL = "enter_rules"


def ci_script(name: str) -> ModuleType:
    """A script of .ci as a module."""
    spec = importlib.util.spec_from_file_location(f"ci_{name}", ROOT / ".ci" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def libraries_of(path: Path) -> set[str]:
    """Top-level packages that an example imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).split(".")[0])
    return found


def trains(path: Path) -> bool:
    return ".learn(" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path",
    [pytest.param(each, marks=pytest.mark.heavy) if trains(each) else each for each in EXAMPLES],
    ids=lambda path: path.stem,
)
def test_examples_run(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for library in libraries_of(path):
        pytest.importorskip(library)
    if "ray" in libraries_of(path):
        pytest.skip("starts a cluster; .ci/libraries.py runs it")
    runpy.run_path(str(path), run_name="__main__")
    said = capsys.readouterr().out
    assert re.search(r"\d", said), "an example says what came of it"
    if path.stem == "pretrained_policy":  # its page shows it
        assert said in (ROOT / "docs" / "how-to" / "use-pretrained.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_short_and_say_what_they_show(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_LINES
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_import_packages_and_not_folders_of_the_checkout(path: Path) -> None:
    for library in libraries_of(path):
        found = importlib.util.find_spec(library)
        assert found is None or found.origin, f"{library} is a folder without code"


@pytest.mark.parametrize(
    "path",
    [each if each.stem == QUICK_TUTORIAL else pytest.param(each, marks=pytest.mark.heavy) for each in TUTORIALS],
    ids=lambda path: path.stem,
)
def test_tutorials_run(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(sys, "argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert re.search(r"\d", capsys.readouterr().out)


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_tutorials_are_linked(path: Path) -> None:
    pages = [ROOT / "docs" / "index.md", ROOT / "docs" / "tutorials" / "first-agent.md"]
    assert all(f"{path.name})" in page.read_text(encoding="utf-8") for page in pages)


def test_every_example_is_run_by_the_libraries_script_and_stands_in_its_page() -> None:
    script, page = ci_script("libraries"), PAGE.read_text(encoding="utf-8")
    listed = {library.example for library in script.LIBRARIES}
    names = {path.name for path in EXAMPLES}
    assert names <= listed
    for name in names:
        assert f"examples/{name}" in page, "run: make libraries"
    assert "**failed**" not in page


@pytest.mark.parametrize("fault", ["theirs", "ours"])
def test_a_package_of_ours_that_cannot_be_installed_is_no_excuse(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = ci_script("libraries")

    def run(words: list[object], check: bool = False, **how: object) -> SimpleNamespace:
        failed = "install" in words and ("-e" in words) == (fault == "ours")
        if failed and check:
            raise subprocess.CalledProcessError(1, "pip")
        return SimpleNamespace(returncode=int(failed), stdout="1", stderr="")

    monkeypatch.setattr(script.subprocess, "run", run)
    monkeypatch.setattr(sys, "argv", ["", "--only", "OpenSpiel", "--venvs", str(tmp_path)])
    (tmp_path / "openspiel").mkdir()
    if fault == "theirs":
        assert script.main() == script.NOT_INSTALLED
    else:
        with pytest.raises(SystemExit, match="OpenSpiel: this package cannot be installed"):
            script.main()
