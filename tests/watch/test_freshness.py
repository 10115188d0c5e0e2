"""Whatever happens to the files, the very next command answers from them: without a watcher, and with one."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from mdmem import disk
from mdmem.cli import main
from mdmem.git_state import RACY_NS
from mdmem.index.index import Index
from mdmem.markdown.parse import parse
from mdmem.store.kept import Kept
from mdmem.store.scan import INDEX_BEGIN, look
from mdmem.store.store import Store
from mdmem.store.table import Table, outline_of
from mdmem.watch import inotify
from mdmem.watch.answers import captured
from mdmem.watch.eyes import Eyes
from mdmem.wire import Request
from support.machine import git, rewrite
from support.memories import memory_text, write_memory
from support.source import ROOT
from support.watching import CHANGES, fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from support.machine import Answer

WALRUS = ("search", "walrus", "--lexical", "--json", "-k", "20")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


@pytest.fixture
def root(store: Store) -> Path:
    """A store of a few memories, indexed, in a repository with two branches."""
    fill(store.root)
    Index(store).refresh()
    return store.root


class Warm:
    """A process that holds everything open and has an eye on the files, as the watcher does."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.eyes = Eyes([root])
        self.eyes.look()
        self.kept = Kept(self.eyes.mark_of)

    def __call__(self, *args: str) -> str:
        request = Request("", args, str(self.root.parent), dict(os.environ))
        code, pieces = captured(lambda given: main.run(given, self.kept), request)
        assert code == 0, pieces
        return b"".join(data for number, data in pieces if number == 1).decode()


@pytest.fixture
def warm(root: Path) -> Iterator[Warm]:
    """Such a process, which has answered already."""
    process = Warm(root)
    paths(process(*WALRUS))
    yield process
    process.eyes.close()


def paths(answer: str) -> tuple[str, ...]:
    """The paths in the answer of `search --json`, sorted."""
    return tuple(sorted(hit["path"] for hit in json.loads(answer)["hits"]))


@pytest.mark.parametrize("change", CHANGES)
def test_the_next_command_answers_from_the_files(root: Path, cli: Callable[..., Answer], change: str) -> None:
    assert paths(cli(*WALRUS).out) == ("lesson/old.md",)
    apply, expected = CHANGES[change]
    apply(root)
    assert paths(cli(*WALRUS).out) == expected


@pytest.mark.parametrize("change", CHANGES)
def test_so_does_a_process_that_holds_everything_open(warm: Warm, change: str) -> None:
    apply, expected = CHANGES[change]
    apply(warm.root)
    assert paths(warm(*WALRUS)) == expected


@pytest.mark.parametrize(
    "change", ["an atomic save carries an old time", "a folder is renamed", "git switches branches"]
)
def test_a_brief_does_so_too(warm: Warm, cli: Callable[..., Answer], change: str) -> None:
    warm("brief")
    CHANGES[change][0](warm.root)
    assert warm("brief") == cli("brief").out


def commit_all(root: Path) -> None:
    """Commit all that is there."""
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "more", cwd=root)


def append(path: Path, text: str) -> None:
    """Add to a file, made when there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


BEHIND: dict[str, Callable[[Path], object]] = {
    "a file is committed": commit_all,
    "the user is another": lambda root: git("config", "user.email", "bo@example.org", cwd=root),
    "files are ignored": lambda root: append(root.parent / ".gitignore", "fresh.md\n"),
    "somebody accepts it": lambda root: append(
        root / ".mdmem/state/reviewed.jsonl", json.dumps({"etag": disk.etag((root / "lesson/fresh.md").read_bytes())})
    ),
    "the repository is gone": lambda root: (root.parent / ".git").rename(root.parent / "git"),
    "a task is opened": lambda root: append(root / "tasks/one.md", "---\ntitle: Feed it\n---\nDaily.\n"),
    "a run left something": lambda root: append(
        root / ".mdmem/state/runs.jsonl",
        json.dumps({"origin": "a/1", "summary": {"request": "x", "open_items": ["Feed the walrus"]}}) + "\n",
    ),
    "a team's run left something": lambda root: append(
        root / "sessions/one.md", "---\ntitle: One\n---\n## Asked\nx\n\n## Open\n- Feed the walrus\n"
    ),
}
"""What is told in a brief and stands in no memory, each changed with a file in the store that is new to git."""


@pytest.fixture
def settled(warm: Warm) -> Warm:
    """A process that has answered twice, the second time from what nobody will doubt."""
    write_memory(warm.root, "lesson/fresh.md", "Groom the walrus", type="lesson", source="agent")
    warm("brief")
    time.sleep(2 * RACY_NS / 1e9)
    warm("brief")
    return warm


@pytest.mark.parametrize("change", BEHIND)
def test_a_brief_knows_what_stands_behind_the_memories(settled: Warm, cli: Callable[..., Answer], change: str) -> None:
    before = settled("brief")
    assert before == cli("brief").out
    BEHIND[change](settled.root)
    assert settled("brief") == cli("brief").out != before


@on_linux
def test_git_is_asked_once_for_what_it_has_said_already(settled: Warm, monkeypatch: pytest.MonkeyPatch) -> None:
    before = settled("brief")
    with monkeypatch.context() as patched:
        patched.setattr("mdmem.git._run", pytest.fail)
        patched.setattr("mdmem.search.background.read_tasks", pytest.fail)
        assert settled("brief") == before
    write_memory(settled.root, "lesson/new.md", "Feed the walrus", type="lesson")
    assert "Feed the walrus" in settled("brief")


@on_linux
def test_another_home_has_another_git(settled: Warm, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = settled("brief")
    monkeypatch.setenv("HOME", str(tmp_path))
    append(tmp_path / ".gitconfig", "[user]\n    email = bo@example.org\n")
    assert settled("brief") != before


@on_linux
def test_where_nothing_was_touched_no_file_is_looked_at(warm: Warm, monkeypatch: pytest.MonkeyPatch) -> None:
    warm("brief")
    with monkeypatch.context() as patched:
        patched.setattr("mdmem.store.table.look", pytest.fail)
        assert paths(warm(*WALRUS)) == ("lesson/old.md",)
        warm("brief")
    write_memory(warm.root, "lesson/new.md", "Feed the walrus")
    assert paths(warm(*WALRUS)) == ("lesson/new.md", "lesson/old.md")


@on_linux
@pytest.mark.parametrize("change", ["an editor saves", "an atomic save carries an old time", "a file is deleted"])
def test_where_one_file_was_touched_only_that_one_is_looked_at(
    warm: Warm, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    apply, expected = CHANGES[change]
    apply(warm.root)
    monkeypatch.setattr("mdmem.store.table.look", pytest.fail)
    assert paths(warm(*WALRUS)) == expected


@pytest.mark.parametrize("seed", range(4))
def test_no_sequence_of_changes_is_missed(root: Path, seed: int) -> None:
    chance = random.Random(seed)
    eyes = Eyes([root])
    eyes.look()
    watched = Store(root, mark=eyes.mark_of(root))
    for step in range(60):
        shuffle_files(root, chance, step)
        if chance.random() < 0.5:
            eyes.look()
        assert watched.etags() == Store(root).etags(), step
        assert watched.outline(99) == outline_of(watched.sweep(), 99), step
    eyes.close()


@on_linux
@pytest.mark.parametrize("seed", range(6))
def test_a_look_at_what_was_touched_finds_what_a_look_at_all_finds(
    root: Path, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Path] = []
    monkeypatch.setattr("mdmem.store.table.look", lambda root: (looks.append(root), look(root))[1])
    chance = random.Random(seed)
    eyes = Eyes([root])
    eyes.look()
    watched, other = Store(root, mark=eyes.mark_of(root)), Table(root, tmp_path / "cache", parse)
    steps, partly = 80, 0
    for step in range(steps):
        chance.choice((shuffle_files, spoil_files, spoil_files))(root, chance, step)
        before = len(looks)
        etags = watched.etags()
        partly += len(looks) == before
        assert etags == other.etags(), step
        assert list(etags) == sorted(etags)
        assert watched.outline(5) == other.outline(5), step
        assert watched.pick(etags) == other.pick(etags), step
        if step % 9 == 0:
            assert watched.sweep().memories == other.sweep().memories, step
        if step % 13 == 0:
            Store(root).etags()  # another process brings the same table up to date
    eyes.close()
    assert partly > steps / 4


@on_linux
def test_a_file_that_was_never_a_memory_is_gone_though_another_process_saw_it_first(root: Path) -> None:
    eyes = Eyes([root])
    eyes.look()
    watched = Store(root, mark=eyes.mark_of(root))
    (root / "lesson/broken.md").write_text("<<<<<<< what nobody can read\n", encoding="utf-8")
    watched.etags()
    assert list(watched.outline(5).unreadable) == ["lesson/broken.md"]
    (root / "lesson/broken.md").unlink()
    Store(root).etags()
    assert list(watched.outline(5).unreadable) == []
    eyes.close()


def spoil_files(root: Path, chance: random.Random, step: int) -> None:
    """Do something to one file or beside it that may keep it from being a memory, or bring it back."""
    files = sorted(path for path in root.rglob("*.md") if path.parent != root and path.is_file())
    folder = root / chance.choice(("lesson", "command", "lesson/deep"))
    folder.mkdir(parents=True, exist_ok=True)
    one = chance.choice(files) if files else folder / "none.md"
    match chance.randint(0, 9):
        case 0:
            one.write_text("<<<<<<< ours\n", encoding="utf-8")
        case 1 | 2:
            write_memory(folder, f"m{chance.randint(0, 3)}.md", f"Step {step}", type="lesson")
        case 3:
            one.unlink(missing_ok=True)
            one.symlink_to(root / "MEMORY.md")
        case 4:
            (folder / "MEMORY.md").write_text(INDEX_BEGIN, encoding="utf-8")
        case 5:
            (folder / "MEMORY.md").unlink(missing_ok=True)
            (folder / ".git").unlink(missing_ok=True)
        case 6:
            (folder / ".git").write_text("gitdir: elsewhere", encoding="utf-8")
        case 7:
            temp = folder / ".m1.md.swp"
            temp.write_text(memory_text(f"Step {step}", type="lesson"), encoding="utf-8")
            os.utime(temp, (step, step))
            temp.replace(folder / "m1.md")
        case 8:
            (folder / os.fsdecode(b"caf\xe9.md")).write_text("no name", encoding="utf-8")
        case 9 if files:
            one.touch()


def shuffle_files(root: Path, chance: random.Random, step: int) -> None:
    """Do one to three things to the files or folders of a store, or nothing."""
    for _ in range(chance.randint(0, 3)):
        files = sorted(path for path in root.rglob("*.md") if path.parent != root)
        folders = sorted(path for path in root.rglob("*") if path.is_dir() and ".mdmem" not in path.parts)
        target = root / chance.choice(("lesson", "command", f"lesson/f{step % 3}", f"spec/f{step % 2}/deep"))
        match chance.randint(0, 5):
            case 0 | 1:
                write_memory(target, f"m{chance.randint(0, 9)}.md", f"Step {step}", type="lesson")
            case 2 if files:
                chance.choice(files).unlink()
            case 3 if files:
                target.mkdir(parents=True, exist_ok=True)
                chance.choice(files).rename(target / f"r{step}.md")
            case 4 if folders:
                folder = chance.choice(folders)
                if not (root / f"moved{step}").exists():
                    folder.rename(root / f"moved{step}")
            case 5 if folders:
                shutil.rmtree(chance.choice(folders))


@on_linux
def test_a_file_with_a_second_name_is_never_trusted(warm: Warm) -> None:
    twin = warm.root.parent / "twin.md"
    os.link(warm.root / "lesson/clock.md", twin)
    warm.eyes.doubt()
    warm(*WALRUS)
    with twin.open("a", encoding="utf-8") as file:  # nothing in the store is touched, and the file is another one
        file.write("\nThe walrus too.\n")
    assert paths(warm(*WALRUS)) == ("lesson/clock.md", "lesson/old.md")


@on_linux
def test_a_file_system_that_others_write_to_is_never_trusted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inotify, "_file_system", lambda _root: "nfs4")
    eyes = Eyes([root])
    eyes.look()
    mark = eyes.mark_of(root)
    assert mark is not None
    assert mark() is None
    eyes.close()


READ = """\
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from mdmem.index.index import Index
from mdmem.store.scan import INDEX_BEGIN, look
from mdmem.store.store import Store
from mdmem.store.table import Table
for _ in range(15):
    view = Index(Store(Path(sys.argv[1]))).refresh()
    assert len(view.etags) >= 4, view
"""


def test_many_read_while_one_rebuilds(root: Path) -> None:
    readers = [subprocess.Popen([sys.executable, "-c", READ, str(root), str(ROOT)]) for _ in range(3)]
    index = Index(Store(root))
    while any(reader.poll() is None for reader in readers):
        index.rebuild()
    assert [reader.returncode for reader in readers] == [0, 0, 0]


def test_threads_read_while_one_rebuilds(root: Path) -> None:
    failed: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(5):
                assert len(Index(Store(root)).refresh().etags) == 4
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        Index(Store(root)).rebuild()
    for thread in threads:
        thread.join()
    assert failed == []


@pytest.mark.parametrize("damage", ["deleted", "emptied", "overwritten"])
def test_a_damaged_cache_changes_nothing(warm: Warm, cli: Callable[..., Answer], damage: str) -> None:
    for file in [path for path in (warm.root / ".mdmem/cache").rglob("*") if path.is_file()]:
        put = rewrite if file.is_relative_to(warm.root / ".mdmem/cache/index") else type(file).write_bytes
        if damage == "overwritten":
            put(file, b"\0" * file.stat().st_size)
        elif damage == "emptied":
            put(file, b"")
    if damage == "deleted":
        shutil.rmtree(warm.root / ".mdmem/cache")
    assert paths(cli(*WALRUS).out) == ("lesson/old.md",)
    assert paths(warm(*WALRUS)) == ("lesson/old.md",)


def test_the_next_cache_is_shared_as_the_deleted_one_was(warm: Warm, cli: Callable[..., Answer]) -> None:
    shutil.rmtree(warm.root / ".mdmem/cache")
    cli(*WALRUS)
    write_memory(warm.root, "lesson/seen.md", "Seen by one of them", "A walrus.")
    assert paths(warm(*WALRUS)) == ("lesson/old.md", "lesson/seen.md")
    (warm.root / "lesson/seen.md").write_text("<<<<<<< what nobody can read\n", encoding="utf-8")
    assert paths(cli(*WALRUS).out) == paths(warm(*WALRUS)) == ("lesson/old.md", "lesson/seen.md")
