"""Where OpenCode keeps its sessions: the SQLite file opencode.db, before it storage/{session,message,part}.

Both are only read. The file is opened so that no lock of ours can stand in the agent's way: read-only beside its
write-ahead log, which lets a reader and a writer work at once, and as an immutable file where nobody has it open.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.errors import DiskError, TranscriptError
from mdmem.extract.transcripts.gathering import EARLIEST, moment_of
from mdmem.extract.transcripts.opencode import Reading
from mdmem.extract.transcripts.records import child, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from mdmem.extract.transcripts.records import Json

MAGIC: Final = b"SQLite format 3\x00"
FOLDERS: Final = ("session", "message", "part")
COLUMNS: Final = {"parent_id": "parentID", "project_id": "projectID"}
"""How columns are called in the JSON that OpenCode exports; the others have the same name."""


class Stored(NamedTuple):
    """A session in a store of OpenCode's; `is_child` marks a sub-agent's."""

    id: str
    directory: str
    title: str
    is_child: bool
    created_at: datetime | None
    updated_at: datetime | None


def sessions(store: Path) -> tuple[Stored, ...]:
    """The sessions of a database or a storage folder, the one changed last first.

    Raises TranscriptError for a file that is neither, DiskError when it can't be read.
    """
    found = [_stored(info) for info in _infos(store)]
    return tuple(sorted(found, key=lambda one: (one.updated_at or EARLIEST, one.id), reverse=True))


def read_stored(store: Path, session: str) -> tuple[str, Reading]:
    """One session of a store, and the SHA-256 of what it was read from. Raises as `sessions` does."""
    reading, content = Reading(), hashlib.sha256()
    for info in _infos(store):
        if text(info, "id") == session:
            reading.take_info(info)
    for info, parts in _messages(store, session):
        content.update(json.dumps([info, parts], sort_keys=True, default=str).encode())
        reading.take(info, parts)
    return content.hexdigest(), reading


def _stored(info: Json) -> Stored:
    time = child(info, "time")
    return Stored(
        id=text(info, "id"),
        directory=text(info, "directory"),
        title=text(info, "title"),
        is_child=bool(text(info, "parentID")),
        created_at=moment_of(time.get("created")),
        updated_at=moment_of(time.get("updated")),
    )


def _infos(store: Path) -> Iterator[Json]:
    if store.is_dir():
        yield from _files((store / "session").rglob("*.json"))
    else:
        yield from _rows(store, "SELECT * FROM session")


def _messages(store: Path, session: str) -> Iterator[tuple[Json, list[Json]]]:
    """The messages of a session in order, each with its parts."""
    if store.is_dir():
        for info in _files((store / "message" / session).glob("*.json")):
            yield info, list(_files((store / "part" / text(info, "id")).glob("*.json")))
        return
    parts = _rows(store, "SELECT * FROM part WHERE session_id = ? ORDER BY message_id, id", session)
    ahead = next(parts, None)
    for info in _rows(store, "SELECT * FROM message WHERE session_id = ? ORDER BY id", session):
        name = text(info, "id")
        own: list[Json] = []
        while ahead is not None and text(ahead, "message_id") <= name:
            if text(ahead, "message_id") == name:
                own.append(ahead)
            ahead = next(parts, None)
        yield info, own


def _files(paths: Iterable[Path]) -> Iterator[Json]:
    """The objects in files, by name, which is the order of time; what can't be read or is none is passed over."""
    for path in sorted(paths):
        try:
            value = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield {"id": path.stem, **value}


def _rows(database: Path, query: str, *values: str) -> Iterator[Json]:
    """Rows as the objects that OpenCode exports: columns, with the JSON of the column `data` spread out."""
    try:
        with closing(_opened(database)) as connection:
            for row in connection.execute(query, values):
                yield _object(row)
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.OperationalError) and not str(error).startswith("no such"):
            raise DiskError(database, str(error)) from error
        raise TranscriptError(why=f"{database.name} is no database of OpenCode's: {error}") from error


def _opened(database: Path) -> sqlite3.Connection:
    has_log = database.with_name(f"{database.name}-wal").exists()
    uri = f"{database.absolute().as_uri()}?{'mode=ro' if has_log else 'immutable=1'}"
    connection = sqlite3.connect(uri, uri=True, timeout=1)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _object(row: sqlite3.Row) -> Json:
    value: dict[str, object] = {COLUMNS.get(key, key): row[key] for key in row.keys() if key != "data"}  # noqa: SIM118
    value["time"] = {"created": value.get("time_created"), "updated": value.get("time_updated")}
    try:
        data = json.loads(row["data"]) if "data" in row.keys() else {}  # noqa: SIM118
    except (ValueError, TypeError, RecursionError):
        data = {}
    return value | data if isinstance(data, dict) else value
