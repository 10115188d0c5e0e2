"""The watcher at work: one refresh a burst, none for nothing, and it is well or says so."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem.git_state import RACY_NS
from mdmem.index.index import Index
from mdmem.store.heartbeat import read_heartbeat
from mdmem.store.store import Store
from mdmem.watch import burst, eyes, service
from mdmem.watch.observer import Polling
from support.machine import git
from support.memories import write_memory
from support.watching import CHANGES, Watched, direct, fill

if TYPE_CHECKING:
    from collections.abc import Iterator

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


@pytest.fixture
def watched(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """A watcher of a store of a few memories, quick to look."""
    monkeypatch.setattr(burst, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(service, "BEAT_SECONDS", 0.5)
    fill(store.root)
    watched = Watched()
    watched.log.clear()
    yield watched
    watched.service.close()


def refreshes(watched: Watched) -> list[str]:
    """What was said of refreshes that found something."""
    return [line for line in watched.log if line.startswith("project: ")]


def is_fresh(root: Path) -> bool:
    """Whether the index on disk is that of the files, without any repair."""
    index = Index(Store(root))
    current = index._current()
    return current is not None and dict(current.documents) == Store(root).etags()


@pytest.mark.parametrize("change", [name for name in CHANGES if name != "the project is replaced"])
def test_a_change_is_indexed_before_anybody_asks(watched: Watched, store: Store, change: str) -> None:
    CHANGES[change][0](store.root)
    watched.until(lambda: is_fresh(store.root) and bool(watched.service.heartbeat.event_at))


def test_a_flood_is_one_refresh(watched: Watched, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burst, "QUIET_SECONDS", 0.3)
    flood(watched, store, 300)


@pytest.mark.slow
def test_a_flood_of_thousands_is_one_refresh(watched: Watched, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burst, "QUIET_SECONDS", 0.3)
    flood(watched, store, 3000)


def flood(watched: Watched, store: Store, count: int) -> None:
    """Switch to a branch with so many other files; the index must end as a cold rebuild would make it."""
    git("checkout", "-q", "other", cwd=store.root)
    for n in range(count):
        write_memory(store.root, f"lesson/m{n}.md", f"Memory {n}", "Of a branch.")
    git("add", "-A", cwd=store.root)
    git("commit", "-q", "-m", "many", cwd=store.root)
    git("checkout", "-q", "main", cwd=store.root)
    watched.until(lambda: is_fresh(store.root))
    watched.log.clear()
    switching = threading.Thread(target=git, args=("checkout", "-q", "other"), kwargs={"cwd": store.root})
    switching.start()
    watched.until(lambda: not switching.is_alive() and is_fresh(store.root))
    assert refreshes(watched) == [f"project: +{count + 1} ~0 -1"]
    index = Index(Store(store.root))
    kept = index._current()
    assert kept is not None
    assert dict(kept.documents) == index.rebuild().etags


def test_nothing_happens_when_nothing_happens(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    watched.until(lambda: watched.service.heartbeat.sweep_at > 0)
    monkeypatch.setattr(service.Service, "_refresh", pytest.fail)
    direct("search", "pool")
    direct("list")
    direct("check")
    for _ in range(3):
        watched.service.turn()


@on_linux
def test_git_is_asked_before_anybody_waits(watched: Watched, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burst, "QUIET_SECONDS", 2 * RACY_NS / 1e9)
    write_memory(store.root, "lesson/new.md", "New")
    watched.until(lambda: is_fresh(store.root))
    expected = direct("brief")
    monkeypatch.setattr("mdmem.git._run", pytest.fail)
    assert watched.answer("brief") == expected
    assert watched.service.heartbeat.answers == 1


def test_its_own_work_wakes_it_once(watched: Watched, store: Store) -> None:
    write_memory(store.root, "lesson/new.md", "New")
    watched.until(lambda: is_fresh(store.root))
    swept = watched.service.heartbeat.sweep_at
    for _ in range(3):
        watched.service.turn()
    assert watched.service.heartbeat.sweep_at == swept


@on_linux
def test_an_idle_watcher_uses_no_cpu(watched: Watched) -> None:
    watched.until(lambda: True)
    began, until = time.process_time(), time.monotonic() + 3
    turns = 0
    while time.monotonic() < until:
        watched.service.turn()
        turns += 1
    assert turns <= 10
    assert time.process_time() - began < 0.5


def test_a_folder_that_is_deleted_and_made_again(
    watched: Watched, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eyes, "RETRY_SECONDS", 0.05)
    shutil.copytree(store.root, store.root.parent / "saved")
    shutil.rmtree(store.root)
    for _ in range(5):
        watched.service.turn()
    assert not store.root.exists()
    (store.root.parent / "saved").rename(store.root)
    write_memory(store.root, "lesson/new.md", "Feed the walrus")
    watched.until(lambda: is_fresh(store.root))
    write_memory(store.root, "lesson/newer.md", "Feed the walrus again")
    watched.until(lambda: is_fresh(store.root))
    assert watched.answer("search", "walrus", "--lexical") == direct("search", "walrus", "--lexical")
    assert watched.service.heartbeat.answers == 1


def test_it_stops_when_its_folder_stays_away(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eyes, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(service, "GONE_SECONDS", 0.2)
    watched = Watched.asleep()
    store.root.rename(store.root.parent / "away")
    watched.service.serve()
    assert watched.log[-2:] == [f"{store.root} is gone", "stopped"]


def test_it_stops_when_mdmem_is_replaced(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched.asleep()
    monkeypatch.setattr(service, "_package_state", lambda: (1, 2))
    watched.service.serve()
    assert watched.log[-2:] == ["mdmem itself was replaced by another version", "stopped"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(store: Store, number: int) -> None:
    watched = Watched.asleep()
    handler = signal.getsignal(number)
    threading.Timer(0.3, os.kill, (os.getpid(), number)).start()
    watched.service.serve()
    assert watched.log[-1] == "stopped"
    assert not Path(watched.service.answers.path).exists()
    assert signal.getsignal(number) == handler


def test_polling_finds_changes_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eyes, "POLL_SECONDS", 0.3)
    monkeypatch.setattr(burst, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(eyes, "observe", lambda _root: Polling("the limit of a test is reached"))
    fill(store.root)
    watched = Watched()
    assert watched.log[-1].startswith(f"watching {store.root} (polling, because the limit of a test is reached)")
    write_memory(store.root, "lesson/new.md", "New")
    watched.until(lambda: is_fresh(store.root))
    assert watched.answer("search", "new", "--lexical") == direct("search", "new", "--lexical")
    watched.service.close()


def test_what_is_wrong_with_the_settings_does_not_end_it(watched: Watched, store: Store, repo: Path) -> None:
    (repo / "mdmem.toml").write_text("[memory]\nenabled = 7\n", encoding="utf-8")
    write_memory(store.root, "lesson/new.md", "New")
    watched.until(lambda: any(line.startswith("error: ") for line in watched.log))
    (repo / "mdmem.toml").unlink()
    write_memory(store.root, "lesson/newer.md", "Newer")
    watched.until(lambda: is_fresh(store.root))


def test_a_bug_on_the_side_does_not_end_it(watched: Watched, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Index, "refresh", lambda _self: {}["a bug"])
        write_memory(store.root, "lesson/new.md", "New")
        watched.until(lambda: any("KeyError: 'a bug'" in line for line in watched.log))
    write_memory(store.root, "lesson/newer.md", "Newer")
    watched.until(lambda: is_fresh(store.root))


def test_the_heartbeat_tells_how_it_is(watched: Watched, store: Store) -> None:
    write_memory(store.root, "lesson/new.md", "New")
    watched.until(lambda: is_fresh(store.root) and bool(watched.service.heartbeat.lag_ms))
    heartbeat = read_heartbeat(store)
    assert heartbeat is not None
    assert heartbeat.is_alive
    assert not heartbeat.is_hung
    assert (heartbeat.pid, heartbeat.memories) == (os.getpid(), 5)
    assert heartbeat.lag_ms >= 50


@on_linux
def test_it_is_found_again_when_all_that_is_derived_was_deleted(watched: Watched, store: Store) -> None:
    watched.until(lambda: True)
    shutil.rmtree(store.root / ".mdmem")
    watched.until(lambda: read_heartbeat(store) is not None and is_fresh(store.root))
    assert watched.answer("brief") == direct("brief")


def test_what_is_new_is_embedded_when_nobody_asks(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MDMEM_EMBEDDING_PATH", "hash")
    monkeypatch.setattr(service, "REST_SECONDS", 0.1)
    fill(store.root)
    for n in range(200):
        write_memory(store.root, f"lesson/m{n}.md", f"Memory {n}", f"Number {n} of many.")
    watched = Watched()
    waiting = json.loads(direct("status", "--json").out)["stores"][0]["index"]["pending_embeddings"]
    assert waiting == 204
    assert watched.answer("search", "walrus").code == 0
    watched.until(lambda: json.loads(direct("status", "--json").out)["stores"][0]["index"]["pending_embeddings"] == 0)
    assert watched.answer("search", "walrus") == direct("search", "walrus")
    watched.service.close()
