"""A table that need not look at every file: something that watches the folder can tell that nothing was touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from mdmem.store import rows
from mdmem.store.table import Table
from mdmem.store.touched import look_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from mdmem.markdown.problems import Problem
    from mdmem.store.outline import Outline
    from mdmem.store.table import Parse, StoredMemory, Sweep
    from mdmem.store.touched import Touched

HELD_MOST: Final = 5_000
"""So many memories are kept built, the ones that were asked for."""


class Mark(Protocol):
    """Tells whether anything in a folder was touched."""

    def __call__(self) -> int | None:
        """A number that is another one as soon as anything in the folder was touched; None when that is not known."""

    def touched_since(self, mark: int) -> Collection[str] | None:
        """The files, relative to the folder, that were touched between a mark and the last one; None for any."""


class WatchedTable(Table):
    """Gives its last answer again while the mark is the one that was read *before* the look it came from.

    So a file that is changed during a look changes the mark, and the next question looks again: at the files that were
    touched, where that is known, and at all when it is not, or when another process has written the table meanwhile.
    """

    def __init__(self, root: Path, cache: Path, parse: Parse, name: str, mark: Mark) -> None:
        super().__init__(root, cache, parse, name)
        self._mark = mark
        self._looked: tuple[int, int] | None = None
        self._misnamed: tuple[Problem, ...] = ()
        self._tags: dict[str, str] | None = None
        self._outlines: dict[int, Outline] = {}
        self._held: dict[str, StoredMemory] = {}
        self._sweep_seen: tuple[int | None, Sweep] | None = None
        self._file = 0

    def sweep(self) -> Sweep:
        """As `Table.sweep`."""
        with self._turn:
            mark = self._mark()
            if self._sweep_seen is None or mark is None or self._sweep_seen[0] != mark:
                self._reopen()
                self._sweep_seen = mark, super().sweep()
                self._forget()  # the table may know more by now than what is held
            return self._sweep_seen[1]

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """As `Table.pick`; what was asked for before is not read again."""
        wanted = list(paths)
        with self._turn:
            known = self._held
            if missing := [path for path in wanted if path not in known]:
                known = known | super().pick(missing)
                self._held = known if len(known) <= HELD_MOST else {}
        return {path: known[path] for path in wanted if path in known}

    def close(self) -> None:
        """As `Table.close`."""
        with self._turn:
            self._forget()
            super().close()

    def _etags(self) -> Mapping[str, str]:
        """The very same dict as long as nothing changed; it is not to be changed."""
        self._look_again()
        if self._tags is None:
            self._tags = self.last_etags()
        return self._tags

    def _outline(self, most: int) -> Outline:
        """What it holds is shared and not to be changed."""
        misnamed = self._look_again()
        if most not in self._outlines:
            self._outlines[most] = self._outlined(most, misnamed)
        return self._outlines[most]

    def _look_again(self) -> tuple[Problem, ...]:
        self._reopen()
        mark, version = self._mark(), self._version()
        if not self._follow(mark, version):
            self._forget()
            self._misnamed = super()._look_again()
        self._looked = None if mark is None else (mark, version)
        return self._misnamed

    def _reopen(self) -> None:
        """Use the file that others use: what was deleted stays open, and takes no writes any more."""
        if self._file != _inode(self._path):
            self.close()
            self._connection()
            self._file = _inode(self._path)

    def _forget(self) -> None:
        self._looked = self._tags = None
        self._outlines, self._held = {}, {}

    def _follow(self, mark: int | None, version: int) -> bool:
        """Whether what is held is true again after a look at the files that were touched."""
        if mark is None or self._looked is None:
            return False
        before, written = self._looked
        if version != written and self.last_etags() != self._tags:
            return False
        if mark == before:
            return True
        paths = self._mark.touched_since(before)
        touched = None if paths is None else look_at(self.root, paths)
        if touched is None:
            return False
        self._take(touched)
        return True

    def _take(self, touched: Touched) -> None:
        """Read what was touched. What changed is told by what is held: another process may have written it already."""
        tags = self._tags or {}
        found, times = self._read_all(touched.found, tags)
        gone = tags.keys() & set(touched.gone) | rows.tags_of(self._connection(), touched.gone).keys()
        rows.write(self._connection(), found, times, gone)
        if changed := {row.path for row in found} | set(touched.gone):
            self._outlines = {}
            self._held = {path: one for path, one in self._held.items() if path not in changed}
            self._tags = _brought_up(self._tags, {row.path: row.etag for row in found if row.memory}, changed)

    def _version(self) -> int:
        """A number that is another one after each write of another connection."""
        version: int = self._connection().execute("PRAGMA data_version").fetchone()[0]
        return version


def _inode(path: Path) -> int:
    """Which file is there, 0 when none is."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _brought_up(tags: dict[str, str] | None, new: dict[str, str], changed: set[str]) -> dict[str, str] | None:
    """The etags with what is new of those that changed, sorted by path."""
    if tags is None:
        return None
    found = {path: tag for path, tag in (tags | new).items() if path in new or path not in changed}
    return found if new.keys() <= tags.keys() else dict(sorted(found.items()))
