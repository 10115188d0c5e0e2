"""When the watcher looks: soon after the last event of a burst, not while git is at work, and not never."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mdmem.watch.burst import MOST_SECONDS, QUIET_SECONDS, Burst

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_happened() -> None:
    burst = Burst()
    assert (burst.is_due(1.0), burst.wait_seconds(1.0), burst.end()) == (False, None, None)


def test_a_burst_is_looked_at_once_when_it_is_over() -> None:
    burst = Burst()
    for moment in (1.0, 1.1, 1.25):
        burst.note(moment)
        assert not burst.is_due(moment)
    assert burst.wait_seconds(1.25) == pytest.approx(QUIET_SECONDS)
    assert burst.is_due(1.26 + QUIET_SECONDS)
    assert burst.end() == 1.0
    assert not burst.is_due(99.0)


def test_what_never_ends_is_looked_at_all_the_same() -> None:
    burst = Burst()
    moment = 0.0
    while not burst.is_due(moment):
        burst.note(moment)
        moment += QUIET_SECONDS / 2
    assert MOST_SECONDS <= moment < MOST_SECONDS + 1


def test_git_is_let_finish(tmp_path: Path) -> None:
    burst = Burst(tmp_path)
    (tmp_path / "index.lock").touch()
    burst.note(1.0)
    assert not burst.is_due(2.0)
    assert burst.wait_seconds(2.0)
    assert burst.is_due(1.0 + MOST_SECONDS)
    (tmp_path / "index.lock").unlink()
    assert burst.is_due(2.0)
