"""The table of parsed memories: a disposable cache that makes reading a store a matter of `stat`.

A file is read again when its size, mtime or inode differ from the last reading, or when it was written so shortly
before that reading that a later change could carry the same time (git's "racy" rule). The table may be deleted or
damaged at any moment; then everything is read again.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from mdmem import disk
from mdmem.errors import InvalidMemoryError, MdmemError
from mdmem.markdown.parse import parse
from mdmem.markdown.problems import KEPT_OUT, Problem
from mdmem.markdown.schema import as_when
from mdmem.memory import Memory, MemoryType, Source, Status, moment, when_text
from mdmem.store.scan import Scan, scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from mdmem.store.scan import FoundFile

_T = TypeVar("_T")

VERSION: Final = 1
"""Grows whenever the same bytes are read otherwise than before."""
RACY_NS: Final = 100_000_000
"""A file's time is trusted only when it lies this far (in ns) before the reading: clocks of file systems tick."""
FILE_NAME: Final = "memories.sqlite"
PICK_MOST: Final = 500
"""Paths in one query: SQLite takes a limited number of values."""
_SELECT: Final = "SELECT path, etag, is_readable, memory, problems FROM file"
_WHEN_FIELDS: Final = frozenset({"created", "confirmed", "expires"})
_FIELDS: Final = tuple(field.name for field in fields(Memory))
_SCHEMA: Final = """
CREATE TABLE file (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, inode INTEGER, is_settled INTEGER, etag TEXT,
    is_readable INTEGER, status TEXT, confirmed TEXT, memory TEXT, problems TEXT
) WITHOUT ROWID;
CREATE INDEX recent ON file (status, confirmed);
"""


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


class Table:
    """The cached table of one store. Opening it never fails: where nothing can be written it lives in memory."""

    def __init__(self, root: Path, cache: Path, name: str = "project") -> None:
        self.root = root
        self.name = name
        self._path = cache / FILE_NAME
        self._last_good: Callable[[str], bytes | None] = lambda _path: None
        self._db: sqlite3.Connection | None = None

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

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """The memories of these paths as the last look left them; a path without one is left out."""
        wanted = list(paths)
        return self._recovered(lambda: self._pick(wanted))

    def _recovered(self, answer: Callable[[], _T]) -> _T:
        """The answer, if need be from a table that was read anew."""
        try:
            return answer()
        except sqlite3.OperationalError:  # locked, or the disk is full: this once without the file
            self.close()
            self._db = _fresh(sqlite3.connect(":memory:"))
        except (sqlite3.DatabaseError, ValueError, TypeError, InvalidMemoryError):  # damaged
            self._discard()
        self._update(scan(self.root))
        return answer()

    def _sweep(self) -> Sweep:
        found = scan(self.root)
        parsed = self._update(found)
        memories: list[StoredMemory] = []
        unreadable: dict[str, Problem] = {}
        for path, tag, is_readable, memory, problems in self._connection().execute(f"{_SELECT} ORDER BY path"):
            listed = _problems(problems, path)
            if not is_readable and listed:
                unreadable[path] = listed[0]
            if memory:
                memories.append(StoredMemory(path, _memory(memory), tag, listed, self.name, bool(is_readable)))
        return Sweep(tuple(memories), unreadable, found.links, parsed)

    def _etags(self) -> dict[str, str]:
        self._update(scan(self.root))
        return dict(self._connection().execute("SELECT path, etag FROM file WHERE memory IS NOT NULL"))

    def _pick(self, wanted: list[str]) -> dict[str, StoredMemory]:
        picked = {}
        for start in range(0, len(wanted), PICK_MOST):
            some = wanted[start : start + PICK_MOST]
            marks = ",".join("?" * len(some))
            query = f"{_SELECT} WHERE memory IS NOT NULL AND path IN ({marks})"
            for path, tag, is_readable, memory, problems in self._connection().execute(query, some):
                listed = _problems(problems, path)
                picked[path] = StoredMemory(path, _memory(memory), tag, listed, self.name, bool(is_readable))
        return picked

    def _update(self, found: Scan) -> int:
        """Read what changed since the last look; how many files that were."""
        db = self._connection()
        known = {
            row[0]: row[1:] for row in db.execute("SELECT path, size, mtime_ns, inode, is_settled, etag FROM file")
        }
        changed: list[tuple[object, ...]] = []
        present = set()
        for file in found.files:
            present.add(file.path)
            row = known.get(file.path)
            if row is None or row[:4] != (file.size, file.mtime_ns, file.inode, 1):
                changed.extend(self._read(file, row[4] if row else None))
        gone = [(path,) for path in known if path not in present]
        if changed or gone:
            self._store(db, changed, gone)
        return sum(row[9] != "same" for row in changed)

    def _read(self, file: FoundFile, known_etag: str | None) -> Iterator[tuple[object, ...]]:
        """The new row of a changed file; nothing when it went away meanwhile."""
        try:
            data = disk.read(self.root / file.path)
        except FileNotFoundError:
            return
        tag = disk.etag(data)
        settled = int(disk.clock_ns() - file.mtime_ns > RACY_NS)
        stat = (file.path, file.size, file.mtime_ns, file.inode, settled, tag)
        if tag == known_etag:
            yield (*stat, None, None, None, "same", None)
            return
        document = parse(data, file.path)
        problems = json.dumps([_problem_record(p) for p in document.problems], ensure_ascii=False)
        memory = document.memory
        if memory is None:
            good = self._last_good(file.path) if known_etag is None else None
            memory = parse(good, file.path).memory if good else None
        yield (*stat, int(document.memory is not None), *_record(memory), problems)

    def _store(self, db: sqlite3.Connection, changed: list[tuple[object, ...]], gone: list[tuple[str]]) -> None:
        with db:
            for row in changed:
                if row[9] == "same":
                    db.execute(
                        "UPDATE file SET size=?, mtime_ns=?, inode=?, is_settled=? WHERE path=?", (*row[1:5], row[0])
                    )
                elif row[6] or row[9]:
                    db.execute("INSERT OR REPLACE INTO file VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)
                else:  # unreadable, and nothing better known: the row keeps its last good version
                    db.execute(
                        "INSERT INTO file VALUES (?,?,?,?,?,?,?,?,?,?,?)"
                        " ON CONFLICT (path) DO UPDATE SET size=excluded.size,"
                        " mtime_ns=excluded.mtime_ns, inode=excluded.inode, is_settled=excluded.is_settled,"
                        " etag=excluded.etag, is_readable=0, problems=excluded.problems",
                        row,
                    )
            db.executemany("DELETE FROM file WHERE path=?", gone)

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = self._opened()
        return self._db

    def _opened(self) -> sqlite3.Connection:
        for attempt in (self._open_file, self._rebuild_file):
            with contextlib.suppress(sqlite3.Error, OSError, MdmemError):
                return attempt()
        return _fresh(sqlite3.connect(":memory:"))

    def _open_file(self) -> sqlite3.Connection:
        db = sqlite3.connect(f"file:{_uri(self._path)}?mode=rw", uri=True, timeout=10)
        if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            db.close()
            raise sqlite3.DatabaseError("another version")
        db.execute("SELECT COUNT(*) FROM file WHERE is_settled IS NULL").fetchone()
        return self._writable(db)

    def _rebuild_file(self) -> sqlite3.Connection:
        disk.make_folder(self._path.parent)
        disk.remove(self._path)
        return self._writable(_fresh(sqlite3.connect(self._path, timeout=10)))

    def _writable(self, db: sqlite3.Connection) -> sqlite3.Connection:
        """The database, or a copy of it in memory where the disk takes no writes."""
        db.execute("PRAGMA synchronous=OFF")
        if disk.is_writable(self._path.parent):
            return db
        copy = sqlite3.connect(":memory:")
        db.backup(copy)
        db.close()
        return copy

    def _discard(self) -> None:
        if self._db is not None:
            self._db.close()
        with contextlib.suppress(MdmemError):
            disk.remove(self._path)
        self._db = None

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
            self._db = None


def _fresh(db: sqlite3.Connection) -> sqlite3.Connection:
    with db:
        db.executescript(_SCHEMA)
        db.execute(f"PRAGMA user_version={VERSION}")
    return db


def _uri(path: Path) -> str:
    return path.absolute().as_posix().replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _record(memory: Memory | None) -> tuple[str | None, str | None, str | None]:
    """(status, confirmed, all fields as JSON) of a row."""
    if memory is None:
        return None, None, None
    values = [getattr(memory, name) for name in _FIELDS]
    text = json.dumps(values, ensure_ascii=False, default=when_text)
    when = memory.confirmed or memory.created
    return memory.status, moment(when).isoformat() if when else None, text


def _memory(record: str) -> Memory:
    values = dict(zip(_FIELDS, json.loads(record), strict=True))
    for name in _WHEN_FIELDS:
        if values[name]:
            values[name] = as_when(values[name])
    for name in ("files", "origin", "supersedes", "tags"):
        values[name] = tuple(values[name])
    values["type"] = MemoryType(values["type"])
    values["status"] = Status(values["status"])
    values["source"] = Source(values["source"])
    values["extra"] = tuple((key, value) for key, value in values["extra"])
    return Memory(**values)


def _problem_record(problem: Problem) -> list[str | int]:
    return [problem.code, problem.line, problem.message, problem.key, problem.hint]


def _problems(record: str, path: str) -> tuple[Problem, ...]:
    if record == "[]":
        return ()
    return tuple(Problem(code, line, message, key, hint, path) for code, line, message, key, hint in json.loads(record))
