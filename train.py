"""Train a policy for every seat by self-play, for any of the games: `channel-tunnel train`, in a checkout.

python train.py demo                         a preset (smoke, demo, full, adept, master ...), or a YAML file
python train.py demo --width 256 --seed 2    any field overridden
python train.py demo --resume                go on from the run's checkpoint
python train.py demo --start-from master     fine-tune a policy: by name, or the folder of a run
python train.py demo --engine rllib          on Ray's RLlib instead of Stable-Baselines3 (docs/how-to/cluster.md)
python train.py demo --engine rllib --ray HOST:PORT    its games on the machines of a cluster
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
    from channel_tunnel_agents.commands.train import main
    from channel_tunnel_env.entry import run_command
except ImportError as error:
    sys.exit(f"train.py: {error}: pip install -e '.[train]', or activate the checkout's .venv")

if __name__ == "__main__":
    sys.exit(run_command(lambda: main(script="train.py")))
