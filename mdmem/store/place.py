"""Where a project's memory folder is: named by a setting, else the nearest one from a folder upwards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem.errors import NoStoreError
from mdmem.store.scan import INDEX_NAME

if TYPE_CHECKING:
    from mdmem.config import Loaded

FOLDERS: Final = ("memory", ".memory")


def store_folder(start: Path, loaded: Loaded, folder: Path | None = None) -> Path:
    """The memory folder for work in `start`: `folder` when one is given. Raises NoStoreError."""
    root = folder or named_folder(start, loaded) or find_store(start)
    if not root.is_dir():
        raise NoStoreError(root)
    return root.absolute()


def named_folder(start: Path, loaded: Loaded) -> Path | None:
    """The folder that a setting names: relative to the file that does, else to `start`."""
    name, origin = loaded.value("memory.dir")
    if not name:
        return None
    return (Path(origin).parent if origin.endswith(".toml") else start) / str(name)


def find_store(start: Path) -> Path:
    """The nearest memory folder from a folder upwards. Raises NoStoreError."""
    for folder in (start, *start.parents):
        for name in FOLDERS:
            if (folder / name / INDEX_NAME).is_file():
                return folder / name
    raise NoStoreError(start)
