"""Every problem of a store at once, in one order, trusting no cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mdmem import disk
from mdmem.errors import DiskError
from mdmem.store.check import check, check_paths
from mdmem.store.place import store_of
from support.memories import NOW, make_store, write_memory

if TYPE_CHECKING:
    from pathlib import Path

    from mdmem.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_store(tmp_path / "memory", {"lesson/a.md": ("One", "Text."), "lesson/b.md": ("Two", "Text.")})


def codes(store: Store) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in check(store.root, NOW).problems]


def test_a_store_in_order_has_no_problems(store: Store) -> None:
    store.sync()
    report = check(store.root, NOW)
    assert (report.problems, report.has_errors, report.summary) == ((), False, "2 files, 0 errors, 0 warnings")


def test_what_is_wrong_between_files_is_said_of_each(store: Store) -> None:
    write_memory(store.root, "lesson/a.md", "One", "x", id="same", topic="db")
    write_memory(store.root, "lesson/A.md", "Clash", "x", id="same", topic="db")
    write_memory(store.root, "lesson/b.md", "Two", "x", topic="db", scope="global")
    store.sync()
    assert codes(store) == [(path, code) for path in ("lesson/A.md", "lesson/a.md")
                            for code in ("E_NAME_CLASH", "E_DUP_ID", "E_DUP_TOPIC")]  # fmt: skip


def test_of_many_twins_each_names_a_few(store: Store) -> None:
    for number in range(6):
        write_memory(store.root, f"lesson/{number}.md", f"Twin {number}", "x", id="same")
    store.sync()
    said = {problem.path: problem.message for problem in check(store.root, NOW).problems if problem.code == "E_DUP_ID"}
    assert said["lesson/0.md"] == "the same id as lesson/1.md, lesson/2.md, lesson/3.md and 2 more"
    assert said["lesson/5.md"] == "the same id as lesson/0.md, lesson/1.md, lesson/2.md and 2 more"
    write_memory(store.root, "lesson/4.md", "Twin 4", "x", id="other")
    write_memory(store.root, "lesson/5.md", "Twin 5", "x", id="other too")
    said = {problem.path: problem.message for problem in check(store.root, NOW).problems if problem.code == "E_DUP_ID"}
    assert said["lesson/3.md"] == "the same id as lesson/0.md, lesson/1.md, lesson/2.md"


def test_rings_and_dangling_ends(store: Store) -> None:
    superseded = {"status": "superseded"}
    write_memory(
        store.root, "lesson/a.md", "One", "See [[two]] and [[nobody]].", id="a", superseded_by="b", **superseded
    )
    write_memory(store.root, "lesson/b.md", "Two", "x", id="b", superseded_by="a", **superseded)
    write_memory(store.root, "lesson/c.md", "Three", "x", superseded_by="gone", **superseded)
    store.sync()
    found = codes(store)
    assert found.count(("lesson/a.md", "E_CYCLE")) == found.count(("lesson/b.md", "E_CYCLE")) == 1
    assert ("lesson/a.md", "W_LINK") in found
    assert ("lesson/c.md", "W_LINK") in found


def test_what_depends_on_today(store: Store) -> None:
    write_memory(store.root, "lesson/a.md", "One", "x", created="2026-03-11", expires="2026-03-09")
    write_memory(store.root, "lesson/b.md", "Two", "x", created="2026-03-10", expires="2026-03-10")
    store.sync()
    assert codes(store) == [("lesson/a.md", "W_FUTURE_DATE"), ("lesson/a.md", "W_EXPIRED")]


def test_links_and_odd_names_are_reported_and_not_read(store: Store) -> None:
    store.sync()
    (store.root / "leak.md").symlink_to("/etc/hostname")
    (store.root / "loop").symlink_to(store.root)
    assert codes(store) == [("leak.md", "W_SYMLINK"), ("loop", "W_SYMLINK")]
    (store.root / "MEMORY.md").rename(store.root.parent / "notes.md")
    (store.root / "MEMORY.md").symlink_to(store.root.parent / "notes.md")
    assert ("MEMORY.md", "W_SYMLINK") in codes(store)
    assert ("MEMORY.md", "W_NO_MARKERS") not in codes(store)


def test_a_store_without_memory_md(store: Store) -> None:
    (store.root / "MEMORY.md").unlink()
    assert codes(store) == [("MEMORY.md", "W_NO_MARKERS")]


def test_a_file_that_the_system_cannot_read_is_one_problem(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.sync()
    real = disk.read_if_exists

    def read(path: Path) -> bytes | None:
        if path.name == "a.md":
            raise DiskError(path, "permission denied")
        return real(path)

    monkeypatch.setattr(disk, "read_if_exists", read)
    assert codes(store) == [("lesson/a.md", "E_ACCESS")]


def test_other_bytes_than_those_on_disk(store: Store) -> None:
    store.sync()
    staged = {"lesson/a.md": b"", "lesson/b.md": (store.root / "lesson/b.md").read_bytes()}
    index = (store.root / "MEMORY.md").read_bytes()
    report = check(store.root, NOW, read=(staged | {"MEMORY.md": index}).get)
    assert [(problem.path, problem.code) for problem in report.problems] == [("lesson/a.md", "E_EMPTY")]


def test_the_order_is_always_the_same(store: Store) -> None:
    for name in "cdefgh":
        write_memory(store.root, f"lesson/{name}.md", f"Title {name}")
    messages = [problem.message for problem in check(store.root, NOW).problems if problem.path == "MEMORY.md"]
    assert len(messages) == 8
    assert messages == sorted(messages)


def test_paths_choose_store_and_findings(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = make_store(tmp_path / "other", {"lesson/x.md": ("X", "")})
    monkeypatch.chdir(tmp_path)
    (store.root / "lesson/a.md").write_text("", encoding="utf-8")
    paths = [store.root / "lesson/a.md", other.root]
    found = {(problem.path, problem.code) for problem in check_paths(tmp_path, paths, NOW, iter).problems}
    assert ("memory/lesson/a.md", "E_EMPTY") in found
    assert ("other/lesson/x.md", "W_EMPTY_BODY") in found
    assert not any(path == "memory/MEMORY.md" for path, _ in found)
    assert store_of(store.root / "lesson/a.md") == store.root
    assert store_of(tmp_path) is None
