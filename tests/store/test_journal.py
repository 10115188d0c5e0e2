"""What was done is said before it is done, and what stood there before is kept 30 days."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from mdmem import disk
from mdmem.errors import ConflictError, UnreadableError
from mdmem.store.journal import Action, Change, carry_out, empty_trash, kept_bytes, read_log
from support.memories import NOW

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = b"old\n", b"new\n"


def do(root: Path, *actions: Action, days: int = 0) -> None:
    carry_out(root, root / ".state", actions, what="test", caller="user", now=NOW + timedelta(days=days))


def test_a_step_is_logged_and_what_it_replaced_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(OLD)
    do(tmp_path, Action("a.md", NEW, disk.etag(OLD)), Action("x/b.md", NEW, None))
    (entry,) = read_log(tmp_path / ".state")
    assert entry.changes == (Change("a.md", disk.etag(OLD), disk.etag(NEW)), Change("x/b.md", None, disk.etag(NEW)))
    assert (entry.what, entry.caller, entry.at) == ("test", "user", NOW.isoformat())
    assert kept_bytes(tmp_path / ".state", disk.etag(OLD)) == OLD
    do(tmp_path, Action("x/b.md", None, disk.etag(NEW)))
    assert not (tmp_path / "x").exists()
    assert kept_bytes(tmp_path / ".state", disk.etag(NEW)) == NEW


@pytest.mark.parametrize("expect", [None, "0" * 64])
def test_nothing_is_done_when_one_file_is_another(tmp_path: Path, expect: str | None) -> None:
    (tmp_path / "a.md").write_bytes(OLD)
    (tmp_path / "b.md").write_bytes(OLD)
    with pytest.raises(ConflictError):
        do(tmp_path, Action("a.md", None, disk.etag(OLD)), Action("b.md", NEW, expect))
    assert (tmp_path / "a.md").read_bytes() == (tmp_path / "b.md").read_bytes() == OLD
    assert read_log(tmp_path / ".state") == ()


def test_a_removal_of_what_is_gone_is_a_conflict(tmp_path: Path) -> None:
    with pytest.raises(ConflictError):
        do(tmp_path, Action("a.md", None, disk.etag(OLD)))


@pytest.mark.parametrize("path", ["../a.md", "/tmp/a.md", "link/a.md"])
def test_nothing_is_done_outside_of_the_store(tmp_path: Path, path: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(UnreadableError):
        do(tmp_path, Action(path, NEW, None))


def test_torn_and_strange_lines_are_passed_over(tmp_path: Path) -> None:
    do(tmp_path, Action("line\u2028end.md", NEW, None))
    log = tmp_path / ".state/log.jsonl"
    for line in ('{"at": 1, "what": 2, "caller": 3, "changes": []}', "[]", "{", "[" * 9999, '{"changes": [[1, 2, 3]]}'):
        disk.append(log, line)
    log.write_bytes(log.read_bytes() + b'{"torn": \xff')
    do(tmp_path, Action("b.md", NEW, None))
    assert [entry.changes[0].path for entry in read_log(tmp_path / ".state")] == ["line\u2028end.md", "b.md"]


def test_the_trash_keeps_thirty_days_from_the_last_use(tmp_path: Path) -> None:
    state = tmp_path / ".state"
    (tmp_path / "a.md").write_bytes(OLD)
    do(tmp_path, Action("a.md", NEW, disk.etag(OLD)))
    do(tmp_path, Action("a.md", OLD, disk.etag(NEW)), days=25)
    do(tmp_path, Action("a.md", NEW, disk.etag(OLD)), days=27)
    for file in (state / "trash").iterdir():
        os.utime(file, (NOW.timestamp(), NOW.timestamp()))
    assert empty_trash(state, NOW + timedelta(days=29)) == 0
    assert empty_trash(state, NOW + timedelta(days=56)) == 1  # the newer text was last replaced on day 25
    assert kept_bytes(state, disk.etag(OLD)) == OLD
    assert empty_trash(state, NOW + timedelta(days=58)) == 1
    assert empty_trash(tmp_path / "none", NOW) == 0


def test_a_lost_log_empties_no_trash(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(OLD)
    do(tmp_path, Action("a.md", NEW, disk.etag(OLD)))
    (tmp_path / ".state/log.jsonl").unlink()
    kept = tmp_path / ".state/trash" / disk.etag(OLD)
    os.utime(kept, (NOW.timestamp(), NOW.timestamp()))
    assert empty_trash(tmp_path / ".state", NOW + timedelta(days=29)) == 0
