"""What was written when, and the bytes that stood there before: what `undo` needs, kept 30 days.

A line of the log states a change before it is carried out, so that a crash in between can still be taken back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from mdmem import disk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LOG_NAME: Final = "log.jsonl"
TRASH_NAME: Final = "trash"
KEEP_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class Action:
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


@dataclass(frozen=True, slots=True)
class Change:
    """One file of a past entry: etags before and after, None where there was no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One past step: what was done, when, by whom."""

    at: str
    what: str
    caller: str
    changes: tuple[Change, ...]


def carry_out(root: Path, state: Path, actions: Sequence[Action], *, what: str, caller: str, now: datetime) -> None:
    """Log the actions with the bytes they replace, then do them in order. The caller holds the store's lock.

    Raises ConflictError at the first file that is no longer the version it was planned from; what was done before
    stays done, and `undo` can take it back. Raises ReadOnlyError or DiskError when the system refuses.
    """
    for action in actions:
        old = disk.read_if_exists(root / action.path)
        if old is not None and action.expect is not None:
            _keep(state, old)
    changes = [[action.path, action.expect, action.after] for action in actions]
    entry = {"at": now.isoformat(), "what": what, "caller": caller, "changes": changes}
    disk.append(state / LOG_NAME, json.dumps(entry, ensure_ascii=False))
    for action in actions:
        _do(root, action)


def read_log(state: Path) -> tuple[Entry, ...]:
    """All steps in their order; a torn or strange line is passed over."""
    entries = []
    for line in (disk.read_if_exists(state / LOG_NAME) or b"").decode("utf-8", "replace").splitlines():
        try:
            record = json.loads(line)
            changes = tuple(Change(*change) for change in record["changes"])
            entries.append(Entry(record["at"], record["what"], record["caller"], changes))
        except (ValueError, TypeError, KeyError):
            continue
    return tuple(entries)


def kept_bytes(state: Path, tag: str) -> bytes | None:
    """The bytes of that etag, when the trash still has them."""
    return disk.read_if_exists(state / TRASH_NAME / tag)


def empty_trash(state: Path, now: datetime) -> int:
    """Delete what has lain longer than 30 days; the number of files."""
    horizon = (now - timedelta(days=KEEP_DAYS)).timestamp()
    folder = state / TRASH_NAME
    old = [path for path in folder.iterdir() if path.stat().st_mtime < horizon] if folder.is_dir() else []
    for path in old:
        disk.remove(path)
    return len(old)


def _keep(state: Path, data: bytes) -> None:
    target = state / TRASH_NAME / disk.etag(data)
    if not target.exists():
        disk.make_folder(target.parent)
        disk.write(target, data)


def _do(root: Path, action: Action) -> None:
    path = root / action.path
    if action.data is None:
        disk.remove(path, expect=action.expect or disk.ANY)
        disk.prune_empty(path.parent, root)
    else:
        disk.make_folder(path.parent)
        disk.write(path, action.data, expect=action.expect)
