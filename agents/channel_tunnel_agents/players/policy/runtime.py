"""ONNX Runtime, loaded in this one place: since version 1.29 it reports its use to its maker unless that is switched off.

It looks at the environment variable once, when it is loaded. A program that wants the reports sets it to 0.
"""

from __future__ import annotations

import os
from typing import Any

SILENCE = "ORT_DISABLE_TELEMETRY"


def load_runtime() -> Any:
    """The module `onnxruntime`, which sends nothing and writes no file of its own.

    Raises:
        ImportError: it is not installed.
    """
    silent = os.environ.setdefault(SILENCE, "1") == "1"
    import onnxruntime

    if silent:  # on Windows the variable does nothing
        onnxruntime.disable_telemetry_events()
    return onnxruntime
