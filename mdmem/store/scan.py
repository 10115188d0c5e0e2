"""Which files of a store are memories: one sorted walk that never follows a link."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from mdmem.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INDEX_NAME: Final = "MEMORY.md"
OVERFLOW_NAME: Final = "INDEX.md"
RESERVED_FILES: Final = frozenset({"memory.md", "index.md", "vetoes.md", "agent-rules.md"})
RESERVED_FOLDERS: Final = frozenset({"rules", "tasks", "sessions"})
"""Folders at the store's root that hold something else than memories."""
OWN_FOLDER: Final = ".mdmem"


@dataclass(frozen=True, slots=True, order=True)
class FoundFile:
    """A memory file as `stat` sees it: `path` is relative to the store, with forward slashes; times in ns."""

    path: str
    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Scan:
    """All memory files of a store, sorted by path, and the symbolic links that were not followed."""

    files: tuple[FoundFile, ...]
    links: tuple[str, ...]


def scan(root: Path) -> Scan:
    """Walk the store once. Raises DiskError when its folder can't be listed."""
    files: list[FoundFile] = []
    links: list[str] = []
    for entry, path in _walk(root, ""):
        if entry.is_symlink():
            links.append(path)
        else:
            status = entry.stat(follow_symlinks=False)
            files.append(FoundFile(path, status.st_size, status.st_mtime_ns, status.st_ino))
    return Scan(tuple(sorted(files, key=attrgetter("path"))), tuple(sorted(links)))


def is_memory_path(path: str) -> bool:
    """Whether a path relative to the store names a memory, by the names alone."""
    parts = path.split("/")
    name = parts[-1].lower()
    if any(part.startswith(".") for part in parts) or not name.endswith(".md") or name in RESERVED_FILES:
        return False
    if len(parts) == 1:
        return name != "readme.md"
    return parts[0].lower() not in RESERVED_FOLDERS


def name_key(path: str) -> str:
    """What two paths must not share: the name after NFC and case folding."""
    return unicodedata.normalize("NFC", path).casefold()


def _walk(folder: Path, prefix: str) -> Iterator[tuple[os.DirEntry[str], str]]:
    try:
        with os.scandir(folder) as entries:
            found = list(entries)
    except FileNotFoundError:
        return
    except OSError as error:
        raise DiskError(folder, (error.strerror or str(error)).lower()) from error
    for entry in found:
        path = prefix + entry.name
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            if entry.name.lower().endswith(".md") or entry.is_dir():
                yield entry, path
        elif entry.is_dir(follow_symlinks=False):
            if prefix or entry.name.lower() not in RESERVED_FOLDERS:
                yield from _walk(folder / entry.name, f"{path}/")
        elif entry.is_file(follow_symlinks=False) and is_memory_path(path):
            yield entry, path
