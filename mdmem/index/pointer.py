"""The pointer to the one generation of several that counts: a file `current` beside their folders.

It holds the name of a folder and the hash of what describes it. Whoever renames another `current` into its place has
swapped the generation, so that readers take no lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import MdmemError

if TYPE_CHECKING:
    from pathlib import Path

POINTER: Final = "current"


def read_pointer(root: Path) -> str:
    """What `current` says, '' when there is nothing to go by."""
    try:
        return (disk.read_if_exists(root / POINTER) or b"").decode("ascii", "replace")
    except MdmemError:
        return ""


def clean(root: Path, keep: set[str]) -> None:
    """Remove other generations, also those that a killed writer left; only the holder of the lock may."""
    for path in root.iterdir():
        if path.is_dir() and path.name not in keep:
            disk.remove_folder(path)
    disk.remove_old_temps(root)
