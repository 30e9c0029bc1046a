"""Measure agents and rules: in a checkout, the same as `channel-tunnel tournament`, `report` and so on.

python evaluate.py tournament random heuristic ppo:runs/demo --deals 2000
python evaluate.py compare standard my-rules.yaml --agent heuristic
python evaluate.py gate configs/evaluate/targets.yaml --ruleset my-rules.yaml
python evaluate.py exploit master --deals 2000
python evaluate.py sweep --param barriers.france.a.0=1..4
python evaluate.py tune --targets configs/evaluate/targets.yaml --param barriers.france.a.0=1..4
python evaluate.py report --ruleset my.yaml --quick
python evaluate.py tournament random heuristic --deals 100000 --ray auto
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # While all this loads: see channel_tunnel_env.entry.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

sys.path.insert(1, str(Path(__file__).parent / "agents"))  # this checkout's, before an installed one

try:
    from channel_tunnel_agents.commands.evaluate import main
    from channel_tunnel_env.entry import run_command
except ImportError as error:
    sys.exit(f"evaluate.py: {error}: pip install -e '.[train]', or activate the checkout's .venv")

if __name__ == "__main__":
    sys.exit(run_command(lambda: main(script="evaluate.py")))
