"""Reading and writing the files of agents; what stood there before is kept, so that it can be given back exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.agents.plan import text_of
from mdmem.store.caller import Caller
from mdmem.store.journal import Action, carry_out, kept_bytes, read_log

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from mdmem.agents.place import Part
    from mdmem.agents.plan import Change

INSTALL: Final = "install"
FOLDER: Final = "installed"
"""Below the user's state folder: a log of what was written, and the bytes that it replaced."""


def read_parts(parts: Sequence[Part], root: Path) -> dict[Path, bytes | None]:
    """The files as they are, None where there is none.

    Raises UnreadableError when a file of the project's is a symbolic link (a clone may bring one along), DiskError.
    """
    for part in parts:
        if part.path.is_relative_to(root):
            disk.below(root, part.path.relative_to(root).as_posix())
    return {part.path: disk.read_if_exists(part.path) for part in parts}


def kept_before(parts: Sequence[Part], others: Sequence[Part], state: Path) -> dict[Path, bytes | None]:
    """What stood in the files before mdmem came, of those that are still as it left them.

    `others` are parts that stay: a file that holds something of theirs is not given back as a whole.
    """
    found: dict[Path, bytes | None] = {}
    for path in {part.path for part in parts}:
        data, seen = disk.read_if_exists(path), set[str]()
        if _is_shared(path, data, parts, others):
            continue
        marks = [part.has_ours for part in parts if part.path == path]
        while data is not None and (tag := disk.etag(data)) not in seen:
            seen.add(tag)
            earlier = _before(path, tag, state)
            if earlier is None:
                break
            data = earlier.data
            if data is None or not any(has_ours(text_of(data, path) or "") for has_ours in marks):
                found[path] = data
                break
    return found


def apply_changes(changes: Sequence[Change], roots: Sequence[Path], state: Path, what: str, now: datetime) -> None:
    """Write all files, each only if it is still as it was planned from.

    `roots` are the project and the user's home: folders below them that become empty go. Links of the user's own (to
    a folder of dotfiles) are followed. Raises ConflictError, ReadOnlyError or DiskError.
    """
    folder = disk.make_private_folder(state / FOLDER)  # settings may hold keys
    with disk.lock(folder / "lock"):
        for change in changes:
            target = change.path.resolve()
            holders = [root.resolve() for root in roots if target.is_relative_to(root.resolve())]
            root = holders[0] if holders else _existing(target.parent)
            expect = disk.etag(change.before) if change.before is not None else None
            action = Action(target.relative_to(root).as_posix(), change.after, expect)
            carry_out(root, folder, [action], what=f"{what} {target}", caller=Caller.USER, now=now)


def _is_shared(path: Path, data: bytes | None, parts: Sequence[Part], others: Sequence[Part]) -> bool:
    """Whether something of the other parts is left in a file when ours are taken out. Raises ConfigError."""
    text = text_of(data, path)
    for part in parts:
        text = part.uninstall(text) if text is not None and part.path == path else text
    return text is not None and any(other.has_ours(text) for other in others if other.path == path)


class _Version(NamedTuple):
    """What stood in a file, None for no file."""

    data: bytes | None


def _before(path: Path, tag: str, state: Path) -> _Version | None:
    """What an installation replaced when it wrote the version `tag`; None when nobody knows."""
    target = f" {path.resolve()}"
    for entry in reversed(read_log(state / FOLDER)):
        for change in entry.changes:
            if change.after == tag and entry.what.startswith(INSTALL) and entry.what.endswith(target):
                data = kept_bytes(state / FOLDER, change.before) if change.before else None
                return None if change.before and data is None else _Version(data)
    return None


def _existing(folder: Path) -> Path:
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder
