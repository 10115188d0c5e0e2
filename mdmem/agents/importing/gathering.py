"""The files of a source: one file, all of a folder, or standard input."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.agents.importing.draft import SourceFile
from mdmem.errors import MdmemError

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES: Final = frozenset({".md", ".mdc", ".json", ".jsonl"})
SKIPPED: Final = frozenset({".git", ".mdmem", "node_modules", ".venv"})
SIZE_MOST: Final = 8 << 20


def gather(source: Path, base: Path, own: Path | None = None) -> tuple[SourceFile, ...]:
    """The files of a source, sorted; their paths are told from `base` where they lie below it, else from the source.

    The store itself (`own`) is passed over, and links are not followed. Raises MdmemError for a source that is not
    there, holds nothing, or is too big.
    """
    if source.is_dir():
        root = base if source.resolve().is_relative_to(base.resolve()) else source
        found = tuple(_file(path, root) for path in sorted(_walk(source, own)))
        if not found:
            raise MdmemError(f"{source} holds no file that could be imported", f"such files end in {_suffixes()}")
        return found
    if not source.is_file():
        raise MdmemError(f"{source}: no such file or folder", "name a file, a folder, or - for standard input")
    return (_file(source, base if source.resolve().is_relative_to(base.resolve()) else source.parent),)


def from_stream(data: bytes, name: str = "stdin") -> tuple[SourceFile, ...]:
    """What came on standard input, as one file."""
    return (SourceFile(name, _text(data)),)


def _walk(folder: Path, own: Path | None) -> Iterator[Path]:
    mine = own.resolve() if own else None
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in SKIPPED and Path(parent, name).resolve() != mine]
        paths = (Path(parent, name) for name in names if Path(name).suffix in SUFFIXES)
        yield from (path for path in paths if path.is_file() and not path.is_symlink())


def _file(path: Path, root: Path) -> SourceFile:
    if path.stat().st_size > SIZE_MOST:
        raise MdmemError(f"{path} is larger than {SIZE_MOST >> 20} MiB", "import a part of it")
    return SourceFile(path.resolve().relative_to(root.resolve()).as_posix(), _text(disk.read(path)))


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace").replace("\0", "")


def _suffixes() -> str:
    return ", ".join(sorted(SUFFIXES))
