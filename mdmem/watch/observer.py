"""What tells the watcher to look again: inotify on Linux, watchdog elsewhere, and where neither can be had the clock.

An observer says that *something* was touched: moves, atomic saves, branch switches and floods of events are all the
same to it. One that can prove it also says which files need to be looked at. What changed comes from the files.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from mdmem.store.scan import OWN_FOLDER
from mdmem.watch.inotify import Inotify

if TYPE_CHECKING or sys.platform != "linux":
    from watchdog.observers import Observer as SystemObserver

if TYPE_CHECKING:
    from pathlib import Path

    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

LIMITS: Final = {
    errno.ENOSPC: "fs.inotify.max_user_watches",
    errno.EMFILE: "fs.inotify.max_user_instances",
}
"""The limit of the kernel that each refusal means."""
IGNORED: Final = frozenset({"opened", "closed_no_write"})
"""What reading raises, our own too."""


class Observer(Protocol):
    """Tells when something below a folder was touched.

    `kind` is inotify, watchdog or polling; `reason` why it is polling, '' when it is not.
    """

    @property
    def kind(self) -> str:
        """Its name."""

    @property
    def reason(self) -> str:
        """Why nothing better could be had."""

    def fileno(self) -> int | None:
        """What becomes readable when something was touched; None when it must be asked now and then."""

    def has_changed(self) -> bool:
        """Whether anything may have been touched since the last call. Raises OSError when it can watch no longer."""

    def mark(self) -> int | None:
        """A number that is another one as soon as anything was touched; None when that can't be proved."""

    def touched_since(self, mark: int) -> frozenset[str] | None:
        """The files below the folder that were touched since it gave a mark; None when anything may have been."""

    def doubt(self) -> None:
        """Count everything as touched. Raises OSError when it can watch no longer."""

    def close(self) -> None:
        """Stop watching."""


class Polling:
    """Watches nothing: it is always time to look."""

    kind: Final = "polling"

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def fileno(self) -> None:
        """Nothing to wait for."""

    def has_changed(self) -> bool:
        """Always: only a look tells."""
        return True

    def mark(self) -> None:
        """Nothing is known."""

    def touched_since(self, mark: int) -> None:
        """Nothing is known."""

    def doubt(self) -> None:
        """Nothing is trusted anyway."""

    def close(self) -> None:
        """Nothing to stop."""


class Watchdog:
    """Watches through watchdog, which knows every system. Raises OSError when the system refuses."""

    kind: Final = "watchdog"
    reason: Final = ""

    def __init__(self, root: Path, observer: BaseObserver) -> None:
        self._own = str(root.resolve() / OWN_FOLDER)
        self._ready, self._tell = os.pipe()
        os.set_blocking(self._ready, False)
        os.set_blocking(self._tell, False)
        self._observer = observer
        self._observer.schedule(self, str(root.resolve()), recursive=True)  # type: ignore[arg-type]
        self._observer.start()

    def dispatch(self, event: FileSystemEvent) -> None:
        """Called by watchdog, in a thread of its own."""
        paths = [os.fsdecode(path) for path in (event.src_path, event.dest_path) if path]
        if event.event_type not in IGNORED and not all(path.startswith(self._own) for path in paths):
            with suppress(BlockingIOError):  # full: it was told already
                os.write(self._tell, b"!")

    def fileno(self) -> int:
        """The end of a pipe that `dispatch` writes to."""
        return self._ready

    def has_changed(self) -> bool:
        """Whether watchdog has told of anything."""
        with suppress(BlockingIOError):
            return bool(os.read(self._ready, 1 << 16))
        return False

    def mark(self) -> None:
        """Events come late, some never: their absence proves nothing."""

    def touched_since(self, mark: int) -> None:
        """It gives no marks."""

    def doubt(self) -> None:
        """Nothing is trusted anyway."""

    def close(self) -> None:
        """Stop its threads."""
        self._observer.stop()
        self._observer.join()
        os.close(self._ready)
        os.close(self._tell)


def observe(root: Path) -> Observer:
    """The best observer that can be had for a folder. Raises FileNotFoundError when there is no such folder."""
    try:
        return Inotify(root) if sys.platform == "linux" else Watchdog(root, SystemObserver())
    except FileNotFoundError:
        raise
    except OSError as error:
        return Polling(why_not(error))


def why_not(error: OSError) -> str:
    """Why files can't be watched, with the limit that was hit where it was one."""
    limit = LIMITS.get(error.errno or 0)
    return f"the limit {limit} is reached" if limit else str(error.strerror or error).lower()
