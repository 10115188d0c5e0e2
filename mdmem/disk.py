"""Files on disk: atomic writes guarded by an etag, one advisory lock, content hashes.

Terminology: an *etag* is the SHA-256 of a file's bytes; whoever writes names the etag it has read. A *content
hash* is taken over the text with LF line ends in NFC, so that it survives a change of either.

This is the only module that opens files for writing. A reader never sees half a file: a write goes to a temporary
file in the same folder, is synced, and is renamed over the target.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem.errors import ConflictError, DiskError, LockedError, MdmemError, ReadError, ReadOnlyError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

ANY: Final = "*"
"""As an expected etag: whatever is there may be replaced."""
TEMP_PREFIX: Final = ".mdmem-"
RAM_FOLDER: Final = Path("/dev/shm")  # noqa: S108 - only a folder that is the user's own is used there
LOCK_SECONDS: Final = 30.0
_READ_ONLY: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_NO_LINKS: Final = frozenset({errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
"""What a file system without hard links answers; whatever else it says about a link is an error."""


def etag(data: bytes) -> str:
    """SHA-256 of the bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def content_hash(text: str) -> str:
    """SHA-256, in hex, of the text with LF line ends in NFC."""
    lf = text.replace("\r\n", "\n").replace("\r", "\n")
    return hashlib.sha256(unicodedata.normalize("NFC", lf).encode("utf-8", "surrogatepass")).hexdigest()


def read(path: Path) -> bytes:
    """The bytes of a regular file.

    Raises FileNotFoundError when it is not there, DiskError when the system can't read it.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ReadError(path, _reason(error)) from error


def read_if_exists(path: Path) -> bytes | None:
    """The bytes of a file, or None when there is none."""
    try:
        return read(path)
    except FileNotFoundError:
        return None


def below(root: Path, path: str) -> Path:
    """The file that a path relative to `root` names, when none of its parts is a symbolic link.

    Raises UnreadableError for a link (it would lead a write out of the folder) and for a path that climbs out.
    """
    file, parts = root, path.split("/")
    if path.startswith("/") or ".." in parts:
        raise UnreadableError(path, 1, "E_PATH", f"leads out of {root}")
    for part in parts:
        file /= part
        if file.is_symlink():
            raise UnreadableError(path, 1, "W_SYMLINK", "a symbolic link, which is not followed", "put the file here")
    return file


def write(path: Path, data: bytes, *, expect: str | None = ANY, durable: bool = True) -> str:
    """Replace `path` by `data` in one step and return the new etag.

    `expect` is the etag that the caller has read, None when the file must not exist yet, ANY when it does not
    matter. What is not `durable` may be damaged after a power failure: only for what is checked when it is read, and
    can be made again. Raises ConflictError when the file is another by now, ReadOnlyError or DiskError when the
    system refuses; in each case the old file is intact and no temporary file is left.
    """
    temp = temp_beside(path)
    try:
        _write_new(temp, data, mode=_mode(path), durable=durable)
        _check(path, expect)
        if expect is None:
            _publish_new(temp, path)
        else:
            temp.replace(path)
        if durable:
            sync_folder(path.parent)
    except OSError as error:
        raise _translated(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temp.unlink(missing_ok=True)
    return etag(data)


def temp_beside(path: Path) -> Path:
    """A new name in the same folder, for what is made aside and then renamed into its place."""
    return path.with_name(f"{TEMP_PREFIX}{os.urandom(6).hex()}.tmp")


def publish(temp: Path, path: Path) -> None:
    """Rename a file that was made aside over `path`. Raises ReadOnlyError or DiskError."""
    try:
        temp.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise _translated(path, error) from error


def append(path: Path, line: str) -> None:
    """Add one whole line to a log file (made with its folder when missing).

    A torn line that a crash left before it is ended first, so that it never swallows the new one.
    Raises ReadOnlyError or DiskError.
    """
    data = (line.rstrip("\n") + "\n").encode("utf-8")
    try:
        make_folder(path.parent)
        with path.open("a+b", buffering=0) as log:
            if log.seek(0, os.SEEK_END) and (log.seek(-1, os.SEEK_END), log.read(1))[1] != b"\n":
                data = b"\n" + data
            while data:  # a disk that is nearly full takes a part, and refuses the rest
                data = data[log.write(data) :]
            os.fsync(log.fileno())
    except OSError as error:
        raise _translated(path, error) from error


def remove(path: Path, *, expect: str = ANY) -> None:
    """Delete a file, only if it still is the version of etag `expect`.

    Raises ConflictError, ReadOnlyError or DiskError; a file that is gone already is no error.
    """
    try:
        if expect is not ANY and path.exists():
            _check(path, expect)
        path.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise _translated(path, error) from error


def move(path: Path, target: Path) -> None:
    """Rename a file within one file system, never over another one.

    Raises ConflictError when `target` exists, ReadOnlyError or DiskError.
    """
    try:
        make_folder(target.parent)
        if target.exists() and not (path.exists() and path.samefile(target)):
            raise ConflictError(target)
        path.rename(target)
        sync_folder(target.parent)
        sync_folder(path.parent)
    except OSError as error:
        raise _translated(path, error) from error


def make_folder(path: Path, *, durable: bool = True) -> Path:
    """Make a folder and its parents; one that is there is fine. Raises ReadOnlyError or DiskError."""
    if path.is_dir():
        return path
    make_folder(path.parent)
    try:
        path.mkdir(exist_ok=True)
        if durable:
            sync_folder(path.parent)
    except OSError as error:
        raise _translated(path, error) from error
    return path


def make_private_folder(path: Path) -> Path:
    """Make a folder that only the user can open. Raises ReadOnlyError, or DiskError when it is somebody else's."""
    make_folder(path.parent)
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        status = path.lstat()
        if status.st_uid == os.getuid() and stat.S_ISDIR(status.st_mode) and status.st_mode & 0o077:
            path.chmod(0o700)
    except OSError as error:
        raise _translated(path, error) from error
    if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode):
        raise DiskError(path, "it belongs to somebody else")
    return path


def make_folder_in_memory(name: str) -> Path | None:
    """An empty folder of the user alone on a file system in memory, in the place of an earlier one of that name.

    None where the system has none that is known of.
    """
    folder = RAM_FOLDER / f"mdmem-{os.getuid() if hasattr(os, 'getuid') else 0}-{name}"
    if not os.access(RAM_FOLDER, os.W_OK):
        return None
    remove_folder(folder)
    with contextlib.suppress(MdmemError):
        return make_private_folder(folder)
    return None


def keep_end(path: Path, most: int) -> None:
    """Cut a log that has grown beyond `most` bytes to its last half, at a line. Raises ReadOnlyError or DiskError."""
    data = read_if_exists(path) or b""
    if len(data) > most:
        write(path, data[-most // 2 :].partition(b"\n")[2])


def open_log(path: Path, most: int) -> FileIO:
    """A log for another process to write to, at its end; cut first as `keep_end` does.

    Raises ReadOnlyError or DiskError.
    """
    try:
        make_folder(path.parent)
        keep_end(path, most)
        return path.open("ab", buffering=0)
    except OSError as error:
        raise _translated(path, error) from error


def link(path: Path, target: Path) -> None:
    """Give a file that never changes a second name; a copy where the file system has no links.

    Raises ReadOnlyError or DiskError.
    """
    try:
        os.link(path, target)
    except OSError:
        write(target, read(path))


def point(path: Path, target: Path) -> None:
    """Make `path` a symbolic link to a file, in a folder of derived data. Raises ReadOnlyError or DiskError."""
    try:
        path.symlink_to(target)
    except OSError as error:
        raise _translated(path, error) from error


def remove_folder(path: Path) -> None:
    """Delete a folder of derived data with all it holds; what can't be deleted stays."""
    shutil.rmtree(path, ignore_errors=True)


def prune_empty(folder: Path, root: Path) -> None:
    """Delete `folder` and its parents below `root` as far as they are empty."""
    while folder != root and root in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def clock_ns() -> int:
    """The system's clock in ns, to be held only against times of files."""
    return time.time_ns()


def sync_folder(path: Path) -> None:
    """Make a rename in the folder durable, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_writable(folder: Path) -> bool:
    """Whether files can be made in the folder (its nearest existing parent when it is not there yet)."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return os.access(folder, os.W_OK)


@contextlib.contextmanager
def lock(path: Path, *, timeout: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the advisory lock of `path`; a lock file that merely exists means nothing.

    `timeout` is in seconds. Raises LockedError after it, ReadOnlyError or DiskError when the lock file can't be made.
    """
    # filelock brings asyncio with it: a command that only reads should not pay for that
    from filelock import FileLock, Timeout

    make_folder(path.parent)
    guard = FileLock(path, timeout=timeout)
    try:
        guard.acquire()
    except Timeout as error:
        raise LockedError(path, timeout) from error
    except OSError as error:
        raise _translated(path, error) from error
    try:
        yield
    finally:
        guard.release()


def remove_old_temps(folder: Path, *, seconds: float = 3600.0) -> None:
    """Delete temporary files that a killed process left in `folder` more than `seconds` ago."""
    with contextlib.suppress(OSError):
        for temp in folder.glob(f"{TEMP_PREFIX}*.tmp"):
            if time.time() - temp.stat().st_mtime > seconds:
                temp.unlink(missing_ok=True)


def _write_new(path: Path, data: bytes, *, mode: int | None, durable: bool) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        if durable:
            os.fsync(file.fileno())
    if mode is not None:
        path.chmod(mode)


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode & 0o7777
    except OSError:
        return None


def _publish_new(temp: Path, path: Path) -> None:
    # a link fails where the name exists, which a rename would replace
    try:
        os.link(temp, path)
    except FileExistsError as error:
        raise ConflictError(path) from error
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        temp.replace(path)  # the check before must do


def _check(path: Path, expect: str | None) -> None:
    if expect is ANY:
        return
    data = read_if_exists(path)
    if (etag(data) if data is not None else None) != expect:
        raise ConflictError(path)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _translated(path: Path, error: OSError) -> MdmemError:
    if error.errno in _READ_ONLY:
        return ReadOnlyError(path)
    return DiskError(path, _reason(error))
