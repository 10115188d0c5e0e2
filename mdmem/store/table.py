"""The table of parsed memories: a disposable cache that makes reading a store a matter of `stat`.

A file is read again when its size, times or inode differ from the last reading, or when it was written so shortly
before that reading that a later change could carry the same time (git's "racy" rule). The table may be deleted,
damaged or brought along by a clone: each row is sealed by a checksum, and the whole names the file it was made for.
Whatever fails is read anew from the memory files.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from heapq import nlargest
from operator import itemgetter
from threading import RLock
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from mdmem import disk
from mdmem.errors import DiskError, MdmemError
from mdmem.markdown.problems import KEPT_OUT, Problem
from mdmem.memory import Status
from mdmem.store import rows
from mdmem.store.cache_file import in_memory, open_cache
from mdmem.store.etags import Etags
from mdmem.store.outline import Outline, confirmed_text
from mdmem.store.record import read_memory, read_problems, seal, write_memory, write_problems
from mdmem.store.rows import Row
from mdmem.store.scan import look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from mdmem.markdown.parse import Document
    from mdmem.memory import Memory
    from mdmem.store.rows import Times
    from mdmem.store.scan import FoundFile, Look

    Parse = Callable[[bytes, str], Document]

_T = TypeVar("_T")

RACY_NS: Final = 100_000_000
"""A file's time is trusted only when it lies this far (in ns) before the reading: clocks of file systems tick."""
COARSE_NS: Final = 2_000_000_000
"""The same where times have no fraction of a second (FAT, HFS+)."""
FILE_NAME: Final = "memories.sqlite"


class StoredMemory(NamedTuple):
    """A memory and the file it stands in.

    `path` is relative to the store's root, with forward slashes; `store` is `project` or `personal`; `etag` is that
    of the bytes on disk. When `is_readable` is False the file can't be read now and `memory` is its last good version.
    """

    path: str
    memory: Memory
    etag: str
    problems: tuple[Problem, ...] = ()
    store: str = "project"
    is_readable: bool = True

    @property
    def is_valid(self) -> bool:
        """Whether the file is without errors; only such memories are briefed."""
        return not any(problem.is_error for problem in self.problems)

    @property
    def is_kept_out(self) -> bool:
        """Whether a finding keeps it out of prompts (injection, hidden characters, no value)."""
        return any(problem.code in KEPT_OUT for problem in self.problems)

    def as_json(self) -> dict[str, object]:
        """The shape of `show --json`."""
        return {"path": self.path, "store": self.store, **self.memory.as_json()}


class Sweep(NamedTuple):
    """What one look at the store found.

    `memories` are all that can be used, sorted by path; `unreadable` maps the path of each file that can't be read
    now to its problem, whether or not a last good version is among the memories; `parsed` counts the files that
    were read again.
    """

    memories: tuple[StoredMemory, ...]
    unreadable: dict[str, Problem]
    links: tuple[str, ...]
    parsed: int


def outline_of(sweep: Sweep, most: int) -> Outline:
    """The outline of memories that were built, with at most `most` dated ones."""
    active = [(one.path, confirmed_text(one.memory)) for one in sweep.memories if one.memory.status is Status.ACTIVE]
    dated = sorted((path, when) for path, when in active if when)
    return Outline(
        Counter((one.memory.status, one.memory.type) for one in sweep.memories),
        nlargest(most, dated, key=itemgetter(1)),
        sorted(path for path, when in active if not when),
        [one.path for one in sweep.memories if one.is_readable and not one.is_valid],
        sorted(sweep.unreadable),
    )


class Table:
    """The cached table of one store. Opening it never fails: where nothing can be written it lives in memory.

    `parse` reads what changed: most looks find nothing to read, so that it comes from outside. It may be used by
    several threads, and beside other processes.
    """

    def __init__(self, root: Path, cache: Path, parse: Parse, name: str = "project") -> None:
        self.root = root
        self.name = name
        self._parse = parse
        self._path = cache / FILE_NAME
        self._last_good: Callable[[str], bytes | None] = lambda _path: None
        self._db: sqlite3.Connection | None = None
        self._built: dict[str, StoredMemory] = {}
        self._parsed: dict[str, StoredMemory] = {}
        self._turn = RLock()

    def fall_back_on(self, last_good: Callable[[str], bytes | None]) -> None:
        """Where the last good bytes of an unreadable file may be had, when the table never held any."""
        self._last_good = last_good

    def sweep(self) -> Sweep:
        """Compare the files with the table, read what changed, and answer with all memories.

        Raises DiskError when the store's folder can't be listed.
        """
        return self._recovered(self._sweep)

    def etags(self) -> Mapping[str, str]:
        """Compare the files with the table as `sweep` does, and answer with path → etag of what can be used.

        No memory is built: a search needs but the few that it shows (see `pick`). Raises DiskError like `sweep`.
        """
        return self._recovered(self._etags)

    def last_etags(self) -> dict[str, str]:
        """The same as the last look left it."""
        return self._recovered(lambda: rows.etags(self._connection()))

    def outline(self, most: int) -> Outline:
        """The same look, and only what it counts, with at most `most` dated memories. Raises DiskError like `sweep`."""
        return self._recovered(lambda: self._outline(most))

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """The memories of these paths as the last look left them; a path without one is left out."""
        wanted = list(paths)
        return self._recovered(lambda: self._pick(wanted))

    def close(self) -> None:
        """Let go of the file."""
        with self._turn:
            self._built.clear()
            self._parsed.clear()
            if self._db is not None:
                self._db.close()
                self._db = None

    def _recovered(self, answer: Callable[[], _T]) -> _T:
        """The answer, if need be from a table that was read anew."""
        with self._turn:
            try:
                return answer()
            except sqlite3.OperationalError:  # locked, or the disk is full: this once without the file
                self.close()
                self._db = in_memory()
            except (sqlite3.DatabaseError, ValueError):  # damaged
                self.close()
                with contextlib.suppress(MdmemError):
                    disk.remove(self._path)
            self._update(look(self.root))
            return answer()

    def _sweep(self) -> Sweep:
        seen = look(self.root)
        parsed, found = self._update(seen), seen.scan()
        with rows.reading(self._connection()) as db:
            tags = rows.etags(db)
            known = {path: one for path, one in self._built.items() if tags.get(path) == one.etag}
            self._built = known | self._pick([path for path in tags if path not in known])
            broken = rows.unreadable(db)
        if self._built.keys() != tags.keys():
            raise ValueError("a damaged tree")
        unreadable = {path: problem for path, listed in broken.items() for problem in read_problems(listed, path)[:1]}
        unreadable |= {problem.path: problem for problem in found.misnamed}
        return Sweep(tuple(self._built[path] for path in tags), unreadable, found.links, parsed)

    def _etags(self) -> Mapping[str, str]:
        self._look_again()
        return Etags(self.last_etags, rows.token(self._connection()))

    def _outline(self, most: int) -> Outline:
        return self._outlined(most, self._look_again())

    def _look_again(self) -> tuple[Problem, ...]:
        """Bring the table up to date with the files; the names among them that are no text."""
        seen = look(self.root)
        self._update(seen)
        return seen.misnamed

    def _outlined(self, most: int, misnamed: tuple[Problem, ...]) -> Outline:
        with rows.reading(self._connection()) as db:
            dated, undated = rows.dated(db, most), rows.undated(db)
            kinds, flawed = rows.kinds(db), rows.flawed(db)
        rows.keep_kinds(self._connection(), kinds)
        invalid = [path for path, readable, listed in flawed if readable and any(one.is_error for one in listed)]
        unreadable = [path for path, readable, _ in flawed if not readable] + [one.path for one in misnamed]
        return Outline(kinds.by_kind(), dated, undated, invalid, sorted(unreadable))

    def _pick(self, wanted: list[str]) -> dict[str, StoredMemory]:
        picked = self._parsed_now(wanted)
        unread = [path for path in wanted if path not in picked]
        for path, tag, is_readable, memory, problems, mark in rows.iter_picked(self._connection(), unread):
            if mark != seal(path, tag, is_readable, memory, problems):
                raise ValueError("a damaged row")
            if memory is not None:
                listed = read_problems(problems, path)
                picked[path] = StoredMemory(path, read_memory(memory), tag, listed, self.name, bool(is_readable))
        return {path: picked[path] for path in wanted if path in picked}

    def _parsed_now(self, wanted: Iterable[str]) -> dict[str, StoredMemory]:
        """Those that the last look has parsed, once, where the table still says the same of them."""
        parsed, self._parsed = self._parsed, {}
        tags = rows.tags_of(self._connection(), list(parsed))
        return {path: parsed[path] for path in wanted if path in parsed and parsed[path].etag == tags.get(path)}

    def _update(self, seen: Look) -> int:
        """Read what changed since the last look; how many files were parsed."""
        db, mark = self._connection(), seen.mark
        if rows.is_noted(db, mark):
            return 0
        found, settled, known = seen.scan().files, rows.settled(db), rows.known(db)
        changed, touched = self._read_all((file for file in found if file not in settled), known)
        rows.write(db, changed, touched, known.keys() - {file.path for file in found})
        rows.note(db, mark)
        return len(changed)

    def _read_all(self, files: Iterable[FoundFile], known: Mapping[str, str]) -> tuple[list[Row], list[Times]]:
        """Rows of the files that are others than is known of them by path, and of the rest their times."""
        changed: list[Row] = []
        touched: list[Times] = []
        self._parsed = {}
        for file in files:
            self._look(file, known.get(file.path), changed, touched)
        return changed, touched

    def _look(self, file: FoundFile, known_etag: str | None, changed: list[Row], touched: list[Times]) -> None:
        """Read a file: one more row to write, or one whose times alone changed; neither when it went away."""
        try:
            data = disk.read(self.root / file.path)
        except FileNotFoundError:
            return
        except DiskError as error:
            changed.append(self._row(file, "", None, (Problem("E_ACCESS", 1, error.message, hint=error.hint),)))
            return
        tag = disk.etag(data)
        if tag == known_etag:
            touched.append((*_stat(file), file.path))
            return
        document = self._parse(data, file.path)
        changed.append(self._row(file, tag, document.memory, document.problems))
        if document.memory:
            self._parsed[file.path] = StoredMemory(file.path, document.memory, tag, document.problems, self.name)

    def _row(self, file: FoundFile, tag: str, memory: Memory | None, problems: Sequence[Problem]) -> Row:
        is_readable = int(memory is not None)
        memory = memory or self._last_version(file.path)
        text = write_memory(memory) if memory else None
        listed = write_problems(problems)
        mark = seal(file.path, tag, is_readable, text, listed)
        kind, status, when = (
            (memory.type.value, memory.status.value, confirmed_text(memory)) if memory else (None, None, None)
        )
        return Row(file.path, *_stat(file), tag, is_readable, kind, status, when, mark, text, listed)

    def _last_version(self, path: str) -> Memory | None:
        """The last good version of a file that can't be read: from the table, else from where it was kept."""
        kept = rows.last_version(self._connection(), path)
        if kept:
            return read_memory(kept[0]) if kept[0] else None
        data = self._last_good(path)
        return self._parse(data, path).memory if data else None

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = open_cache(self._path)
        return self._db


def _stat(file: FoundFile) -> tuple[int, int, int, int, int]:
    """(size, mtime, ctime, inode, whether a later change would show in the times)."""
    newest = max(file.mtime_ns, file.ctime_ns)
    grain = COARSE_NS if newest % 1_000_000_000 == 0 else RACY_NS
    settled = int(disk.clock_ns() - newest > grain)
    return file.size, file.mtime_ns, file.ctime_ns, file.inode, settled
