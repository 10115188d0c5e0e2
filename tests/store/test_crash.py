"""Killed or refused at any operation on the disk: no torn file, nothing lost, and the next command mends the rest."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from mdmem.errors import MdmemError
from mdmem.markdown.parse import parse
from mdmem.store.caller import Caller
from mdmem.store.journal import kept_bytes, read_log
from mdmem.store.store import Store
from support.faults import Killed, fault
from support.memories import NOW, draft, make_store, memory_files

if TYPE_CHECKING:
    from collections.abc import Callable

OLD: Final = {
    "lesson/keep.md": ("Keep the pool small", "Ten is enough."),
    "lesson/change.md": ("Change the timeout", "It is 5 s."),
    "decision/forget.md": ("Forget the cache", "It was slow."),
}


def add(store: Store) -> None:
    store.add(draft("A new lesson", "With a body.", topic="new/one"), caller=Caller.USER, now=NOW)


def replace_topic(store: Store) -> None:
    fresh = draft("Another timeout", "It is 9 s.", topic="db/timeout")
    store.change("lesson/change.md", {"topic": "db/timeout"}, caller=Caller.USER, now=NOW)
    store.add(fresh, caller=Caller.USER, now=NOW)


def change(store: Store) -> None:
    store.change("lesson/change.md", {"confidence": "0.9"}, "It is 7 s.", caller=Caller.USER, now=NOW)


def forget(store: Store) -> None:
    store.forget(["decision/forget.md", "lesson/change.md"], caller=Caller.USER, now=NOW)


def sync(store: Store) -> None:
    store.sync()


COMMANDS: Final = {"add": add, "replace": replace_topic, "set": change, "forget": forget, "sync": sync}


def prepared(root: Path) -> Store:
    """A store whose index is behind: a file was deleted by hand."""
    store = make_store(root, OLD)
    store.sync()
    (root / "lesson/keep.md").unlink()
    return store


def each_fault(
    tmp_path: Path, command: Callable[[Store], None], error: Callable[[], BaseException], *, once: bool
) -> list[Store]:
    """One store for each operation of the command, which failed or died there."""
    stores = []
    while True:
        at = len(stores) + 1
        store = prepared(tmp_path / str(at) / "memory")
        with fault(store.root, at, error, once=once) as met, contextlib.suppress(Killed, MdmemError):
            command(store)
        if len(met.seen) < at:
            return stores
        stores.append(store)


def assert_whole(root: Path) -> None:
    """Every memory file is whole, everything that is missing lies in the trash, and one sync mends the index."""
    state = root / ".mdmem/state"
    for path, text in memory_files(root).items():
        assert parse(text.encode(), path).memory is not None, path
    for path, (title, body) in OLD.items():
        if path in memory_files(root) and body in memory_files(root)[path]:
            continue
        if path == "lesson/keep.md":  # deleted by hand
            continue
        changes = [change for entry in read_log(state) for change in entry.changes if change.path == path]
        kept = [kept_bytes(state, change.before) or b"" for change in changes if change.before]
        assert any(body.encode() in data and title.encode() in data for data in kept), f"{path} is lost"
    store = Store(root)
    store.sync()
    listed = (root / "MEMORY.md").read_text(encoding="utf-8")
    assert all(f"({path})" in listed for path in memory_files(root))
    assert listed.count("\n- [") == len(memory_files(root))
    assert store.sync().written == ()
    assert {one.path for one in store.load()} == set(memory_files(root))


@pytest.mark.parametrize("name", COMMANDS)
def test_killed_anywhere(tmp_path: Path, name: str) -> None:
    stores = each_fault(tmp_path, COMMANDS[name], Killed, once=False)
    assert len(stores) >= 3
    for store in stores:
        assert_whole(store.root)


@pytest.mark.parametrize("name", COMMANDS)
def test_refused_anywhere(tmp_path: Path, name: str) -> None:
    for store in each_fault(tmp_path, COMMANDS[name], lambda: OSError(errno.ENOSPC, "full"), once=True):
        left = [path.name for path in store.root.rglob(".mdmem-*") if "cache" not in path.parts]
        assert len(left) <= 1  # the removal of a temporary file itself may be what was refused
        assert_whole(store.root)


CHILD: Final = """
import sys
from pathlib import Path
from mdmem.store.store import Store
from store import test_crash
from support.faults import die_at
root = Path(sys.argv[1])
die_at(root, int(sys.argv[2]))
test_crash.COMMANDS[sys.argv[3]](Store(root))
"""


def die(root: Path, at: int, name: str) -> int:
    """Run a command in a process of its own that is killed at one operation; its exit code."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
    return subprocess.run([sys.executable, "-c", CHILD, str(root), str(at), name], env=env, check=False).returncode


@pytest.mark.parametrize(("name", "at"), [("add", 3), ("add", 5), ("set", 4), ("forget", 6), ("sync", 2)])
def test_a_process_that_is_killed(tmp_path: Path, name: str, at: int) -> None:
    store = prepared(tmp_path / "memory")
    assert die(store.root, at, name) == 137
    assert_whole(store.root)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_process_that_is_killed_anywhere(tmp_path: Path, name: str) -> None:
    for at in range(1, 60):
        store = prepared(tmp_path / str(at) / "memory")
        if die(store.root, at, name) == 0:
            break
        assert_whole(store.root)
    else:
        pytest.fail("the command never ended")


def test_an_old_temporary_file_means_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path / "memory", OLD)
    temp = store.root / "lesson/.mdmem-0123456789ab.tmp"
    temp.write_text("half a mem")
    assert len(store.load()) == len(OLD)
    os.utime(temp, (1, 1))
    add(store)
    assert not temp.exists()
