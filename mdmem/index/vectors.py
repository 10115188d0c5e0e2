"""The vectors of one store: a matrix beside its index, mapped into memory, and search in it.

`<root>/<generation>/` holds `vectors.npy` (float32, one unit row a text) and the files of `vector_files`, which say
whose rows these are. All three are written together, made current by one rename, and checked together: whatever
does not fit is no generation, and a new one is put together from the user's cache. Rows belong to files by etag, so
that a file that is moved keeps its rows, and words and vectors are brought up to date apart from each other.
"""

from __future__ import annotations

import io
import json
import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.index.arrays import np
from mdmem.index.pointer import POINTER, clean, read_pointer
from mdmem.index.vector_files import FORMAT, ROW_BYTES, ROWS, STAMP, UNUSABLE, VECTORS, Stamp, etags_of, read_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

ATTEMPTS: Final = 3
FLOAT: Final = np.dtype("<f4")
LENGTH_ERROR: Final = 1e-3
"""How far from 1 a row may be; a damaged or infinite one is further."""

Row = tuple[bytes, "Array"]
"""A text's key and its vector."""


@dataclass(frozen=True)
class Matrix:
    """The rows of some files: `vectors` (n, d), and for each row its file's etag and its text's key, 64 bytes."""

    vectors: Array
    rows: bytes

    @cached_property
    def firsts(self) -> dict[str, int]:
        """Etag → the number of its first row, in order; the rows of a file stand together."""
        found: dict[str, int] = {}
        for i, etag in enumerate(etags_of(self.rows)):
            found.setdefault(etag, i)
        return found

    def kept(self, etags: Collection[str]) -> Matrix:
        """The rows of these files alone."""
        chosen = [i for i, etag in enumerate(etags_of(self.rows)) if etag in etags]
        rows = b"".join(self.rows[i * ROW_BYTES : (i + 1) * ROW_BYTES] for i in chosen)
        return Matrix(self.vectors[chosen], rows)

    def joined(self, other: Matrix) -> Matrix:
        """These rows and then those of other files."""
        return Matrix(np.concatenate([self.vectors, other.vectors]), self.rows + other.rows)

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        return np.fromiter(self.firsts.values(), np.intp, len(self.firsts))

    def best(self, queries: Array) -> Array:
        """For each file, in order, the cosine of its best row to the best of the queries (m, d)."""
        if not len(self.vectors):
            return np.zeros(0, np.float32)
        # a row that is no number compares as the least
        best = np.nan_to_num((self.vectors @ queries.T).max(axis=1), nan=-1.0)
        return best if len(self._starts) == len(best) else np.maximum.reduceat(best, self._starts)


def matrix_of(files: Mapping[str, Sequence[Row]], dimension: int) -> Matrix:
    """A matrix in memory of the given rows of each file; a file without any has no place in it."""
    vectors = [vector for rows in files.values() for _, vector in rows]
    named = [bytes.fromhex(etag) + key for etag, rows in files.items() for key, _ in rows]
    return Matrix(np.array(vectors, FLOAT).reshape(len(vectors), dimension), b"".join(named))


def load(root: Path, digest: str, dimension: int) -> Matrix | None:
    """The current generation; None when there is none, another model made it, or it is damaged."""
    for _ in range(ATTEMPTS):
        pointer = read_pointer(root)
        try:
            return _open(root, pointer, digest, dimension) if pointer else None
        except UNUSABLE:
            # a writer may have replaced and removed it meanwhile: then there is a newer one
            if read_pointer(root) == pointer:
                return None
    return None


def publish(root: Path, matrix: Matrix, digest: str) -> str:
    """Write a generation, make it the current one and return the pointer to it; the caller holds the lock.

    Raises ReadOnlyError or DiskError.
    """
    before = read_pointer(root).partition(" ")[0]
    folder = disk.make_folder(root / secrets.token_hex(8))
    disk.write(folder / VECTORS, _npy(matrix.vectors))
    rows = disk.write(folder / ROWS, matrix.rows)
    stamp = Stamp(format=FORMAT, model=digest, shape=list(matrix.vectors.shape), rows=rows)
    etag = disk.write(folder / STAMP, json.dumps(stamp).encode())
    pointer = f"{folder.name} {etag}"
    disk.write(root / POINTER, pointer.encode("ascii"))
    clean(root, keep={folder.name, before})
    return pointer


def _open(root: Path, pointer: str, digest: str, dimension: int) -> Matrix:
    """Raises one of `UNUSABLE` when a file is not what was published."""
    stamp, rows = read_rows(root, pointer, digest)
    count = stamp["shape"][0]
    file = root / pointer.partition(" ")[0] / VECTORS
    vectors = np.load(file, mmap_mode="r" if count else None, allow_pickle=False)
    _check(vectors, file, (count, dimension))
    return Matrix(vectors, rows)


def _check(vectors: Array, file: Path, shape: tuple[int, int]) -> None:
    """Raises ValueError for another shape, type, order or size than was published, and for rows that are no unit."""
    if vectors.dtype != FLOAT or vectors.shape != shape or not vectors.flags.c_contiguous:
        raise ValueError("the vectors have another shape, type or order")
    offset = vectors.offset if isinstance(vectors, np.memmap) else file.stat().st_size
    if file.stat().st_size != offset + vectors.nbytes:
        raise ValueError("the file of vectors has another size")
    lengths = np.einsum("ij,ij->i", vectors, vectors)
    if not np.all(np.abs(lengths - 1) < LENGTH_ERROR):
        raise ValueError("a vector is damaged")


def _npy(array: Array) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    return buffer.getvalue()
