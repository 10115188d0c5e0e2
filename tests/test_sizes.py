"""Small by gate: lines of a file and of a function, and a docstring on every public name.

Docstrings and literal tables (an assignment of a display over several lines) are prose and data: they don't
count.
"""

from __future__ import annotations

import ast
from statistics import quantiles
from typing import TYPE_CHECKING, Final

import pytest

from support.source import functions, modules, sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.source import Module

FILE_LINES: Final = 300
FUNCTION_LINES: Final = 40
FUNCTION_P90: Final = 25
COMMAND_LINES: Final = 15
TABLES: Final = (ast.Dict, ast.List, ast.Tuple, ast.Set)
WRAPPERS: Final = frozenset({"frozenset", "set", "tuple", "dict", "MappingProxyType", "re.compile", "pattern"})

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def uncounted(tree: ast.AST) -> set[int]:
    """The lines taken by docstrings and literal tables."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if is_docstring(node) or is_table(node):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def is_docstring(node: ast.AST) -> bool:
    """Whether it is a string that stands alone: a docstring of a module, class, function or constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_table(node: ast.AST) -> bool:
    """Whether it assigns a display or a long string, bare or wrapped: `frozenset({…})`, `re.compile(r"…")`."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    value = node.value
    if isinstance(value, ast.Call) and ast.unparse(value.func) in WRAPPERS and value.args:
        value = value.args[0]
    return isinstance(value, TABLES) or (isinstance(value, ast.Constant) and isinstance(value.value, str))


def file_lines(module: Module) -> int:
    """Lines of a file, without docstrings and tables."""
    return len(module.text.splitlines()) - len(uncounted(module.tree))


def function_lines(function: ast.AST) -> int:
    """Lines of a function from its `def` on, without docstring and tables."""
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    return (function.end_lineno or 0) - function.lineno + 1 - len(uncounted(function))


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function's body, without its docstring."""
    body = function.body[1:] if is_docstring(function.body[0]) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def command_functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Functions that click calls: those under a decorator `@….command` or `@….group`."""
    for function in functions(module.tree):
        names = {
            ast.unparse(d.func if isinstance(d, ast.Call) else d).rpartition(".")[2] for d in function.decorator_list
        }
        if names & {"command", "group"}:
            yield function


def undocumented(module: Module) -> Iterator[str]:
    """Public names without a docstring: the module, its classes and functions, their methods."""
    if module.text.strip() and ast.get_docstring(module.tree) is None:
        yield module.name or "mdmem"
    yield from _undocumented(module.tree, module.name)


def _undocumented(parent: ast.AST, path: str) -> Iterator[str]:
    for node in getattr(parent, "body", ()):
        if isinstance(node, Definition) and not node.name.startswith("_") and not is_overload(node):
            name = f"{path}.{node.name}"
            if ast.get_docstring(node) is None:
                yield name
            if isinstance(node, ast.ClassDef):
                yield from _undocumented(node, name)


def is_overload(node: Definition) -> bool:
    """Whether it only states a signature (`@overload`), or mirrors a getter (`@x.setter`)."""
    return any(ast.unparse(d).rpartition(".")[2] in {"overload", "setter"} for d in node.decorator_list)


def test_no_file_is_long() -> None:
    assert {m.name: n for m in modules() if (n := file_lines(m)) > FILE_LINES} == {}


def test_no_function_is_long() -> None:
    sizes = {f"{m.name}.{f.name}": function_lines(f) for m in modules() for f in functions(m.tree)}
    assert {name: size for name, size in sizes.items() if size > FUNCTION_LINES} == {}


def test_most_functions_are_short() -> None:
    sizes = [function_lines(f) for m in modules() for f in functions(m.tree)]
    assert quantiles(sizes, n=10)[-1] <= FUNCTION_P90


def test_commands_parse_call_and_print() -> None:
    doors = [m for m in modules() if m.room == "cli"]
    sizes = {f"{m.name}.{f.name}": body_lines(f) for m in doors for f in command_functions(m)}
    assert sizes, "no command was found"
    assert {name: size for name, size in sizes.items() if size > COMMAND_LINES} == {}


def test_every_public_name_says_what_it_is() -> None:
    assert [name for module in modules() for name in undocumented(module)] == []


LONG: Final = "def f():\n" + "    x = 1\n" * 41


def test_a_long_function_is_seen() -> None:
    (function,) = functions(sample(LONG).tree)
    assert function_lines(function) == 42
    assert body_lines(function) == 41


def test_a_long_file_is_seen() -> None:
    assert file_lines(sample("x = 1\n" * 301)) > FILE_LINES


def test_prose_and_tables_do_not_count() -> None:
    prose = '"""Doc.\n\nMore.\n"""\n'
    tables = "X = {\n    1: 2,\n    3: 4,\n}\nY: Final = frozenset({\n    1,\n})\n"
    text = f"{prose}{tables}z = f(\n    1,\n)\n"
    assert file_lines(sample(text)) == 3


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(): ...", ["sample", "sample.f"]),
        ('"""Doc."""\nclass A:\n    """Doc."""\n    def b(self): ...\n    def _c(self): ...', ["sample.A.b"]),
        ('"""Doc."""\ndef f():\n    """Doc."""\n    def g(): ...', []),
        ("", []),
    ],
)
def test_a_missing_docstring_is_seen(text: str, names: list[str]) -> None:
    assert list(undocumented(sample(text))) == names


def test_commands_are_told_from_helpers() -> None:
    text = "@click.command()\ndef a(): ...\n@cli.command\n@option\ndef b(): ...\n@cache\ndef c(): ...\n"
    assert [function.name for function in command_functions(sample(text))] == ["a", "b"]
