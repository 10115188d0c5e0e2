"""Vectors that were made once on this machine, in the user's cache: shared by clones, branches and worktrees.

Content-addressed: a vector is kept under the SHA-256 of its model's digest and its text, and a file's keys under the
SHA-256 of the digest and the file's etag, so that a new clone needs neither to parse nor to embed what is known.
Any number of processes may read and write at once; SQLite sees to it that nothing is lost, also when one is killed.
The whole may be deleted or damaged at any moment; then vectors are made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from mdmem import disk
from mdmem.errors import MdmemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

_T = TypeVar("_T")

FILE_NAME: Final = "vectors.sqlite"
VERSION: Final = 1
KEY_BYTES: Final = 32
BUSY_SECONDS: Final = 10.0
ASK_MOST: Final = 500
"""Keys in one query: SQLite takes a limited number of values."""
FRESH_DAYS: Final = 30
"""How exactly is noted when a vector was last used."""
KEPT_DAYS: Final = 90
"""How long a vector stays after its last use."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, model TEXT, used INTEGER, row BLOB);
CREATE TABLE IF NOT EXISTS document (key BLOB PRIMARY KEY, model TEXT, used INTEGER, keys BLOB);
"""
_TABLES: Final = {"vector": "row", "document": "keys"}


class Swept(NamedTuple):
    """What `gc` took away, and what is left."""

    vectors: int
    kept: int
    freed_bytes: int


def text_key(digest: str, text: str) -> bytes:
    """What a text's vector is kept under."""
    return hashlib.sha256(f"{digest}\n{text}".encode("utf-8", "surrogatepass")).digest()


class VectorCache:
    """The cache file of one user; `today` counts days and is only compared with itself.

    No method raises for the state of the file: where it can't be used the rows live in this process alone.
    """

    def __init__(self, file: Path, today: int) -> None:
        self.file = file
        self._today = today
        self._db: sqlite3.Connection | None = None

    def rows(self, digest: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The vectors of these text keys, as bytes; a key without one is left out."""
        return self._get("vector", digest, list(keys))

    def add_rows(self, digest: str, rows: Mapping[bytes, bytes]) -> None:
        """Keep vectors."""
        self._put("vector", digest, rows)

    def documents(self, digest: str, etags: Iterable[str]) -> dict[str, tuple[bytes, ...]]:
        """The text keys of the files with these etags; a file that was never embedded is left out."""
        asked = {text_key(digest, etag): etag for etag in etags}
        found = self._get("document", digest, list(asked))
        return {asked[key]: _parted(keys) for key, keys in found.items() if len(keys) % KEY_BYTES == 0}

    def add_documents(self, digest: str, documents: Mapping[str, Sequence[bytes]]) -> None:
        """Keep which texts a file with that etag has; their vectors must have been kept before."""
        self._put("document", digest, {text_key(digest, etag): b"".join(keys) for etag, keys in documents.items()})

    def gc(self, digests: frozenset[str]) -> Swept:
        """Take away what no model of these digests made, and what was not used for `KEPT_DAYS`; give the space back."""
        before = self._size()
        marks = ",".join("?" * len(digests))
        condition = f"model NOT IN ({marks}) OR used < ?"
        values = (*sorted(digests), self._today - KEPT_DAYS)

        def sweep(db: sqlite3.Connection) -> int:
            with db:
                gone = db.execute(f"DELETE FROM vector WHERE {condition}", values).rowcount  # noqa: S608
                db.execute(f"DELETE FROM document WHERE {condition}", values)  # noqa: S608
            db.execute("VACUUM")
            return gone

        gone = self._run(sweep, 0)
        return Swept(gone, sum(self.counts().values()), max(before - self._size(), 0))

    def counts(self) -> dict[str, int]:
        """How many vectors there are, by the digest of their model."""
        query = "SELECT model, COUNT(*) FROM vector GROUP BY model"
        return dict(self._run(lambda db: db.execute(query).fetchall(), []))

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _get(self, table: str, digest: str, keys: list[bytes]) -> dict[bytes, bytes]:
        return self._run(lambda db: self._select(db, table, digest, keys), {})

    def _put(self, table: str, digest: str, rows: Mapping[bytes, bytes]) -> None:
        values = [(key, digest, self._today, value) for key, value in rows.items()]

        def insert(db: sqlite3.Connection) -> bool:
            with db:
                db.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?,?,?,?)", values)  # noqa: S608
            return True

        # where the first attempt found the file damaged, the second has a new one
        self._run(insert, default=False) or self._run(insert, default=False)

    def _run(self, work: Callable[[sqlite3.Connection], _T], default: _T) -> _T:
        """What comes of the work; the default while the file is busy or read-only, and when it had to be begun anew."""
        try:
            return work(self._connection())
        except sqlite3.OperationalError:
            return default
        except sqlite3.DatabaseError:
            self._discard()
            return default

    def _select(self, db: sqlite3.Connection, table: str, digest: str, keys: list[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        old = []
        for i in range(0, len(keys), ASK_MOST):
            part = keys[i : i + ASK_MOST]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, {_TABLES[table]}, used FROM {table} WHERE key IN ({marks}) AND model = ?"  # noqa: S608
            for key, value, used in db.execute(query, (*part, digest)):
                found[key] = value
                if used < self._today - FRESH_DAYS:
                    old.append((self._today, key))
        if old:
            with db:
                db.executemany(f"UPDATE {table} SET used = ? WHERE key = ?", old)  # noqa: S608
        return found

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = self._opened()
        return self._db

    def _opened(self) -> sqlite3.Connection:
        for attempt in (self._open, self._open_anew):
            with contextlib.suppress(sqlite3.DatabaseError, OSError, MdmemError):
                return attempt()
        return _prepared(sqlite3.connect(":memory:", check_same_thread=False))

    def _open(self) -> sqlite3.Connection:
        disk.make_folder(self.file.parent)
        return _prepared(sqlite3.connect(self.file, timeout=BUSY_SECONDS, check_same_thread=False))

    def _open_anew(self) -> sqlite3.Connection:
        if _is_sound(self.file):
            raise sqlite3.OperationalError("busy or read-only, not damaged")
        self._discard()
        return self._open()

    def _discard(self) -> None:
        self.close()
        for name in (self.file, self.file.with_name(f"{self.file.name}-journal")):
            with contextlib.suppress(MdmemError):
                disk.remove(name)

    def _size(self) -> int:
        try:
            return self.file.stat().st_size
        except OSError:
            return 0


def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    """With our tables. Raises sqlite3.DatabaseError for a file that is damaged or of another version."""
    # a killed process loses nothing all the same; after a power cut the worst is a cache that is begun anew
    db.execute("PRAGMA synchronous=OFF")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version not in {0, VERSION}:
        db.close()
        raise sqlite3.DatabaseError("another version")
    if version == 0:
        with db:
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version={VERSION}")
    return db


def _is_sound(file: Path) -> bool:
    """Whether a file is an SQLite database of this version, or none is there yet."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{file.absolute().as_posix()}?mode=ro", uri=True)) as db:
            return bool(db.execute("PRAGMA user_version").fetchone()[0] == VERSION)
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:
        return False


def _parted(keys: bytes) -> tuple[bytes, ...]:
    return tuple(keys[i : i + KEY_BYTES] for i in range(0, len(keys), KEY_BYTES))
