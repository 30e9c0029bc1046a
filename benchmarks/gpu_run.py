"""One call for a machine that is lent for some minutes and reaches nothing: measures the engine torch there, then trains.

    python benchmarks/gpu_run.py --out FOLDER --seconds 540 [--wheels WHEELS] [--preset adept]
    python benchmarks/gpu_run.py --out /tmp/try --device cpu --seconds 60       # a rehearsal

A line of FOLDER/gpu.jsonl is a measure: decisions learned a second, what was waited for, how many cores would feed it; of the GPU
with and without torch.compile, then of the same machine's cores. The rest of the time trains the preset into FOLDER/run;
a later call goes on from there. WHEELS, filled by `pip download --no-deps -d`, holds the packages that the machine lacks.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

os.environ.setdefault("GOMP_SPINCOUNT", "10000")  # torch must leave cores to the games
ROOT = Path(__file__).parents[1]
CASES: dict[str, dict[str, Any]] = {
    "1987, 256 x 2": {"ruleset": "standard", "network": "mlp", "width": 256},
    "1987, game network": {"ruleset": "standard", "network": "game", "width": 256},
    "Carcassonne": {"ruleset": "carcassonne", "network": "game", "width": 128},
    "Eurotunnel": {"ruleset": "eurotunnel", "network": "game", "width": 128},
}
MEASURED = 0.5  # share of the time that measures take; the rest trains
EAGER = "cuda, not compiled"


def sizes(device: str) -> dict[str, Any]:
    """Fields that go with a device."""
    from channel_tunnel_agents.learning.config import NEVER

    on_cpu, cores = device == "cpu", os.cpu_count() or 1
    games, steps, rows = (128, 16, 1024) if on_cpu else (8192, 32, 16384)
    threads = {"threads": cores if on_cpu else 2, "simulator_threads": cores if on_cpu else max(1, cores - 2)}
    same = {"engine": "torch", "observation_dtype": "uint8", "decisions": 10**12, "evaluate_every": NEVER}
    return {**same, **threads, "num_games": games, "steps": steps, "batch_size": rows, "device": device}


def measure(place: str, seconds: float, changes: dict[str, Any]) -> dict[str, Any]:
    """Decisions learned a second on a device after the first update, which compiles."""
    from channel_tunnel_agents.learning.config import make_config
    from channel_tunnel_agents.learning.guards import TrainingStopped
    from channel_tunnel_agents.learning.training import TrainingRun

    seen: list[tuple[float, dict[str, Any]]] = []
    with tempfile.TemporaryDirectory() as folder:
        run = TrainingRun(make_config({**sizes(place.split(",")[0]), "epochs": 2, "run": folder, **changes}))
        if place == EAGER:
            run.model.judge = run.model.policy.judge
        begun = time.monotonic()
        run.stop_asked = lambda: len(seen) > 1 and time.monotonic() - begun > seconds
        with suppress(TrainingStopped):
            run.train(lambda status: seen.append((time.monotonic(), status)))
    (first, one), (last, other) = seen[0], seen[-1]
    found = {"decisions_per_s": round((other["decisions"] - one["decisions"]) / (last - first))}
    found |= {"first_update_s": round(first - begun, 1), "cores": other.get("cores")}
    return found | {f"waited_for_{name}": round(share, 3) for name, share in other["waits"].items()}


def train(preset: str, device: str, seconds: float, folder: Path) -> dict[str, Any]:
    """Train a preset for some seconds, on from the folder's checkpoint if there is one."""
    from channel_tunnel_agents.learning.checkpoint import find_checkpoint
    from channel_tunnel_agents.learning.config import load_config
    from channel_tunnel_agents.learning.training import TrainingRun

    found = find_checkpoint(folder)
    own = {"run": str(folder), "imitate": None, "max_minutes": None, **sizes(device)}
    run = TrainingRun(load_config(preset).model_copy(update=own), resume=found is not None)
    run.model.max_seconds = run.model.trained_seconds + seconds
    before = run.decisions_made
    run.train()
    return {"run": str(folder), "decisions": run.decisions_made, "of_this_call": run.decisions_made - before}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--preset", default="adept")
    parser.add_argument("--wheels", type=Path)
    args = parser.parse_args()
    begun = time.monotonic()
    sys.path[:0] = [str(ROOT), str(ROOT / "agents")]
    if args.wheels:
        wheels = map(str, sorted(args.wheels.glob("*.whl")))
        subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", *wheels], check=True)
    args.out.mkdir(parents=True, exist_ok=True)

    def tell(line: dict[str, Any]) -> None:
        with (args.out / "gpu.jsonl").open("a", encoding="utf-8") as file:
            print(json.dumps(line), file=file)
        print(json.dumps(line), flush=True)

    def attempt(what: dict[str, Any], work: Any, *given: Any) -> None:
        try:
            tell(what | work(*given))
        except Exception as error:  # one that fails must not cost the others
            tell(what | {"failed": f"{type(error).__name__}: {error}"[:300]})

    places = ["cuda", EAGER, "cpu"] if args.device == "cuda" else ["cpu"]
    share = MEASURED * args.seconds / (len(places) * len(CASES))
    for place in places:
        for name, changes in CASES.items():
            if time.monotonic() - begun > MEASURED * args.seconds:
                tell({"case": name, "device": place, "failed": "no time was left; --seconds more"})
            else:
                attempt({"case": name, "device": place}, measure, place, share, changes)
    left = args.seconds - (time.monotonic() - begun) - 10  # to save
    attempt({"trained": args.preset, "device": args.device}, train, args.preset, args.device, left, args.out / "run")


if __name__ == "__main__":
    main()
