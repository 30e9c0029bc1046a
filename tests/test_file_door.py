"""Files come in through one door, `outside.files`: what reads past it is listed here, with the reason."""

from __future__ import annotations

import ast
from pathlib import Path

import channel_tunnel_agents
import channel_tunnel_env

PACKAGES = [Path(package.__file__).parent for package in (channel_tunnel_env, channel_tunnel_agents)]
DOOR = "channel_tunnel_env/outside/files.py"

METHODS = {"open", "read_text", "read_bytes", "open_text", "open_binary", "fromfile", "memmap"}
"""Calls that read a file, by their last word, of whatever object."""
FUNCTIONS = {
    *("json.load", "pickle.load", "yaml.load", "yaml.safe_load", "tomllib.load", "torch.load"),
    *("np.load", "np.loadtxt", "np.genfromtxt", "numpy.load", "onnx.load", "safe_open", "load_file"),
    *("gzip.decompress", "gzip.GzipFile", "zlib.decompress", "zlib.decompressobj", "bz2.decompress"),
    *("lzma.decompress", "zipfile.ZipFile", "h5py.File", "minari.load_dataset", "mmap.mmap"),
    *("pq.read_table", "pq.read_metadata", "pq.ParquetFile", "pq.read_schema"),
    *("pd.read_csv", "pd.read_parquet", "pd.read_json", "ET.parse", "shutil.copyfile", "shutil.copy"),
}
"""Calls that read a file or unpack what may grow, by their whole name."""

OURS = "comes with the package"
MEMORY = "bytes that came through the door"
LOOKED_AT = "opened at the door a moment before; the library takes a path"
SEALED = "a digest stands before the content, which the core may not ask anybody to read"
PAST_THE_DOOR: dict[tuple[str, str], str] = {
    ("channel_tunnel_agents/balance/report/render.py", "(FOLDER / name).read_text"): OURS,
    ("channel_tunnel_agents/players/policy/onnx_judge.py", "file.read_bytes"): OURS,
    ("channel_tunnel_agents/players/policy/saved_policy.py", "KNOWN_FILES.read_text"): OURS,
    ("channel_tunnel_agents/table/design/sharing.py", "TEMPLATE.read_text"): OURS,
    ("channel_tunnel_env/faces/rulebook.py", "source.read_text"): OURS,
    ("channel_tunnel_env/outside/terminal.py", "Path(os.devnull).open"): "the null device",
    ("channel_tunnel_env/tracks/__init__.py", "_file_of(name).read_bytes"): OURS,
    ("channel_tunnel_env/tracks/__init__.py", "path.read_bytes"): OURS,
    ("channel_tunnel_env/core/kernel_cache.py", "path.read_bytes"): OURS,
    ("channel_tunnel_env/games/__init__.py", "spec.read_text"): "source of an installed package",
    ("channel_tunnel_env/core/kernel_cache.py", "Path(path).read_bytes"): SEALED,
    ("channel_tunnel_agents/balance/players/played.py", "np.load"): MEMORY,
    ("channel_tunnel_agents/learning/checkpoint.py", "zipfile.ZipFile"): MEMORY,
    ("channel_tunnel_agents/learning/checkpoint.py", "torch.load"): MEMORY,
    ("channel_tunnel_agents/learning/run_curve.py", "pd.read_csv"): MEMORY,
    ("channel_tunnel_agents/matches/store.py", "pd.read_parquet"): MEMORY,
    ("channel_tunnel_agents/matches/store.py", "pq.read_metadata"): MEMORY,
    ("channel_tunnel_env/drawing/png.py", "need('PIL.Image').open"): "a picture that was just drawn",
    ("channel_tunnel_agents/matches/dataset.py", "h5py.File"): "written by this call",
    ("channel_tunnel_agents/matches/data_card.py", "h5py.File"): LOOKED_AT,
    ("channel_tunnel_agents/matches/data_card.py", "minari.load_dataset"): LOOKED_AT,
    ("channel_tunnel_agents/players/policy/saved_policy.py", "safe_open"): LOOKED_AT,
    ("channel_tunnel_agents/cluster/speed.py", "open"): "the system's /proc/cpuinfo",
    ("channel_tunnel_agents/players/module_process.py", "os.open"): "the null device",
    ("channel_tunnel_env/tracks/card.py", "card.read_bytes"): LOOKED_AT,
}
"""Module and call of what reads past the door, with the reason."""


def calls(tree: ast.AST) -> set[str]:
    """Every call of a module that reads a file."""
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in FUNCTIONS or (name.rpartition(".")[2] in METHODS and not writes(node)):
            found.add(name)
    return found


def writes(call: ast.Call) -> bool:
    """Whether a call opens a file for writing alone."""
    texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
    modes = [text for text in texts if isinstance(text, str) and text[:1] in ("w", "a", "x")]
    return any("+" not in mode for mode in modes) or "os.O_WRONLY" in ast.unparse(call)


def readers() -> set[tuple[str, str]]:
    """Module and call of everything that reads past the door."""
    found = set()
    for package in PACKAGES:
        for path in package.rglob("*.py"):
            place = path.relative_to(package.parent).as_posix()
            if place != DOOR:
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found |= {(place, name) for name in calls(tree)}
    return found


def test_nothing_reads_past_the_door_without_a_reason() -> None:
    assert sorted(readers() - PAST_THE_DOOR.keys()) == []


def test_every_reason_is_for_something_that_is_there() -> None:
    assert sorted(PAST_THE_DOOR.keys() - readers()) == []


def test_the_search_finds_what_reads_and_only_that() -> None:
    reading = "open(p)\np.open('rb')\np.open('a+')\nos.open(p, 0)\np.read_text()\ngzip.decompress(b)\nnp.load(p)"
    assert len(calls(ast.parse(reading))) == 6  # p.open twice
    assert calls(ast.parse("open(p, 'w')\np.open('ab')\nos.open(p, os.O_WRONLY)\nfile.read()")) == set()
