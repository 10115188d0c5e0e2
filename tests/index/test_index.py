"""The index of a store: fresh before each answer, cheap when nothing changed, never trusted, never in the way."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from mdmem import disk
from mdmem.errors import DiskError, ReadOnlyError
from mdmem.index import fulltext, generation
from mdmem.index.diff import Stats
from mdmem.index.index import Index, View, in_memory
from mdmem.store.store import Store
from support.machine import rewrite
from support.memories import make_store, write_memory

if TYPE_CHECKING:
    from collections.abc import Callable

WEIGHTS = fulltext.Weights(fields=dict.fromkeys(fulltext.FIELDS, 1.0), common=1.0, prefix=0.1, most_words=64)
MEMORIES = {
    "lesson/pool.md": ("Close the pool", "The pool in src/db/pool.py hangs when a worker keeps its connection."),
    "lesson/clock.md": ("Freeze the clock", "Tests that read the clock fail at midnight."),
    "command/seed.md": ("Seed the database", "Run `make seed` after each migration."),
}


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """The index of a store with three memories, not built yet."""
    return Index(make_store(tmp_path / "memory", MEMORIES))


def found(view: View, query: str) -> list[str]:
    """The paths that a query finds, best first."""
    return [match.path for match in fulltext.matches(view.engine, fulltext.terms(query), WEIGHTS, 100)]


def generations(index: Index) -> list[Path]:
    """The folders that lie under the index's root."""
    return sorted(path for path in index.root.iterdir() if path.is_dir())


def current_folder(index: Index) -> Path:
    """The folder of the generation that counts."""
    return index.root / generation.read_pointer(index.root).partition(" ")[0]


def test_the_first_refresh_indexes_all(index: Index) -> None:
    view = index.refresh()
    assert view.stats == Stats(added=3)
    assert found(view, "pool") == ["lesson/pool.md"]


def test_nothing_is_written_when_nothing_changed(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    first = index.refresh()
    monkeypatch.setattr(fulltext, "update", pytest.fail)
    monkeypatch.setattr(disk, "lock", pytest.fail)
    assert index.refresh().generation == first.generation
    again = Index(index.store).refresh()
    assert (again.generation, again.stats) == (first.generation, Stats())


def test_one_changed_file_is_one_memory_indexed(index: Index) -> None:
    index.refresh()
    write_memory(index.store.root, "lesson/clock.md", "Freeze the clock", "Use the fixture named frozen.")
    view = index.refresh()
    assert view.stats == Stats(changed=1)
    assert (found(view, "midnight"), found(view, "fixture")) == ([], ["lesson/clock.md"])


def test_a_moved_file_is_found_under_its_new_path_only(index: Index) -> None:
    index.refresh()
    root = index.store.root
    (root / "lesson/pool.md").rename(root / "command/pool.md")
    view = index.refresh()
    assert view.stats == Stats(added=1, removed=1)
    assert found(view, "pool") == ["command/pool.md"]


def test_deleting_takes_no_memory_with_a_like_name(tmp_path: Path) -> None:
    paths = ["lesson/a.md", "lesson/a-b.md", "lesson/a/b.md", "lesson/A b.md", "a.md"]
    index = Index(make_store(tmp_path / "memory", {path: ("Pool", path) for path in paths}))
    index.refresh()
    (index.store.root / "lesson/a.md").unlink()
    assert sorted(found(index.refresh(), "pool")) == sorted(paths[1:])


def test_an_old_mtime_hides_no_change(index: Index) -> None:
    index.refresh()
    file = write_memory(index.store.root, "lesson/clock.md", "Freeze the clock", "Use the fixture named frozen now.")
    os.utime(file, (0, 0))
    assert found(index.refresh(), "frozen") == ["lesson/clock.md"]


def test_an_unreadable_file_keeps_its_last_good_version(index: Index) -> None:
    index.refresh()
    (index.store.root / "lesson/pool.md").write_text("<<<<<<< ours\n", encoding="utf-8")
    assert found(index.refresh(), "pool") == ["lesson/pool.md"]
    assert found(Index(index.store).refresh(), "pool") == ["lesson/pool.md"]


def test_a_reader_takes_no_lock(index: Index) -> None:
    index.refresh()
    with disk.lock(index.root / "lock"):
        assert found(Index(index.store).refresh(), "pool") == ["lesson/pool.md"]


def test_a_busy_writer_makes_nobody_wait_for_ever(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdmem.index.index.LOCK_SECONDS", 0.05)
    with disk.lock(index.root / "lock"):
        view = index.refresh()
    assert (view.generation, found(view, "pool")) == ("", ["lesson/pool.md"])


def test_a_read_only_store_still_answers(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, timeout: float) -> None:
        raise ReadOnlyError(path)

    monkeypatch.setattr(disk, "lock", refuse)
    view = index.refresh()
    assert (view.generation, found(view, "pool")) == ("", ["lesson/pool.md"])
    assert not index.root.exists()


def test_a_full_disk_still_answers(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    create = fulltext.create

    def refuse(folder: Path | None) -> fulltext.Engine:
        if folder:
            raise ValueError("No space left on device")
        return create(None)

    monkeypatch.setattr(fulltext, "create", refuse)
    view = index.refresh()
    assert (view.generation, found(view, "pool")) == ("", ["lesson/pool.md"])


def test_an_index_that_is_deleted_while_it_is_written_still_answers(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.refresh()
    write_memory(index.store.root, "lesson/new.md", "New", "A walrus.")
    begin = generation.begin

    def begin_late(*args: object, **options: object) -> Path:
        shutil.rmtree(index.root, ignore_errors=True)
        return begin(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(generation, "begin", begin_late)
    assert found(index.refresh(), "walrus") == ["lesson/new.md"]
    monkeypatch.setattr(generation, "begin", begin)
    assert index.refresh().stats.added == 4


def test_a_cache_that_is_no_folder_still_answers(index: Index) -> None:
    index.store.cache_folder.parent.mkdir(parents=True)
    index.store.cache_folder.write_text("", encoding="utf-8")
    assert found(index.refresh(), "pool") == ["lesson/pool.md"]


def test_the_generation_before_stays_for_readers_of_its_name(index: Index) -> None:
    for n in range(4):
        write_memory(index.store.root, "lesson/new.md", f"New {n}")
        index.refresh()
    assert len(generations(index)) == 2
    assert current_folder(index) in generations(index)


def test_what_a_killed_writer_left_is_cleared_away(index: Index) -> None:
    index.refresh()
    (index.root / "0123456789abcdef").mkdir()
    (index.root / "0123456789abcdef" / ".tantivy-writer.lock").touch()
    (current_folder(index) / ".tantivy-writer.lock").touch()
    write_memory(index.store.root, "lesson/new.md", "New")
    assert found(index.refresh(), "new") == ["lesson/new.md"]
    assert not (index.root / "0123456789abcdef").exists()


def die(*args: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("moment", ["update", "publish"])
def test_a_writer_that_dies_leaves_the_old_generation(
    index: Index, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.refresh()
    write_memory(index.store.root, "lesson/new.md", "New")

    with monkeypatch.context() as patched:
        patched.setattr(fulltext if moment == "update" else generation, moment, die)
        with pytest.raises(KeyboardInterrupt):
            index.refresh()
    view = Index(index.store).refresh()
    assert (view.stats, found(view, "new")) == (Stats(added=1), ["lesson/new.md"])


@pytest.fixture
def in_memory_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that counts as a file system in memory."""
    folder = tmp_path / "shm"
    folder.mkdir()
    monkeypatch.setattr(disk, "RAM_FOLDER", folder)
    return folder


def changed(index: Index) -> View:
    """The index after one file was changed; whoever opens it anew must find it whole."""
    write_memory(index.store.root, "lesson/clock.md", "Freeze the clock", "Use the fixture named frozen.")
    view = index.refresh()
    assert (view.stats, found(view, "frozen")) == (Stats(changed=1), ["lesson/clock.md"])
    again = Index(make_again(index)).refresh()
    assert (again.stats, found(again, "frozen")) == (Stats(), ["lesson/clock.md"])
    return view


def test_a_small_change_waits_for_no_disk(index: Index, in_memory_files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index.refresh()
    made: list[Path] = []
    begin = generation.begin

    def noted(*args: object, **how: bool) -> Path:
        made.append(begin(*args, **how))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(generation, "begin", noted)
    monkeypatch.setattr(os, "fsync", pytest.fail)
    changed(index)
    assert [folder.parent for folder in made] == [in_memory_files]
    assert list(in_memory_files.iterdir()) == []


def test_a_large_change_is_made_on_the_disk(
    index: Index, in_memory_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.refresh()
    monkeypatch.setattr("mdmem.index.index.SMALL", 0)
    monkeypatch.setattr(disk, "point", pytest.fail)
    changed(index)


def test_so_is_every_change_where_no_files_are_in_memory(
    index: Index, in_memory_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.refresh()
    in_memory_files.rmdir()
    changed(index)


def test_so_is_every_change_where_somebody_has_taken_the_name(index: Index, in_memory_files: Path) -> None:
    index.refresh()
    folder = disk.make_folder_in_memory(generation._key(index.root))
    assert folder is not None
    folder.rmdir()
    folder.symlink_to(index.root)
    changed(index)
    assert folder.readlink() == index.root


@pytest.mark.parametrize("step", ["point", "write"])
def test_so_is_a_change_that_finds_no_room_in_memory(
    index: Index, in_memory_files: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    index.refresh()
    real = getattr(disk, step)

    def refuse(path: Path, *args: object, **how: object) -> object:
        if path.is_relative_to(in_memory_files):
            raise DiskError(path, "no space left on device")
        return real(path, *args, **how)

    monkeypatch.setattr(disk, step, refuse)
    assert changed(index).generation


def test_what_a_killed_writer_left_in_memory_is_cleared_away(
    index: Index, in_memory_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.refresh()
    write_memory(index.store.root, "lesson/new.md", "New")

    with monkeypatch.context() as patched:
        patched.setattr(fulltext, "update", die)
        with pytest.raises(KeyboardInterrupt):
            index.refresh()
    assert len(list(in_memory_files.iterdir())) == 1
    assert found(index.refresh(), "new") == ["lesson/new.md"]
    assert list(in_memory_files.iterdir()) == []


def test_many_deletions_end_in_a_rebuild(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdmem.index.index.DEAD_MOST", 2)
    index.refresh()
    stats = []
    for n in range(4):
        write_memory(index.store.root, "lesson/pool.md", f"Pool {n}")
        stats.append(index.refresh().stats)
    assert stats == [Stats(changed=1), Stats(changed=1), Stats(added=3), Stats(changed=1)]


def test_what_was_compared_once_is_not_read_again(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    index.refresh()
    Index(Store(index.store.root)).refresh()
    with monkeypatch.context() as patched:
        patched.setattr("mdmem.store.rows.etags", pytest.fail)
        patched.setattr(generation, "_read_documents", pytest.fail)
        assert found(Index(Store(index.store.root)).refresh(), "pool") == ["lesson/pool.md"]
    write_memory(index.store.root, "lesson/new.md", "New")
    assert Index(Store(index.store.root)).refresh().stats == Stats(added=1)
    (index.root / "agreed").write_text("something else", encoding="utf-8")
    assert Index(Store(index.store.root)).refresh().stats == Stats()


def test_rebuild_starts_from_nothing(index: Index) -> None:
    index.refresh()
    assert index.rebuild().stats == Stats(added=3)


def remove(file: Path) -> None:
    file.unlink()


def truncate(file: Path) -> None:
    rewrite(file, file.read_bytes()[:-1])


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    rewrite(file, bytes(data))


def empty(file: Path) -> None:
    rewrite(file, b"")


def fill(file: Path) -> None:
    rewrite(file, b"\xff\x00{[ no json")


@pytest.mark.parametrize("damage", [remove, truncate, flip, empty, fill])
def test_every_damaged_file_ends_in_a_rebuild(index: Index, damage: Callable[[Path], None]) -> None:
    index.refresh()
    names = sorted(path.name.rpartition(".")[2] for path in current_folder(index).iterdir() if path.stat().st_size)
    assert {"json", "term", "idx", "store"} <= set(names)
    for name in names:
        for file in [path for path in current_folder(index).iterdir() if path.name.endswith(name)]:
            if file.exists() and file.stat().st_size:
                damage(file)
        view = Index(index.store).refresh()
        assert (view.stats, found(view, "pool")) == (Stats(added=3), ["lesson/pool.md"]), name
    damage(index.root / "current")
    assert found(Index(index.store).refresh(), "pool") == ["lesson/pool.md"]


@pytest.mark.parametrize("part", sorted(generation.STAMP))
def test_an_index_of_another_version_is_built_again(index: Index, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    index.refresh()
    monkeypatch.setattr(generation, "STAMP", generation.STAMP | {part: "other"})
    assert Index(index.store).refresh().stats == Stats(added=3)


def test_a_generation_that_went_away_under_a_reader_is_looked_up_again(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.refresh()
    pointers = iter(["gone 0", generation.read_pointer(index.root)])
    newest = generation.read_pointer(index.root)
    monkeypatch.setattr(generation, "read_pointer", lambda root: next(pointers, newest))
    loaded = generation.load(index.root)
    assert loaded is not None
    assert loaded.pointer == newest


def test_readers_and_writers_at_once(index: Index) -> None:
    faults: list[str] = []

    def read() -> None:
        for _ in range(15):
            paths = found(Index(make_again(index)).refresh(), "pool")
            if paths != ["lesson/pool.md"]:
                faults.append(str(paths))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(15):
        write_memory(index.store.root, "lesson/new.md", f"New {n}")
        index.refresh()
    for thread in threads:
        thread.join()
    assert faults == []


def make_again(index: Index) -> Store:
    """The same store, as another process would open it."""
    return Store(index.store.root)


class Life(RuleBasedStateMachine):
    """A store that is edited while its cache is deleted and damaged: a refresh answers as a rebuild does."""

    names = st.sampled_from([f"lesson/{name}.md" for name in ("a", "b", "c", "a b", "ä")])
    texts = st.lists(st.sampled_from(["pool", "clock", "seed", "队列", "acksLate", "c++"]), max_size=4).map(" ".join)

    @initialize(folder=st.builds(object))
    def begin(self, folder: object) -> None:
        self.root = Path(os.environ["HOME"]) / f"life-{id(folder)}" / "memory"
        shutil.rmtree(self.root, ignore_errors=True)
        self.index = Index(make_store(self.root))

    @rule(path=names, title=texts, body=texts)
    def write(self, path: str, title: str, body: str) -> None:
        write_memory(self.root, path, f"Title {title}", body)

    @rule(path=names)
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(path=names)
    def spoil(self, path: str) -> None:
        if (self.root / path).exists():
            (self.root / path).write_bytes(b"\xff\xfe not a memory")

    @rule()
    def lose_the_index(self) -> None:
        shutil.rmtree(self.index.root, ignore_errors=True)

    @rule(number=st.integers(0, 20), damage=st.sampled_from([remove, truncate, flip, fill]))
    def damage(self, number: int, damage: Callable[[Path], None]) -> None:
        files = sorted(path for path in self.index.root.rglob("*") if path.is_file() and path.stat().st_size)
        if files:
            damage(files[number % len(files)])

    @rule()
    def start_anew(self) -> None:
        self.index = Index(make_again(self.index))

    @invariant()
    def refresh_answers_as_a_rebuild_does(self) -> None:
        if hasattr(self, "index"):
            view = self.index.refresh()
            fresh = in_memory(self.index.store, self.index.store.etags())
            for query in ("pool", "clock seed", "队列", "acks_late", "c", "title"):
                assert sorted(found(view, query)) == sorted(found(fresh, query))

    def teardown(self) -> None:
        if hasattr(self, "root"):
            shutil.rmtree(self.root.parent, ignore_errors=True)


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=8, stateful_step_count=12, deadline=None)


@pytest.fixture
def read_only(index: Index, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of an indexed store in which nothing can be written any more."""
    index.refresh()
    root, write = index.store.root, disk.write

    def refuse(path: Path, data: bytes, **how: str | None) -> str:
        if path.is_relative_to(root):
            raise ReadOnlyError(path)
        return write(path, data, **how)

    monkeypatch.setattr(disk, "is_writable", lambda folder: not folder.is_relative_to(root))
    monkeypatch.setattr(disk, "write", refuse)
    return root


def test_the_index_of_a_read_only_store_is_used(
    read_only: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(read_only.rglob("*"))
    monkeypatch.setattr(fulltext, "create", pytest.fail)
    for _ in range(2):
        view = Index(Store(read_only), tmp_path / "spares").refresh()
        assert (view.stats, found(view, "pool")) == (Stats(), ["lesson/pool.md"])
    assert sorted(read_only.rglob("*")) == before


def test_it_is_brought_up_to_date_elsewhere(read_only: Path, tmp_path: Path) -> None:
    write_memory(read_only, "lesson/new.md", "Zebra")
    view = Index(Store(read_only), tmp_path / "spares").refresh()
    assert (view.stats, found(view, "zebra")) == (Stats(added=1), ["lesson/new.md"])
    assert Index(Store(read_only), tmp_path / "spares").refresh().stats == Stats()


def test_a_read_only_store_without_an_index_gets_one_elsewhere(read_only: Path, tmp_path: Path) -> None:
    shutil.rmtree(read_only / ".mdmem/cache/index")
    view = Index(Store(read_only), tmp_path / "spares").refresh()
    assert (view.stats, found(view, "pool")) == (Stats(added=3), ["lesson/pool.md"])
