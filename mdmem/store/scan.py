"""Which files of a store are memories: one sorted walk that never follows a link."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.errors import ReadError
from mdmem.markdown.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

INDEX_NAME: Final = "MEMORY.md"
INDEX_BEGIN: Final = "<!-- mdmem:index begin -->"
OVERFLOW_NAME: Final = "INDEX.md"
RESERVED_FILES: Final = frozenset({"memory.md", "index.md", "vetoes.md", "agent-rules.md"})
RESERVED_FOLDERS: Final = frozenset({"rules", "tasks", "sessions"})
"""Folders at the store's root that hold something else than memories."""
OWN_FOLDER: Final = ".mdmem"


class FoundFile(NamedTuple):
    """A memory file as `stat` sees it: `path` is relative to the store, with forward slashes; times in ns."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Scan:
    """All memory files of a store, sorted by path, the symbolic links that were not followed, and strange names."""

    files: tuple[FoundFile, ...]
    links: tuple[str, ...]
    misnamed: tuple[Problem, ...] = ()


def scan(root: Path) -> Scan:
    """Walk the store once. A folder below it that is a store or a git working tree of its own is left out.

    Raises DiskError when a folder can't be listed.
    """
    files: list[FoundFile] = []
    links: list[str] = []
    misnamed: list[Problem] = []
    for entry, path in _walk(root):
        if not _is_utf8(path):
            misnamed.append(_misnamed(path))
        elif entry.is_symlink():
            links.append(path)
        elif (file := _found(entry, path)) is not None:
            files.append(file)
    return Scan(tuple(sorted(files, key=itemgetter(0))), tuple(sorted(links)), tuple(misnamed))


def is_memory_path(path: str) -> bool:
    """Whether a path relative to the store names a memory, by the names alone."""
    folders, _, name = path.rpartition("/")
    parts = folders.split("/")
    if any(part.startswith(".") for part in parts) or parts[0].lower() in RESERVED_FOLDERS:
        return False
    return _is_memory_name(name.lower(), is_top=not folders)


def _is_memory_name(name: str, *, is_top: bool) -> bool:
    """Whether a file of that name, in lower case, is a memory in a folder that may hold some."""
    if name.startswith(".") or not name.endswith(".md") or name in RESERVED_FILES:
        return False
    return not is_top or name != "readme.md"


def name_key(path: str) -> str:
    """What two paths must not share: the name after NFC and case folding."""
    return unicodedata.normalize("NFC", path).casefold()


def _walk(root: Path) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Every memory file, and every link and badly named thing that could be one or hold one, with its path."""
    waiting = [(root, "")]
    while waiting:
        folder, prefix = waiting.pop()
        entries = _entries(folder)
        if prefix and _is_foreign(folder, {entry.name for entry in entries}):
            continue
        for entry in entries:
            path, name = prefix + entry.name, entry.name.lower()
            if name.startswith("."):
                continue
            if entry.is_symlink() or not _is_utf8(name):
                if name.endswith(".md") or _leads_to_folder(entry):
                    yield entry, path
            elif entry.is_dir(follow_symlinks=False):
                if prefix or name not in RESERVED_FOLDERS:
                    waiting.append((folder / entry.name, f"{path}/"))
            elif _is_memory_name(name, is_top=not prefix) and entry.is_file(follow_symlinks=False):
                yield entry, path


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise ReadError(folder, (error.strerror or str(error)).lower()) from error


def _found(entry: os.DirEntry[str], path: str) -> FoundFile | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:  # gone since the folder was listed
        return None
    return FoundFile(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _is_foreign(folder: Path, names: Collection[str]) -> bool:
    """Whether a folder is a repository (or work tree, or submodule) or another store."""
    if ".git" in names:
        return True
    index = folder / INDEX_NAME
    return INDEX_NAME in names and index.is_file() and INDEX_BEGIN.encode() in (disk.read_if_exists(index) or b"")


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _is_utf8(name: str) -> bool:
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _misnamed(path: str) -> Problem:
    shown = path.encode("utf-8", "backslashreplace").decode("utf-8")
    return Problem("E_ENCODING", 1, "the file's name is not UTF-8", hint="rename it", path=shown)
