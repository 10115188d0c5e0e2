"""An observer for each store that is watched, also while its folder is gone, and after it was made again."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem.watch.observer import Polling, observe, why_not

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from mdmem.watch.observer import Observer

POLL_SECONDS: Final = 5.0
"""How often files are looked at where nothing tells that they changed."""
RETRY_SECONDS: Final = 1.0
"""How often a folder that is gone is looked for."""


@dataclass(slots=True)
class Eye:
    """The observer of one folder, None while the folder is gone; `identity` is the folder's device and inode."""

    root: Path
    observer: Observer | None = None
    identity: tuple[int, int] | None = None
    asked_at: float = 0.0


@dataclass(frozen=True, slots=True)
class EyeMark:
    """The mark of a folder's present observer. Marks of one observer never come again in the next."""

    eye: Eye

    def __call__(self) -> int | None:
        """See `Observer.mark`."""
        return self.eye.observer.mark() if self.eye.observer else None

    def touched_since(self, mark: int) -> frozenset[str] | None:
        """See `Observer.touched_since`."""
        return self.eye.observer.touched_since(mark) if self.eye.observer else None


class Eyes:
    """All folders that are watched, the project's own first."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self._eyes = {root: Eye(root) for root in dict.fromkeys(roots)}
        self.gone_since: float | None = None

    @property
    def first(self) -> Observer | None:
        """The observer of the project's own folder, None while that is gone."""
        return next(iter(self._eyes.values())).observer

    @property
    def wait_seconds(self) -> float | None:
        """How long nothing need be asked; None when all that happens will be told."""
        if any(eye.observer is None for eye in self._eyes.values()):
            return RETRY_SECONDS
        return (
            POLL_SECONDS if any(eye.observer.fileno() is None for eye in self._eyes.values() if eye.observer) else None
        )

    def filenos(self) -> Iterator[int]:
        """What becomes readable when something was touched."""
        for eye in self._eyes.values():
            number = eye.observer.fileno() if eye.observer else None
            if number is not None:
                yield number

    def look(self) -> bool:
        """Whether anything may have been touched since the last look; a folder that came or went was."""
        seen = [_look(eye) for eye in self._eyes.values()]
        if self.first is not None:
            self.gone_since = None
        elif self.gone_since is None:
            self.gone_since = time.monotonic()
        return any(seen)

    def doubt(self) -> None:
        """Trust nothing that was known so far."""
        for eye in self._eyes.values():
            if eye.observer:
                try:
                    eye.observer.doubt()
                except OSError:
                    _shut(eye)

    def mark_of(self, root: Path) -> EyeMark | None:
        """What tells whether a folder was touched; None where it is not watched."""
        eye = self._eyes.get(root)
        return EyeMark(eye) if eye else None

    def close(self) -> None:
        """Stop watching."""
        for eye in self._eyes.values():
            _shut(eye)


def _look(eye: Eye) -> bool:
    identity = _identity(eye.root)
    if identity != eye.identity or eye.observer is None:
        was_there = eye.observer is not None
        _shut(eye)
        eye.identity = identity
        try:
            eye.observer = observe(eye.root) if identity else None
        except OSError:  # gone again
            eye.identity = None
        return was_there or eye.observer is not None
    return _has_changed(eye, eye.observer)


def _has_changed(eye: Eye, observer: Observer) -> bool:
    if observer.fileno() is None:
        now = time.monotonic()
        is_due = now - eye.asked_at >= POLL_SECONDS
        eye.asked_at = now if is_due else eye.asked_at
        return is_due
    try:
        return observer.has_changed()
    except FileNotFoundError:
        _shut(eye)
    except OSError as error:
        _shut(eye)
        eye.observer = Polling(why_not(error))
    return True


def _shut(eye: Eye) -> None:
    if eye.observer:
        eye.observer.close()
    eye.observer = None


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        status = root.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if root.is_dir() else None
