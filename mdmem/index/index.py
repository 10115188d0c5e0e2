"""The index of one store: brought up to date before each answer, never trusted beyond that.

A refresh compares the files (the store's sweep) with what the current generation holds and writes the difference
as a new generation. Readers take no lock; writers hold the index's own. Where nothing can be written, or another
writer is busy for too long, the answer comes from an index in memory.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.errors import DiskError, LockedError, MdmemError, ReadOnlyError
from mdmem.index import fulltext, generation
from mdmem.index.diff import Changes, Stats, diff
from mdmem.store.etags import Etags

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from mdmem.index.generation import Generation
    from mdmem.memory import Memory
    from mdmem.store.reader import Reader
    from mdmem.store.table import StoredMemory

AGREED: Final = "agreed"
"""Names a generation, and the token of the memories that it was found to hold."""
LOCK_SECONDS: Final = 5.0
"""A reader that finds another process writing waits this long, then builds its own index in memory."""
SMALL: Final = 64
"""Changes up to so many are indexed in memory first."""
DEAD_MOST: Final = 100
DEAD_SHARE: Final = 0.25
"""Deleted documents still weigh on BM25's counts: past both of these the index is built from nothing."""


class View(NamedTuple):
    """A store as one refresh found it, and the index that goes with it.

    `etags` maps the path of every memory to its etag. `stats` says what the refresh had to do; `generation` is ''
    when the index lies in memory only.
    """

    store: Reader
    etags: Mapping[str, str]
    engine: fulltext.Engine
    stats: Stats
    generation: str

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """The memories of these paths; one that went away meanwhile is left out."""
        return self.store.pick(paths)


class Index:
    """The search index of a store, under `index/` in its cache folder.

    `spares` is where indexes of stores lie that can only be read: Tantivy makes a lock file even to read.
    """

    def __init__(self, store: Reader, spares: Path | None = None) -> None:
        self.store = store
        self._own = self.root = store.cache_folder / "index"
        if spares and not disk.is_writable(self._own):
            self.root = spares / disk.etag(os.fsencode(self._own.absolute()))[:16]
        self._open: Generation | None = None
        self._compared: tuple[Mapping[str, str], Generation, Changes] | None = None

    def refresh(self) -> View:
        """Bring the index up to date with the files and return both; nothing is written when nothing changed."""
        etags = self.store.etags()
        current = self._current()
        if current and not self._changes(current, etags):
            return self._view(etags, current, Stats())
        try:
            with disk.lock(self.root / "lock", timeout=LOCK_SECONDS):
                return self._write(etags, current)
        except (ReadOnlyError, DiskError, LockedError):
            return in_memory(self.store, etags)

    def rebuild(self) -> View:
        """Build the index from nothing, whatever is there. Raises ReadOnlyError, DiskError or LockedError."""
        with disk.lock(self.root / "lock", timeout=LOCK_SECONDS):
            etags = self.store.etags()
            return self._publish(etags, None, diff({}, etags))

    def _changes(self, base: Generation | None, etags: Mapping[str, str]) -> Changes:
        """What the index lacks; a watched store gives the very same etags as long as nothing changed."""
        if base is None:
            return diff({}, etags)
        if self._compared is None or self._compared[0] is not etags or self._compared[1] is not base:
            self._compared = etags, base, self._compare(base, etags)
        return self._compared[2]

    def _compare(self, base: Generation, etags: Mapping[str, str]) -> Changes:
        """What the index lacks; where it was found to lack nothing of the very same, nothing is read."""
        agreed = f"{base.name} {etags.token}".encode() if isinstance(etags, Etags) and etags.token else b""
        with contextlib.suppress(MdmemError):
            if agreed and disk.read_if_exists(self.root / AGREED) == agreed:
                return Changes()
        found = diff(base.documents, etags)
        if agreed and not found:
            with contextlib.suppress(MdmemError):
                disk.write(self.root / AGREED, agreed, durable=False)
        return found

    def _current(self) -> Generation | None:
        """The current generation, opened anew only when it is another one than last time."""
        if self._open is None or not generation.is_current(self.root, self._open):
            self._open = generation.load(self.root) or self._adopted()
        return self._open

    def _adopted(self) -> Generation | None:
        """The index beside the files, copied to where it can be opened."""
        if self.root == self._own:
            return None
        with contextlib.suppress(OSError, MdmemError):
            with disk.lock(self.root / "lock", timeout=LOCK_SECONDS):
                generation.adopt(self._own, self.root)
            return generation.load(self.root)
        return None

    def _write(self, etags: Mapping[str, str], seen: Generation | None) -> View:
        """With the lock held: look again if whoever held it before has published another generation than `seen`."""
        base = self._current()
        if base is not seen:
            etags = self.store.etags()
        changes = self._changes(base, etags)
        if base and not changes:
            return self._view(etags, base, Stats())
        if base and _dead_after(base, changes) > max(DEAD_MOST, DEAD_SHARE * len(etags)):
            base, changes = None, diff({}, etags)
        return self._publish(etags, base, changes)

    def _publish(self, etags: Mapping[str, str], base: Generation | None, changes: Changes) -> View:
        fresh = frozenset(changes.written)
        picked = self.store.pick(fresh)
        # a file that changed again since the sweep must be found changed by the next refresh too
        moved_on = {path for path in fresh if not _is(picked, path, etags[path])}
        indexed = {path: etag for path, etag in etags.items() if path not in moved_on} if moved_on else dict(etags)
        written = [(path, one.memory) for path, one in picked.items()]
        is_small = base is not None and len(fresh) + len(changes.removed) <= SMALL
        try:
            self._open = self._made(base, written, changes, indexed, is_small=is_small)
        except DiskError:
            if not is_small:
                raise
            self._open = self._made(base, written, changes, indexed, is_small=False)  # the memory may be full
        return self._view(etags, self._open, changes.stats)

    def _made(
        self,
        base: Generation | None,
        written: Sequence[tuple[str, Memory]],
        changes: Changes,
        indexed: Mapping[str, str],
        *,
        is_small: bool,
    ) -> Generation:
        """The generation after `base`, made in memory or on the disk. Raises ReadOnlyError or DiskError."""
        dead = _dead_after(base, changes) if base else 0
        try:
            folder = generation.begin(self.root, base, is_small=is_small)
            engine = fulltext.open_existing(folder) if base else fulltext.create(folder)
            fulltext.update(engine, written, changes.removed)
            return generation.publish(self.root, folder, indexed, dead, base)
        except (OSError, ValueError) as error:  # how Tantivy says that the disk is full; or somebody deleted the base
            raise DiskError(self.root, str(error)) from error

    def _view(self, etags: Mapping[str, str], current: Generation, stats: Stats) -> View:
        return View(self.store, etags, current.engine, stats, current.name)


def in_memory(store: Reader, etags: Mapping[str, str]) -> View:
    """An index of these memories that leaves nothing on disk."""
    engine = fulltext.create(None)
    fulltext.update(engine, ((path, one.memory) for path, one in store.pick(etags).items()), ())
    return View(store, etags, engine, Stats(added=len(etags)), "")


def _is(picked: Mapping[str, StoredMemory], path: str, etag: str) -> bool:
    return path in picked and picked[path].etag == etag


def _dead_after(base: Generation, changes: Changes) -> int:
    return base.dead + len(changes.changed) + len(changes.removed)
