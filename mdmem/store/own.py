"""The store's own folder `.mdmem/`: what only this machine needs, ignored by git from its first day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import UnreadableError
from mdmem.store.scan import OWN_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

IGNORE: Final = "# written by mdmem: nothing below is to be committed\n*\n"


def make_own(folder: Path) -> Path:
    """Make a folder such as `.mdmem/state`, and the `.gitignore` beside it.

    Raises UnreadableError when a part of it is a symbolic link (a clone may bring one along), ReadOnlyError or
    DiskError.
    """
    parent = folder.parent
    for part in (parent, folder):
        if part.is_symlink():
            raise UnreadableError(str(part), 1, "W_SYMLINK", "a symbolic link, which is not followed", "delete it")
    disk.make_folder(folder)
    if parent.name == OWN_FOLDER and not (parent / ".gitignore").exists():
        disk.write(parent / ".gitignore", IGNORE.encode())
    return folder
