"""Founding a store: the folder, its MEMORY.md, and what git should know about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem import disk, git
from mdmem.errors import MdmemError
from mdmem.store.catalog import BEGIN, END, NEW_FILE
from mdmem.store.scan import INDEX_NAME, is_memory_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

IGNORE: Final = "# written by mdmem: what only this machine needs\n.mdmem/\n.mdmem-*.tmp\n"
ATTRIBUTES: Final = (
    "# written by mdmem\n*.md text eol=lf\nMEMORY.md linguist-generated=true\n*/INDEX.md linguist-generated=true\n"
    "vetoes.md merge=union\n"
)


@dataclass(frozen=True, slots=True)
class Founded:
    """What `init` made: the store's folder, the files written, and whether the store was there before."""

    root: Path
    written: tuple[str, ...]
    existed: bool

    def as_json(self) -> dict[str, object]:
        """The shape of `init --json`."""
        return {"path": str(self.root), "written": list(self.written), "existed": self.existed}


def found_store(folder: Path, *, private: bool = False) -> Founded:
    """Make a store in `folder`, or complete the one that is there; what exists is kept.

    `private` keeps the whole store out of git, by this clone's own exclude file. Raises MdmemError when the folder
    holds other things than memories.
    """
    existed = (folder / INDEX_NAME).is_file()
    if not existed:
        _refuse_foreign(folder)
    files = {INDEX_NAME: f"{NEW_FILE}\n{BEGIN}\n{END}\n", ".gitignore": IGNORE, ".gitattributes": ATTRIBUTES}
    if private:
        _exclude(folder)
    disk.make_folder(folder)
    written = [name for name, text in files.items() if _write_new(folder / name, text)]
    return Founded(folder, tuple(written), existed)


def _write_new(path: Path, text: str) -> bool:
    if path.exists():
        return False
    disk.write(path, text.encode("utf-8"), expect=None)
    return True


def _refuse_foreign(folder: Path) -> None:
    foreign = next(_iter_foreign(folder), None)
    if foreign is None:
        return
    other = ".memory" if folder.name == "memory" else "memory"
    raise MdmemError(
        f"{folder} holds other things already ({foreign})",
        f"choose another folder: mdmem init {other}, or mdmem init NAME",
    )


def _iter_foreign(folder: Path) -> Iterator[str]:
    """What lies in the folder and is no markdown that could be a memory."""
    if not folder.is_dir():
        if folder.exists():
            yield "a file of that name"
        return
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not is_memory_path(name) and path.suffix != ".md" and not path.name.startswith("."):
            yield name


def _exclude(folder: Path) -> None:
    repository = git.find(folder.parent)
    if repository is None:
        raise MdmemError(f"{folder.parent} is in no git repository", "--private needs one; leave it out")
    line = "/" + folder.absolute().relative_to(repository.root.absolute()).as_posix() + "/"
    path = git.exclude_file(repository)
    text = (disk.read_if_exists(path) or b"").decode("utf-8", "replace")
    if line not in text.splitlines():
        disk.append(path, line)
