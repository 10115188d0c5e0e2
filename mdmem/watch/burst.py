"""When to look: once a burst of events is over, but not never."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

QUIET_SECONDS: Final = 0.2
"""A burst is over when nothing has happened for so long."""
MOST_SECONDS: Final = 10.0
"""A burst that does not end is looked at all the same."""
GIT_SECONDS: Final = 0.05
"""How soon to ask again whether git is done."""


class Burst:
    """The events since the last look. `git_folder` holds `index.lock` while git switches branches."""

    def __init__(self, git_folder: Path | None = None) -> None:
        self._lock = git_folder / "index.lock" if git_folder else None
        self._first: float | None = None
        self._last = 0.0

    @property
    def is_pending(self) -> bool:
        """Whether anything happened that was not looked at."""
        return self._first is not None

    def note(self, now: float) -> None:
        """Something happened; `now` in seconds of a clock that never goes back."""
        self._first = now if self._first is None else self._first
        self._last = now

    def is_due(self, now: float) -> bool:
        """Whether it is time to look."""
        if self._first is None:
            return False
        if now - self._first >= MOST_SECONDS:
            return True
        return now - self._last >= QUIET_SECONDS and not self._is_git_busy()

    def wait_seconds(self, now: float) -> float | None:
        """How long until it may be time; None when nothing happened."""
        if self._first is None:
            return None
        rest = min(self._last + QUIET_SECONDS, self._first + MOST_SECONDS) - now
        return max(rest, GIT_SECONDS if rest <= 0 else 0.0)

    def end(self) -> float | None:
        """All that happened so far is looked at now; when it began, None when nothing had happened."""
        first, self._first = self._first, None
        return first

    def _is_git_busy(self) -> bool:
        return self._lock is not None and self._lock.exists()
