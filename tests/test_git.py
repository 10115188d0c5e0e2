"""mdmem.git against real repositories: plain, empty, linked worktrees, hooks, odd names, no git at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem import git
from mdmem.errors import GitError
from support.machine import git as run_git

if TYPE_CHECKING:
    from mdmem.git import Repository

NAMES = ("plain.md", "naïve café.md", "日本.md", "a\tb.md", 'quo"te.md', " lead.md", "-dash.md", "mdmem\udcff.md")


def commit(root: Path, message: str = "change", **who: str) -> str:
    """Commit everything; `name` and `email` stand for a committer other than the test's own user."""
    run_git("add", "-A", cwd=root)
    identity = {}
    for part, value in who.items():
        identity |= {f"GIT_AUTHOR_{part.upper()}": value, f"GIT_COMMITTER_{part.upper()}": value}
    done = ["git", "commit", "-q", "--allow-empty", "-m", message]
    subprocess.run(done, cwd=root, check=True, capture_output=True, env=os.environ | identity)
    return run_git("rev-parse", "HEAD", cwd=root).strip()


def memory(root: Path, path: str, text: str = "text\n") -> Path:
    file = root / "memory" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def found(root: Path, folder: str = "memory") -> Repository:
    (root / folder).mkdir(parents=True, exist_ok=True)
    repository = git.find(root / folder)
    assert repository is not None
    return repository


def test_a_folder_is_found_with_its_root_prefix_and_head(repo: Path) -> None:
    memory(repo, "a.md")
    head = commit(repo)
    repository = found(repo)
    assert (repository.root, repository.prefix, repository.head) == (repo.resolve(), "memory/", head)
    assert repository.git_folder == repo.resolve() / ".git"
    assert found(repo, ".").prefix == ""
    assert found(repo, "memory/decision").prefix == "memory/decision/"


def test_outside_a_repository_there_is_none(tmp_path: Path) -> None:
    assert git.find(tmp_path) is None
    assert git.find(tmp_path / "missing") is None


def test_without_git_there_is_none(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = found(repo)
    monkeypatch.setenv("PATH", str(repo))
    assert git.find(repo) is None
    assert git.user_email(repository) == ""
    with pytest.raises(GitError, match="not installed"):
        git.uncommitted(repository)


def test_inside_the_git_folder_there_is_none(repo: Path) -> None:
    assert git.find(repo / ".git") is None


def test_before_the_first_commit(repo: Path) -> None:
    memory(repo, "a.md")
    repository = found(repo)
    assert repository.head == ""
    assert repository.root == repo.resolve()
    assert git.branch(repository) == "main"
    assert git.uncommitted(repository) == {"a.md"}
    assert list(git.iter_log(repository)) == []
    assert git.tracked(repository) == frozenset()
    assert git.contents(repository, ["a.md"]) == {}
    run_git("add", "-A", cwd=repo)
    assert git.staged(repository) == ("a.md",)
    assert git.staged_contents(repository, ["a.md"]) == {"a.md": b"text\n"}


def test_the_user_of_the_clone(repo: Path) -> None:
    assert git.user_email(found(repo)) == "ada@example.org"
    run_git("config", "user.email", "other@example.org", cwd=repo)
    assert git.user_email(found(repo)) == "other@example.org"


def test_a_user_without_an_address(repo: Path, hermetic: Path) -> None:
    (hermetic / ".gitconfig").unlink()
    assert git.user_email(found(repo)) == ""


def test_branches(repo: Path) -> None:
    head = commit(repo)
    run_git("checkout", "-q", "-b", "feature/größe", cwd=repo)
    assert git.branch(found(repo)) == "feature/größe"
    run_git("checkout", "-q", head, cwd=repo)
    assert git.branch(found(repo)) == ""


def test_what_is_not_committed(repo: Path) -> None:
    for name in ("same.md", "edited.md", "staged.md", "gone.md", "moved.md"):
        memory(repo, name, name)
    commit(repo)
    memory(repo, "edited.md")
    memory(repo, "staged.md")
    memory(repo, "sub/new.md")
    (repo / "outside.md").write_text("x", encoding="utf-8")
    (repo / "memory/gone.md").unlink()
    run_git("mv", "memory/moved.md", "memory/there.md", cwd=repo)
    run_git("add", "memory/staged.md", cwd=repo)
    expected = {"edited.md", "staged.md", "sub/new.md", "gone.md", "moved.md", "there.md"}
    assert git.uncommitted(found(repo)) == expected


def test_names_of_every_kind(repo: Path) -> None:
    for name in NAMES:
        memory(repo, name)
    repository = found(repo)
    assert git.uncommitted(repository) == set(NAMES)
    commit(repo)
    repository = found(repo)
    assert git.uncommitted(repository) == frozenset()
    assert git.tracked(repository) == set(NAMES)
    assert {change.path for one in git.iter_log(repository) for change in one.changes} == set(NAMES)
    assert git.contents(repository, NAMES) == dict.fromkeys(NAMES, b"text\n")


def test_the_log_has_parents_first_and_people(repo: Path) -> None:
    memory(repo, "a.md", "one\n" * 20)
    first = commit(repo)
    run_git("mv", "memory/a.md", "memory/b.md", cwd=repo)
    memory(repo, "b.md", "one\n" * 20 + "two\n")
    second = commit(repo, name="Bo Li", email="bo@example.org")
    (repo / "elsewhere").write_text("x", encoding="utf-8")
    commit(repo)
    log = list(git.iter_log(found(repo)))
    assert [one.id for one in log] == [first, second]
    assert log[0].changes == (git.Change("A", "a.md"),)
    assert log[1].changes == (git.Change("R", "b.md", "a.md"),)
    assert log[0].committer == git.Person("Ada Tester", "ada@example.org")
    assert log[1].author == log[1].committer == git.Person("Bo Li", "bo@example.org")
    assert [one.id for one in git.iter_log(found(repo), since=first)] == [second]


def test_a_file_that_comes_from_elsewhere_is_new(repo: Path) -> None:
    (repo / "note.md").write_text("long enough to be found again\n" * 5, encoding="utf-8")
    commit(repo)
    memory(repo, "keep.md")
    run_git("mv", "note.md", "memory/note.md", cwd=repo)
    commit(repo)
    (one,) = git.iter_log(found(repo))
    assert set(one.changes) == {git.Change("A", "keep.md"), git.Change("A", "note.md")}


def test_of_a_merge_only_its_own_changes_are_listed(repo: Path) -> None:
    memory(repo, "a.md", "base\n")
    commit(repo)
    run_git("checkout", "-q", "-b", "side", cwd=repo)
    memory(repo, "a.md", "side\n")
    memory(repo, "b.md")
    commit(repo)
    run_git("checkout", "-q", "main", cwd=repo)
    memory(repo, "a.md", "main\n")
    commit(repo)
    subprocess.run(["git", "merge", "-q", "side"], cwd=repo, check=False, capture_output=True)
    memory(repo, "a.md", "both\n")
    memory(repo, "born-in-merge.md")
    merge = commit(repo)
    last = list(git.iter_log(found(repo)))[-1]
    assert last.id == merge
    assert {change.path for change in last.changes} == {"a.md", "born-in-merge.md"}


def test_a_name_that_looks_like_a_record_forges_nothing(repo: Path) -> None:
    memory(repo, "a.md")
    commit(repo, name="x\x01" + "0" * 40 + "\x02", email="ada@example.org\x01M")
    memory(repo, "0" * 40)
    memory(repo, "R100")
    commit(repo)
    log = list(git.iter_log(found(repo)))
    assert [sorted(change.path for change in one.changes) for one in log] == [["a.md"], ["0" * 40, "R100"]]


def test_settings_of_the_user_do_not_change_the_answers(repo: Path) -> None:
    memory(repo, "a.md")
    commit(repo)
    before = (git.uncommitted(found(repo)), list(git.iter_log(found(repo))))
    for key, value in {
        "color.ui": "always",
        "log.showRoot": "false",
        "log.showSignature": "true",
        "log.decorate": "full",
        "status.showUntrackedFiles": "no",
        "status.relativePaths": "true",
        "diff.noprefix": "true",
        "diff.renames": "false",
        "core.pager": "false",
        "core.fsmonitor": "false-program",
    }.items():
        run_git("config", key, value, cwd=repo)
    memory(repo, "new.md")
    assert git.uncommitted(found(repo)) == before[0] | {"new.md"}
    assert list(git.iter_log(found(repo))) == before[1]


def test_contents_are_raw_and_what_is_missing_is_left_out(repo: Path) -> None:
    memory(repo, "a.md").write_bytes(b"\xef\xbb\xbfone\r\n\x00two")
    memory(repo, "empty.md", "")
    memory(repo, "sub/b.md", "b")
    first = commit(repo)
    memory(repo, "a.md", "new")
    commit(repo)
    repository = found(repo)
    asked = ["missing.md", "a.md", "sub", "empty.md", "sub/b.md", "with\nnewline.md"]
    assert git.contents(repository, asked) == {"a.md": b"new", "empty.md": b"", "sub/b.md": b"b"}
    assert git.contents(repository, ["a.md"], first) == {"a.md": b"\xef\xbb\xbfone\r\n\x00two"}
    assert git.contents(repository, []) == {}


def test_staged_text_is_not_the_file_on_disk(repo: Path) -> None:
    memory(repo, "a.md", "head\n")
    memory(repo, "gone.md")
    commit(repo)
    memory(repo, "a.md", "staged\n")
    (repo / "memory/gone.md").unlink()
    run_git("add", "-A", cwd=repo)
    memory(repo, "a.md", "disk\n")
    memory(repo, "untracked.md")
    repository = found(repo)
    assert git.staged(repository) == ("a.md",)
    assert git.staged_contents(repository, ["a.md", "untracked.md"]) == {"a.md": b"staged\n"}


def test_ignored_paths(repo: Path) -> None:
    (repo / ".git/info/exclude").write_text("memory/private\n", encoding="utf-8")
    memory(repo, "private/a.md")
    memory(repo, "b.md")
    repository = found(repo)
    assert git.is_ignored(repository, "private/a.md")
    assert not git.is_ignored(repository, "b.md")
    assert git.uncommitted(repository) == {"b.md"}


def test_each_worktree_sees_its_own_branch(repo: Path, tmp_path: Path) -> None:
    memory(repo, "a.md")
    head = commit(repo)
    side = tmp_path / "side tree"
    run_git("worktree", "add", "-q", "-b", "side", str(side), cwd=repo)
    memory(side, "b.md")
    repository = found(side)
    assert repository.root == side.resolve()
    assert repository.git_folder == repo.resolve() / ".git/worktrees/side-tree"
    assert git.branch(repository) == "side"
    assert git.uncommitted(repository) == {"b.md"}
    assert git.uncommitted(found(repo)) == frozenset()
    expected = (git.Worktree(repo.resolve(), head, "main"), git.Worktree(side.resolve(), head, "side"))
    assert git.worktrees(repository) == git.worktrees(found(repo)) == expected


def test_ancestors(repo: Path) -> None:
    first = commit(repo)
    second = commit(repo)
    assert git.is_ancestor(found(repo), first)
    assert git.is_ancestor(found(repo), second)
    assert not git.is_ancestor(found(repo), "0" * 40)
    run_git("checkout", "-q", first, cwd=repo)
    assert not git.is_ancestor(found(repo), second)


def test_variables_of_a_foreign_hook_mean_nothing(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    other.mkdir()
    run_git("init", "-q", cwd=other)
    memory(other, "theirs.md")
    run_git("add", "-A", cwd=other)
    memory(repo, "ours.md")
    commit(repo)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    repository = found(repo)
    assert repository.root == repo.resolve()
    assert git.staged(repository) == ()
    assert git.staged_contents(repository, ["ours.md", "theirs.md"]) == {"ours.md": b"text\n"}
    assert git.uncommitted(repository) == frozenset()
    assert git.find(tmp_path) is None


HOOK = """\
#!{python}
import sys; sys.path.insert(0, {package!r})
from pathlib import Path
from mdmem import git
repository = git.find(Path("memory"))
names = git.staged(repository)
for name, text in git.staged_contents(repository, names).items():
    print(f"{{name}}={{text.decode()}}", file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [("-a",), ("memory/a.md",), ("--only", "memory/a.md"), ()])
@pytest.mark.parametrize("in_worktree", [False, True], ids=["main", "worktree"])
def test_a_hook_sees_what_this_very_commit_stages(
    repo: Path, tmp_path: Path, arguments: tuple[str, ...], *, in_worktree: bool
) -> None:
    memory(repo, "a.md", "old")
    memory(repo, "b.md", "old")
    commit(repo)
    package = str(Path(git.__file__).parents[1])
    hook = repo / ".git/hooks/pre-commit"
    hook.write_text(HOOK.format(python=sys.executable, package=package), encoding="utf-8")
    hook.chmod(0o755)
    tree = repo
    if in_worktree:
        tree = tmp_path / "tree"
        run_git("worktree", "add", "-q", str(tree), cwd=repo)
    memory(tree, "a.md", "new")
    if not arguments:
        run_git("add", "-A", cwd=tree)
    done = subprocess.run(
        ["git", "commit", "-m", "x", *arguments], cwd=tree, check=True, capture_output=True, text=True
    )
    assert done.stderr == "a.md=new\n"
    assert run_git("status", "--porcelain", cwd=tree) == ""


def test_a_partial_clone_is_read_without_fetching(repo: Path, tmp_path: Path) -> None:
    memory(repo, "a.md", "one\n" * 20)
    commit(repo)
    run_git("mv", "memory/a.md", "memory/b.md", cwd=repo)
    memory(repo, "b.md", "one\n" * 20 + "two\n")
    commit(repo)
    run_git("config", "uploadpack.allowFilter", "true", cwd=repo)
    clone = tmp_path / "clone"
    run_git("clone", "-q", "--filter=blob:none", f"file://{repo}", str(clone), cwd=tmp_path)
    changes = [change for one in git.iter_log(found(clone)) for change in one.changes]
    assert changes[-1].path == "b.md"
    missing = run_git("rev-list", "--objects", "--missing=print", "--all", cwd=clone)
    assert "?" in missing


def test_what_git_refuses_is_said(repo: Path) -> None:
    memory(repo, "a.md")
    commit(repo)
    repository = found(repo)
    (repo / ".git/index").write_bytes(b"broken")
    with pytest.raises(GitError, match=r"git status: .*index"):
        git.uncommitted(repository)


def test_a_git_that_hangs_is_given_up_on(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin/git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 5\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git, "SECONDS", 0.1)
    with pytest.raises(GitError, match="no answer"):
        git.find(repo)


def test_a_scratch_repository_shows_what_is_new(tmp_path: Path) -> None:
    repository = git.create(tmp_path)
    old = memory(tmp_path, "old.md")
    git.stage(repository)
    assert git.diff(repository) == ""
    old.write_text("other\n", encoding="utf-8")
    memory(tmp_path, "new.md")
    git.stage(repository, names_only=True)
    lines = git.diff(repository).splitlines()
    assert [line for line in lines if line.startswith(("+", "-")) and not line.startswith(("+++", "---"))] == [
        "+text",
        "-text",
        "+other",
    ]
