"""MEMORY.md and its overflow pages on disk: planned from the memories, written when they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import ConflictError, UnreadableError
from mdmem.markdown.fences import NotAMemory
from mdmem.store.catalog import NEW_FILE, OVERFLOW_NOTE, Pages, read_index, render_pages
from mdmem.store.scan import INDEX_NAME, OVERFLOW_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mdmem.markdown.problems import Problem
    from mdmem.store.table import StoredMemory

ATTEMPTS: Final = 5
"""How often MEMORY.md is made again when an editor saves it in between."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What `sync` wrote: paths of pages, and the user's lines that moved inside the section."""

    written: tuple[str, ...]
    moved: tuple[str, ...]


def plan_catalog(root: Path, stored: Sequence[StoredMemory]) -> tuple[Pages, bytes | None]:
    """(the pages as they should be, MEMORY.md as it is or None).

    Raises UnreadableError when the markers of MEMORY.md can't be read.
    """
    data = disk.read_if_exists(root / INDEX_NAME)
    try:
        return render_pages(read_index(NEW_FILE.encode() if data is None else data), stored), data
    except NotAMemory as found:
        raise as_error(found.problem.at(INDEX_NAME)) from found


def write_catalog(root: Path, stored: Sequence[StoredMemory]) -> SyncReport:
    """Write what differs. The caller holds the store's lock.

    Raises UnreadableError, ConflictError when MEMORY.md keeps changing, ReadOnlyError or DiskError.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return _write(root, *plan_catalog(root, stored))
        except ConflictError:
            continue
    return _write(root, *plan_catalog(root, stored))


def as_error(problem: Problem) -> UnreadableError:
    """The error that says a file can't be read, and that it was left alone."""
    return UnreadableError(problem.path, problem.line, problem.code, problem.message, problem.hint)


def _write(root: Path, pages: Pages, data: bytes | None) -> SyncReport:
    written = []
    new = pages.index.encode("utf-8")
    if new != data:
        disk.write(root / INDEX_NAME, new, expect=disk.etag(data) if data is not None else None)
        written.append(INDEX_NAME)
    for path, text in pages.overflow.items():
        if disk.read_if_exists(root / path) != text.encode():
            disk.make_folder((root / path).parent)
            disk.write(root / path, text.encode())
            written.append(path)
    for path in _unneeded(root, pages):
        disk.remove(root / path)
        written.append(path)
    return SyncReport(tuple(written), pages.moved)


def _unneeded(root: Path, pages: Pages) -> list[str]:
    """Overflow pages of ours that nothing links to any more."""
    found = (path.relative_to(root).as_posix() for path in root.glob(f"*/{OVERFLOW_NAME}"))
    note = OVERFLOW_NOTE.encode()
    return [path for path in found if path not in pages.overflow and disk.read(root / path).startswith(note)]
