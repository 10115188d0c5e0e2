"""A look at a few files alone, where something that watches the folder knows that no others were touched."""

from __future__ import annotations

from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from mdmem.store.scan import INDEX_NAME, FoundFile, is_foreign, is_memory_path, is_utf8

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Touched(NamedTuple):
    """Of some paths those that are memories now, as `stat` sees them, and those that are gone."""

    found: tuple[FoundFile, ...]
    gone: tuple[str, ...]


def look_at(root: Path, paths: Iterable[str]) -> Touched | None:
    """What `scan` would find at these paths; None when that takes a look at all.

    A touched `.git` or MEMORY.md may make its folder a store of its own, or one of ours again. Raises OSError.
    """
    found: list[FoundFile] = []
    gone: list[str] = []
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        if not is_utf8(path) or (folder and name in {INDEX_NAME, ".git"}):
            return None
        if not is_memory_path(path) or _is_in_foreign(root, folder):
            continue
        try:
            status = (root / path).lstat()
        except FileNotFoundError:
            gone.append(path)
            continue
        if not S_ISREG(status.st_mode):
            return None
        found.append(FoundFile(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))
    return Touched(tuple(found), tuple(gone))


def _is_in_foreign(root: Path, folder: str) -> bool:
    """Whether a folder below the root, or one above it, is no part of the store."""
    parts = folder.split("/") if folder else []
    below = (root.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1))
    return any(is_foreign(one, {name for name in (".git", INDEX_NAME) if (one / name).exists()}) for one in below)
