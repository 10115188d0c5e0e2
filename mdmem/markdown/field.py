"""One key of a frontmatter with its value, and the places where they stand."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Value: TypeAlias = "str | list[Value] | dict[str, Value] | None"
"""A frontmatter value: text, None (nothing after the colon), or lists and mappings of them."""


class Mark(NamedTuple):
    """A place in the text, from 0; columns count characters."""

    line: int
    column: int


class Field(NamedTuple):
    """One top-level key of the frontmatter.

    Marks count lines and columns from 0 in Layout.lines. The entry takes `lines[first:last]`; its value takes what
    lies between `start` and `end` (for a block list or mapping, and for nothing: the place after the colon; for a
    block scalar: its header) and the lines after `end.line`. `style` is YAML's: '' for plain, a quote, | or >, '['
    for a flow list, '-' for a block list, '{' for a flow and ':' for a block mapping. `items` holds the places of a
    list's items. `cuts` are the lines (from 1) on which other readers see a comment where the value goes on.
    """

    key: str
    value: Value
    style: str
    first: int
    last: int
    start: Mark
    end: Mark
    items: tuple[tuple[Mark, Mark], ...] = ()
    cuts: tuple[int, ...] = ()

    @property
    def line(self) -> int:
        """The line of the key, from 1."""
        return self.first + 1
