"""What was written when, and the bytes that stood there before: what `undo` needs, kept 30 days.

A line of the log states a change before it is carried out, so that a crash in between can still be taken back.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.errors import ConflictError
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LOG_NAME: Final = "log.jsonl"
TRASH_NAME: Final = "trash"
KEEP_DAYS: Final = 30
_ETAG: Final = pattern(r"[0-9a-f]{64}")


class Action(NamedTuple):
    """One file to write or, where `data` is None, to remove.

    `path` is relative to the store; `expect` is the etag it was planned from, None when it must not exist yet.
    """

    path: str
    data: bytes | None
    expect: str | None

    @property
    def after(self) -> str | None:
        """The etag afterwards, None when the file is gone."""
        return None if self.data is None else disk.etag(self.data)


class Change(NamedTuple):
    """One file of a past entry: etags before and after, None where there was no file."""

    path: str
    before: str | None
    after: str | None


class Entry(NamedTuple):
    """One past step: what was done, when, by whom."""

    at: str
    what: str
    caller: str
    changes: tuple[Change, ...]


def carry_out(root: Path, state: Path, actions: Sequence[Action], *, what: str, caller: str, now: datetime) -> None:
    """Log the actions with the bytes they replace, then do them in order. The caller holds the store's lock.

    Raises ConflictError when a file is no longer the version it was planned from, UnreadableError when it lies behind
    a symbolic link: all files are looked at before the first is changed. Raises ReadOnlyError or DiskError when the
    system refuses; what was done before that stays done, and `undo` can take it back.
    """
    for action in actions:
        path = disk.below(root, action.path)
        old = disk.read_if_exists(path)
        if (disk.etag(old) if old is not None else None) != action.expect:
            raise ConflictError(path)
        if old is not None:
            _keep(state, old)
    changes = [[action.path, action.expect, action.after] for action in actions]
    entry = {"at": now.isoformat(), "what": what, "caller": caller, "changes": changes}
    disk.append(state / LOG_NAME, json.dumps(entry, ensure_ascii=False))
    for folder in {root, *((root / action.path).parent for action in actions)}:
        disk.remove_old_temps(folder)
    for action in actions:
        _do(root, action)


def read_log(state: Path) -> tuple[Entry, ...]:
    """All steps in their order; a torn or strange line is passed over."""
    lines = (disk.read_if_exists(state / LOG_NAME) or b"").decode("utf-8", "replace").split("\n")
    return tuple(entry for line in lines if (entry := _entry(line)))


def kept_bytes(state: Path, tag: str) -> bytes | None:
    """The bytes of that etag, when the trash still has them."""
    return disk.read_if_exists(state / TRASH_NAME / tag) if _ETAG.fullmatch(tag) else None


def empty_trash(state: Path, now: datetime) -> int:
    """Delete what has lain longer than 30 days, by the log and by the file's own time; the number of files."""
    horizon = now - timedelta(days=KEEP_DAYS)
    recent = {
        change.before for entry in read_log(state) if not _is_before(entry.at, horizon) for change in entry.changes
    }
    folder = state / TRASH_NAME
    kept = list(folder.iterdir()) if folder.is_dir() else []
    old = [path for path in kept if path.name not in recent and path.stat().st_mtime < horizon.timestamp()]
    for path in old:
        disk.remove(path)
    return len(old)


def _entry(line: str) -> Entry | None:
    try:
        record = json.loads(line)
        changes = tuple(Change(*change) for change in record["changes"])
        at, what, caller = record["at"], record["what"], record["caller"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    etags = [tag for change in changes for tag in (change.before, change.after) if tag is not None]
    if not all(isinstance(text, str) for text in (at, what, caller, *(change.path for change in changes), *etags)):
        return None
    return Entry(at, what, caller, changes)


def _is_before(at: str, horizon: datetime) -> bool:
    try:
        return datetime.fromisoformat(at) < horizon
    except (ValueError, TypeError):
        return False


def _keep(state: Path, data: bytes) -> None:
    """The bytes under their etag, with the time of now."""
    target = state / TRASH_NAME / disk.etag(data)
    disk.make_folder(target.parent)
    disk.write(target, data)


def _do(root: Path, action: Action) -> None:
    path = disk.below(root, action.path)
    if action.data is None:
        disk.remove(path, expect=action.expect or disk.ANY)
        disk.prune_empty(path.parent, root)
    else:
        disk.make_folder(path.parent)
        disk.write(path, action.data, expect=action.expect)
