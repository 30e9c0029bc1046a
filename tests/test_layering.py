"""Which module may import which: one direction for data, and heavy packages only at the edge."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import channel_tunnel_env
from channel_tunnel_env.core.kernel_cache import SOURCES
from channel_tunnel_env.games import DEFAULT_GAME

PACKAGE = Path(channel_tunnel_env.__file__).parent
NAME = PACKAGE.name

# The order of the pipeline: a module of the engine imports only what stands before it.
ENGINE_PIPELINE = (
    "constants rule_figures tables actions state draws legality cards deviation scoring transition setup "
    "determinize foresight observation kernels invariants"
)
# What a module of the engine may take from outside the engine, but within the package.
ENGINE_MAY_USE = {"errors", "outside.hints", "rulesets.ruleset"}
FIRST = "games/tunnel_1987/"
ENGINE = "games.tunnel_1987.engine"
# The same for the core, which knows no game, and in it.
CORE_PIPELINE = (
    "kernel_cache rule_compiler jit bits numbers records whole_numbers rng verbs kernels encoding spec machine "
    "chance game threads batch checking"
)
ENGINE_ORDER, CORE_ORDER = ENGINE_PIPELINE.split(), CORE_PIPELINE.split()
ORDERS = {
    ENGINE: (ENGINE_ORDER, ENGINE_MAY_USE | {f"core.{name}" for name in CORE_ORDER}, {"numpy", "numba"}),
    "core": (CORE_ORDER, {"errors"}, {"numpy", "numba", "pydantic"}),
}
"""Package -> its order, what it may take from elsewhere in this package, and which libraries."""
GAMES = tuple(sorted(path.parent.name for path in PACKAGE.glob("games/*/spec.py")))
BELOW_ENVS = {"numpy", "numba", "pydantic", "yaml"}
# Libraries of the extra `render`: each has one adapter, which loads it when it is first needed.
LOADED_BY_NEED = {
    "resvg_py": ("drawing/png.py", "envs/rendering.py"),
    "PIL": ("drawing/png.py", "drawing/film.py", "envs/rendering.py"),
    "pygame": ("drawing/window.py", "envs/rendering.py"),
}
# Packages that only some modules may import, wherever the import stands.
ONLY_IN = {
    "pettingzoo": ("envs/aec.py", "envs/registration.py", "envs/simultaneous.py"),
    "gymnasium": ("envs/", "cli/bench.py"),
    "stable_baselines3": ("envs/sb3.py",),
    "pyspiel": ("envs/openspiel.py",),
    "ray": ("envs/rllib.py",),
    "tyro": ("cli/",),
    "rich": ("cli/", "outside/progress.py"),
}
NOWHERE = {"torch", "matplotlib", "channel_tunnel_agents", "sb3_contrib"}
NOT_AT_IMPORT = ("torch", "stable_baselines3", "matplotlib", "ray", "pyspiel", *LOADED_BY_NEED)

# Packages in which no imports go round in a circle, and no module reaches into another.
CHECKED = (NAME, "channel_tunnel_agents")

MODULES = {str(path.relative_to(PACKAGE)): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def parsed(path: Path) -> ast.Module:
    """A source file, read once for all tests; they do not change it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


@cache
def imports(path: Path, functions: bool = True) -> set[str]:
    """Dotted names a module imports when it runs; type-only imports are left out."""
    found: set[str] = set()
    todo: list[ast.AST] = [parsed(path)]
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


@cache
def needed(path: Path) -> set[str]:
    """Names given as strings that a module hands to `need`, directly or from a table."""
    text = path.read_text(encoding="utf-8")
    if "import need" not in text:
        return set()
    strings = (n.value for n in ast.walk(parsed(path)) if isinstance(n, ast.Constant))
    return {s for s in strings if isinstance(s, str) and s.isprintable() and " " not in s}


@cache
def inner(path: Path) -> set[str]:
    """Modules of this package that a module imports, as paths with dots: `engine.rng`."""
    known = {m.removesuffix(".py").replace("/", ".") for m in MODULES}
    names = {n.removeprefix(f"{NAME}.") for n in imports(path) if n.startswith(f"{NAME}.")}
    return names & known


def test_kernels_stand_in_the_sources_of_the_cache_and_take_nothing_from_elsewhere() -> None:
    """What they take is compiled in; a change outside the folder's digest would go unnoticed."""
    sources = {str(p.relative_to(PACKAGE)) for name in SOURCES for p in PACKAGE.glob(name)}
    within = {source.removesuffix(".py").replace("/", ".") for source in sources}
    holders = {m for m, path in MODULES.items() if re.search(r"^@(kernel|compiled)\b", path.read_text(), re.M)}
    assert holders and holders <= sources
    taken = {module: inner(PACKAGE / module) - within for module in holders}
    assert not {module: names for module, names in taken.items() if names}


@pytest.mark.parametrize("package", ORDERS)
def test_an_order_names_every_module_of_its_package(package: str) -> None:
    folder = package.replace(".", "/")
    files = {Path(m).stem for m in MODULES if m.startswith(f"{folder}/")} - {"__init__"}
    assert files == set(ORDERS[package][0])


@pytest.mark.parametrize(("package", "module"), [(package, name) for package in ORDERS for name in ORDERS[package][0]])
def test_a_module_imports_only_what_stands_before_it(package: str, module: str) -> None:
    """So the core knows no game."""
    order, may_use, libraries = ORDERS[package]
    path = PACKAGE / package.replace(".", "/") / f"{module}.py"
    assert inner(path) <= {f"{package}.{name}" for name in order[: order.index(module)]} | may_use
    assert foreign(path) <= libraries


def test_a_ruleset_takes_only_constants_from_the_engine() -> None:
    for module in ("rulesets/ruleset.py", f"{FIRST}ruleset.py", "errors.py"):
        found = {name for name in inner(PACKAGE / module) if name.startswith(f"{ENGINE}.")}
        assert found <= {f"{ENGINE}.constants"}, module


def test_only_the_tables_read_a_ruleset() -> None:
    """Figures reach the rules as arrays."""
    readers = {m for m in ENGINE_ORDER if "rulesets.ruleset" in inner(PACKAGE / FIRST / "engine" / f"{m}.py")}
    assert readers <= {"tables"}


@pytest.mark.parametrize("module", [m for m in MODULES if not m.startswith(("envs/", "cli/", "outside/progress."))])
def test_below_the_environments_only_four_packages_are_needed(module: str) -> None:
    path = MODULES[module]
    assert foreign(path) <= BELOW_ENVS
    if module not in ("__main__.py", "public.py"):
        assert not {name for name in inner(path) if name.startswith(("envs", "cli"))}


@pytest.mark.parametrize("package", list(ONLY_IN))
def test_a_package_is_imported_only_by_its_adapters(package: str) -> None:
    users = [module for module, path in MODULES.items() if package in foreign(path)]
    assert users, f"nothing imports {package}"
    assert all(module.startswith(ONLY_IN[package]) for module in users), users


@pytest.mark.parametrize("package", list(LOADED_BY_NEED))
def test_a_drawing_library_is_loaded_only_by_its_adapter_and_when_needed(package: str) -> None:
    assert not [m for m, path in MODULES.items() if package in foreign(path)]
    users = {m for m, path in MODULES.items() if any(n.split(".")[0] == package for n in needed(path))}
    assert users == set(LOADED_BY_NEED[package])


@pytest.mark.parametrize("module", list(MODULES))
def test_no_module_imports_agents_or_a_learning_library(module: str) -> None:
    assert not foreign(MODULES[module]) & NOWHERE


def test_importing_the_package_loads_no_heavy_library_and_no_game_but_the_first() -> None:
    games = [f"{NAME}.games.{game}" for game in GAMES if game != DEFAULT_GAME]
    code = f"import sys, {NAME}; print([m for m in {[*NOT_AT_IMPORT, *games]!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_web_server_is_imported_only_at_the_table() -> None:
    root = PACKAGE.parent
    users = {
        str(path.relative_to(root))
        for folder in (PACKAGE, root / "agents" / "channel_tunnel_agents")
        for path in folder.rglob("*.py")
        if re.search("starlette|uvicorn", path.read_text(encoding="utf-8")) and {"starlette", "uvicorn"} & foreign(path)
    }
    assert users == {
        f"agents/channel_tunnel_agents/table/{name}.py"
        for name in ("design/routes", "serve", "web/connections", "web/guard", "web/server")
    }


# What may name the first game: the package's public names, and OpenSpiel's adapter, which plays no other.
NAME_THE_FIRST = ("public.py", "envs/openspiel.py")


def test_no_module_outside_its_folder_imports_a_game() -> None:
    """No game either."""
    for module, path in MODULES.items():
        for game in GAMES:
            if not module.startswith(f"games/{game}/"):
                found = [n for n in imports(path) if n.startswith(f"{NAME}.games.{game}")]
                assert not found or (game == DEFAULT_GAME and module in NAME_THE_FIRST), module


def test_a_nearest_name_is_looked_for_in_one_place() -> None:
    users = [module for module, path in MODULES.items() if "difflib" in imports(path)]
    assert users == ["outside/hints.py"]


def test_what_many_share_is_written_once() -> None:
    """A ruleset as a caller may give it; the base of what is read from files."""
    for name, home in (("\nAnyRuleset = ", "rulesets/ruleset.py"), ("(BaseModel)", "outside/documents.py")):
        homes = [m for m, path in MODULES.items() if name in path.read_text(encoding="utf-8")]
        assert homes == [home], name


# --- circles and reaches, of every package in CHECKED ---------------------------------------------


def sources(package: str) -> dict[str, ast.Module]:
    """The modules of a package beside this one's, parsed, by their dotted names."""
    root = next(root for root in (PACKAGE.parent, PACKAGE.parent / "agents") if (root / package).is_dir())
    found = {}
    for path in sorted((root / package).rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        found[name] = parsed(path)
    return found


@cache
def graph_of(package: str) -> dict[str, set[str]]:
    """`import_graph` of a package; not to be changed."""
    return import_graph(sources(package))


def import_graph(modules: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Which of the modules each imports, wherever the import stands: in a function, for types alone, or by a name in a text."""
    graph: dict[str, set[str]] = {}
    for module, tree in modules.items():
        names: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names |= {
                    whole if (whole := f"{node.module}.{alias.name}") in modules else str(node.module)
                    for alias in node.names
                }
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
                names |= {one.value for one in node.args if isinstance(one, ast.Constant)}
        graph[module] = names & set(modules) - {module}
    return graph


def in_circles(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """What is left when modules that import nothing, or that nothing imports, are taken away, again and again."""
    left = {module: set(needs) for module, needs in graph.items()}
    while True:
        wanted = set().union(*left.values())
        free = {module for module, needs in left.items() if not needs or module not in wanted}
        if not free:
            return left
        left = {module: needs - free for module, needs in left.items() if module not in free}


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


@cache
def own_names(tree: ast.Module) -> set[str]:
    """Private names that a module gives to something: functions, classes, variables, attributes of self."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names |= {node.attr} if ast.unparse(node.value) == "self" else set()
    return {name for name in names if private(name)}


def reaches(tree: ast.Module, known: set[str]) -> set[str]:
    """Where a module uses a private name that another one made.

    Args:
        known: private names of all modules; those of other libraries are not asked about.
    """
    strange = known - own_names(tree)
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in strange:
            if ast.unparse(node.value) not in ("self", "cls"):
                found.add(f"line {node.lineno}: {ast.unparse(node)}")
        elif isinstance(node, ast.ImportFrom):
            imported = {alias.name for alias in node.names if private(alias.name)}
            found |= {f"line {node.lineno}: import {name}" for name in imported & known}
    return found


@pytest.mark.parametrize("package", CHECKED)
def test_no_imports_form_a_circle(package: str) -> None:
    """Imports inside functions and for types count as those at the head of a module do.

    `games` loads the `spec` of a game by its name, so it needs what that module needs.
    """
    specs = {f"{NAME}.games.{game}.spec" for game in GAMES}
    graph = {m: needs | specs if m == f"{NAME}.games" else needs for m, needs in graph_of(package).items()}
    assert package != NAME or specs <= set(graph)
    left = in_circles(graph)
    assert not left, "\n".join(f"{module}: {sorted(needs)}" for module, needs in left.items())


@pytest.mark.parametrize("game", GAMES)
def test_a_spec_loads_nothing_that_reads_a_ruleset_file(game: str) -> None:
    """Rules take a ruleset as it comes; how its file is read stands above them."""
    graph, found = graph_of(NAME), set[str]()
    todo = [f"{NAME}.games.{game}.spec"]
    while todo:
        module = todo.pop()
        found.add(module)
        todo += graph[module] - found
    above = ("rulesets", "records", "faces", "game", "batch", "envs", "cli")
    assert not [m for m in found if m.removeprefix(f"{NAME}.").split(".")[0] in above], found


@pytest.mark.parametrize("package", CHECKED)
def test_no_module_reaches_for_a_private_name_of_another(package: str) -> None:
    known = set().union(*(own_names(tree) for name in CHECKED for tree in sources(name).values()))
    found = {module: reaches(tree, known) for module, tree in sources(package).items()}
    assert not any(found.values()), {module: lines for module, lines in found.items() if lines}


def test_circles_and_reaches_are_found() -> None:
    texts = {
        "p": "",
        "p.a": "def f():\n    import p.b\n",
        "p.b": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.c import C\n",
        "p.c": "from p import a\nclass C:\n    def _hidden(self): self._kept = self._hidden()\n",
        "p.e": "import_module('p.f')",
        "p.f": "import p.e",
        "p.d": "from p.a import f\nfrom p.c import _hidden\nC()._hidden()\nC()._kept\nC()._foreign\n",
    }
    modules = {name: ast.parse(text) for name, text in texts.items()}
    assert set(in_circles(import_graph(modules))) == {"p.a", "p.b", "p.c", "p.e", "p.f"}
    known = set().union(*map(own_names, modules.values()))
    assert known == {"_hidden", "_kept"}
    assert not reaches(modules["p.c"], known)
    assert reaches(modules["p.d"], known) == {"line 2: import _hidden", "line 3: C()._hidden", "line 4: C()._kept"}
