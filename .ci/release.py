"""Whether this checkout may be released as the version it names; changes nothing unless --tag is given.

python .ci/release.py            every check, each with a line
python .ci/release.py --tag      and, if all pass, the tag vVERSION on this commit

Refuses: changes that are not committed, stale generated pages, a version without its chapter in CHANGELOG.md or with
another number in CITATION.cff, a tag that exists, a failed example, a site with warnings, a package that does not install.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]


def version() -> str:
    """The version that the sources name."""
    text = (ROOT / "channel_tunnel_env" / "versions.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found, "channel_tunnel_env/versions.py has no __version__"
    return found[1]


def dirty() -> str:
    """Changes that are not committed."""
    changes = git("status", "--porcelain").splitlines()
    return f"{len(changes)} changes are not committed, such as {changes[0]}" if changes else ""


def stale_pages() -> str:
    """Generated pages that differ from what would be written now."""
    return failure([sys.executable, ".ci/write_pages.py", "--check"])


def changelog() -> str:
    """A version without a chapter, or with something still unreleased above it."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version())}\] - \d{{4}}-\d\d-\d\d$", text, re.MULTILINE):
        return f"CHANGELOG.md has no chapter '## [{version()}] - YYYY-MM-DD'"
    above = text.split(f"## [{version()}]")[0]
    kept = [line for line in above.splitlines() if line.startswith("- ")]
    return f"CHANGELOG.md has {len(kept)} entries above {version()}" if kept else ""


def citation() -> str:
    """CITATION.cff with another version."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    return "" if f"\nversion: {version()}\n" in text else f"CITATION.cff does not say {version()}"


def tagged() -> str:
    """A tag that is already there."""
    tag = f"v{version()}"
    return f"the tag {tag} exists; raise __version__" if git("tag", "--list", tag) else ""


def libraries() -> str:
    """An example that failed when the compatibility page was written."""
    text = (ROOT / "docs" / "how-to" / "other-libraries.md").read_text(encoding="utf-8")
    return "docs/how-to/other-libraries.md has a failed example" if "**failed**" in text else ""


def site() -> str:
    """A site that does not build without a warning."""
    return failure([sys.executable, "-m", "mkdocs", "build", "--strict", "-f", ".ci/mkdocs.yml"])


def package() -> str:
    """A package that lacks something or does not install."""
    return failure([sys.executable, ".ci/package.py"])


CHECKS: dict[str, Callable[[], str]] = {
    "everything is committed": dirty,
    "generated pages are current": stale_pages,
    "the changelog has the version": changelog,
    "the citation has the version": citation,
    "the version is new": tagged,
    "the libraries' examples passed": libraries,
    "the site builds without warnings": site,
    "the package installs and plays": package,
}


def main() -> int:
    """1 if a check fails; all of them are made."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tag", action="store_true", help="tag this commit if every check passes")
    arguments = parser.parse_args()
    failed = 0
    for name, check in CHECKS.items():
        fault = check()
        failed += bool(fault)
        print(f"no   {name}: {fault}" if fault else f"yes  {name}", flush=True)
    if failed:
        print(f"{version()} may not be released: {failed} of {len(CHECKS)} checks failed")
        return 1
    if arguments.tag:
        git("tag", "--annotate", f"v{version()}", "--message", f"Version {version()}")
        print(f"tagged v{version()}; push the tag to publish it")
    else:
        print(f"{version()} may be released: python .ci/release.py --tag")
    return 0


def git(*words: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def failure(command: list[str]) -> str:
    """The last line a command says if it fails."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"{' '.join(command)} failed"


if __name__ == "__main__":
    sys.exit(main())
