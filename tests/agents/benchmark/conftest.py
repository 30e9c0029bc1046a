"""The baselines of `benchmarks` are scripts, which import what lies beside them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
