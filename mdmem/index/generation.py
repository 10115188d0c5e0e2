"""Generations: whole versions of the index on disk, one of them current.

`<root>/<generation>/` holds Tantivy's files, `documents` and `manifest.json`; `<root>/current` names the generation
that counts and the hash of its manifest. A generation is written aside and then made current by renaming `current`
into place, so that readers take no lock and never see half of one. The manifest binds every file by its hash and
carries the stamp: whatever does not fit is no generation, and the caller builds a new one. Nothing is migrated.

Tantivy waits for the disk after each of a dozen small files. Nothing here needs that: a file that a power failure
damaged is found by its hash. So a small change is made in a folder in memory where there is one, and then copied.
"""

from __future__ import annotations

import json
import os
import secrets
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.index import analysis, fulltext
from mdmem.index.pointer import POINTER, clean, read_pointer
from mdmem.store.etags import Etags

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MANIFEST: Final = "manifest.json"
DOCUMENTS: Final = "documents"
"""The path and etag of each memory, in turn, with NUL between them: read three times as fast as JSON."""
OURS: Final = (MANIFEST, DOCUMENTS)
FORMAT: Final = 2
"""Raise it with every change of the manifest or of `documents`."""
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

    `documents` is the hash of the file of that name, `files` has those of Tantivy's files; `dead` counts the deleted
    documents that its segments still carry.
    """

    stamp: dict[str, str]
    documents: str
    files: dict[str, str]
    dead: int


class Generation(NamedTuple):
    """One version of the index, open for reading.

    `pointer` is what `current` said when it was opened, `files` the (name, size, mtime in ns, inode) of its files then.
    `documents` maps the paths of memories to the etags that were indexed, `hashes` Tantivy's files to theirs.
    """

    pointer: str
    engine: fulltext.Engine
    documents: Mapping[str, str]
    hashes: Mapping[str, str]
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


def begin(root: Path, base: Generation | None, *, is_small: bool = False) -> Path:
    """A folder to make the next generation in, empty or seeded with the files of `base`; a small one in memory.

    Raises ReadOnlyError or DiskError.
    """
    aside = disk.make_folder_in_memory(_key(root)) if base and is_small else None
    folder = aside or disk.make_folder(root / secrets.token_hex(8))
    if base is None:
        return folder
    seed = root.absolute() / base.name
    for name in _file_names(seed):
        file = seed / name
        if name in REWRITTEN:
            disk.write(folder / name, disk.read(file), durable=False)
        elif aside:
            disk.point(folder / name, file)
        else:
            disk.link(file, folder / name)
    return folder


def adopt(source: Path, root: Path) -> None:
    """Take over the current generation of an index that can only be read; nothing happens when it has none.

    Tantivy makes a lock file wherever it opens an index. Raises OSError, ReadOnlyError or DiskError.
    """
    pointer = read_pointer(source)
    if pointer:
        name = pointer.partition(" ")[0]
        folder = disk.make_folder(root / name)
        for file in (*_file_names(source / name), *OURS):
            disk.write(folder / file, disk.read(source / name / file))
        disk.write(root / POINTER, pointer.encode("ascii"))
        clean(root, keep={name})


def publish(root: Path, made: Path, documents: Mapping[str, str], dead: int, base: Generation | None) -> Generation:
    """Make what was made in a folder of `begin` the current generation, and remove those that nobody can be reading.

    The one before stays, for readers that have just read its name. Raises ReadOnlyError, DiskError, and what
    opening a generation raises.
    """
    before = read_pointer(root).partition(" ")[0]
    if base and made.parent != root:
        folder = disk.make_folder(root / secrets.token_hex(8), durable=False)
        hashes = _bring(made, folder, base)
    else:
        folder, hashes = made, {name: disk.etag(disk.read(made / name)) for name in _file_names(made)}
    listed = disk.write(folder / DOCUMENTS, _documents_bytes(documents), durable=False)
    manifest = Manifest(stamp=STAMP, documents=listed, files=hashes, dead=dead)
    etag = disk.write(folder / MANIFEST, json.dumps(manifest).encode(), durable=False)
    pointer = f"{folder.name} {etag}"
    generation = Generation(pointer, fulltext.open_existing(folder), documents, hashes, dead, _states(folder))
    disk.write(root / POINTER, pointer.encode("ascii"), durable=False)
    clean(root, keep={folder.name, before})
    return generation


def _bring(made: Path, folder: Path, base: Generation) -> dict[str, str]:
    """Take over what was made aside: files of `base` get another name, the others are copied; the hash of each."""
    hashes = {}
    for name in _file_names(made):
        file = made / name
        if file.is_symlink():
            disk.link(file.readlink(), folder / name)
            hashes[name] = base.hashes[name]
        else:
            hashes[name] = disk.write(folder / name, disk.read(file), durable=False)
    disk.remove_folder(made)
    return hashes


def _open(root: Path, pointer: str) -> Generation:
    """Raises ValueError when a file is not what the manifest says, OSError or MdmemError when it can't be read."""
    name, _, expected = pointer.partition(" ")
    folder = root / name
    states = _states(folder)
    manifest: Manifest = json.loads(_checked(folder / MANIFEST, expected))
    if manifest["stamp"] != STAMP:
        raise ValueError("made by another version")
    hashes = manifest["files"]
    for file, etag in hashes.items():
        _checked(folder / file, etag)
    listed = _checked(folder / DOCUMENTS, manifest["documents"])
    documents = Etags(lambda: _read_documents(listed))
    return Generation(pointer, fulltext.open_existing(folder), documents, hashes, manifest["dead"], states)


def _checked(file: Path, etag: str) -> bytes:
    data = disk.read(file)
    if disk.etag(data) != etag:
        raise ValueError(f"{file.name} is damaged, or not the one that was published")
    return data


def _documents_bytes(documents: Mapping[str, str]) -> bytes:
    """Raises ValueError for a path that would be taken for two."""
    text = "\0".join(chain.from_iterable(documents.items()))
    if text.count("\0") != max(2 * len(documents) - 1, 0):
        raise ValueError("a path holds a NUL")
    return text.encode("utf-8", "surrogatepass")


def _read_documents(data: bytes) -> dict[str, str]:
    parts = iter(data.decode("utf-8", "surrogatepass").split("\0") if data else ())
    return dict(zip(parts, parts, strict=True))


def _key(root: Path) -> str:
    """A name for the index of this folder, and of no other."""
    return disk.etag(os.fsencode(root.absolute()) + b"\0%d" % root.stat().st_ino)[:16]


def _file_names(folder: Path) -> list[str]:
    """Tantivy's files; its locks and what we add are none of them."""
    return sorted(name for name in os.listdir(folder) if not name.endswith(".lock") and name not in OURS)  # noqa: PTH208 - asked before every answer


def _states(folder: Path) -> frozenset[FileState]:
    states = ((name, (folder / name).stat()) for name in _file_names(folder))
    return frozenset((name, state.st_size, state.st_mtime_ns, state.st_ino) for name, state in states)
