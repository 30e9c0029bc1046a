"""Seeds of random games: the first few are tried by `make test`, the others by `make heavy`."""

from __future__ import annotations

import pytest


def seeds(few: int, many: int) -> pytest.MarkDecorator:
    """A test's argument `seeds`: those below `few`, and apart from them the others below `many`."""
    others = pytest.param(range(few, many), id="others", marks=pytest.mark.heavy)
    return pytest.mark.parametrize("seeds", [pytest.param(range(few), id="few"), others])
