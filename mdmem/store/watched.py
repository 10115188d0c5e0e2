"""A table that need not look at every file: something that watches the folder can tell that nothing was touched."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from mdmem.store.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.store.table import Outline, Parse, Sweep

    Mark = Callable[[], int | None]
    """A number that is another one as soon as anything in the folder was touched; None when that is not known."""

_T = TypeVar("_T")


class WatchedTable(Table):
    """Gives its last answer again while the mark is the one that was read *before* the look it came from.

    So a file that is changed during a look changes the mark, and the next question looks again.
    """

    def __init__(self, root: Path, cache: Path, parse: Parse, name: str, mark: Mark) -> None:
        super().__init__(root, cache, parse, name)
        self._mark = mark
        self._etags_seen: tuple[int | None, dict[str, str]] | None = None
        self._outlines_seen: dict[int, tuple[int | None, Outline]] = {}
        self._sweep_seen: tuple[int | None, Sweep] | None = None

    def sweep(self) -> Sweep:
        """As `Table.sweep`."""
        self._sweep_seen = self._again(self._sweep_seen, super().sweep)
        return self._sweep_seen[1]

    def etags(self) -> dict[str, str]:
        """As `Table.etags`; the dict is shared and not to be changed."""
        self._etags_seen = self._again(self._etags_seen, super().etags)
        return self._etags_seen[1]

    def outline(self, most: int) -> Outline:
        """As `Table.outline`; what it holds is shared and not to be changed."""
        self._outlines_seen[most] = self._again(self._outlines_seen.get(most), partial(super().outline, most))
        return self._outlines_seen[most][1]

    def _again(self, seen: tuple[int | None, _T] | None, look: Callable[[], _T]) -> tuple[int | None, _T]:
        mark = self._mark()
        if seen is not None and mark is not None and seen[0] == mark:
            return seen
        return mark, look()
