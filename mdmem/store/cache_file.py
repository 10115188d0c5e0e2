"""The SQLite file behind the table of memories: opened when it is ours, else made anew, in memory at worst."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.store.own import make_own

if TYPE_CHECKING:
    from pathlib import Path

VERSION: Final = 8
"""Grows whenever the same bytes are read otherwise than before."""
BUSY_SECONDS: Final = 2.0
_FILE: Final = """\
CREATE TABLE file (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, is_settled INTEGER,
    etag TEXT, is_readable INTEGER, type TEXT, status TEXT, confirmed TEXT, seal INTEGER, memory TEXT, problems TEXT
) WITHOUT ROWID"""
_SCHEMA: Final = (
    _FILE,
    "CREATE INDEX recent ON file (status, confirmed DESC, path)",
    "CREATE INDEX flawed ON file (path) WHERE problems <> '[]'",
    "CREATE TABLE seen (mark BLOB, files INTEGER, counts TEXT)",
    "CREATE TABLE content (token TEXT)",
)
"""What is long comes last: SQLite walks past it only then.

`seen` has a row while every file may be trusted to be as it was read: the mark of that look and, once somebody has
asked, what it counted. `content` has one row, whose token is another one after each change of a memory.
"""
ANOTHER: Final = "lower(hex(randomblob(16)))"


def open_cache(path: Path) -> sqlite3.Connection:
    """The database at `path`, an empty one in its place, or one in memory. Never fails.

    It is bound to the file it was made for: one that came along with a copy or a clone is not believed.
    """
    for attempt in (_open, _rebuild):
        with contextlib.suppress(sqlite3.Error, OSError, MdmemError):
            return attempt(path)
    return in_memory()


def in_memory() -> sqlite3.Connection:
    """An empty database that leaves nothing on disk."""
    return _fresh(sqlite3.connect(":memory:", check_same_thread=False))


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"file:{_quoted(path)}?mode=rw", uri=True, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        _check_stamp(db, path)
    except sqlite3.Error:
        db.close()
        raise
    db.execute("PRAGMA synchronous=OFF")
    if disk.is_writable(path.parent):
        return db
    copy = sqlite3.connect(":memory:", check_same_thread=False)  # the disk takes no writes
    db.backup(copy)
    db.close()
    return copy


def _rebuild(path: Path) -> sqlite3.Connection:
    """A new file in the place of a missing or strange one, made aside so that nobody sees half of it."""
    make_own(path.parent)
    temp = disk.temp_beside(path)
    try:
        db = _fresh(sqlite3.connect(temp))
        db.execute(f"PRAGMA application_id={_inode(temp)}")
        db.close()
        disk.remove(path.with_name(f"{path.name}-journal"))  # of a file that is no more
        disk.publish(temp, path)
    finally:
        disk.remove(temp)
    return _open(path)


def _fresh(db: sqlite3.Connection) -> sqlite3.Connection:
    with db:
        for statement in _SCHEMA:
            db.execute(statement)
        db.execute(f"INSERT INTO content VALUES ({ANOTHER})")  # noqa: S608
        db.execute(f"PRAGMA user_version={VERSION}")
    return db


def _check_stamp(db: sqlite3.Connection, path: Path) -> None:
    """Raises DatabaseError for a table of another version, another shape, or made for another file."""
    stamp = tuple(db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
    if stamp != (VERSION, _inode(path)):
        raise sqlite3.DatabaseError("another version")
    made = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").fetchall()
    if made != [(statement,) for statement in _SCHEMA]:
        raise sqlite3.DatabaseError("another shape")


def _inode(path: Path) -> int:
    """The file's inode as SQLite can keep it."""
    return path.stat().st_ino & 0x7FFF_FFFF


def _quoted(path: Path) -> str:
    return path.absolute().as_posix().replace("%", "%25").replace("?", "%3f").replace("#", "%23")
