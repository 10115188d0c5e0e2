"""The package as syntax trees: what the gates on layers and sizes look at."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "mdmem"


@dataclass(frozen=True)
class Module:
    """One source file. `name` is dotted and without the package's own (`store.catalog`, '' for its root)."""

    name: str
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The module or folder of the top level that it belongs to (`store`)."""
        return self.name.partition(".")[0]

    @property
    def is_folder(self) -> bool:
        """Whether it is the `__init__` of a folder."""
        return self.name in folders()


def sample(text: str, name: str = "sample") -> Module:
    """A module made up for testing a gate."""
    return Module(name, text, ast.parse(text))


@cache
def folders() -> frozenset[str]:
    """Dotted names of the package's folders, '' for itself."""
    return frozenset(dotted(path.parent / "__init__.py") for path in PACKAGE.rglob("*.py"))


def dotted(path: Path) -> str:
    """`mdmem/store/table.py` as `store.table`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package, by name."""
    texts = {dotted(path): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    return tuple(Module(name, text, ast.parse(text)) for name, text in sorted(texts.items()))


@dataclass(frozen=True)
class Import:
    """One imported name: `mdmem.store.table` or `numpy`; `deferred` when it stands inside a function."""

    target: str
    line: int
    deferred: bool = False

    @property
    def is_own(self) -> bool:
        """Whether it is part of this package."""
        return self.target.partition(".")[0] == "mdmem"


def imports(module: Module) -> Iterator[Import]:
    """What a module imports, in order; relative imports are resolved, `from a import b` gives `a.b`."""
    inside = {id(node) for function in functions(module.tree) for node in ast.walk(function)}
    for node in ast.walk(module.tree):
        for target in _targets(node, module):
            yield Import(target, node.lineno, deferred=id(node) in inside)


def _targets(node: ast.AST, module: Module) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            parts = ["mdmem", *filter(None, module.name.split("."))]
            up = node.level - (1 if module.is_folder else 0)
            base = ".".join([*parts[: len(parts) - up], *filter(None, [base])])
        yield from (f"{base}.{alias.name}" for alias in node.names)


def own_module(target: str) -> str:
    """The module that an own import reaches: `mdmem.store.table.StoredMemory` is in `store.table`."""
    known = {module.name for module in modules()}
    parts = target.split(".")[1:]
    while parts and ".".join(parts) not in known:
        parts.pop()
    return ".".join(parts)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method, nested ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def call_name(node: ast.Call) -> str:
    """What is called, as written: `os.replace`, `open`; `.write_text` for a method of some expression."""
    names: list[str] = []
    target = node.func
    while isinstance(target, ast.Attribute):
        names.append(target.attr)
        target = target.value
    if isinstance(target, ast.Name):
        names.append(target.id)
        return ".".join(reversed(names))
    return "." + ".".join(reversed(names)) if names else ""
