"""Which agent wrote a transcript, told by what stands in it and never by its name, and the session it holds.

A session is addressed by its file, or as `STORE#SESSION` in OpenCode's database or storage folder.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from mdmem.errors import ReadError, TranscriptError
from mdmem.extract.transcripts import claude, codex, opencode
from mdmem.extract.transcripts.opencode_store import FOLDERS, MAGIC, read_stored, sessions
from mdmem.extract.transcripts.records import BOM, HEAD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.extract.transcripts.session import Session

HEAD_BYTES: Final = 256 * 1024
"""So much of a file tells whose it is; a first record may hold a whole prompt."""
SHOWN: Final = 3
SEPARATOR: Final = "#"

EXPORT: Final = re.compile(rb'\s*\{\s*"(?:info"\s*:\s*\{|messages"\s*:\s*\[)')
CODEX_KINDS: Final = frozenset(kind.partition("/")[0] for kind in codex.READ | codex.NOISE)
CODEX_ITEMS: Final = frozenset(kind.partition("/")[2] for kind in codex.READ | codex.NOISE if "/" in kind)
CLAUDE_KINDS: Final = claude.READ | claude.NOISE
CLAUDE_KEYS: Final = frozenset({"sessionId", "parentUuid", "uuid", "leafUuid"})


class Reader(NamedTuple):
    """What reads a transcript: the agent that wrote it, and a function from the path to a session and its content.

    The content is the SHA-256 of what the session was read from. Reading raises TranscriptError or DiskError.
    """

    agent: str
    read: Callable[[Path], tuple[Session, str]]


def detect(path: Path) -> Reader:
    """The reader of a transcript. Raises TranscriptError for what no reader knows, DiskError for no readable file."""
    store, session = located(path)
    if store.is_dir():
        if not any((store / name).is_dir() for name in FOLDERS):
            raise TranscriptError(why=f"{store} is a folder, and none of OpenCode's")
        return Reader(opencode.AGENT, partial(_read_stored, session))
    try:
        with store.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise ReadError(store, error.strerror or type(error).__name__) from error
    if head.startswith(MAGIC):
        return Reader(opencode.AGENT, partial(_read_stored, session))
    if EXPORT.match(head.removeprefix(BOM)):
        return Reader(opencode.AGENT, partial(_read_stream, opencode.read_export))
    return (
        Reader(codex.AGENT, partial(_read_stream, codex.read))
        if _is_codex(head)
        else (Reader(claude.AGENT, partial(_read_stream, claude.read)))
    )


def read(path: Path) -> tuple[Session, str]:
    """The session of a transcript and the SHA-256 of what it was read from; a session without an id has its file's.

    Raises TranscriptError when the file is no transcript, DiskError when it can't be read.
    """
    session, content = detect(path).read(path)
    return replace(session, id=session.id or path.stem), content


def located(path: Path) -> tuple[Path, str]:
    """The file or folder that a path names, and the session in it, '' when the path names none."""
    name, separator, session = path.name.rpartition(SEPARATOR)
    if not separator or path.exists():
        return path, ""
    return path.with_name(name) if name else path.parent, session


def _read_stream(reader: Callable[[BinaryIO], Session], path: Path) -> tuple[Session, str]:
    try:
        with path.open("rb") as stream:
            content = hashlib.file_digest(stream, "sha256").hexdigest()
            stream.seek(0)
            return reader(stream), content
    except OSError as error:
        raise ReadError(path, error.strerror or type(error).__name__) from error


def _read_stored(session: str, path: Path) -> tuple[Session, str]:
    """A session of a store; without its name the store's only one. Raises TranscriptError when that is not clear."""
    store, _ = located(path)
    known = [one for one in sessions(store) if session in ("", one.id)]
    if session and not known:
        raise TranscriptError(why=f"{store.name} holds no session {session}")
    if not session:
        known = [one for one in known if not one.is_child]
    if len(known) != 1:
        names = ", ".join(f"{store.name}{SEPARATOR}{one.id}" for one in known[:SHOWN])
        raise TranscriptError(
            why=f"{store.name} holds {len(known)} sessions: name one" + (f" ({names}, …)" * bool(names))
        )
    content, reading = read_stored(store, known[0].id)
    return reading.session(), content


def _is_codex(head: bytes) -> bool:
    """Whether records are Codex's rather than Claude Code's. Raises TranscriptError when they are nobody's."""
    votes: Counter[str] = Counter(map(_writer, head.removeprefix(BOM).splitlines()))
    if not (votes[claude.AGENT] or votes[codex.AGENT]) and votes["nobody"]:
        raise TranscriptError(1, "no record of an agent whose transcripts are read")
    return votes[codex.AGENT] > votes[claude.AGENT]


def _writer(line: bytes) -> str:
    """Who wrote a line: an agent, `nobody` for a record of no agent, '' for what is no record."""
    kind = HEAD.match(line)
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return codex.AGENT if kind and kind[1].decode() in CODEX_KINDS else ""
    if not isinstance(value, dict):
        return ""
    name = value.get("type")
    if CLAUDE_KEYS & value.keys():
        return claude.AGENT
    if "payload" in value or "record_type" in value:
        return codex.AGENT
    if "instructions" in value and "id" in value:
        return codex.AGENT
    if isinstance(name, str) and name in CLAUDE_KINDS:
        return claude.AGENT
    return codex.AGENT if isinstance(name, str) and name in CODEX_ITEMS else "nobody"
