"""Which files of a store are memories: one sorted walk that never follows a link."""

from __future__ import annotations

import marshal
import os
import unicodedata
from operator import itemgetter
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.errors import ReadError
from mdmem.markdown.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

INDEX_NAME: Final = "MEMORY.md"
INDEX_BEGIN: Final = "<!-- mdmem:index begin -->"
OVERFLOW_NAME: Final = "INDEX.md"
RESERVED_FILES: Final = frozenset({"memory.md", "index.md", "vetoes.md", "agent-rules.md"})
RESERVED_FOLDERS: Final = frozenset({"rules", "tasks", "sessions"})
"""Folders at the store's root that hold something else than memories."""
OWN_FOLDER: Final = ".mdmem"
_SUFFIXES: Final = (".md", ".MD", ".Md", ".mD")


class FoundFile(NamedTuple):
    """A memory file as `stat` sees it: `path` is relative to the store, with forward slashes; times in ns."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Scan(NamedTuple):
    """All memory files of a store, sorted by path, the symbolic links that were not followed, and strange names."""

    files: tuple[FoundFile, ...]
    links: tuple[str, ...]
    misnamed: tuple[Problem, ...] = ()


class Look(NamedTuple):
    """One walk over a store: what `stat` said of everything in it that may be or hold memories.

    Each folder is its path, with a slash behind it, and its entries: (name, mode, size, mtime, ctime, inode), times in
    ns, and of a folder only that it is one.
    """

    root: Path
    folders: list[tuple[str, list[tuple[str, int, int, int, int, int]]]]

    @property
    def mark(self) -> bytes:
        """Other bytes as soon as a file, link or folder is another; for nothing but comparison."""
        return marshal.dumps(self.folders, 2)  # a version without references: what is equal is written alike

    @property
    def misnamed(self) -> tuple[Problem, ...]:
        """Names that are no text; what they name is left alone."""
        return tuple(
            _misnamed(prefix + name) for prefix, entries in self.folders for name, *_ in entries if not is_utf8(name)
        )

    def scan(self) -> Scan:
        """The same, with memories, links and strange names told apart."""
        files: list[FoundFile] = []
        links: list[str] = []
        for prefix, entries in self.folders:
            for name, mode, *state in entries:
                if not is_utf8(name):
                    continue
                if S_ISLNK(mode):
                    links.append(prefix + name)
                elif S_ISREG(mode) and _is_memory_name(name.lower(), is_top=not prefix):
                    files.append(FoundFile(prefix + name, *state))
        return Scan(tuple(sorted(files, key=itemgetter(0))), tuple(sorted(links)), self.misnamed)


def scan(root: Path) -> Scan:
    """The memory files of a store. Raises DiskError when a folder can't be listed."""
    return look(root).scan()


def look(root: Path) -> Look:
    """Walk the store once. A folder below it that is a store or a git working tree of its own is left out.

    Raises DiskError when a folder can't be listed.
    """
    seen = Look(root, [])
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        names = _names(root / prefix)
        if prefix and is_foreign(root / prefix, names):
            continue
        entries = _entries(f"{root}{os.sep}{prefix}", names, is_top=not prefix)
        seen.folders.append((prefix, entries))
        waiting += [f"{prefix}{name}/" for name, mode, *_ in entries if S_ISDIR(mode) and is_utf8(name)]
    return seen


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


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - ten thousand names, and no paths
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise ReadError(folder, (error.strerror or str(error)).lower()) from error


def _entries(folder: str, names: Iterable[str], *, is_top: bool) -> list[tuple[str, int, int, int, int, int]]:
    """Memory files and folders, and every link and badly named thing that could be one or hold one."""
    entries = []
    for name in names:
        if name.startswith("."):
            continue
        try:
            status = os.lstat(folder + name)
        except FileNotFoundError:  # gone since the folder was listed
            continue
        mode = status.st_mode
        if S_ISREG(mode):
            if name.endswith(_SUFFIXES):
                entries.append((name, mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))
        elif S_ISDIR(mode):
            if not is_top or name.lower() not in RESERVED_FOLDERS:
                entries.append((name, mode, 0, 0, 0, 0))
        elif S_ISLNK(mode) and (name.endswith(_SUFFIXES) or _leads_to_folder(folder + name)):
            entries.append((name, mode, 0, 0, 0, 0))
    return entries


def is_foreign(folder: Path, names: Collection[str]) -> bool:
    """Whether a folder is a repository (or work tree, or submodule) or another store."""
    if ".git" in names:
        return True
    index = folder / INDEX_NAME
    return INDEX_NAME in names and index.is_file() and INDEX_BEGIN.encode() in (disk.read_if_exists(index) or b"")


def _leads_to_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except OSError:  # nowhere, or to itself
        return False


def is_utf8(name: str) -> bool:
    """Whether a name is text: what it names is left alone otherwise."""
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
