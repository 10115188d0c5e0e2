"""Generations: whole versions of the index on disk, one of them current.

`<root>/<generation>/` holds Tantivy's files and `manifest.json`; `<root>/current` names the generation that counts
and the hash of its manifest. A generation is written aside and then made current by renaming `current` into
place, so that readers take no lock and never see half of one. The manifest binds every file by its hash and
carries the stamp: whatever does not fit is no generation, and the caller builds a new one. Nothing is migrated.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.index import analysis, fulltext
from mdmem.index.pointer import POINTER, clean, read_pointer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1
"""Raise it with every change of the manifest."""
STAMP: Final = {
    "format": str(FORMAT),
    "schema": str(fulltext.SCHEMA),
    "analysis": str(analysis.VERSION),
    "engine": fulltext.ENGINE,
}
REWRITTEN: Final = frozenset({"meta.json", ".managed.json"})
"""Tantivy's only files that ever change; all others are written once and can be shared between generations."""
ATTEMPTS: Final = 3

FileState = tuple[str, int, int, int]


class Manifest(TypedDict):
    """What a generation holds.

    `documents` maps paths to the etags that were indexed, `files` Tantivy's files to their hashes; `dead` counts the
    deleted documents that its segments still carry.
    """

    stamp: dict[str, str]
    documents: dict[str, str]
    files: dict[str, str]
    dead: int


@dataclass(frozen=True, slots=True)
class Generation:
    """One version of the index, open for reading.

    `pointer` is what `current` said when it was opened, `files` the (name, size, mtime in ns, inode) of its files then.
    """

    pointer: str
    engine: fulltext.Engine
    documents: Mapping[str, str]
    dead: int
    files: frozenset[FileState]

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.pointer.partition(" ")[0]


def is_current(root: Path, generation: Generation) -> bool:
    """Whether an open generation still is the one that counts, its files untouched.

    Tantivy maps the files into memory: whoever keeps one open must not read what was changed in place.
    """
    try:
        return read_pointer(root) == generation.pointer and _states(root / generation.name) == generation.files
    except OSError:
        return False


def load(root: Path) -> Generation | None:
    """The current generation; None when there is none, it is damaged, or another version of mdmem made it."""
    for _ in range(ATTEMPTS):
        pointer = read_pointer(root)
        try:
            return _open(root, pointer) if pointer else None
        except (OSError, ValueError, MdmemError):
            # a writer may have replaced and removed it meanwhile: then there is a newer one
            if read_pointer(root) == pointer:
                return None
    return None


def begin(root: Path, base: Generation | None) -> Path:
    """A folder for the next generation, empty or seeded with the files of `base`.

    Raises ReadOnlyError or DiskError.
    """
    folder = disk.make_folder(root / secrets.token_hex(8))
    if base:
        for name in _file_names(root / base.name):
            if name in REWRITTEN:
                disk.write(folder / name, disk.read(root / base.name / name))
            else:
                disk.link(root / base.name / name, folder / name)
    return folder


def adopt(source: Path, root: Path) -> None:
    """Take over the current generation of an index that can only be read; nothing happens when it has none.

    Tantivy makes a lock file wherever it opens an index. Raises OSError, ReadOnlyError or DiskError.
    """
    pointer = read_pointer(source)
    if pointer:
        name = pointer.partition(" ")[0]
        folder = disk.make_folder(root / name)
        for file in (*_file_names(source / name), MANIFEST):
            disk.write(folder / file, disk.read(source / name / file))
        disk.write(root / POINTER, pointer.encode("ascii"))
        clean(root, keep={name})


def publish(folder: Path, documents: Mapping[str, str], dead: int) -> Generation:
    """Make a finished folder the current generation, and remove those that nobody can be reading.

    The one before stays, for readers that have just read its name. Raises ReadOnlyError, DiskError, and what
    opening a generation raises.
    """
    root = folder.parent
    before = read_pointer(root).partition(" ")[0]
    files = {name: disk.etag(disk.read(folder / name)) for name in _file_names(folder)}
    manifest = Manifest(stamp=STAMP, documents=dict(documents), files=files, dead=dead)
    etag = disk.write(folder / MANIFEST, json.dumps(manifest).encode())
    pointer = f"{folder.name} {etag}"
    generation = _open(root, pointer)
    disk.write(root / POINTER, pointer.encode("ascii"))
    clean(root, keep={folder.name, before})
    return generation


def _open(root: Path, pointer: str) -> Generation:
    """Raises ValueError when a file is not what the manifest says, OSError or MdmemError when it can't be read."""
    name, _, expected = pointer.partition(" ")
    folder = root / name
    states = _states(folder)
    data = disk.read(folder / MANIFEST)
    if disk.etag(data) != expected:
        raise ValueError("the manifest is not the one that was published")
    manifest: Manifest = json.loads(data)
    if manifest["stamp"] != STAMP:
        raise ValueError("made by another version")
    for file, etag in manifest["files"].items():
        if disk.etag(disk.read(folder / file)) != etag:
            raise ValueError(f"{file} is damaged")
    return Generation(pointer, fulltext.open_existing(folder), manifest["documents"], manifest["dead"], states)


def _file_names(folder: Path) -> list[str]:
    """Tantivy's files; its locks and our manifest are none of them."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".lock" and path.name != MANIFEST)


def _states(folder: Path) -> frozenset[FileState]:
    states = ((name, (folder / name).stat()) for name in _file_names(folder))
    return frozenset((name, state.st_size, state.st_mtime_ns, state.st_ino) for name, state in states)
