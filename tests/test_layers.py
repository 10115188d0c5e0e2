"""The house rules that can be read off the source: who may import what, and who may touch the machine.

The layers are the pipeline, from the domain value up to the doors. A module imports from lower layers and
from earlier siblings only; "earlier" needs no list of its own: it means that no import leads back (no cycle).
"""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Final

import pytest

from support.source import call_name, functions, imports, modules, own_module, sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from support.source import Module

LAYERS: Final = (
    ("errors",),
    (
        *("pattern", "sieve", "near", "memory", "strength", "literal", "spoken", "redact"),
        *("config", "disk", "config_file", "wire", "wording"),
    ),
    ("markdown", "git", "git_state", "llm"),
    ("store",),
    ("index",),
    ("search", "extract", "consolidate", "history", "agents"),
    ("clock", "project"),
    ("cli", "mcp", "watch", "hooks", "ui", "client"),
)
LEVEL: Final = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
STAGES: Final = 5
PROJECT: Final = 6
DOORS: Final = 7
STRANGERS: Final = frozenset({STAGES, DOORS})
"""Layers whose rooms do not know each other."""
ROOTS: Final = frozenset({"", "__main__"})
"""The package's own front: it hands out names of any layer, and nobody inside imports more than the version."""
MAY_DEFER: Final = frozenset({"", "__main__", "project", "cli.registry"})
"""The front and the composition root load what is asked for, and so does the table of commands."""
SLOW_TO_IMPORT: Final = frozenset({("disk", "filelock"), ("markdown.parse", "mdmem.markdown.yaml_reader")})
"""What few runs need: filelock, which brings asyncio, is for writing; YAML for what stands in no plain line."""
MAY_RUN: Final = frozenset({"__main__", "cli.picker", "git", "hooks", "llm", "watch"})
"""`__main__` starts nothing but itself again, in UTF-8 mode."""
MAY_WRITE: Final = frozenset({"disk"})
MAY_TELL_TIME: Final = frozenset({"disk"})
"""How long a temporary file has lain there is told by the machine's own clock, as its mtime is."""
MAY_USE_ANY: Final = ("markdown", "extract.reply", "mcp")

WRITES: Final = frozenset(
    [
        *(f"os.{name}" for name in ("replace", "rename", "renames", "remove", "unlink", "rmdir", "mkdir")),
        *(f"os.{name}" for name in ("makedirs", "truncate", "link", "symlink", "fdopen", "open", "chmod")),
        *(f"shutil.{name}" for name in ("rmtree", "move", "copy", "copy2", "copyfile", "copytree")),
        *(f"tempfile.{name}" for name in ("NamedTemporaryFile", "TemporaryFile", "mkstemp")),
        *(f"{numpy}.{name}" for numpy in ("np", "numpy") for name in ("save", "savez", "memmap")),
    ]
)
WRITING_METHODS: Final = frozenset(
    {"write_text", "write_bytes", "unlink", "rename", "touch", "mkdir", "rmdir", "tofile", "chmod"}
    | {"symlink_to", "hardlink_to"}
)
RUNS: Final = frozenset({"os.system", "os.popen", "os.fork", "os.startfile"})
RUN_MODULES: Final = frozenset({"subprocess", "multiprocessing", "pty"})
CLOCKS: Final = frozenset({"datetime.now", "datetime.utcnow", "date.today", "datetime.today", "time.time"})


def level_faults(module: Module) -> Iterator[str]:
    """Imports that point up, or sideways between stages or doors, or at the package's front."""
    if module.name in ROOTS:
        return
    if module.room not in LEVEL:
        yield f"{module.name}: not in the table of layers"
        return
    for found in imports(module):
        room = f"{found.target}.".split(".")[1]
        where = f"{module.name}:{found.line} imports {found.target}"
        if not found.is_own or room in {module.room, "__version__"}:
            continue
        if room not in LEVEL:
            yield f"{where}, the front of the package"
        elif LEVEL[room] > LEVEL[module.room]:
            yield f"{where}, which is above it"
        elif LEVEL[room] == LEVEL[module.room] and LEVEL[room] in STRANGERS and module.name not in MAY_DEFER:
            yield f"{where}; rooms of this layer do not know each other"


def cycle(edges: dict[str, set[str]]) -> list[str]:
    """One import cycle as a list of names, or nothing."""
    done: set[str] = set()

    def walk(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        if name in done:
            return []
        for target in sorted(edges.get(name, ())):
            if found := walk(target, [*trail, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(edges) if (found := walk(name, []))), [])


def deferred_faults(module: Module) -> Iterator[str]:
    """Imports inside functions, which hide a cycle or a start-up cost."""
    if module.name not in MAY_DEFER:
        for found in imports(module):
            is_slow = any(
                module.name == name and f"{found.target}.".startswith(f"{slow}.") for name, slow in SLOW_TO_IMPORT
            )
            if found.deferred and not is_slow:
                yield f"{module.name}:{found.line} imports {found.target} inside a function"
        for call in calls(module):
            if call_name(call) in {"importlib.import_module", "import_module", "__import__"}:
                yield f"{module.name}:{call.lineno} imports by name"


def calls(module: Module) -> Iterator[ast.Call]:
    """Every call in a module."""
    return (node for node in ast.walk(module.tree) if isinstance(node, ast.Call))


def write_faults(module: Module) -> Iterator[str]:
    """Calls that change the disk, or may."""
    if module.room in MAY_WRITE:
        return
    for call in calls(module):
        name = call_name(call)
        method = name.rpartition(".")[2] if "." in name else ""
        if name == "os.open" and "os.devnull" in map(ast.unparse, call.args):
            continue
        if name in WRITES or method in WRITING_METHODS or (opens(name) and not reads_only(call)) or moves(call, name):
            yield f"{module.name}:{call.lineno} {name or 'call'} writes; use disk"


def opens(name: str) -> bool:
    """Whether a call opens a file: `open`, `io.open`, `path.open`; not what a class calls so (`Index.open`)."""
    owner, _, method = name.rpartition(".")
    return method == "open" and (owner == "Path" or not owner.rpartition(".")[2][:1].isupper())


def reads_only(call: ast.Call) -> bool:
    """Whether the mode is given as a literal that only reads, or is left out."""
    at = 1 if call_name(call) in {"open", "io.open"} else 0
    modes = [*call.args[at : at + 1], *(k.value for k in call.keywords if k.arg == "mode")]
    return all(isinstance(m, ast.Constant) and not set(str(m.value)) & set("wax+") for m in modes)


def moves(call: ast.Call, name: str) -> bool:
    """Whether it is `path.replace(target)`: one plain argument, where str.replace takes two."""
    return name.endswith(".replace") and len(call.args) == 1 and not call.keywords


def run_faults(module: Module) -> Iterator[str]:
    """Programs started from where none should be."""
    if module.room in MAY_RUN or module.name in MAY_RUN:
        return
    for found in imports(module):
        if found.target.partition(".")[0] in RUN_MODULES:
            yield f"{module.name}:{found.line} imports {found.target}; only git, hooks, llm and watch run programs"
    for call in calls(module):
        name = call_name(call)
        if name in RUNS or name.startswith(("os.exec", "os.spawn", "os.posix_spawn")):
            yield f"{module.name}:{call.lineno} {name} runs a program"


def clock_faults(module: Module) -> Iterator[str]:
    """Readings of the clock below the composition root, where `now` is an argument."""
    if LEVEL.get(module.room, DOORS) < PROJECT and module.name not in MAY_TELL_TIME:
        yield from (
            f"{module.name}:{call.lineno} reads the clock"
            for call in calls(module)
            if ".".join(call_name(call).split(".")[-2:]) in CLOCKS
        )


def plan_faults(module: Module) -> Iterator[str]:
    """A plan or diff that knows the store or opens files: it is given values and answers with values."""
    if module.name.rpartition(".")[2] not in {"plan", "diff"}:
        return
    for found in imports(module):
        if own_module(found.target) in {"store.store", "disk", "git"}:
            yield f"{module.name}:{found.line} imports {found.target}"
    for call in calls(module):
        if opens(call_name(call)) or call_name(call).rpartition(".")[2] in {
            "read_text",
            "read_bytes",
            "stat",
        }:
            yield f"{module.name}:{call.lineno} {call_name(call)} opens a file"


def any_faults(module: Module) -> Iterator[str]:
    """`dict[str, Any]` outside the places that read foreign shapes."""
    if module.name.startswith(MAY_USE_ANY):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node) in {"dict[str, Any]", "Mapping[str, Any]"}:
            yield f"{module.name}:{node.lineno} {ast.unparse(node)}; use a value with named fields"


def vendors(found: tuple[Module, ...]) -> dict[str, set[str]]:
    """Which rooms import each library that is neither ours nor Python's."""
    users: dict[str, set[str]] = {}
    for module in found:
        for target in (i.target.partition(".")[0] for i in imports(module) if not i.is_own):
            if target not in sys.stdlib_module_names:
                users.setdefault(target, set()).add(module.room)
    return users


GATES: Final = (
    level_faults,
    deferred_faults,
    write_faults,
    run_faults,
    clock_faults,
    plan_faults,
    any_faults,
)


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.__name__)
def test_the_package_keeps_the_rule(gate: Callable[[Module], Iterator[str]]) -> None:
    assert [fault for module in modules() for fault in gate(module)] == []


def test_no_import_leads_back() -> None:
    edges = {
        module.name: {own_module(i.target) for i in imports(module) if i.is_own} - {module.name}
        for module in modules()
        if module.name not in ROOTS
    }
    assert cycle(edges) == []


def test_each_library_lives_in_one_room() -> None:
    assert {name: rooms for name, rooms in vendors(modules()).items() if len(rooms) > 1} == {}


def test_the_table_names_no_room_twice() -> None:
    assert len(LEVEL) == sum(len(rooms) for rooms in LAYERS)


BAD: Final = (
    (level_faults, "memory", "from mdmem.store import table"),
    (level_faults, "search.brief", "import mdmem.extract"),
    (level_faults, "memory", "from mdmem import Memory"),
    (level_faults, "attic", "import os"),
    (deferred_faults, "store.store", "def f():\n    import json"),
    (deferred_faults, "store.store", "import importlib\nimportlib.import_module('json')"),
    (write_faults, "store.store", "open('a', 'w')"),
    (write_faults, "store.store", "open('a', mode='ab')"),
    (write_faults, "store.store", "path.open('r+')"),
    (write_faults, "store.store", "open('a', mode)"),
    (write_faults, "store.store", "path.write_text('')"),
    (write_faults, "store.store", "(root / 'a').write_bytes(b'')"),
    (write_faults, "store.store", "os.replace(a, b)"),
    (write_faults, "store.store", "path.replace(other)"),
    (write_faults, "store.store", "os.open(path, os.O_WRONLY)"),
    (write_faults, "index.vectors", "np.save(path, rows)"),
    (run_faults, "store.store", "import subprocess"),
    (run_faults, "cli.main", "from subprocess import run"),
    (run_faults, "cli.main", "os.system('ls')"),
    (run_faults, "cli.main", "os.execvp('ls', ['ls'])"),
    (clock_faults, "search.brief", "datetime.now(UTC)"),
    (clock_faults, "search.brief", "datetime.datetime.now(UTC)"),
    (clock_faults, "strength", "time.time()"),
    (plan_faults, "index.diff", "from mdmem.disk import read"),
    (plan_faults, "consolidate.plan", "path.read_text()"),
    (any_faults, "store.table", "x: dict[str, Any] = {}"),
)
GOOD: Final = (
    (level_faults, "store.store", "from mdmem.disk import write\nfrom . import sibling"),
    (level_faults, "cli.main", "from mdmem.project import Project"),
    (level_faults, "", "from mdmem.project import Project"),
    (deferred_faults, "project", "def f():\n    import json"),
    (level_faults, "cli.main", "from mdmem import __version__"),
    (write_faults, "disk", "os.replace(a, b)"),
    (write_faults, "cli.main", "os.open(os.devnull, os.O_WRONLY)"),
    (
        write_faults,
        "store.store",
        "open('a')\nopen('a', 'rb')\npath.open(encoding='utf-8')\n'a'.replace('b', 'c')",
    ),
    (write_faults, "store.store", "replace(memory, title='x')\ntantivy.Index.open(name)"),
    (run_faults, "git", "import subprocess"),
    (clock_faults, "project", "datetime.now(UTC)"),
    (clock_faults, "search.brief", "now.date()"),
    (any_faults, "markdown.parse", "x: dict[str, Any] = {}"),
)


@pytest.mark.parametrize(("gate", "name", "text"), BAD)
def test_a_gate_fails_on_what_it_is_for(gate: Callable[[Module], Iterator[str]], name: str, text: str) -> None:
    assert list(gate(sample(text, name)))


@pytest.mark.parametrize(("gate", "name", "text"), GOOD)
def test_a_gate_lets_the_rest_pass(gate: Callable[[Module], Iterator[str]], name: str, text: str) -> None:
    assert list(gate(sample(text, name))) == []


def test_a_cycle_is_found() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}}) == []


def test_a_library_in_two_rooms_is_found() -> None:
    found = vendors((sample("import yaml", "markdown.parse"), sample("from yaml import load", "store.store")))
    assert found == {"yaml": {"markdown", "store"}}


def test_every_kind_of_import_is_seen() -> None:
    text = "import a.b\nfrom c import d\nfrom .e import f\nfrom .. import g\ndef h():\n    import i\n"
    found = [(i.target, i.deferred) for i in imports(sample(text, "store.sample"))]
    assert sorted(found) == [
        ("a.b", False),
        ("c.d", False),
        ("i", True),
        ("mdmem.g", False),
        ("mdmem.store.e.f", False),
    ]


def test_the_functions_of_a_class_are_seen_too() -> None:
    assert len(list(functions(ast.parse("class A:\n    def b(self):\n        def c(): ...\n")))) == 2
