"""What a watcher says of itself while it lives, for `status`, `doctor` and whoever wants to stop it.

The file means nothing by itself: a watcher is alive when its process is, and well when its last word is not old.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.store.own import make_own

if TYPE_CHECKING:
    from mdmem.store.reader import Reader

FILE_NAME: Final = "watcher.json"
BEAT_SECONDS: Final = 30.0
"""A watcher speaks at least so often."""
HUNG_SECONDS: Final = 3 * BEAT_SECONDS
_SECOND: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """One word of a watcher; moments are in ns since 1970, 0 for never, `lag_ms` from an event to the end of its sweep.

    `process` tells the process apart from a later one of the same `pid`. `kind` is how it watches, `reason` why not
    better. `socket` is where it answers, '' when it does not.
    """

    pid: int
    process: str
    stamp: str
    kind: str
    reason: str
    socket: str
    beat_at: int
    event_at: int = 0
    sweep_at: int = 0
    lag_ms: int = 0
    memories: int = 0
    answers: int = 0

    @property
    def is_alive(self) -> bool:
        """Whether the process that wrote it still runs."""
        return lives(self.pid, self.process)

    def age(self, moment_ns: int) -> float:
        """Seconds since a moment."""
        return max(0.0, (disk.clock_ns() - moment_ns) / _SECOND)

    @property
    def is_hung(self) -> bool:
        """Whether the process runs and has not said anything for too long."""
        return self.is_alive and self.age(self.beat_at) > HUNG_SECONDS

    def as_json(self) -> dict[str, object]:
        """The shape of `watch --status --json`; ages in seconds, null for never."""
        return {
            "alive": self.is_alive,
            "hung": self.is_hung,
            "pid": self.pid,
            "version": self.stamp.partition(" ")[0],
            "kind": self.kind,
            "reason": self.reason or None,
            "socket": self.socket or None,
            "heartbeat_age": round(self.age(self.beat_at), 1),
            "event_age": round(self.age(self.event_at), 1) if self.event_at else None,
            "sweep_age": round(self.age(self.sweep_at), 1) if self.sweep_at else None,
            "lag_ms": self.lag_ms,
            "memories": self.memories,
            "answers": self.answers,
        }

    def __str__(self) -> str:
        if not self.is_alive:
            return "not running"
        if self.is_hung:
            return f"pid {self.pid} has said nothing for {self.age(self.beat_at):.0f} s: mdmem watch --stop"
        event = f"last event {self.age(self.event_at):.0f} s ago" if self.event_at else "no event yet"
        swept = f"last sweep {self.age(self.sweep_at):.0f} s ago" if self.sweep_at else "no sweep yet"
        how = f"polling, because {self.reason}" if self.reason else self.kind
        return f"alive (pid {self.pid}, {how}); {event}, {swept}, lag {self.lag_ms} ms"


def read_heartbeat(store: Reader) -> Heartbeat | None:
    """The last word of the store's watcher; None when there is none, it can't be read, or a copy brought it along."""
    with suppress(ValueError, TypeError, MdmemError):
        found = json.loads(disk.read_if_exists(store.state_folder / FILE_NAME) or b"null")
        if isinstance(found, dict) and found.get("store") == _place(store):
            known = Heartbeat(**{field.name: found[field.name] for field in fields(Heartbeat) if field.name in found})
            return known if all(isinstance(getattr(known, name), int) for name in _NUMBERS) else None
    return None


def write_heartbeat(store: Reader, heartbeat: Heartbeat) -> bool:
    """Put down a watcher's word, also where the folder for it was deleted; whether that could be done."""
    with suppress(MdmemError):
        word = asdict(heartbeat) | {"store": _place(store)}
        disk.write(make_own(store.state_folder) / FILE_NAME, json.dumps(word).encode())
        return True
    return False


def lives(pid: int, mark: str) -> bool:
    """Whether the process of that id and `process_mark` still runs."""
    return pid > 0 and _runs(pid) and process_mark(pid) == mark


def process_mark(pid: int) -> str:
    """What tells a process from another one that gets the same id later: the boot and when in it it began.

    '' where the system does not say, and for one that has ended and only waits to be reaped.
    """
    with suppress(OSError, IndexError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return f"{boot} {stat[19]}" if stat[0] not in {"Z", "X"} else ""
    return ""


_NUMBERS: Final = ("pid", "beat_at", "event_at", "sweep_at", "lag_ms", "memories", "answers")


def _place(store: Reader) -> str:
    return os.path.realpath(store.root)


def _runs(pid: int) -> bool:
    if os.name == "nt":  # there is no watcher, and signal 0 would end a process
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True
