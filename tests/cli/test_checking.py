"""check and sync: what is on disk, what is staged, and what a commit hook sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.machine import git
from support.memories import memory_text, write_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.store.store import Store
    from support.machine import Answer


@pytest.fixture
def committed(store: Store, repo: Path, cli: Callable[..., Answer]) -> Path:
    """A committed store of one good memory; gives its folder."""
    write_memory(store.root, "lesson/a.md", "A", "Body.")
    cli("sync")
    git("add", "-A", cwd=repo)
    git("commit", "-qm", "start", cwd=repo)
    return store.root


def codes(answer: Answer) -> list[tuple[str, str]]:
    """(path, code) of each problem."""
    return [(row["path"], row["code"]) for row in json.loads(answer.out)]


def test_a_problem_is_a_line_that_editors_understand(committed: Path, cli: Callable[..., Answer]) -> None:
    write_memory(committed, "lesson/b.md", "B", "Body.", confidence="1.7")
    answer = cli("check", "memory/lesson/b.md")
    assert answer.out.startswith("memory/lesson/b.md:3: E_RANGE `confidence` is 1.7 (")
    assert (answer.code, answer.err) == (1, "2 files, 1 error, 0 warnings\n")


def test_warnings_alone_pass(committed: Path, cli: Callable[..., Answer]) -> None:
    write_memory(committed, "lesson/b.md", "B")
    answer = cli("check", "--json")
    assert (answer.code, codes(answer)) == (
        0, [("memory/MEMORY.md", "W_ORPHAN"), ("memory/lesson/b.md", "W_EMPTY_BODY")])  # fmt: skip


def test_staged_text_is_checked_and_not_the_disk(committed: Path, repo: Path, cli: Callable[..., Answer]) -> None:
    write_memory(committed, "lesson/b.md", "B", "Body.", confidence="1.7")
    git("add", "memory/lesson/b.md", cwd=repo)
    write_memory(committed, "lesson/b.md", "B", "Body.", confidence="0.7")
    write_memory(committed, "lesson/c.md", "C", "Body.", confidence="9")
    assert codes(cli("check", "--staged", "--json")) == [("memory/lesson/b.md", "E_RANGE")]
    git("add", "memory/lesson/b.md", cwd=repo)
    assert cli("check", "--staged").code == 0


def test_what_is_staged_and_gone_is_checked(committed: Path, repo: Path, cli: Callable[..., Answer]) -> None:
    path = write_memory(committed, "lesson/b.md", "B", "Body.", confidence="1.7")
    git("add", "memory/lesson/b.md", cwd=repo)
    path.unlink()
    assert codes(cli("check", "--staged", "--json")) == [("memory/lesson/b.md", "E_RANGE")]


def test_as_a_hook_it_stops_a_bad_commit(committed: Path, repo: Path) -> None:
    hook = repo / ".git/hooks/pre-commit"
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mdmem check --staged\n')
    hook.chmod(0o755)
    write_memory(committed, "lesson/b.md", "B", "Body.", confidence="1.7")
    git("add", "-A", cwd=repo)
    done = subprocess.run(
        ["git", "commit", "-m", "bad"], cwd=repo, capture_output=True, text=True, env=os.environ, check=False
    )
    assert done.returncode == 1
    assert "E_RANGE" in done.stderr  # where git puts what a hook prints
    assert git("rev-list", "--count", "HEAD", cwd=repo) == "1\n"


def test_sync_moves_lines_of_an_agent_inside_and_says_so(committed: Path, cli: Callable[..., Answer]) -> None:
    (committed / "lesson/b.md").write_text(memory_text("B", "Body."))
    index = committed / "MEMORY.md"
    index.write_text(index.read_text() + "- [B](lesson/b.md) - noted\n")
    answer = cli("sync")
    assert "moved into the index: - [B](lesson/b.md) - noted" in answer.err
    assert index.read_text().count("lesson/b.md") == 1
    assert cli("sync").out.startswith("wrote nothing")


def test_sync_shows_the_index_in_json(committed: Path, cli: Callable[..., Answer]) -> None:
    assert json.loads(cli("sync", "--dry-run", "--json").out)["index"] == cli("sync", "--dry-run").out


def test_a_conflict_in_the_index_is_not_committed(committed: Path, repo: Path, cli: Callable[..., Answer]) -> None:
    index = committed / "MEMORY.md"
    text = index.read_text(encoding="utf-8")
    index.write_text(text.replace("- [A]", "<<<<<<< HEAD\n=======\n>>>>>>> other\n- [A]"), encoding="utf-8")
    git("add", "-A", cwd=repo)
    answer = cli("check", "--staged", "--json")
    assert (answer.code, codes(answer)) == (1, [("memory/MEMORY.md", "E_CONFLICT")])
    assert cli("check").code == 0
    cli("sync")
    git("add", "-A", cwd=repo)
    assert cli("check", "--staged").code == 0
