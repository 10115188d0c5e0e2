"""Stores and their vectors: what of a store is embedded, embedding the rest, and how near each memory is.

What was embedded once is taken from the user's cache, by the file's etag or by its texts. A few new memories are
embedded at once; many only where somebody waits for it (`embed_all`), and until then they are found by their words.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import DiskError, LockedError, ReadOnlyError
from mdmem.index import vectors
from mdmem.index.arrays import np
from mdmem.index.chunks import chunks
from mdmem.index.cosines import Cosines, Positions
from mdmem.index.pointer import read_pointer
from mdmem.index.vector_cache import text_key
from mdmem.index.vector_files import root_of
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from mdmem.index.embedder import Embedder
    from mdmem.index.index import View
    from mdmem.index.vector_cache import VectorCache
    from mdmem.index.vectors import Array, Matrix, Row

    Progress = Callable[[Iterable[str]], Iterator[str]]

INLINE_MOST: Final = 24
"""New texts that a search embeds at once, at about 16 ms each; of more it embeds none."""
INLINE_SECONDS: Final = 0.5
"""… and it stops there on a slow machine; what is done is kept."""
INLINE_STEP: Final = 4
BULK_STEP: Final = 32
"""Files between two looks at the clock, and between two writes to the cache: what an interruption loses."""
LOOSE_MOST: Final = 64
"""Files that are read from the cache each time before the store's matrix is written anew."""
LOCK_SECONDS: Final = 5.0
LONG_QUERY: Final = 64
"""Tokens of a query above which its sentences are embedded one by one, too."""
SENTENCES_MOST: Final = 16
SENTENCE: Final = pattern(r"(?<=[.!?。！？])\s+|\n+")


@dataclass(frozen=True)
class Embedded:
    """A store's vectors as one refresh left them.

    `etags` maps paths to etags; `parts` hold the rows. `made` counts the texts that were embedded just now, `pending`
    the memories that are not embedded yet.
    """

    etags: Mapping[str, str]
    parts: tuple[Matrix, ...]
    made: int
    pending: int

    @cached_property
    def _positions(self) -> Positions:
        files = chain.from_iterable(part.firsts for part in self.parts)
        return Positions(self.etags, {etag: i for i, etag in enumerate(files)})

    def cosines(self, queries: Array) -> Cosines:
        """How near each memory's best text is to the best of the queries (m, d)."""
        values = np.concatenate([part.best(queries) for part in self.parts])
        return Cosines(self._positions, values[self._positions.rows])


class Embedding:
    """One embedder and the user's cache of its vectors, for any number of stores."""

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self.embedder = embedder
        self._cache = cache
        self._open: dict[Path, tuple[str, Matrix]] = {}
        self._last: dict[Path, tuple[str, Embedded]] = {}

    def queries(self, text: str) -> Array:
        """What a query is compared by, (m, d): the whole, and of a long one its sentences. Raises ModelError."""
        asked = [text]
        if len(self.embedder.token_spans(text)) > LONG_QUERY:
            sentences = [part.strip() for part in SENTENCE.split(text)]
            asked += [part for part in sentences if part][:SENTENCES_MOST]
        rows = self.embedder.embed(asked, is_query=True)
        return rows[rows.any(axis=1)]

    def refresh(self, view: View) -> Embedded:
        """The vectors of a store, with what is new if that is little. Raises ModelError.

        A watched store gives the very same etags while nothing was touched: then the last answer holds.
        """
        root = root_of(view.store)
        pointer, last = self._last.get(root, ("", None))
        if last and last.etags is view.etags and not last.pending and pointer == read_pointer(root):
            return last
        found = self._refresh(view, None)
        self._last[root] = read_pointer(root), replace(found, made=0)
        return found

    def embed_all(self, view: View, progress: Progress) -> Embedded:
        """The vectors of a store, with all that is new; `progress` walks over the paths that are embedded.

        Whatever is done when it is interrupted stays in the cache. Raises ModelError.
        """
        return self._refresh(view, progress)

    def _refresh(self, view: View, progress: Progress | None) -> Embedded:
        root = root_of(view.store)
        matrix = self._matrix(root)
        missing = {etag: path for path, etag in sorted(_lacking(matrix, view.etags))}
        loose = self._remembered(missing)
        todo = {etag: path for etag, path in missing.items() if etag not in loose}
        made = 0
        for files, texts in self._embedded(view, todo, progress):
            loose |= files
            made += texts
        added = vectors.matrix_of(loose, self.embedder.dimension)
        parts: tuple[Matrix, ...] = (matrix, added) if len(added.rows) else (matrix,)
        if len(added.firsts) > LOOSE_MOST or (progress and added.firsts):
            parts = (self._published(root, view, added) or matrix.kept(frozenset(view.etags.values())).joined(added),)
        return Embedded(view.etags, parts, made, len(missing) - len(loose))

    def _matrix(self, root: Path) -> Matrix:
        """The store's matrix, opened anew only when it is another one than last time."""
        pointer = read_pointer(root)
        if root not in self._open or self._open[root][0] != pointer:
            found = vectors.load(root, self.embedder.digest, self.embedder.dimension)
            self._open[root] = pointer, found or vectors.matrix_of({}, self.embedder.dimension)
        return self._open[root][1]

    def _published(self, root: Path, view: View, added: Matrix) -> Matrix | None:
        """Write the store's matrix with what was added; None where that can't be done now."""
        try:
            with disk.lock(root / "lock", timeout=LOCK_SECONDS):
                newest = self._matrix(root)  # another process may have written meanwhile
                wanted = frozenset(view.etags.values()) - added.firsts.keys()
                whole = newest.kept(wanted).joined(added)
                self._open[root] = vectors.publish(root, whole, self.embedder.digest), whole
        except (ReadOnlyError, DiskError, LockedError):
            return None
        return whole

    def _remembered(self, missing: Mapping[str, str]) -> dict[str, list[Row]]:
        """The rows of the files that were embedded before, in whatever store."""
        digest = self.embedder.digest
        known = self._cache.documents(digest, missing) if missing else {}
        rows = self._rows({key for keys in known.values() for key in keys})
        return {
            etag: [(key, rows[key]) for key in keys] for etag, keys in known.items() if all(key in rows for key in keys)
        }

    def _rows(self, keys: Iterable[bytes]) -> dict[bytes, Array]:
        """The vectors that the cache has; one that is no unit vector is as good as none."""
        found = {}
        for key, data in self._cache.rows(self.embedder.digest, keys).items():
            row = np.frombuffer(data, vectors.FLOAT) if len(data) == 4 * self.embedder.dimension else None
            if row is not None and abs(float(row @ row) - 1) < vectors.LENGTH_ERROR:
                found[key] = row
        return found

    def _embedded(
        self, view: View, todo: Mapping[str, str], progress: Progress | None
    ) -> Iterator[tuple[dict[str, list[Row]], int]]:
        """Embed files step by step: the rows of each step's files, and how many texts they took."""
        if not progress and len(todo) > INLINE_MOST:
            return
        paths, left, end = list(todo.values()), INLINE_MOST, time.monotonic() + INLINE_SECONDS
        walk = progress(paths) if progress else iter(paths)
        for part in _parted(walk, BULK_STEP if progress else INLINE_STEP):
            texts = self._texts(view, part, todo)
            if not progress:
                texts = _affordable(texts, left)
                left -= sum(map(len, texts.values()))
                if time.monotonic() > end:
                    return
            yield self._make(texts)

    def _texts(self, view: View, paths: list[str], todo: Mapping[str, str]) -> dict[str, list[str]]:
        """The texts of these files by etag, of those that still are what was found."""
        found = {}
        for one in view.pick(paths).values():
            if one.etag in todo:
                memory, embedder = one.memory, self.embedder
                found[one.etag] = chunks(memory.title, memory.body, embedder.room, embedder.token_spans)
        return found

    def _make(self, texts: Mapping[str, list[str]]) -> tuple[dict[str, list[Row]], int]:
        """The rows of the files, embedding what the cache does not have, and keeping it there."""
        digest = self.embedder.digest
        keyed = {text_key(digest, text): text for of_file in texts.values() for text in of_file}
        rows = self._rows(keyed)
        new = [key for key in keyed if key not in rows]
        for key, row in zip(new, self.embedder.embed([keyed[key] for key in new]), strict=True):
            if row.any():  # what gives nothing to compare has no row
                rows[key] = row
        self._cache.add_rows(digest, {key: rows[key].astype(vectors.FLOAT).tobytes() for key in new if key in rows})
        files = {etag: [text_key(digest, text) for text in of_file] for etag, of_file in texts.items()}
        kept = {etag: [key for key in dict.fromkeys(keys) if key in rows] for etag, keys in files.items()}
        self._cache.add_documents(digest, kept)
        return {etag: [(key, rows[key]) for key in keys] for etag, keys in kept.items()}, len(new)


def _lacking(matrix: Matrix, etags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(path, etag) of each file that has no rows in the matrix."""
    return ((path, etag) for path, etag in etags.items() if etag not in matrix.firsts)


def _affordable(texts: Mapping[str, list[str]], left: int) -> dict[str, list[str]]:
    """The files, first come first served, that have at most `left` texts in all."""
    chosen = {}
    for etag, of_file in texts.items():
        if len(of_file) <= left:
            chosen[etag] = of_file
            left -= len(of_file)
    return chosen


def _parted(paths: Iterable[str], size: int) -> Iterator[list[str]]:
    part: list[str] = []
    for path in paths:
        part.append(path)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
