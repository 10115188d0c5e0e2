"""inotify, spoken to directly: the one watcher that can also prove that *nothing* was touched.

The kernel queues an event before the call that caused it returns. So whoever empties the queue and finds nothing knows
that no file below the folder was changed before that moment, and need not look at the files. This holds on file systems
of this machine alone (another machine's writes to a network file system queue nothing here), while every folder is
watched, and for files that have no second name elsewhere. Where it does not hold, `mark` answers None. What can't be
known this way (a second name that was made since) is found by `doubt`, which the watcher does every minute.

Why not through watchdog, which is used on other systems? It holds events back for up to half a second to pair the two
halves of a move, and forgets what it holds when the kernel's queue overflows: it wakes, but it can't prove. It also
asks for `opened` events, which our own reading raises.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import stat
import struct
import time
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.store.scan import OWN_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

CREATE: Final = 0x100
MOVED_TO: Final = 0x80
MASK: Final = 0x2 | 0x4 | 0x8 | 0x40 | MOVED_TO | CREATE | 0x200 | 0x400 | 0x800
"""MODIFY, ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE, DELETE_SELF, MOVE_SELF: no event of reading."""
ONLY_FOLDERS: Final = 0x0100_0000
IS_FOLDER: Final = 0x4000_0000
OF_ITSELF: Final = 0x400 | 0x800 | 0x2000 | 0x8000
"""DELETE_SELF, MOVE_SELF, UNMOUNT, IGNORED: a folder is no longer watched, or not where it was."""
OVERFLOW: Final = 0x4000
HEAD: Final = struct.Struct("iIII")
BUFFER: Final = 1 << 18
ATTEMPTS: Final = 5
TOUCHED_MOST: Final = 256
"""So many paths are remembered; where more were touched, all files are looked at."""
LOCAL: Final = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "tmpfs", "overlay"})
"""File systems that only this machine writes to."""
_OWN: Final = os.fsencode(OWN_FOLDER)


class Event(NamedTuple):
    """One event: `watch` tells the folder, `name` what in it, b'' for the folder itself."""

    watch: int
    mask: int
    name: bytes


class Inotify:
    """Watches a folder and all below it but its own `.mdmem`.

    Raises OSError when the system grants no instance (EMFILE) or no more watches (ENOSPC), or the folder is gone.
    """

    kind: Final = "inotify"
    reason: Final = ""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._handle = _init()
        self._folders: dict[int, bytes] = {}
        self._top = (0, 0)
        self._count = time.monotonic_ns()  # no mark of an earlier observer comes again
        self._is_changed = False
        self._is_whole = False
        self._has_holes = False
        self._is_local = _file_system(root) in LOCAL
        self._twins: set[bytes] = set()
        self._touched: dict[bytes, int] = {}
        self._known_since = self._count
        try:
            self._watch_all()
        except OSError:
            self.close()
            raise

    def fileno(self) -> int:
        """What becomes readable when something was touched."""
        return self._handle

    def has_changed(self) -> bool:
        """Whether anything was touched since the last call. Raises OSError when it can watch no longer."""
        self._drain()
        if not self._is_whole:
            self._watch_all()
        changed, self._is_changed = self._is_changed, False
        return changed

    def mark(self) -> int | None:
        """A number that is another one as soon as anything was touched; None when that can't be known."""
        try:
            self._drain()
            is_there = _identity(self.root) == self._top
        except OSError:
            return None
        is_proof = is_there and self._is_whole and self._is_local and not self._has_holes and not self._twins
        return self._count if is_proof else None

    def touched_since(self, mark: int) -> frozenset[str] | None:
        """The files, relative to the folder, that were touched after it gave a mark and before it gave the last one.

        None when anything else may have been. Removed files and those that came are among them.
        """
        if mark < self._known_since:
            return None
        return frozenset(os.fsdecode(path) for path, count in self._touched.items() if count > mark)

    def doubt(self) -> None:
        """Count everything as touched, and look for what gives no event. Raises OSError like `has_changed`.

        A file may get a second name elsewhere, or be written through memory that somebody has mapped.
        """
        self._count += 1
        self._watch_all()

    def close(self) -> None:
        """Give the instance back."""
        with suppress(OSError):
            os.close(self._handle)

    def _drain(self) -> None:
        """Take all events off the queue; when folders came or went, watch those that there are now."""
        for _ in range(ATTEMPTS):
            events = list(chain.from_iterable(self._read()))
            if not events:
                return
            self._count += 1
            self._is_changed = True
            if not any(self._moves_folders(event) for event in events):
                self._note_touched(events)
                return
            self._watch_all()
        self._is_whole = False  # folders come and go faster than they can be watched

    def _read(self) -> Iterator[list[Event]]:
        while select.select([self._handle], [], [], 0)[0]:
            yield [event for event in _events(os.read(self._handle, BUFFER)) if self._counts(event)]

    def _counts(self, event: Event) -> bool:
        return bool(event.mask & OVERFLOW or (event.watch in self._folders and event.name != _OWN))

    def _moves_folders(self, event: Event) -> bool:
        return bool(event.mask & (IS_FOLDER | OVERFLOW | OF_ITSELF))

    def _watch_all(self) -> None:
        """Watch every folder, each before it is listed: what is made in it afterwards gives an event."""
        self._touched, self._known_since = {}, self._count
        before, self._folders, self._twins = self._folders, {}, set()
        self._is_whole = self._has_holes = False
        self._top = _identity(self.root)
        waiting = [os.fsencode(self.root)]
        while waiting:
            folder = waiting.pop()
            try:
                self._folders[_add(self._handle, folder)] = folder
                waiting.extend(self._listed(folder))
            except OSError as error:
                if folder == os.fsencode(self.root) or error.errno in {errno.ENOSPC, errno.ENOMEM}:
                    raise
                # gone again, which gives an event, or closed to us
                self._has_holes = self._has_holes or error.errno != errno.ENOENT
        self._is_whole = True
        for watch in before.keys() - self._folders.keys():
            _libc().inotify_rm_watch(self._handle, watch)

    def _listed(self, folder: bytes) -> Iterator[bytes]:
        """The folders in a folder. Files with a second name, by which they could be changed unseen, are noted."""
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != _OWN:
                        yield entry.path
                elif _has_twin(entry.path):
                    self._twins.add(entry.path)

    def _note_touched(self, events: list[Event]) -> None:
        """Remember which files these events are about, and which of them have a second name."""
        top = len(os.fsencode(self.root)) + 1
        for event in events:
            if event.name and event.watch in self._folders:
                path = self._folders[event.watch] + b"/" + event.name
                self._touched[path[top:]] = self._count
                (self._twins.add if _has_twin(path) else self._twins.discard)(path)
        if len(self._touched) > TOUCHED_MOST:
            self._touched, self._known_since = {}, self._count


def _events(data: bytes) -> Iterator[Event]:
    at = 0
    while at < len(data):
        watch, mask, _, length = HEAD.unpack_from(data, at)
        at += HEAD.size + length
        yield Event(watch, mask, data[at - length : at].rstrip(b"\0"))


def _has_twin(path: bytes) -> bool:
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return status.st_nlink > 1 and stat.S_ISREG(status.st_mode)


def _identity(root: Path) -> tuple[int, int]:
    status = root.stat()
    return status.st_dev, status.st_ino


def _file_system(folder: Path) -> str:
    """The type of the file system that holds a folder, '' when unknown."""
    where, kind, resolved = "", "", folder.resolve()
    with suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            mount, _, rest = line.partition(" - ")
            point = mount.split()[4]
            if resolved.is_relative_to(point) and len(point) >= len(where):
                where, kind = point, rest.split()[0]
    return kind


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _init() -> int:
    handle: int = _libc().inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if handle < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return handle


def _add(handle: int, folder: bytes) -> int:
    watch: int = _libc().inotify_add_watch(handle, folder, MASK | ONLY_FOLDERS)
    if watch < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return watch
