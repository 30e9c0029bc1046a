"""A release is refused while anything of it is not ready, and says what; metadata of the package agrees with itself."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from email.message import Message
from pathlib import Path
from types import ModuleType

import pytest

import channel_tunnel_env
from tests.test_examples import ci_script

ROOT = Path(__file__).parents[1]


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The release script on a small checkout that is ready."""
    script = ci_script("release")
    (tmp_path / "channel_tunnel_env").mkdir()
    (tmp_path / "channel_tunnel_env" / "versions.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.2.0] - 2030-01-31\n\n- More.\n")
    (tmp_path / "CITATION.cff").write_text("title: x\nversion: 1.2.0\n")
    (tmp_path / "docs" / "how-to").mkdir(parents=True)
    (tmp_path / "docs" / "how-to" / "other-libraries.md").write_text("| x | passed |\n")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)
    monkeypatch.setattr(script, "ROOT", tmp_path)
    return script


def test_a_checkout_that_is_ready_passes(release: ModuleType) -> None:
    quick = (release.dirty, release.changelog, release.citation, release.tagged, release.libraries)
    assert [check() for check in quick] == [""] * len(quick)


def test_a_site_with_a_page_that_nobody_finds_is_not_ready(release: ModuleType) -> None:
    pytest.importorskip("mkdocs")
    docs, ci = release.ROOT / "docs", release.ROOT / ".ci"
    (docs / "how-to" / "other-libraries.md").unlink()
    (docs / "index.md").write_text("# Start\n")
    ci.mkdir()
    (ci / "mkdocs.yml").write_text(
        "site_name: x\ndocs_dir: ../docs\nsite_dir: ../build\nvalidation: {omitted_files: warn}\nnav: [index.md]\n"
    )
    assert release.site() == ""
    (docs / "alone.md").write_text("# Alone\n")
    assert release.site() != ""


@pytest.mark.parametrize(
    "file, text, check, said",
    [
        ("new.txt", "x", "dirty", "1 changes are not committed, such as ?? new.txt"),
        ("CHANGELOG.md", "## [Unreleased]\n- x\n", "changelog", "no chapter '## [1.2.0] - YYYY-MM-DD'"),
        ("CHANGELOG.md", "## [Unreleased]\n- x\n## [1.2.0] - 2030-01-31\n", "changelog", "1 entries above 1.2.0"),
        ("CITATION.cff", "title: x\nversion: 1.1.0\n", "citation", "does not say 1.2.0"),
        ("docs/how-to/other-libraries.md", "| x | **failed** |", "libraries", "failed example"),
    ],
)
def test_what_is_not_ready_is_named(release: ModuleType, file: str, text: str, check: str, said: str) -> None:
    (release.ROOT / file).write_text(text)
    assert said in getattr(release, check)()


def test_a_version_is_released_once(release: ModuleType) -> None:
    release.git("tag", "v1.2.0")
    assert "v1.2.0 exists" in release.tagged()


def test_one_failed_check_refuses_the_release(
    release: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["release", "--tag"])
    monkeypatch.setattr(release, "CHECKS", {"a": lambda: "", "b": lambda: "why not"})
    assert release.main() == 1
    assert "no   b: why not" in capsys.readouterr().out
    assert not release.git("tag", "--list")
    monkeypatch.setattr(release, "CHECKS", {"a": lambda: ""})
    release.git("config", "user.name", "t")
    release.git("config", "user.email", "t@example.org")
    assert release.main() == 0
    assert release.git("tag", "--list") == "v1.2.0"


def metadata(**changes: str) -> Message:
    """The wheel's metadata as it should be, with changes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    message = Message()
    right = {
        "Version": channel_tunnel_env.__version__,
        "Name": project["name"],
        "Requires-Python": project["requires-python"],
        "License-Expression": project["license"],
    } | changes
    for key, value in right.items():
        message[key] = value
    for need in project["dependencies"]:
        message["Requires-Dist"] = need
    for extra in project["optional-dependencies"]:
        message["Provides-Extra"] = extra
    for path in project["license-files"]:
        message["License-File"] = path
    return message


SCRIPTS = (
    "[console_scripts]\nchannel-tunnel = x\n[channel_tunnel_env.opponents]\nagents = z\n"
    "[gymnasium.envs]\n__root__ = y\n"
)


def test_metadata_that_differs_from_the_sources_is_refused() -> None:
    package = ci_script("package")
    assert package.faults_of_metadata(metadata(), SCRIPTS) == []
    assert "Version is '9'" in package.faults_of_metadata(metadata(Version="9"), SCRIPTS)[0]
    heavy = metadata()
    heavy["Requires-Dist"] = "torch"
    assert "'torch'" in package.faults_of_metadata(heavy, SCRIPTS)[0]
    assert package.faults_of_metadata(metadata(), "") == [
        "no entry point channel-tunnel",
        "no entry point channel_tunnel_env.opponents",
        "no entry point gymnasium.envs",
    ]


def test_the_core_install_names_no_heavy_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[^a-z0-9-]", need.lower())[0] for need in project["dependencies"]}
    assert not names & {"torch", "stable-baselines3", "ray", "pandas", "pyarrow", "matplotlib"}


def test_the_suite_starts_without_the_plugins_of_make_test() -> None:
    """`.ci/ray` runs marked tests in an environment that has pytest and hypothesis alone."""
    words = ["-p", "no:xdist", "--collect-only", "tests/test_budgets.py"]
    done = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", [".ci/run", ".ci/release.py", "Makefile"])
def test_the_check_of_the_site_hears_its_warnings(path: str) -> None:
    """What makes mkdocs quiet also keeps `--strict` from counting a warning."""
    text = (ROOT / path).read_text(encoding="utf-8").replace('", "', " ")
    builds = [line for line in text.splitlines() if "mkdocs build" in line]
    assert builds
    for line in builds:
        assert "--strict" in line and not re.search(r"\s(-q|--quiet)\b", line)
