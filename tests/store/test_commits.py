"""Ages, people and deletions out of git: right, cached for one HEAD, and never believed from elsewhere."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mdmem import git
from mdmem.git import Person
from mdmem.store.commits import FILE_NAME, CommitTable, read_commits
from support.machine import git as run_git

if TYPE_CHECKING:
    from pathlib import Path

    from mdmem.git import Commit

ADA = Person("Ada Tester", "ada@example.org")
BO = Person("Bo Li", "bo@example.org")


def day(number: int) -> datetime:
    return datetime(2026, 1, number, 12, tzinfo=UTC)


class Scratch:
    """A repository whose commits are dated 2026-01-01, -02 and so on."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.cache = root / "memory/.mdmem/cache"
        self.day = 0
        (root / "memory").mkdir()
        (root / ".git/info/exclude").write_text(".mdmem\n", encoding="utf-8")

    def write(self, path: str, text: str = "a text that is long enough\n" * 5) -> None:
        file = self.root / "memory" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def git(self, *args: str) -> str:
        return run_git(*args, cwd=self.root)

    def commit(self, by: Person = ADA) -> str:
        self.day += 1
        at = day(self.day).isoformat()
        identity = {
            f"GIT_{role}_{part}": value
            for role in ("AUTHOR", "COMMITTER")
            for part, value in (("NAME", by.name), ("EMAIL", by.email), ("DATE", at))
        }
        self.git("add", "-A")
        command = ["git", "commit", "-q", "--allow-empty", "-m", "x"]
        subprocess.run(command, cwd=self.root, check=True, capture_output=True, env=os.environ | identity)
        return self.git("rev-parse", "HEAD").strip()

    def read(self) -> CommitTable:
        repository = git.find(self.root / "memory")
        assert repository is not None
        return read_commits(repository, self.cache)


@pytest.fixture
def scratch(repo: Path) -> Scratch:
    return Scratch(repo)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """From where each pass over the log began."""
    begun: list[str] = []
    real = git.iter_log

    def spy(repository: git.Repository, since: str = "") -> list[Commit]:
        begun.append(since)
        return list(real(repository, since))

    monkeypatch.setattr(git, "iter_log", spy)
    return begun


def test_first_and_last_commit_of_each_file(scratch: Scratch) -> None:
    scratch.write("a.md")
    scratch.commit(BO)
    scratch.write("b.md")
    scratch.commit()
    scratch.write("a.md", "new")
    scratch.commit()
    table = scratch.read()
    a, b = table.of("a.md"), table.of("b.md")
    assert a
    assert b
    assert (a.first_commit_at, a.last_commit_at, a.author, a.committer) == (day(1), day(3), BO, ADA)
    assert (b.first_commit_at, b.last_commit_at, b.author, b.committer) == (day(2), day(2), ADA, ADA)
    assert table.of("c.md") is None


def test_a_rename_makes_nothing_younger(scratch: Scratch) -> None:
    scratch.write("old.md")
    scratch.commit(BO)
    scratch.git("mv", "memory/old.md", "memory/new.md")
    scratch.commit()
    table = scratch.read()
    new = table.of("new.md")
    assert new
    assert (new.first_commit_at, new.author, new.committer) == (day(1), BO, ADA)
    assert table.of("old.md") is None
    assert table.deletions() == ()


def test_deletions(scratch: Scratch) -> None:
    for name in ("gone.md", "back.md", "kept.md"):
        scratch.write(name, f"{name}\n" * 9)
    scratch.commit(BO)
    (scratch.root / "memory/gone.md").unlink()
    (scratch.root / "memory/back.md").unlink()
    deleting = scratch.commit()
    scratch.write("back.md", "another\n")
    scratch.commit()
    table = scratch.read()
    (one,) = table.deletions()
    assert (one.path, one.commit, one.at) == ("gone.md", deleting, day(2))
    repository = git.find(scratch.root / "memory")
    assert repository
    assert git.contents(repository, ["gone.md"], one.parent) == {"gone.md": b"gone.md\n" * 9}
    back = table.of("back.md")
    assert back
    assert (back.first_commit_at, back.author) == (day(3), ADA)


def test_a_file_only_absent_from_this_branch_is_not_deleted(scratch: Scratch) -> None:
    scratch.write("a.md")
    scratch.commit()
    scratch.git("checkout", "-q", "-b", "side")
    scratch.write("side.md", "side\n")
    scratch.commit()
    scratch.git("checkout", "-q", "main")
    assert scratch.read().deletions() == ()


@pytest.mark.parametrize("seed", range(4))
def test_history_is_read_the_same_in_parts_and_whole(scratch: Scratch, seed: int) -> None:
    """Where both sides of a merge said the same, only the order of commits tells who was last."""
    chance = random.Random(seed)
    scratch.write("a.md")
    scratch.commit()
    branches = ["main", "one", "two"]
    for branch in branches[1:]:
        scratch.git("branch", branch)
    for _ in range(25):
        scratch.git("checkout", "-q", chance.choice(branches))
        if chance.random() < 0.5:
            scratch.write(f"{chance.choice('ab')}.md", f"{chance.choice('xy')}\n")
            scratch.commit(chance.choice([ADA, BO]))
        else:
            scratch.git("merge", "-q", "-m", "both", "-X", "ours", chance.choice(branches))
        in_parts = scratch.read()
        cache = (scratch.cache / FILE_NAME).read_bytes()
        (scratch.cache / FILE_NAME).unlink()
        assert in_parts.rows == scratch.read().rows
        (scratch.cache / FILE_NAME).write_bytes(cache)


def test_what_a_merge_kept_is_not_deleted(scratch: Scratch) -> None:
    scratch.write("a.md")
    scratch.commit()
    scratch.git("checkout", "-q", "-b", "side")
    (scratch.root / "memory/a.md").unlink()
    scratch.commit()
    scratch.git("checkout", "-q", "main")
    scratch.write("a.md", "edited\n")
    scratch.commit()
    subprocess.run(["git", "merge", "-q", "side"], cwd=scratch.root, check=False, capture_output=True)
    scratch.write("a.md", "edited\n")
    scratch.commit()
    table = scratch.read()
    assert table.deletions() == ()
    assert table.of("a.md")


def test_one_pass_a_head_and_only_over_what_is_new(scratch: Scratch, passes: list[str]) -> None:
    scratch.write("a.md")
    first = scratch.commit(BO)
    scratch.read()
    scratch.read()
    assert passes == [""]
    scratch.git("mv", "memory/a.md", "memory/b.md")
    scratch.commit()
    grown = scratch.read()
    assert passes == ["", first]
    shutil.rmtree(scratch.cache)
    assert scratch.read() == grown
    assert passes == ["", first, ""]


def test_another_branch_is_read_anew(scratch: Scratch, passes: list[str]) -> None:
    scratch.write("a.md")
    scratch.commit()
    scratch.git("checkout", "-q", "-b", "side")
    scratch.write("side.md", "side\n")
    scratch.commit()
    assert scratch.read().of("side.md")
    scratch.git("checkout", "-q", "main")
    assert scratch.read().of("side.md") is None
    assert passes == ["", ""]


def test_before_the_first_commit(scratch: Scratch) -> None:
    scratch.write("a.md")
    assert scratch.read() == CommitTable()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"version": 1}',
        b"\xff\xfe",
        pytest.param(("columns", [[1], [1], [0]]), id="few columns"),
        pytest.param(("columns", [[1], [1], [0], []]), id="short column"),
        pytest.param(("columns", [[1], [1], [0], [7]]), id="nobody"),
        pytest.param(("columns", "text"), id="text"),
        pytest.param(("paths", "a.md//b.md"), id="one path too many"),
        pytest.param(("paths", ["a.md"]), id="list"),
        pytest.param(("people", [["Ada"]]), id="half a person"),
        pytest.param(("version", 0), id="older"),
    ],
)
def test_a_damaged_cache_is_made_again(scratch: Scratch, damage: bytes | tuple[str, object]) -> None:
    scratch.write("a.md")
    scratch.commit()
    good = scratch.read()
    file = scratch.cache / FILE_NAME
    if isinstance(damage, tuple):
        damage = json.dumps(json.loads(file.read_bytes()) | dict([damage])).encode()
    file.write_bytes(damage)
    assert scratch.read() == good


def test_a_cache_that_came_with_a_copy_says_nothing(scratch: Scratch, tmp_path: Path) -> None:
    scratch.write("a.md")
    scratch.commit(BO)
    scratch.read()
    file = scratch.cache / FILE_NAME
    forged = json.loads(file.read_bytes())
    forged["people"] = [list(ADA)]
    copy = Scratch.__new__(Scratch)
    copy.root, copy.cache = tmp_path / "copy", tmp_path / "copy/memory/.mdmem/cache"
    shutil.copytree(scratch.root, copy.root)
    (copy.cache / FILE_NAME).write_text(json.dumps(forged), encoding="utf-8")
    found = copy.read().of("a.md")
    assert found
    assert found.committer == BO


def test_a_shallow_clone_may_learn_more(scratch: Scratch, tmp_path: Path) -> None:
    scratch.write("a.md")
    scratch.commit(BO)
    scratch.write("b.md")
    scratch.commit(ADA)
    clone = tmp_path / "clone"
    run_git("clone", "-q", "--depth", "1", f"file://{scratch.root}", str(clone), cwd=tmp_path)
    assert _author(clone, "a.md") == ADA
    run_git("fetch", "-q", "--unshallow", cwd=clone)
    assert _author(clone, "a.md") == BO


def _author(clone: Path, path: str) -> Person | None:
    repository = git.find(clone / "memory")
    assert repository
    found = read_commits(repository, clone / "memory/.mdmem/cache").of(path)
    return found and found.author


def test_where_nothing_can_be_written_it_is_read_all_the_same(scratch: Scratch) -> None:
    scratch.write("a.md")
    scratch.commit()
    (scratch.root / "memory/.mdmem").write_text("no folder", encoding="utf-8")
    assert scratch.read().of("a.md")


def test_names_that_are_no_text(scratch: Scratch) -> None:
    scratch.write("ünï\udcff.md")
    scratch.commit()
    assert scratch.read() == scratch.read()
    assert scratch.read().of("ünï\udcff.md")
