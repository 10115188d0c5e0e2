"""Founding a store: what is made, what is kept, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.errors import MdmemError
from mdmem.store.founding import found_store
from mdmem.store.store import Store
from support.machine import git
from support.memories import write_memory


def test_a_new_store_is_in_order(tmp_path: Path) -> None:
    founded = found_store(tmp_path / "memory")
    assert founded.written == ("MEMORY.md", ".gitignore", ".gitattributes")
    assert not founded.existed
    assert Store(founded.root).sync().written == ()
    assert found_store(tmp_path / "memory").written == ()


def test_what_is_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- [A](a.md)\n", encoding="utf-8")
    (tmp_path / ".gitattributes").write_text("mine", encoding="utf-8")
    founded = found_store(tmp_path)
    assert (founded.existed, founded.written) == (True, (".gitignore",))
    assert (tmp_path / ".gitattributes").read_text(encoding="utf-8") == "mine"


def test_markdown_may_lie_there_and_other_things_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_memory(tmp_path / "memory", "notes/a.md", "One")
    assert not found_store(tmp_path / "memory").existed
    (tmp_path / "data").mkdir()
    (tmp_path / "data/pool.py").touch()
    with pytest.raises(MdmemError, match=r"pool\.py"):
        found_store(tmp_path / "data")
    monkeypatch.chdir(tmp_path / "data")
    with pytest.raises(MdmemError, match="holds other things") as caught:
        found_store(Path())
    assert "mdmem init memory" in caught.value.hint
    (tmp_path / "file").touch()
    with pytest.raises(MdmemError, match="a file of that name"):
        found_store(tmp_path / "file")


def test_a_private_store_is_unknown_to_git(repo: Path) -> None:
    root = found_store(repo / "memory", private=True).root
    write_memory(root, "lesson/a.md", "One")
    assert git("status", "--porcelain", cwd=repo) == ""


def test_what_only_this_machine_needs_is_ignored(repo: Path) -> None:
    root = found_store(repo / "memory").root
    write_memory(root, "lesson/a.md", "One")
    Store(root).sync()
    (root / "lesson/.mdmem-0123.tmp").touch()
    git("add", "-A", cwd=repo)
    tracked = git("ls-files", cwd=repo).split()
    assert tracked == [f"memory/{name}" for name in (".gitattributes", ".gitignore", "MEMORY.md", "lesson/a.md")]


def test_vetoes_of_two_branches_merge_without_a_conflict(repo: Path) -> None:
    root = found_store(repo / "memory").root
    for title in ("One", "Two", "Three"):
        write_memory(root, f"lesson/{title}.md", title)
    (root / "vetoes.md").write_text("- 0000000000000000 Old\n", encoding="utf-8")
    commit(repo)
    git("checkout", "-qb", "other", cwd=repo)
    (root / "vetoes.md").write_text("- 0000000000000000 Old\n- 1111111111111111 Theirs\n", encoding="utf-8")
    commit(repo)
    git("checkout", "-q", "main", cwd=repo)
    (root / "vetoes.md").write_text("- 0000000000000000 Old\n- 2222222222222222 Ours\n", encoding="utf-8")
    commit(repo)
    git("merge", "-q", "other", "-m", "merge", cwd=repo)
    assert {veto.title for veto in Store(root).vetoes()} == {"Old", "Ours", "Theirs"}


def commit(repo: Path) -> None:
    git("add", "-A", cwd=repo)
    git("commit", "-qm", "x", cwd=repo)
