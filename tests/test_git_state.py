"""An answer of git's holds as long as the files behind it are the same, and not a moment longer."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem import disk, git
from mdmem.git_state import RACY_NS, files_behind, state_of, surroundings
from support.machine import git as run_git

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[Path], object]


@pytest.fixture
def store(repo: Path) -> Path:
    """A folder two levels below the top of a repository with two branches."""
    folder = repo / "docs/memory"
    folder.mkdir(parents=True)
    (folder / "one.md").write_text("one\n", encoding="utf-8")
    run_git("add", "-A", cwd=repo)
    run_git("commit", "-q", "-m", "one", cwd=repo)
    run_git("branch", "other", cwd=repo)
    run_git("commit", "-q", "--allow-empty", "-m", "two", cwd=repo)
    return folder


def files_of(folder: Path) -> tuple[Path, ...]:
    """The files behind what git says of a folder now."""
    files = files_behind(folder, git.find(folder), os.environ)
    assert files is not None
    return files


def write(path: Path, text: str) -> None:
    """Write a file, with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def stage(top: Path) -> None:
    """Make a file and stage it."""
    write(top / "new.md", "new")
    run_git("add", "new.md", cwd=top)


CHANGES: dict[str, Change] = {
    "a commit": lambda top: run_git("commit", "-q", "--allow-empty", "-m", "more", cwd=top),
    "another branch": lambda top: run_git("checkout", "-q", "other", cwd=top),
    "no branch": lambda top: run_git("checkout", "-q", "--detach", cwd=top),
    "the branch is moved": lambda top: run_git("update-ref", "refs/heads/main", "other", cwd=top),
    "a reset": lambda top: run_git("reset", "-q", "--hard", "other", cwd=top),
    "refs are packed": lambda top: run_git("pack-refs", "--all", cwd=top),
    "a file is staged": stage,
    "the author is another": lambda top: run_git("config", "user.email", "bo@example.org", cwd=top),
    "the user is another": lambda top: run_git("config", "--global", "user.email", "bo@example.org", cwd=top),
    "a pattern at the top": lambda top: write(top / ".gitignore", "*.md\n"),
    "a pattern in between": lambda top: write(top / "docs/.gitignore", "*.md\n"),
    "attributes in between": lambda top: write(top / "docs/.gitattributes", "*.md text\n"),
    "a pattern of this clone": lambda top: write(top / ".git/info/exclude", "*.md\n"),
    "a pattern of the user": lambda _top: write(Path.home() / ".config/git/ignore", "*.md\n"),
    "a repository in between": lambda top: run_git("init", "-q", cwd=top / "docs"),
    "no repository": lambda top: (top / ".git").rename(top / "git"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_an_answer_changes_the_state(store: Path, repo: Path, change: str) -> None:
    files = files_of(store)
    before = state_of(files)
    assert state_of(files) == before
    CHANGES[change](repo)
    assert state_of(files) != before


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_working_tree_beside_the_first_has_a_state_of_its_own(store: Path, repo: Path, is_packed: bool) -> None:
    run_git("worktree", "add", "-q", str(repo.parent / "beside"), "other", cwd=repo)
    if is_packed:
        run_git("pack-refs", "--all", cwd=repo)
    here, there = files_of(store), files_of(repo.parent / "beside/docs/memory")
    before = state_of(here), state_of(there)
    run_git("commit", "-q", "--allow-empty", "-m", "there", cwd=repo.parent / "beside")
    assert (state_of(here) == before[0], state_of(there) == before[1]) == (True, False)
    between = state_of(there)
    run_git("config", "user.email", "bo@example.org", cwd=repo)
    assert (state_of(here) == before[0], state_of(there) == between) == (False, False)


@pytest.mark.parametrize("key", ["core.excludesFile", "core.attributesFile", "include.path", "includeIf.gitdir:/.path"])
def test_files_that_settings_name_count_too(store: Path, repo: Path, key: str) -> None:
    named = Path.home() / "named"
    run_git("config", "--global", key, "~/named", cwd=repo)
    files = files_of(store)
    assert named in files
    before = state_of(files)
    write(named, "[user]\n    email = bo@example.org\n")
    assert state_of(files) != before


def test_the_home_of_nobody_is_no_file(store: Path, repo: Path) -> None:
    run_git("config", "includeIf.gitdir:/nowhere/.path", "~nobody-of-that-name/config", cwd=repo)
    assert files_behind(store, git.find(store), os.environ) is None


def test_a_link_to_the_folder_leads_to_the_same_files(store: Path, repo: Path) -> None:
    link = repo.parent / "link"
    link.symlink_to(store)
    assert set(files_of(link)) == set(files_of(store))


def test_outside_of_a_repository_one_may_be_made(tmp_path: Path) -> None:
    folder = tmp_path / "a/b"
    folder.mkdir(parents=True)
    files = files_behind(folder, None, os.environ)
    assert files is not None
    before = state_of(files)
    run_git("init", "-q", cwd=tmp_path / "a")
    assert state_of(files) != before
    assert files_behind(folder, None, os.environ) is None  # there is one, and git was not to be had


def test_a_branch_that_is_kept_elsewhere_has_no_state(store: Path, repo: Path) -> None:
    (repo / ".git/refs/heads/alias").write_text("ref: refs/heads/main\n", encoding="utf-8")
    run_git("symbolic-ref", "HEAD", "refs/heads/alias", cwd=repo)
    assert files_behind(store, git.find(store), os.environ) is None


def test_what_was_just_written_is_not_trusted(store: Path, repo: Path) -> None:
    files = files_of(store)
    write(repo / ".gitignore", "*.md\n")
    assert state_of(files, disk.clock_ns()) is None
    time.sleep(2 * RACY_NS / 1e9)
    assert state_of(files, disk.clock_ns()) == state_of(files)
    assert state_of(files, disk.clock_ns() - 10**9) is None


def test_another_home_is_another_surrounding(monkeypatch: pytest.MonkeyPatch) -> None:
    before = surroundings(os.environ)
    monkeypatch.setenv("HOME", "/elsewhere")
    assert surroundings(os.environ) != before
