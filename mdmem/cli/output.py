"""How answers are printed: a table on a terminal, tab-separated when piped, JSON when asked."""

from __future__ import annotations

import json
import shutil
import sys
import unicodedata
from typing import TYPE_CHECKING, Final

import click

from mdmem.markdown.escape import strip_control

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

COLUMN_MOST: Final = 60
COLUMN_LEAST: Final = 10
COPIED: Final = frozenset({"ID", "PATH"})
"""Columns whose cells people copy into the next command: the last to be cut."""
json_option = click.option("-j", "--json", "as_json", is_flag=True, help="Print JSON.")


def echo_json(value: object, *, one_line: bool = False) -> None:
    """Print a value as JSON, indented unless `one_line`."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=None if one_line else 2))


def note(message: str) -> None:
    """Say something about the work, on stderr."""
    click.echo(strip_control(message), err=True)


def warn(message: str, hint: str = "") -> None:
    """Say what the user should know or do, on stderr."""
    note(f"warning: {message}" + (f" ({hint})" if hint else ""))


def echo_text(text: str) -> None:
    """Print text that came from a file, without what could steer a terminal."""
    click.echo(strip_control(text))


def echo_rows(header: Sequence[str], rows: Iterable[Sequence[str]], below: Sequence[str] = ()) -> None:
    """A table with a header on a terminal, cut to its width; else tab-separated values without one.

    The last cells of a row, as many as `below` has names, stand whole on lines below it on a terminal.
    """
    cells = [[" ".join(strip_control(cell).split()) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in cells:
            click.echo("\t".join(row))
        return
    named = [row[: len(header)] for row in cells]
    lines = _table([list(header), *named], shutil.get_terminal_size().columns) if cells else iter(())
    for line, row in zip(lines, [[], *cells], strict=False):
        click.echo(line)
        for name, cell in zip(below, row[len(header) :], strict=False):
            click.echo(f"  {name}: {cell}".rstrip())


def echo_values(rows: Iterable[tuple[str, str]]) -> None:
    """Names and values, on a terminal one below the other; values are there to be copied, so none is cut."""
    cells = [(strip_control(name), strip_control(value)) for name, value in rows]
    between = None if sys.stdout.isatty() else "\t"
    width = max((len(name) for name, _ in cells), default=0)
    for name, value in cells:
        click.echo(f"{name}{between or ' ' * (width - len(name) + 2)}{value}".rstrip(" "))


def progress(label: str, least: int = 500) -> Callable[[Iterable[str]], Iterator[str]]:
    """A wrapper that shows a bar on stderr while its items are walked: on a terminal, for `least` items and more."""

    def walk(items: Iterable[str]) -> Iterator[str]:
        listed = list(items)
        if not sys.stderr.isatty() or len(listed) < least:
            yield from listed
            return
        with click.progressbar(listed, label=label, file=sys.stderr) as bar:
            yield from bar

    return walk


def _table(rows: Sequence[list[str]], columns: int) -> Iterator[str]:
    copied = {i for i, name in enumerate(rows[0]) if name in COPIED}
    widths = _widths([max(_width(row[i]) for row in rows) for i in range(len(rows[0]))], copied, columns)
    for row in rows:
        cells = [_fit(cell, width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def _widths(asked: Sequence[int], copied: Collection[int], columns: int) -> list[int]:
    """The width of each column: where there is too little room the widest give way, those to be copied after others."""
    widths = [width if i in copied else min(COLUMN_MOST, width) for i, width in enumerate(asked)]
    room = columns - 2 * (len(widths) - 1)
    told = [i for i in range(len(widths)) if i not in copied]
    for some, least in ((told, COLUMN_LEAST), (copied, COLUMN_LEAST), (range(len(widths)), 1)):
        while sum(widths) > room and max((widths[i] for i in some), default=0) > least:
            widths[max(some, key=widths.__getitem__)] -= 1
    return widths


def _fit(text: str, width: int) -> str:
    if _width(text) > width:
        while text and _width(text) > width - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    """Terminal columns: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
