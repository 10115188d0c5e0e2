"""The watcher as a process: started once, found by commands, stopped cleanly, and no trouble when it is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem import disk
from mdmem.store.heartbeat import HUNG_SECONDS, Heartbeat, process_mark, read_heartbeat, write_heartbeat
from mdmem.store.own import make_own
from mdmem.store.store import Store
from mdmem.watch.life import log_file
from support.memories import write_memory
from support.watching import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from support.machine import Answer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no watcher without Unix sockets")


@pytest.fixture
def daemon(store: Store, shell: Callable[..., Answer]) -> Iterator[Heartbeat]:
    """A watcher in the background."""
    fill(store.root)
    started = shell("watch", "--daemon", "--json")
    assert started.code == 0, started.err
    heartbeat = read_heartbeat(store)
    assert heartbeat is not None
    yield heartbeat
    shell("watch", "--stop")


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    for _ in range(500):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("it never came about")


def test_it_answers_reports_and_stops(daemon: Heartbeat, store: Store, shell: Callable[..., Answer]) -> None:
    again = json.loads(shell("watch", "--daemon", "--json").out)
    assert again["pid"] == daemon.pid
    assert (again["alive"], again["hung"]) == (True, False)
    assert "Close the pool" in shell("search", "pool").out
    write_memory(store.root, "lesson/new.md", "Feed the walrus")
    assert "Feed the walrus" in shell("search", "walrus").out
    until(lambda: bool((read_heartbeat(store) or daemon).event_at))
    assert shell("watch", "--status").out.startswith(f"watcher: alive (pid {daemon.pid}, ")
    assert (read_heartbeat(store) or daemon).answers == 2
    foreground = shell("watch")
    assert (foreground.code, "is at work" in foreground.err) == (1, True)
    assert shell("watch", "--stop").err == "stopped\n"
    assert not Path(daemon.socket).exists()
    assert shell("watch", "--status").out == "watcher: not running\n"
    assert shell("watch", "--stop").err == "no watcher was at work\n"
    assert log_file(store).read_text(encoding="utf-8").endswith("stopped\n")


def test_it_lets_go_of_terminal_and_folder(daemon: Heartbeat, repo: Path) -> None:
    proc = Path(f"/proc/{daemon.pid}")
    if not proc.exists():
        pytest.skip("no /proc")
    assert {str((proc / f"fd/{n}").readlink()) for n in range(3)} == {"/dev/null"}
    assert os.getsid(daemon.pid) == daemon.pid
    assert (proc / "cwd").readlink() == Path("/")


def test_kill_9_leaves_nothing_to_mend(daemon: Heartbeat, store: Store, shell: Callable[..., Answer]) -> None:
    os.kill(daemon.pid, signal.SIGKILL)
    until(lambda: not daemon.is_alive)
    assert Path(daemon.socket).exists()
    write_memory(store.root, "lesson/new.md", "Feed the walrus")
    assert "Feed the walrus" in shell("search", "walrus").out
    assert shell("watch", "--status").out == "watcher: not running\n"
    assert shell("watch", "--daemon").code == 0
    heartbeat = read_heartbeat(store)
    assert heartbeat is not None
    assert heartbeat.is_alive
    assert heartbeat.pid != daemon.pid
    assert "Feed the walrus" in shell("search", "walrus").out
    shell("watch", "--status")


def test_a_stopped_one_changes_nothing_but_speed(daemon: Heartbeat, store: Store, shell: Callable[..., Answer]) -> None:
    os.kill(daemon.pid, signal.SIGSTOP)
    try:
        write_memory(store.root, "lesson/new.md", "Feed the walrus")
        assert "Feed the walrus" in shell("search", "walrus").out
        assert "Feed the walrus" in shell("brief").out
    finally:
        os.kill(daemon.pid, signal.SIGCONT)


def test_two_started_at_once_are_one(store: Store, repo: Path) -> None:
    command = [sys.executable, "-m", "mdmem", "watch", "--daemon", "--json"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, cwd=repo) for _ in range(2)]
    pids = {json.loads(process.communicate()[0])["pid"] for process in both}
    try:
        assert len(pids) == 1
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGTERM)


def test_one_of_another_version_makes_way(store: Store, repo: Path, shell: Callable[..., Answer]) -> None:
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    make_own(store.state_folder)
    write_heartbeat(store, Heartbeat(other.pid, process_mark(other.pid), "0.0 /x", "inotify", "", "", disk.clock_ns()))
    assert json.loads(shell("watch", "--daemon", "--json").out)["pid"] != other.pid
    assert other.wait(5) == -signal.SIGTERM
    shell("watch", "--stop")


def test_a_store_that_can_not_be_watched_says_why(repo: Path, shell: Callable[..., Answer]) -> None:
    answer = shell("watch", "--daemon")
    assert (answer.code, "no memory folder" in answer.err) == (1, True)


@pytest.mark.parametrize("kind", ["systemd", "launchd"])
def test_units_name_this_interpreter_and_folder(
    store: Store, repo: Path, shell: Callable[..., Answer], kind: str
) -> None:
    unit = shell("--dir", "memory", "watch", "--print-unit", kind).out
    assert sys.executable in unit
    assert str(repo) in unit
    assert str(store.root) in unit


def test_a_heartbeat_of_a_process_that_is_no_more_is_dead(store: Store) -> None:
    make_own(store.state_folder)
    mine = Heartbeat(os.getpid(), process_mark(os.getpid()), "1 /x", "inotify", "", "", disk.clock_ns())
    write_heartbeat(store, mine)
    assert read_heartbeat(store) == mine
    assert mine.is_alive
    assert not replace(mine, process="another boot 1").is_alive
    silent = replace(mine, beat_at=disk.clock_ns() - int((HUNG_SECONDS + 5) * 1e9))
    assert silent.is_hung
    assert "said nothing for" in str(silent)


def test_a_heartbeat_that_a_copy_brought_along_is_none(store: Store, repo: Path) -> None:
    write_heartbeat(store, Heartbeat(os.getpid(), process_mark(os.getpid()), "1 /x", "inotify", "", "", 0))
    shutil.copytree(repo, repo.with_name("copy"))
    assert read_heartbeat(store) is not None
    assert read_heartbeat(Store(repo.with_name("copy") / "memory")) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": "one"}', '{"pid": 1}'])
def test_a_damaged_heartbeat_is_none(store: Store, text: str) -> None:
    make_own(store.state_folder)
    (store.state_folder / "watcher.json").write_text(text, encoding="utf-8")
    assert read_heartbeat(store) is None
