"""The table of parsed memories: a disposable cache that makes reading a store a matter of `stat`.

A file is read again when its size, times or inode differ from the last reading, or when it was written so shortly
before that reading that a later change could carry the same time (git's "racy" rule). The table may be deleted,
damaged or brought along by a clone: each row is sealed by a checksum, and the whole names the file it was made for.
Whatever fails is read anew from the memory files.
"""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from mdmem import disk
from mdmem.errors import DiskError, MdmemError
from mdmem.markdown.problems import KEPT_OUT, Problem
from mdmem.memory import MemoryType, Status, when_text
from mdmem.store.cache_file import in_memory, open_cache
from mdmem.store.record import HEADER_SQL, read_memory, read_problems, seal, write_memory, write_problems
from mdmem.store.scan import Scan, scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from mdmem.markdown.parse import Document
    from mdmem.memory import Memory
    from mdmem.store.scan import FoundFile

    Parse = Callable[[bytes, str], Document]

_T = TypeVar("_T")

RACY_NS: Final = 100_000_000
"""A file's time is trusted only when it lies this far (in ns) before the reading: clocks of file systems tick."""
COARSE_NS: Final = 2_000_000_000
"""The same where times have no fraction of a second (FAT, HFS+)."""
FILE_NAME: Final = "memories.sqlite"
PICK_MOST: Final = 500
"""Paths in one query: SQLite takes a limited number of values."""
_HEADERS: Final = f"SELECT path, {HEADER_SQL} FROM file WHERE memory IS NOT NULL ORDER BY path"  # noqa: S608
_SETTLED: Final = "SELECT path, size, mtime_ns, ctime_ns, inode FROM file WHERE is_settled=1"
"""What a file must look like, as a `FoundFile`, so that it need not be read again."""
_WRITE: Final = "INSERT OR REPLACE INTO file VALUES (?,?,?,?,?,?,?,?,?,?,?)"
_TOUCH: Final = "UPDATE file SET size=?, mtime_ns=?, ctime_ns=?, inode=?, is_settled=? WHERE path=?"
_PICK: Final = "SELECT path, etag, is_readable, memory, problems, seal FROM file WHERE path IN "


@dataclass(frozen=True, slots=True)
class StoredMemory:
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


class Header(NamedTuple):
    """What counts and order need of a memory; `confirmed` is ISO 8601, the day of creation if that is all there is."""

    path: str
    type: MemoryType
    status: Status
    confirmed: str | None


def header_of(one: StoredMemory) -> Header:
    """The header of a memory that was built."""
    when = one.memory.confirmed or one.memory.created
    return Header(one.path, one.memory.type, one.memory.status, when_text(when) if when else None)


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


class _Row(NamedTuple):
    """One row as it is written; `memory` is the last good version while the file can't be read."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    is_settled: int
    etag: str
    is_readable: int
    memory: str | None
    problems: str
    seal: int


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
        self._turn = RLock()

    def fall_back_on(self, last_good: Callable[[str], bytes | None]) -> None:
        """Where the last good bytes of an unreadable file may be had, when the table never held any."""
        self._last_good = last_good

    def sweep(self) -> Sweep:
        """Compare the files with the table, read what changed, and answer with all memories.

        Raises DiskError when the store's folder can't be listed.
        """
        return self._recovered(self._sweep)

    def etags(self) -> dict[str, str]:
        """Compare the files with the table as `sweep` does, and answer with path → etag of what can be used.

        No memory is built: a search needs but the few that it shows (see `pick`). Raises DiskError like `sweep`.
        """
        return self._recovered(self._etags)

    def headers(self) -> list[Header]:
        """The same look, and of each memory only its header, sorted by path. Raises DiskError like `sweep`."""
        return self._recovered(self._headers)

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """The memories of these paths as the last look left them; a path without one is left out."""
        wanted = list(paths)
        return self._recovered(lambda: self._pick(wanted))

    def close(self) -> None:
        """Let go of the file."""
        with self._turn:
            self._built.clear()
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
            self._update(scan(self.root))
            return answer()

    def _sweep(self) -> Sweep:
        found = scan(self.root)
        parsed = self._update(found)
        with _reading(self._connection()) as db:
            tags = dict(db.execute("SELECT path, etag FROM file WHERE memory IS NOT NULL ORDER BY path"))
            known = {path: one for path, one in self._built.items() if tags.get(path) == one.etag}
            self._built = known | self._pick([path for path in tags if path not in known])
            broken = dict(db.execute("SELECT path, problems FROM file WHERE NOT is_readable"))
        if self._built.keys() != tags.keys():
            raise ValueError("a damaged tree")
        unreadable = {path: problem for path, listed in broken.items() for problem in read_problems(listed, path)[:1]}
        unreadable |= {problem.path: problem for problem in found.misnamed}
        return Sweep(tuple(self._built[path] for path in tags), unreadable, found.links, parsed)

    def _etags(self) -> dict[str, str]:
        self._update(scan(self.root))
        return dict(self._connection().execute("SELECT path, etag FROM file WHERE memory IS NOT NULL"))

    def _headers(self) -> list[Header]:
        self._update(scan(self.root))
        rows = self._connection().execute(_HEADERS)
        return [
            Header(path, MemoryType(kind), Status(status), confirmed or created)
            for path, kind, status, confirmed, created in rows
        ]

    def _pick(self, wanted: list[str]) -> dict[str, StoredMemory]:
        picked = {}
        for start in range(0, len(wanted), PICK_MOST):
            some = wanted[start : start + PICK_MOST]
            marks = ",".join("?" * len(some))
            rows = self._connection().execute(f"{_PICK}({marks})", some)
            for path, tag, is_readable, memory, problems, mark in rows:
                if mark != seal(path, tag, is_readable, memory, problems):
                    raise ValueError("a damaged row")
                if memory is not None:
                    listed = read_problems(problems, path)
                    picked[path] = StoredMemory(path, read_memory(memory), tag, listed, self.name, bool(is_readable))
        return picked

    def _update(self, found: Scan) -> int:
        """Read what changed since the last look; how many files were parsed."""
        db = self._connection()
        settled = set(db.execute(_SETTLED))
        changed = [file for file in found.files if file not in settled]
        if not changed and len(found.files) == db.execute("SELECT count(*) FROM file").fetchone()[0]:
            return 0
        known = dict(db.execute("SELECT path, etag FROM file"))
        rows: list[_Row] = []
        touched: list[tuple[int | str, ...]] = []
        for file in changed:
            self._look(file, known.get(file.path), rows, touched)
        gone = [(path,) for path in known.keys() - {file.path for file in found.files}]
        if rows or touched or gone:
            with db:
                db.executemany(_WRITE, rows)
                db.executemany(_TOUCH, touched)
                db.executemany("DELETE FROM file WHERE path=?", gone)
        return len(rows)

    def _look(
        self, file: FoundFile, known_etag: str | None, rows: list[_Row], touched: list[tuple[int | str, ...]]
    ) -> None:
        """Read a file: one more row to write, or one whose times alone changed; neither when it went away."""
        try:
            data = disk.read(self.root / file.path)
        except FileNotFoundError:
            return
        except DiskError as error:
            rows.append(self._row(file, "", None, (Problem("E_ACCESS", 1, error.message, hint=error.hint),)))
            return
        tag = disk.etag(data)
        if tag == known_etag:
            touched.append((*_stat(file), file.path))
        else:
            document = self._parse(data, file.path)
            rows.append(self._row(file, tag, document.memory, document.problems))

    def _row(self, file: FoundFile, tag: str, memory: Memory | None, problems: Iterable[Problem]) -> _Row:
        text = write_memory(memory) if memory else self._last_record(file.path)
        listed = write_problems(problems)
        is_readable = int(memory is not None)
        return _Row(
            file.path, *_stat(file), tag, is_readable, text, listed, seal(file.path, tag, is_readable, text, listed)
        )

    def _last_record(self, path: str) -> str | None:
        """The last good version of a file that can't be read: from the table, else from where it was kept."""
        kept = self._connection().execute("SELECT memory FROM file WHERE path=?", (path,)).fetchone()
        if kept:
            record: str | None = kept[0]
            return record
        data = self._last_good(path)
        memory = self._parse(data, path).memory if data else None
        return write_memory(memory) if memory else None

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = open_cache(self._path)
        return self._db


@contextlib.contextmanager
def _reading(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Several questions to one state of the table, whatever another process writes meanwhile."""
    db.execute("BEGIN")
    try:
        yield db
    finally:
        db.rollback()


def _stat(file: FoundFile) -> tuple[int, int, int, int, int]:
    """(size, mtime, ctime, inode, whether a later change would show in the times)."""
    newest = max(file.mtime_ns, file.ctime_ns)
    grain = COARSE_NS if newest % 1_000_000_000 == 0 else RACY_NS
    settled = int(disk.clock_ns() - newest > grain)
    return file.size, file.mtime_ns, file.ctime_ns, file.inode, settled
