"""The SHA-256 of large files, taken once for each version of a file.

What a file hashed to is kept with its size, mtime and inode in the user's cache, so that a model of many megabytes
is not read on every start. The record may be deleted at any moment; then the file is hashed again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import DiskError, MdmemError

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME: Final = "checked.json"
RACY_NS: Final = 1_000_000_000
"""A file written so shortly (in ns) before it was hashed may change again and keep its times: it is not recorded."""

Record = list[int | str]


def fingerprint(file: Path, cache: Path) -> str:
    """SHA-256 of a file, in hex; from the record in the folder `cache` while size, mtime and inode are the same.

    Raises FileNotFoundError, or DiskError when the file can't be read.
    """
    state = file.stat()
    seen: Record = [state.st_size, state.st_mtime_ns, state.st_ino]
    known = _read(cache).get(str(file.absolute()))
    if known and known[:-1] == seen:
        return str(known[-1])
    digest = _sha256(file)
    if disk.clock_ns() - state.st_mtime_ns > RACY_NS:
        # whoever records at the same time may lose this entry, which costs one more hash
        with contextlib.suppress(MdmemError):
            disk.make_folder(cache)
            disk.write(cache / FILE_NAME, json.dumps(_read(cache) | {str(file.absolute()): [*seen, digest]}).encode())
    return digest


def forget(cache: Path) -> None:
    """Have every file hashed anew when it is asked for next. Raises ReadOnlyError or DiskError."""
    disk.remove(cache / FILE_NAME)


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest()
    except OSError as error:
        raise DiskError(file, error.strerror or str(error)) from error


def _read(cache: Path) -> dict[str, Record]:
    try:
        found = json.loads(disk.read_if_exists(cache / FILE_NAME) or b"{}")
    except (ValueError, MdmemError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {path: known for path, known in found.items() if isinstance(known, list) and len(known) == 4}
