"""Faults of a disk on demand: the n-th operation that would change something fails, or the process dies there.

An audit hook sees every such operation (open for writing, rename, link, remove, make a folder) just before it is
done, whoever asks for it. Once installed it stays; outside of `fault` it does nothing.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CHANGES: Final = frozenset({"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"})
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Killed(BaseException):
    """The process is dead: nothing after this changes the disk, no clean-up either."""


@dataclass
class Fault:
    """What happens at which operation below `root`; `seen` lists those that came by."""

    root: str
    at: int
    error: Callable[[], BaseException]
    once: bool
    seen: list[str] = field(default_factory=list)

    def meet(self, event: str, args: tuple[object, ...]) -> None:
        """Called by the hook: raises when it is time."""
        path = args[0]
        if not isinstance(path, str | os.PathLike) or not os.fspath(path).startswith(self.root):
            return
        if event == "open" and not (isinstance(args[2], int) and args[2] & WRITING):
            return
        if os.fspath(path).endswith(("/lock", "-journal")):
            return
        self.seen.append(f"{event} {os.fspath(path)[len(self.root) + 1 :]}")
        number = len(self.seen)
        if number == self.at or (number > self.at and not self.once):
            raise self.error()


_active: list[Fault] = []
_installed: list[bool] = []


def _hook(event: str, args: tuple[object, ...]) -> None:
    if _active and (event == "open" or event in CHANGES):
        _active[-1].meet(event, args)


@contextlib.contextmanager
def fault(root: Path, at: int, error: Callable[[], BaseException] = Killed, *, once: bool = False) -> Iterator[Fault]:
    """Let the `at`-th change below `root` (from 1) and, without `once`, all after it raise `error()`."""
    if not _installed:
        sys.addaudithook(_hook)
        _installed.append(True)
    _active.append(Fault(str(root), at, error, once))
    try:
        yield _active[-1]
    finally:
        _active.pop()


def die_at(root: Path, at: int) -> None:
    """For a process of its own: kill it, without any clean-up, at the `at`-th change below `root`."""

    def die() -> BaseException:
        os._exit(137)

    sys.addaudithook(_hook)
    _active.append(Fault(str(root), at, die, once=True))
