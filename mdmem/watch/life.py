"""Starting a watcher, here or in the background, and stopping it: never two of a user for one store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from mdmem import __version__, disk, wire
from mdmem.config import log_folder, user_state_folder
from mdmem.errors import LockedError, MdmemError
from mdmem.store.heartbeat import read_heartbeat
from mdmem.store.kept import Kept
from mdmem.watch.service import Service

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mdmem.store.heartbeat import Heartbeat
    from mdmem.store.store import Store
    from mdmem.watch.service import Commands

LOG_MOST: Final = 1 << 18
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 5.0
STEP_SECONDS: Final = 0.02


def watch(commands: Commands, say: Callable[[str], None]) -> None:
    """Watch until stopped. Raises MdmemError when another watcher is at work, NoStoreError, ReadOnlyError."""
    store = commands.open_project(Kept()).store
    seen = running(store)
    if seen and seen.stamp != wire.stamp(__version__):
        say(f"stopping the watcher of another mdmem (pid {seen.pid})")
        stop(store)
    log = log_file(store)

    def note(line: str) -> None:
        say(line)
        _log(log, line)

    try:
        with disk.lock(_lock_file(store), timeout=0.0):
            Service(commands, note).serve()
    except LockedError as error:
        raise MdmemError(
            f"another watcher of {store.root} is at work", "see `mdmem watch --status`, or stop it with --stop"
        ) from error


def start(store: Store, options: Sequence[str]) -> Heartbeat:
    """Start a watcher in the background, with these global options, and wait for its first word.

    One that is at work already is left alone. Raises MdmemError when it does not come up.
    """
    if seen := _ours(store):
        return seen
    child = subprocess.Popen(
        [sys.executable, "-m", "mdmem", *options, "watch"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        close_fds=True, start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and (child.poll() is None or _is_held(store)):
        if seen := _ours(store):
            child.returncode = child.returncode or 0  # it is on its own from here: nobody is to wait for it
            return seen
        time.sleep(STEP_SECONDS)
    raise MdmemError("the watcher did not start", f"run `mdmem watch` to see why, or read {log_file(store)}")


def stop(store: Store) -> Heartbeat | None:
    """Stop the store's watcher; its last word, None when none was at work. Raises MdmemError when it can't be."""
    heartbeat = running(store)
    if heartbeat is None:
        return None
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(heartbeat.pid, number)
        except ProcessLookupError:
            return heartbeat
        except PermissionError as error:
            raise MdmemError(f"pid {heartbeat.pid} belongs to somebody else", "ask them to stop it") from error
        if _ends(heartbeat):
            break
    return heartbeat


def running(store: Store) -> Heartbeat | None:
    """The last word of the watcher that is at work."""
    heartbeat = read_heartbeat(store)
    return heartbeat if heartbeat and heartbeat.is_alive else None


def log_file(store: Store) -> Path:
    """Where the store's watcher says what it does."""
    return log_folder() / f"watch-{_key(store)}.log"


def _log(file: Path, line: str) -> None:
    with suppress(MdmemError):  # a watcher that can't say what it does goes on all the same
        disk.append(file, f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} [{os.getpid()}] {line}")
        disk.keep_end(file, LOG_MOST)


def _lock_file(store: Store) -> Path:
    """Outside of the store, which may be deleted and made again while its watcher waits."""
    return user_state_folder() / "watch" / f"{_key(store)}.lock"


def _key(store: Store) -> str:
    return disk.etag(os.fsencode(os.path.realpath(store.root)))[:16]


def _ours(store: Store) -> Heartbeat | None:
    """The last word of a watcher at work that is this very mdmem."""
    heartbeat = running(store)
    return heartbeat if heartbeat and heartbeat.stamp == wire.stamp(__version__) else None


def _is_held(store: Store) -> bool:
    """Whether some process is the store's watcher, or about to be."""
    try:
        with disk.lock(_lock_file(store), timeout=0.0):
            return False
    except LockedError:
        return True


def _ends(heartbeat: Heartbeat) -> bool:
    until = time.monotonic() + STOP_SECONDS
    while time.monotonic() < until:
        if not heartbeat.is_alive:
            return True
        time.sleep(STEP_SECONDS)
    return False
