"""The files beside a store's vectors, as far as they can be read without the libraries that vectors need.

`<root>/current` names the generation that counts and the hash of its `stamp.json`; the stamp says what made the
vectors and what the hash of `rows.bin` is: for each row of `vectors.npy` the etag of its file and the key of its
text, 32 bytes each.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, TypedDict

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.index.pointer import read_pointer
from mdmem.index.vector_cache import KEY_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mdmem.index.vector_cache import VectorCache
    from mdmem.store.reader import Reader

FORMAT: Final = 1
"""Raise it with every change of these files."""
VECTORS: Final = "vectors.npy"
ROWS: Final = "rows.bin"
STAMP: Final = "stamp.json"
ROW_BYTES: Final = 2 * KEY_BYTES
UNUSABLE: Final = (OSError, ValueError, TypeError, KeyError, EOFError, MdmemError)
"""What reading damaged or missing files may raise."""


class Stamp(TypedDict):
    """What a generation of vectors says of itself; `shape` is (rows, dimension)."""

    format: int
    model: str
    shape: list[int]
    rows: str


def root_of(store: Reader) -> Path:
    """Where the vectors of a store lie."""
    return store.cache_folder / "vectors"


def read_rows(root: Path, pointer: str, digest: str) -> tuple[Stamp, bytes]:
    """The stamp and the rows of a generation. Raises one of `UNUSABLE` when they are not what was published."""
    name, _, expected = pointer.partition(" ")
    data = disk.read(root / name / STAMP)
    if disk.etag(data) != expected:
        raise ValueError("the stamp is not the one that was published")
    stamp: Stamp = json.loads(data)
    if (stamp["format"], stamp["model"]) != (FORMAT, digest):
        raise ValueError("made by another version or model")
    rows = disk.read(root / name / ROWS)
    if disk.etag(rows) != stamp["rows"] or len(rows) != stamp["shape"][0] * ROW_BYTES:
        raise ValueError("the rows are not those that were published")
    return stamp, rows


def etags_of(rows: bytes) -> list[str]:
    """The etag of each row's file."""
    return [rows[i : i + KEY_BYTES].hex() for i in range(0, len(rows), ROW_BYTES)]


def pending(store: Reader, etags: Iterable[str], digest: str, cache: VectorCache) -> int:
    """How many files of a store, by etag, the model of this digest has not embedded yet, here or anywhere."""
    root = root_of(store)
    try:
        held = frozenset(etags_of(read_rows(root, read_pointer(root), digest)[1]))
    except UNUSABLE:
        held = frozenset()
    missing = frozenset(etags) - held
    return len(missing) - len(cache.documents(digest, missing))
