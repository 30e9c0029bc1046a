"""Which module may import which: one direction for data, and heavy packages only at the edge."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import channel_tunnel_env

PACKAGE = Path(channel_tunnel_env.__file__).parent
NAME = PACKAGE.name

# The order of the pipeline: a module of the engine imports only what stands before it.
ENGINE_ORDER = (
    "constants",
    "notice",
    "kernel_cache",
    "jit",
    "bits",
    "packing",
    "tables",
    "state",
    "actions",
    "workspace",
    "rng",
    "legality",
    "cards",
    "deviation",
    "scoring",
    "transition",
    "setup",
    "determinize",
    "observation",
    "kernels",
    "invariants",
)
# What a module of the engine may take from outside the engine, but within the package.
ENGINE_MAY_USE = {"errors", "hints", "ruleset"}
BELOW_ENVS = {"numpy", "numba", "pydantic", "yaml"}
# Libraries of the extra `render`: each has one adapter, which loads it when it is first needed.
LOADED_BY_NEED = {
    "resvg_py": ("board/raster.py", "envs/rendering.py"),
    "PIL": ("board/raster.py", "board/animation.py", "envs/rendering.py"),
    "pygame": ("board/window.py", "envs/rendering.py"),
}
# Packages that only some modules may import, wherever the import stands.
ONLY_IN = {
    "pettingzoo": ("envs/aec.py", "envs/registration.py"),
    "gymnasium": ("envs/", "cli/bench.py"),
    "stable_baselines3": ("envs/sb3.py",),
    "pyspiel": ("envs/openspiel.py",),
    "ray": ("envs/rllib.py",),
    "tyro": ("cli/",),
    "rich": ("cli/", "progress.py"),
}
NOWHERE = {"torch", "matplotlib", "agents", "sb3_contrib"}
NOT_AT_IMPORT = ("torch", "stable_baselines3", "matplotlib", "ray", "pyspiel", *LOADED_BY_NEED)

MODULES = {str(path.relative_to(PACKAGE)): path for path in sorted(PACKAGE.rglob("*.py"))}


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def imports(path: Path, functions: bool = True) -> set[str]:
    """Dotted names a module imports when it runs; type-only imports are left out."""
    found: set[str] = set()
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif is_type_checking(node):
            todo += node.orelse
            continue
        elif not functions and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        todo += ast.iter_child_nodes(node)
    return found


def foreign(path: Path) -> set[str]:
    """Top-level packages a module imports, but for this one and the standard library's."""
    tops = {name.split(".")[0] for name in imports(path)}
    return tops - set(sys.stdlib_module_names) - {NAME}


def needed(path: Path) -> set[str]:
    """Names given as strings that a module hands to `need`, directly or from a table."""
    text = path.read_text(encoding="utf-8")
    if "import need" not in text:
        return set()
    strings = (n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant))
    return {s for s in strings if isinstance(s, str) and s.isprintable() and " " not in s}


def inner(path: Path) -> set[str]:
    """Modules of this package that a module imports, as paths with dots: `engine.rng`."""
    known = {m.removesuffix(".py").replace("/", ".") for m in MODULES}
    names = {n.removeprefix(f"{NAME}.") for n in imports(path) if n.startswith(f"{NAME}.")}
    return names & known


def test_the_order_names_every_module_of_the_engine() -> None:
    files = {Path(m).stem for m in MODULES if m.startswith("engine/")} - {"__init__"}
    assert files == set(ENGINE_ORDER)


@pytest.mark.parametrize("module", ENGINE_ORDER)
def test_an_engine_module_imports_only_what_stands_before_it(module: str) -> None:
    path = PACKAGE / "engine" / f"{module}.py"
    before = {f"engine.{name}" for name in ENGINE_ORDER[: ENGINE_ORDER.index(module)]}
    assert inner(path) <= before | ENGINE_MAY_USE
    assert foreign(path) <= {"numpy", "numba"}


def test_a_ruleset_takes_only_constants_from_the_engine() -> None:
    for module in ("ruleset.py", "ruleset_schema.py", "errors.py"):
        found = {name for name in inner(PACKAGE / module) if name.startswith("engine.")}
        assert found <= {"engine.constants"}, module


def test_only_the_tables_read_a_ruleset() -> None:
    """Figures reach the rules as arrays."""
    readers = {m for m in ENGINE_ORDER if inner(PACKAGE / "engine" / f"{m}.py") & {"ruleset"}}
    assert readers <= {"tables"}


@pytest.mark.parametrize(
    "module", [m for m in MODULES if not m.startswith(("envs/", "cli/", "progress."))]
)
def test_below_the_environments_only_four_packages_are_needed(module: str) -> None:
    path = MODULES[module]
    assert foreign(path) <= BELOW_ENVS
    if module not in ("__init__.py", "__main__.py"):
        assert not {name for name in inner(path) if name.startswith(("envs", "cli"))}


@pytest.mark.parametrize("package", list(ONLY_IN))
def test_a_package_is_imported_only_by_its_adapters(package: str) -> None:
    users = [module for module, path in MODULES.items() if package in foreign(path)]
    assert users, f"nothing imports {package}"
    assert all(module.startswith(ONLY_IN[package]) for module in users), users


@pytest.mark.parametrize("package", list(LOADED_BY_NEED))
def test_a_drawing_library_is_loaded_only_by_its_adapter_and_when_needed(package: str) -> None:
    assert not [m for m, path in MODULES.items() if package in foreign(path)]
    users = {
        m for m, path in MODULES.items() if any(n.split(".")[0] == package for n in needed(path))
    }
    assert users == set(LOADED_BY_NEED[package])


@pytest.mark.parametrize("module", list(MODULES))
def test_no_module_imports_agents_or_a_learning_library(module: str) -> None:
    assert not foreign(MODULES[module]) & NOWHERE


def test_no_module_imports_itself_in_a_circle() -> None:
    """Imports at the head of the modules form no circle."""
    heads: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        name = module.removesuffix(".py").replace("/", ".")
        names = {n.removeprefix(f"{NAME}.") for n in imports(path, functions=False)}
        heads[name] = names & {m.removesuffix(".py").replace("/", ".") for m in MODULES}
    while heads:
        free = [name for name, needs in heads.items() if not needs & set(heads)]
        assert free, f"a circle among {sorted(heads)}"
        for name in free:
            del heads[name]


def test_importing_the_package_loads_no_heavy_library() -> None:
    code = f"import sys, {NAME}; print([m for m in {NOT_AT_IMPORT!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_web_server_is_imported_only_at_the_table() -> None:
    root = PACKAGE.parent
    users = {
        str(path.relative_to(root))
        for folder in (PACKAGE, root / "agents")
        for path in folder.rglob("*.py")
        if {"starlette", "uvicorn"} & foreign(path)
    }
    assert users == {
        f"agents/table/{name}.py" for name in ("connections", "guard", "serve", "server")
    }


def test_a_nearest_name_is_looked_for_in_one_place() -> None:
    users = [module for module, path in MODULES.items() if "difflib" in imports(path)]
    assert users == ["hints.py"]


def test_what_many_share_is_written_once() -> None:
    """A ruleset as a caller may give it; the base of what is read from files."""
    for name, home in (("\nAnyRuleset = ", "ruleset.py"), ("(BaseModel)", "documents.py")):
        homes = [m for m, path in MODULES.items() if name in path.read_text(encoding="utf-8")]
        assert homes == [home], name
