"""Where a project's memory folder is: named by a setting, else the nearest one from a folder upwards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem.errors import MdmemError, NoStoreError
from mdmem.store.scan import INDEX_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.config import Loaded

FOLDERS: Final = ("memory", ".memory")


def store_folder(start: Path, loaded: Loaded, folder: Path | None = None) -> Path:
    """The memory folder for work in `start`: `folder` when one is given.

    Raises NoStoreError, and MdmemError for a folder that holds other things: nothing of ours must land there.
    """
    root = folder or named_folder(start, loaded) or find_store(start)
    if not root.is_dir():
        raise NoStoreError(root)
    foreign = None if (root / INDEX_NAME).is_file() else _foreign(root)
    if foreign:
        inside = next((root / name for name in FOLDERS if (root / name / INDEX_NAME).is_file()), None)
        hint = f"did you mean {inside}?" if inside else f"name the folder that holds {INDEX_NAME}"
        raise MdmemError(f"{root} is no memory folder: it holds {foreign}", hint)
    return root.absolute()


def _foreign(root: Path) -> str | None:
    """The first file in a folder itself that is no markdown and not hidden."""
    names = sorted(path.name for path in root.iterdir() if path.is_file())
    return next((name for name in names if not name.startswith(".") and not name.lower().endswith(".md")), None)


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


def stores_above(root: Path) -> Iterator[Path]:
    """The memory folders of the folders above a store's, up to the repository's root, nearest first."""
    inner = root.parent
    while not (inner / ".git").exists() and inner != inner.parent:
        inner = inner.parent
        for name in FOLDERS:
            if (inner / name / INDEX_NAME).is_file() and _is_in_repository(inner):
                yield inner / name


def store_of(path: Path) -> Path | None:
    """The nearest folder from a path upwards that has a MEMORY.md."""
    full = path.absolute()
    return next((folder for folder in (full, *full.parents) if (folder / INDEX_NAME).is_file()), None)


def _is_in_repository(folder: Path) -> bool:
    return any((one / ".git").exists() for one in (folder, *folder.parents))
