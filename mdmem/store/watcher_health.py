"""`doctor` on the watcher: is it well, is its socket the user's alone, does the system let it watch."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem import wire
from mdmem.store.health import Check
from mdmem.store.heartbeat import HUNG_SECONDS, read_heartbeat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.store.heartbeat import Heartbeat
    from mdmem.store.reader import Reader

INOTIFY: Final = Path("/proc/sys/fs/inotify")
LIMITS: Final = {"max_user_watches": 8192, "max_user_instances": 128}
"""What Linux grants at least by default; less is soon used up by editors."""
AGAIN: Final = "mdmem watch --stop, then mdmem watch --daemon"


def watcher_checks(store: Reader) -> Iterator[Check]:
    """Every check of the store's watcher; one that is not at work is fine."""
    heartbeat = read_heartbeat(store)
    if heartbeat is None or not heartbeat.is_alive:
        yield Check("watcher", is_good=True, found="not running: commands look at the files themselves")
    else:
        yield from _heartbeat_checks(heartbeat)
    yield from _limit_checks()


def _heartbeat_checks(heartbeat: Heartbeat) -> Iterator[Check]:
    late = heartbeat.age(heartbeat.sweep_at) > HUNG_SECONDS
    yield Check("watcher", not (heartbeat.is_hung or late), str(heartbeat), AGAIN)
    limit = heartbeat.reason.partition("fs.inotify.")[2].partition(" ")[0]
    fix = f"sudo sysctl fs.inotify.{limit}={4 * LIMITS[limit]}, then {AGAIN}" if limit in LIMITS else AGAIN
    yield Check("watcher: events", not heartbeat.reason, heartbeat.reason or f"by {heartbeat.kind}", fix)
    if heartbeat.socket:
        folder, mode = os.path.dirname(heartbeat.socket), _mode(heartbeat.socket)  # noqa: PTH120 - as wire has it
        good = wire.is_private(folder) and mode == 0o600
        found = "missing" if mode is None else f"{heartbeat.socket}, mode {mode:o}"
        yield Check("watcher: socket", good, found, f"chmod 700 {folder}, then {AGAIN}")


def _limit_checks() -> Iterator[Check]:
    for name, least in LIMITS.items():
        with suppress(OSError, ValueError):
            value = int((INOTIFY / name).read_text(encoding="ascii"))
            fix = f"sudo sysctl fs.inotify.{name}={4 * least}"
            yield Check(f"inotify: {name}", value >= least, str(value), fix)


def _mode(path: str) -> int | None:
    try:
        return Path(path).lstat().st_mode & 0o777
    except OSError:
        return None
