"""The reading half of a store: what there is, without a line of what changes it.

Most commands only read, and find nothing changed since the last one: they need neither the parser nor what writes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mdmem.store.scan import OWN_FOLDER
from mdmem.store.table import Table
from mdmem.store.watched import WatchedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from mdmem.store.outline import Outline
    from mdmem.store.table import Parse, StoredMemory, Sweep
    from mdmem.store.watched import Mark


class Reader:
    """The memories of one folder.

    `parse` reads a file that changed. `last_good` gives the last committed bytes of a path, for a file that can't be
    read now. `mark` tells whether the folder was touched, where somebody watches it.
    """

    def __init__(
        self,
        root: Path,
        parse: Parse,
        *,
        name: str = "project",
        last_good: Callable[[str], bytes | None] | None = None,
        mark: Mark | None = None,
    ) -> None:
        self.root = root
        self.name = name
        self.cache_folder = root / OWN_FOLDER / "cache"
        self.state_folder = root / OWN_FOLDER / "state"
        self.parse = parse
        self._last_good = last_good
        self.mark = mark

    @property
    def pathspecs(self) -> tuple[str, ...]:
        """What git should look at, relative to the root."""
        return (".",)

    @cached_property
    def _table(self) -> Table:
        table = (
            WatchedTable(self.root, self.cache_folder, self.parse, self.name, self.mark)
            if self.mark
            else Table(self.root, self.cache_folder, self.parse, self.name)
        )
        if self._last_good:
            table.fall_back_on(self._last_good)
        return table

    def sweep(self) -> Sweep:
        """Look at every file and read again what changed."""
        return self._table.sweep()

    def load(self) -> tuple[StoredMemory, ...]:
        """All memories, whatever their status, sorted by path."""
        return self.sweep().memories

    def etags(self) -> Mapping[str, str]:
        """Look at every file like `sweep`, and answer with path → etag of each memory, none of them built."""
        return self._table.etags()

    def last_etags(self) -> dict[str, str]:
        """The same, as the last look found it."""
        return self._table.last_etags()

    def outline(self, most: int) -> Outline:
        """Look at every file like `sweep`, and answer with counts and which active memories are the newest."""
        return self._table.outline(most)

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """The memories of these paths, as the last look found them; a path without one is left out."""
        return self._table.pick(paths)
