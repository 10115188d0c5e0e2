"""The index of one store: brought up to date before each answer, never trusted beyond that.

A refresh compares the files (the store's sweep) with what the current generation holds and writes the difference
as a new generation. Readers take no lock; writers hold the index's own. Where nothing can be written, or another
writer is busy for too long, the answer comes from an index in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import DiskError, LockedError, ReadOnlyError
from mdmem.index import fulltext, generation
from mdmem.index.diff import Changes, Stats, diff

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mdmem.index.generation import Generation
    from mdmem.store.store import Store
    from mdmem.store.table import StoredMemory

LOCK_SECONDS: Final = 5.0
"""A reader that finds another process writing waits this long, then builds its own index in memory."""
DEAD_MOST: Final = 100
DEAD_SHARE: Final = 0.25
"""Deleted documents still weigh on BM25's counts: past both of these the index is built from nothing."""


@dataclass(frozen=True, slots=True)
class View:
    """The store as one refresh found it, and the index that goes with it.

    `stats` says what the refresh had to do; `generation` is '' when the index lies in memory only.
    """

    memories: Mapping[str, StoredMemory]
    engine: fulltext.Engine
    stats: Stats
    generation: str


class Index:
    """The search index of a store, under `index/` in its cache folder."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.root: Path = store.cache_folder / "index"
        self._open: Generation | None = None

    def refresh(self) -> View:
        """Bring the index up to date with the files and return both; nothing is written when nothing changed."""
        stored = self.store.load()
        current = self._current()
        if current and not diff(current.documents, _etags(stored)):
            return _view(stored, current, Stats())
        try:
            with disk.lock(self.root / "lock", timeout=LOCK_SECONDS):
                return self._write()
        except (ReadOnlyError, DiskError, LockedError):
            return in_memory(stored)

    def rebuild(self) -> View:
        """Build the index from nothing, whatever is there. Raises ReadOnlyError, DiskError or LockedError."""
        with disk.lock(self.root / "lock", timeout=LOCK_SECONDS):
            stored = self.store.load()
            return self._publish(stored, None, diff({}, _etags(stored)))

    def _current(self) -> Generation | None:
        """The current generation, opened only when it is another one than last time."""
        if self._open is None or generation.read_pointer(self.root) != self._open.pointer:
            self._open = generation.load(self.root)
        return self._open

    def _write(self) -> View:
        """With the lock held: look again, since whoever held it before may have done the work."""
        stored = self.store.load()
        base = self._current()
        changes = diff(base.documents if base else {}, _etags(stored))
        if base and not changes:
            return _view(stored, base, Stats())
        if base and _dead_after(base, changes) > max(DEAD_MOST, DEAD_SHARE * len(stored)):
            base, changes = None, diff({}, _etags(stored))
        return self._publish(stored, base, changes)

    def _publish(self, stored: Sequence[StoredMemory], base: Generation | None, changes: Changes) -> View:
        folder = generation.begin(self.root, base)
        engine = fulltext.open_existing(folder) if base else fulltext.create(folder)
        memories = {one.path: one for one in stored}
        fulltext.update(engine, ((path, memories[path].memory) for path in changes.written), changes.removed)
        dead = _dead_after(base, changes) if base else 0
        self._open = generation.publish(folder, _etags(stored), dead)
        return _view(stored, self._open, changes.stats)


def in_memory(stored: Sequence[StoredMemory]) -> View:
    """An index of these memories that leaves nothing on disk."""
    engine = fulltext.create(None)
    fulltext.update(engine, ((one.path, one.memory) for one in stored), ())
    return View({one.path: one for one in stored}, engine, Stats(added=len(stored)), "")


def _view(stored: Sequence[StoredMemory], current: Generation, stats: Stats) -> View:
    return View({one.path: one for one in stored}, current.engine, stats, current.name)


def _etags(stored: Sequence[StoredMemory]) -> dict[str, str]:
    return {one.path: one.etag for one in stored}


def _dead_after(base: Generation, changes: Changes) -> int:
    return base.dead + len(changes.changed) + len(changes.removed)
