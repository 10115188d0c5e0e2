"""What a session of an agent has been shown already, one line a memory: a version that was shown is not shown again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem import disk

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    from mdmem.store.table import StoredMemory

FOLDER: Final = "shown"
KEEP_DAYS: Final = 30


def version(one: StoredMemory) -> str:
    """A memory as it stands now: where it lies, and its etag."""
    return f"{one.store}:{one.path}:{one.etag[:16]}"


def read_shown(state: Path, session: str) -> frozenset[str]:
    """The versions that a session was shown; empty for a session without a name."""
    data = disk.read_if_exists(_file(state, session)) if session else None
    return frozenset((data or b"").decode("utf-8", "replace").splitlines())


def append_shown(state: Path, session: str, versions: Iterable[str]) -> None:
    """Note what a session was shown. Raises ReadOnlyError or DiskError."""
    lines = "\n".join(versions)
    if session and lines:
        disk.append(_file(state, session), lines)


def forget_shown(state: Path, session: str) -> None:
    """Begin anew: the session's context was emptied. Raises ReadOnlyError or DiskError."""
    if session and _file(state, session).exists():
        disk.remove(_file(state, session))


def remove_old(state: Path, now: datetime) -> None:
    """Delete what is kept of sessions that have shown nothing for 30 days."""
    horizon = now.timestamp() - KEEP_DAYS * 86400
    folder = state / FOLDER
    for file in list(folder.iterdir()) if folder.is_dir() else []:
        if file.stat().st_mtime < horizon:
            disk.remove(file)


def _file(state: Path, session: str) -> Path:
    """A session's id comes from outside: its hash makes the name."""
    return state / FOLDER / f"{disk.etag(session.encode('utf-8', 'replace'))[:16]}.txt"
