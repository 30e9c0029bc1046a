"""Optional libraries: loaded when first needed; if missing, the error says what to install."""

from __future__ import annotations

import importlib
from types import ModuleType

DISTRIBUTIONS = {"resvg_py": "resvg-py", "PIL": "pillow", "pygame": "pygame-ce"}


def need(module: str) -> ModuleType:
    """A module of the extra `render`.

    Raises:
        ImportError: the module is missing; the message says what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        distribution = DISTRIBUTIONS.get(module.partition(".")[0], module)
        raise ImportError(f"drawing pixels needs {distribution}: pip install 'channel-tunnel-env[render]'") from None
