"""Every observer tells that something was touched, and none is woken by reading or by our own folder."""

from __future__ import annotations

import errno
import os
import select
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from watchdog.observers import Observer as SystemObserver

from mdmem.markdown.parse import parse
from mdmem.store.table import Table
from mdmem.watch import eyes, inotify
from mdmem.watch.eyes import Eyes
from mdmem.watch.inotify import Inotify
from mdmem.watch.observer import Polling, Watchdog, observe
from support.memories import make_store, write_memory
from support.watching import CHANGES, MEMORIES, fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mdmem.store.store import Store
    from mdmem.watch.observer import Observer

ENOUGH_SECONDS = 5.0
QUIET_SECONDS = 0.8
"""Longer than watchdog holds half a move back."""
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
KINDS = {
    "inotify": pytest.param(Inotify, marks=on_linux, id="inotify"),
    "watchdog": pytest.param(lambda root: Watchdog(root, SystemObserver()), id="watchdog"),
}


@pytest.fixture(params=KINDS.values())
def make(request: pytest.FixtureRequest) -> Callable[[Path], Observer]:
    """What makes an observer of each kind."""
    made: Callable[[Path], Observer] = request.param
    return made


@pytest.fixture
def observer(make: Callable[[Path], Observer], store: Store) -> Iterator[Observer]:
    """An observer of a store of a few memories, in which nothing happens yet."""
    fill(store.root)
    Table(store.root, store.cache_folder, parse).sweep()
    observer = make(store.root)
    yield observer
    observer.close()


def wait(observer: Observer, seconds: float) -> bool:
    """Whether it has something to tell within so many seconds."""
    number = observer.fileno()
    assert number is not None
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if select.select([number], [], [], left)[0] and observer.has_changed():
            return True
    return False


@pytest.mark.parametrize("change", [name for name in CHANGES if "replaced" not in name])
def test_every_change_is_told(observer: Observer, store: Store, change: str) -> None:
    CHANGES[change][0](store.root)
    assert wait(observer, ENOUGH_SECONDS)


def test_reading_is_not(observer: Observer, store: Store) -> None:
    for file in store.root.rglob("*.md"):
        file.read_bytes()
    list(store.root.rglob("*"))
    Table(store.root, store.cache_folder, parse).sweep()
    assert not wait(observer, QUIET_SECONDS)


def test_our_own_folder_is_not_watched(observer: Observer, store: Store) -> None:
    (store.root / ".mdmem/cache/new/deep").mkdir(parents=True)
    (store.root / ".mdmem/cache/new/deep/file").write_text("x", encoding="utf-8")
    (store.root / ".mdmem/state").mkdir(exist_ok=True)
    (store.root / ".mdmem/state/watcher.json").write_text("{}", encoding="utf-8")
    assert not wait(observer, QUIET_SECONDS)


@on_linux
def test_a_mark_stays_until_something_is_touched(store: Store) -> None:
    fill(store.root)
    observer = Inotify(store.root)
    first = observer.mark()
    assert first is not None
    assert observer.mark() == first
    write_memory(store.root, "lesson/new.md", "New")
    second = observer.mark()
    assert second not in (None, first)
    assert observer.has_changed()
    assert observer.mark() == second
    observer.close()


@on_linux
def test_it_knows_which_files_were_touched(store: Store) -> None:
    fill(store.root)
    observer = Inotify(store.root)
    first = observer.mark()
    assert first is not None
    assert observer.touched_since(first) == frozenset()
    write_memory(store.root, "lesson/new.md", "New")
    second = observer.mark()
    (store.root / "lesson/old.md").unlink()
    assert observer.mark() not in (None, second)
    assert second is not None
    assert observer.touched_since(second) == {"lesson/old.md"}
    assert observer.touched_since(first) == {"lesson/new.md", "lesson/old.md"}
    observer.close()


@on_linux
@pytest.mark.parametrize("change", ["a folder is made", "a folder is renamed", "too many files are", "somebody doubts"])
def test_it_says_so_when_more_may_have_been_touched(store: Store, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    monkeypatch.setattr(inotify, "TOUCHED_MOST", 3)
    fill(store.root)
    observer = Inotify(store.root)
    before = observer.mark()
    assert before is not None
    if change == "a folder is made":
        (store.root / "lesson/deep").mkdir()
    elif change == "a folder is renamed":
        (store.root / "lesson").rename(store.root / "lessons")
    elif change == "too many files are":
        for n in range(4):
            write_memory(store.root, f"lesson/m{n}.md", "New")
    else:
        observer.doubt()
    assert observer.mark() not in (None, before)
    assert observer.touched_since(before) is None
    after = observer.mark()
    assert after is not None
    assert observer.touched_since(after) == frozenset()
    observer.close()


@on_linux
def test_a_flood_that_overflows_the_queue_is_noticed(store: Store) -> None:
    fill(store.root)
    observer = Inotify(store.root)
    before = observer.mark()
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text(encoding="ascii"))
    if most > 20_000:
        pytest.skip("the queue is too long to fill")
    first, second = store.root / "lesson/pool.md", store.root / "lesson/clock.md"
    for _ in range(most // 2 + 100):  # like events in turn, so that none is merged with the one before
        os.utime(first)
        os.utime(second)
    write_memory(store.root, "lesson/lost/new.md", "This event found no room")
    after = observer.mark()
    assert after not in (None, before)
    assert before is not None
    assert observer.touched_since(before) is None
    write_memory(store.root, "lesson/lost/more.md", "Its folder is watched all the same")
    assert observer.mark() not in (None, after)
    observer.close()


@on_linux
def test_what_was_moved_out_is_no_longer_watched(store: Store) -> None:
    fill(store.root)
    observer = Inotify(store.root)
    (store.root / "lesson").rename(store.root.parent / "elsewhere")
    mark = observer.mark()
    write_memory(store.root.parent / "elsewhere", "new.md", "New")
    assert observer.mark() == mark
    observer.close()


@on_linux
@pytest.mark.parametrize(
    ("number", "limit"), [(errno.EMFILE, "max_user_instances"), (errno.ENOSPC, "max_user_watches")]
)
def test_where_the_system_refuses_it_polls_and_says_why(
    store: Store, monkeypatch: pytest.MonkeyPatch, number: int, limit: str
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(inotify, "_init" if number == errno.EMFILE else "_add", refuse)
    observer = observe(store.root)
    assert observer.kind == "polling"
    assert limit in observer.reason
    assert observer.mark() is None


@on_linux
def test_a_limit_that_is_hit_later_ends_in_polling(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(eyes, "POLL_SECONDS", 0.0)
    watched = Eyes([store.root])
    watched.look()
    monkeypatch.setattr(inotify, "_add", refuse)
    write_memory(store.root, "lesson/folder/new.md", "New")
    assert watched.look()
    assert isinstance(watched.first, Polling)
    assert watched.look()
    mark = watched.mark_of(store.root)
    assert mark is not None
    assert mark() is None
    watched.close()


def test_polling_looks_now_and_then(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eyes, "observe", lambda _root: Polling("of a test"))
    watched = Eyes([store.root])
    assert watched.look()
    assert [watched.look(), watched.look()] == [True, False]
    assert watched.wait_seconds == eyes.POLL_SECONDS
    assert list(watched.filenos()) == []


def test_a_folder_that_goes_and_comes_back(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    make_store(root, MEMORIES)
    watched = Eyes([root])
    assert watched.look()
    root.rename(tmp_path / "away")
    assert watched.look()
    assert (watched.first, watched.wait_seconds) == (None, eyes.RETRY_SECONDS)
    assert watched.gone_since is not None
    assert not watched.look()
    make_store(root, MEMORIES)
    assert watched.look()
    assert watched.gone_since is None
    write_memory(root, "lesson/new.md", "New")
    assert watched.first is not None
    assert wait(watched.first, ENOUGH_SECONDS)
    watched.close()
