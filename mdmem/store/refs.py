"""Refs: how people and agents name a memory (its id, its path, or its file's name)."""

from __future__ import annotations

import unicodedata
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem.errors import AmbiguousError, NotFoundError
from mdmem.store.catalog_file import as_error

if TYPE_CHECKING:
    from mdmem.store.table import StoredMemory, Sweep

NEAR: Final = 3
REF_LENGTH: Final = 200
"""A longer ref is not compared with the names that are there."""


def find_ref(sweep: Sweep, ref: str, path: str) -> StoredMemory:
    """The memory that `ref` names; `path` is the ref as a path relative to the store.

    Names are compared after NFC. Raises NotFoundError with what is near, AmbiguousError, or UnreadableError.
    """
    wanted, broken = _nfc(path), find_unreadable(sweep, path)
    if broken:
        raise as_error(sweep.unreadable[broken])
    found = [one for one in sweep.memories if one.path == path or one.memory.id == ref]
    found = found or [one for one in sweep.memories if wanted in (_nfc(one.path), _nfc(_stem(one.path)))]
    if not found:
        names = {_stem(one.path): one.path for one in sweep.memories}
        near = get_close_matches(_stem(ref), names, NEAR) if len(ref) <= REF_LENGTH else []
        raise NotFoundError(ref, tuple(names[name] for name in near))
    if len(found) > 1:
        raise AmbiguousError(ref, tuple(one.path for one in found))
    return found[0]


def find_unreadable(sweep: Sweep, path: str) -> str | None:
    """The path of the file that can't be read now and is meant: by its path, or by its name where no memory has it."""
    wanted = _nfc(path) if sweep.unreadable else ""
    if any(wanted == _nfc(_stem(one.path)) for one in sweep.memories):
        wanted = ""
    return next((name for name in sweep.unreadable if _nfc(name) == _nfc(path) or _nfc(_stem(name)) == wanted), None)


def relative(root: Path, ref: str) -> str:
    """A ref as a path relative to the store: as given, or found from the working folder."""
    path = Path(ref)
    if _is_file(path) and (path.is_absolute() or not _is_file(root / ref)):
        resolved = path.resolve()
        if resolved.is_relative_to(root.resolve()):
            return resolved.relative_to(root.resolve()).as_posix()
    return path.as_posix() if ref else ref


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name
        return False


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".md")


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
