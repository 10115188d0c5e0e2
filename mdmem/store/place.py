"""Where a project's memory folder is: named by a setting, else the nearest one from a folder upwards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem.errors import LostIndexError, MdmemError, NoFolderError, NoStoreError
from mdmem.memory import TYPE_NAMES
from mdmem.store.scan import INDEX_NAME, OWN_FOLDER

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
        raise NoFolderError(root)
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
    """The nearest memory folder from a folder upwards.

    Raises NoStoreError, and LostIndexError where one has lost its MEMORY.md: another one above it is not meant.
    """
    lost = None
    for root in (folder / name for folder in (start, *start.parents) for name in FOLDERS):
        if (root / INDEX_NAME).is_file():
            return root
        if root.is_dir() and _holds_memories(root):
            if (root / OWN_FOLDER).is_dir():
                raise LostIndexError(root)
            lost = lost or root
    raise LostIndexError(lost) if lost else NoStoreError(start)


def _holds_memories(root: Path) -> bool:
    """Whether there are files in folders named after types."""
    return any(next((root / name).glob("*.md"), None) for name in TYPE_NAMES)


def surrounding_store(folder: Path) -> Path | None:
    """The store that a folder lies in, as one that mdmem made is known; None for none."""
    above = folder.absolute().parents
    known = (root for root in above if (root / INDEX_NAME).is_file())
    return next((root for root in known if root.name in FOLDERS or (root / OWN_FOLDER).is_dir()), None)


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
