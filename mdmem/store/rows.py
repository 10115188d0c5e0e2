"""The rows of the table's database: every statement that reads or writes them."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mdmem.memory import MemoryType, Status
from mdmem.store.cache_file import ANOTHER
from mdmem.store.record import read_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mdmem.markdown.problems import Problem

    Times = tuple[int | str, ...]
    """Size, times, inode and whether they are settled, then the path of a file that is as it was read."""

PICK_MOST: Final = 500
"""Paths in one query: SQLite takes a limited number of values."""


class Row(NamedTuple):
    """One row as it is written; `memory` is the last good version while the file can't be read."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    is_settled: int
    etag: str
    is_readable: int
    type: str | None
    status: str | None
    confirmed: str | None
    seal: int
    memory: str | None
    problems: str


class Kinds(NamedTuple):
    """How many memories there are by status and type; `is_new` says that they had to be counted."""

    counts: list[tuple[str, str, int]]
    is_new: bool

    def by_kind(self) -> dict[tuple[Status, MemoryType], int]:
        """The counts by what they count."""
        return {(Status(status), MemoryType(kind)): count for status, kind, count in self.counts}


def write(db: sqlite3.Connection, rows: Sequence[Row], touched: Sequence[Times], gone: Iterable[str]) -> None:
    """Put rows in the place of what was there, in one step."""
    paths = [(path,) for path in gone]
    if not rows and not touched and not paths:
        return
    with db:
        db.executemany("INSERT OR REPLACE INTO file VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)
        db.executemany("UPDATE file SET size=?, mtime_ns=?, ctime_ns=?, inode=?, is_settled=? WHERE path=?", touched)
        db.executemany("DELETE FROM file WHERE path=?", paths)
        db.execute("DELETE FROM seen")
        if rows or paths:
            db.execute(f"UPDATE content SET token={ANOTHER}")  # noqa: S608


def is_noted(db: sqlite3.Connection, mark: bytes) -> bool:
    """Whether the last look that was noted saw the very same, so that nothing is left to read."""
    files = db.execute("SELECT count(*) FROM file").fetchone()[0]
    return bool(db.execute("SELECT 1 FROM seen WHERE mark=? AND files=?", (mark, files)).fetchone())


def note(db: sqlite3.Connection, mark: bytes) -> None:
    """Remember a look, if every file can be trusted to be as it was read; not where nothing can be written now."""
    with contextlib.suppress(sqlite3.OperationalError), db:
        if not db.execute("SELECT 1 FROM file WHERE NOT is_settled LIMIT 1").fetchone():
            files = db.execute("SELECT count(*) FROM file").fetchone()[0]
            db.execute("DELETE FROM seen")
            db.execute("INSERT INTO seen VALUES (?,?,NULL)", (mark, files))


def token(db: sqlite3.Connection) -> str:
    """A text that is another one after each change of a memory."""
    found: str = db.execute("SELECT token FROM content").fetchone()[0]
    return found


def known(db: sqlite3.Connection) -> dict[str, str]:
    """Path → etag of every file."""
    return dict(db.execute("SELECT path, etag FROM file"))


def tags_of(db: sqlite3.Connection, paths: Sequence[str]) -> dict[str, str]:
    """Path → etag of those of these paths that have a row."""
    return dict(_iter_of(db, "path, etag", paths))


def etags(db: sqlite3.Connection) -> dict[str, str]:
    """Path → etag of all that can be used, sorted."""
    return dict(db.execute("SELECT path, etag FROM file WHERE memory IS NOT NULL ORDER BY path"))


def settled(db: sqlite3.Connection) -> set[tuple[str, int, int, int, int]]:
    """What a file must look like, as a `FoundFile`, so that it need not be read again."""
    return set(db.execute("SELECT path, size, mtime_ns, ctime_ns, inode FROM file WHERE is_settled=1"))


def kinds(db: sqlite3.Connection) -> Kinds:
    """What there is by status and type, as it was counted last if nothing has changed since."""
    held = db.execute("SELECT counts FROM seen").fetchone()
    if held and held[0]:
        return Kinds(json.loads(held[0]), is_new=False)
    found = Counter(db.execute("SELECT status, type FROM file NOT INDEXED WHERE status NOT NULL"))
    return Kinds([(status, kind, count) for (status, kind), count in found.items()], is_new=held is not None)


def keep_kinds(db: sqlite3.Connection, counted: Kinds) -> None:
    """Remember what was counted as long as nothing changes; not where nothing can be written now."""
    if counted.is_new:
        with contextlib.suppress(sqlite3.OperationalError), db:
            db.execute("UPDATE seen SET counts=?", (json.dumps(counted.counts),))


def dated(db: sqlite3.Connection, most: int) -> list[tuple[str, str]]:
    """(path, day or moment) of the active memories that were confirmed last, newest first."""
    query = (
        "SELECT path, confirmed FROM file WHERE status=? AND confirmed NOT NULL ORDER BY confirmed DESC, path LIMIT ?"
    )
    return db.execute(query, (Status.ACTIVE.value, most)).fetchall()


def undated(db: sqlite3.Connection) -> list[str]:
    """The paths of active memories that say no day, sorted."""
    query = "SELECT path FROM file WHERE status=? AND confirmed IS NULL ORDER BY path"
    return [path for (path,) in db.execute(query, (Status.ACTIVE.value,))]


def flawed(db: sqlite3.Connection) -> list[tuple[str, bool, tuple[Problem, ...]]]:
    """(path, whether it can be read, problems) of each file that has any, sorted."""
    query = "SELECT path, is_readable, problems FROM file WHERE problems <> '[]' ORDER BY path"
    return [(path, bool(readable), read_problems(text, path)) for path, readable, text in db.execute(query)]


def unreadable(db: sqlite3.Connection) -> dict[str, str]:
    """Path → problems of the files that can't be read."""
    return dict(db.execute("SELECT path, problems FROM file WHERE NOT is_readable"))


def iter_picked(db: sqlite3.Connection, paths: Sequence[str]) -> Iterator[tuple[str, str, int, str | None, str, int]]:
    """(path, etag, whether it can be read, memory, problems, seal) of these paths, in any order."""
    return _iter_of(db, "path, etag, is_readable, memory, problems, seal", paths)


def _iter_of(db: sqlite3.Connection, columns: str, paths: Sequence[str]) -> Iterator[Any]:
    for start in range(0, len(paths), PICK_MOST):
        some = paths[start : start + PICK_MOST]
        yield from db.execute(f"SELECT {columns} FROM file WHERE path IN ({','.join('?' * len(some))})", some)  # noqa: S608


def last_version(db: sqlite3.Connection, path: str) -> tuple[str | None] | None:
    """The memory that was read last, None in its place where there never was one; None for a file that is not known."""
    found: tuple[str | None] | None = db.execute("SELECT memory FROM file WHERE path=?", (path,)).fetchone()
    return found


@contextlib.contextmanager
def reading(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Several questions to one state of the table, whatever another process writes meanwhile."""
    db.execute("BEGIN")
    try:
        yield db
    finally:
        db.rollback()
