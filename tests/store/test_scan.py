"""Which files are memories, and what is never followed, read or mistaken for one."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from mdmem.errors import DiskError
from mdmem.store import scan as module
from mdmem.store.scan import is_memory_path, look, name_key, scan

if TYPE_CHECKING:
    from pathlib import Path


def touch(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x", encoding="utf-8")


def paths(root: Path) -> list[str]:
    return [file.path for file in scan(root).files]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("lesson/a.md", True),
        ("a.md", True),
        ("notes/deep/er.MD", True),
        ("lesson/README.md", True),
        ("lesson/tasks/a.md", True),
        ("README.md", False),
        ("MEMORY.md", False),
        ("lesson/Memory.md", False),
        ("lesson/INDEX.md", False),
        ("vetoes.md", False),
        ("agent-rules.md", False),
        ("rules/a.md", False),
        ("Tasks/a.md", False),
        ("sessions/a.md", False),
        (".hidden.md", False),
        (".mdmem/cache/a.md", False),
        ("lesson/a.txt", False),
    ],
)
def test_names_tell_a_memory(tmp_path: Path, path: str, expected: bool) -> None:
    touch(tmp_path, path)
    assert is_memory_path(path) is expected
    assert paths(tmp_path) == ([path] if expected else [])


def test_links_are_reported_and_never_followed(tmp_path: Path) -> None:
    touch(tmp_path, "lesson/a.md", "other.txt")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "itself").symlink_to("itself")
    (tmp_path / "lesson/leak.md").symlink_to("/etc/hostname")
    (tmp_path / "lesson/dangling.md").symlink_to("nowhere")
    (tmp_path / "MEMORY.md").symlink_to("other.txt")
    (tmp_path / "other.lnk").symlink_to("other.txt")
    found = scan(tmp_path)
    assert [file.path for file in found.files] == ["lesson/a.md"]
    assert found.links == ("MEMORY.md", "lesson/dangling.md", "lesson/leak.md", "loop")


def test_another_store_or_repository_below_is_not_ours(tmp_path: Path) -> None:
    touch(tmp_path, "a.md", "tree/a.md", "module/.git/config", "module/a.md", "sub/memory/lesson/a.md", "old/a.md")
    (tmp_path / "tree/.git").write_text("gitdir: elsewhere", encoding="utf-8")
    (tmp_path / "sub/memory/MEMORY.md").write_text("<!-- mdmem:index begin -->\n<!-- mdmem:index end -->\n")
    (tmp_path / "old/MEMORY.md").write_text("- [A](a.md)\n")  # an agent's own notes, moved here
    (tmp_path / ".git").mkdir()  # the store may be a repository itself
    assert paths(tmp_path) == ["a.md", "old/a.md"]


def test_a_name_that_is_not_utf8_is_said(tmp_path: Path) -> None:
    touch(tmp_path, "a.md")
    with open(os.fsencode(tmp_path) + b"/caf\xe9.md", "wb"):  # noqa: PTH123
        pass
    found = scan(tmp_path)
    assert [file.path for file in found.files] == ["a.md"]
    assert [(problem.code, problem.path) for problem in found.misnamed] == [("E_ENCODING", "caf\\udce9.md")]


def test_names_with_anything_in_them(tmp_path: Path) -> None:
    names = [
        "a b.md",
        "a (old).md",
        "100%.md",
        "c#.md",
        "ü.md",
        "日本.md",
        "new\nline.md",
        "'quote\".md",
        "x" * 200 + ".md",
    ]
    touch(tmp_path, *names)
    assert paths(tmp_path) == sorted(names)


def test_things_that_are_no_files_are_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    touch(tmp_path, "folder.md/a.md")
    assert paths(tmp_path) == ["folder.md/a.md"]


def test_a_file_that_goes_away_during_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "a.md", "b.md")
    real = os.lstat

    def lstat(path: str) -> os.stat_result:
        (tmp_path / "b.md").unlink(missing_ok=True)
        return real(path)

    monkeypatch.setattr(module.os, "lstat", lstat)
    assert paths(tmp_path) == ["a.md"]


def test_a_folder_that_cannot_be_listed_fails_loud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "lesson/a.md")

    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(DiskError, match="permission denied"):
        scan(tmp_path)


def test_a_look_is_marked_by_all_that_it_saw(tmp_path: Path) -> None:
    touch(tmp_path, "a.md", "lesson/b.md", "notes.txt", "lesson/picture.png")
    marks = [look(tmp_path).mark]

    def expect(*, is_other: bool) -> None:
        marks.append(look(tmp_path).mark)
        assert (marks[-1] != marks[-2]) is is_other

    expect(is_other=False)
    touch(tmp_path, "notes.txt", "lesson/drawing.png", ".mdmem/cache/a.md", "rules/a.md")
    expect(is_other=False)
    (tmp_path / "lesson/b.md").write_text("xx", encoding="utf-8")
    expect(is_other=True)
    os.utime(tmp_path / "a.md", ns=(1, 1))
    expect(is_other=True)
    (tmp_path / "a.md").rename(tmp_path / "c.md")
    expect(is_other=True)
    (tmp_path / "d.md").symlink_to("c.md")
    expect(is_other=True)
    (tmp_path / "lesson").rename(tmp_path / "lessons")
    expect(is_other=True)


def test_a_store_that_is_not_there_has_no_memories(tmp_path: Path) -> None:
    assert scan(tmp_path / "none").files == ()


def test_very_deep_folders(tmp_path: Path) -> None:
    deep = "/".join(["d"] * 1100)
    here = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in deep.split("/"):
            os.mkdir("d", dir_fd=here)
            inner = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        os.close(os.open("a.md", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    finally:
        os.close(here)
    found = paths(tmp_path)
    subprocess.run(["rm", "-r", tmp_path / "d"], check=True)  # too deep for Python's own
    assert found == [f"{deep}/a.md"]


def test_keys_fold_case_and_unicode_form() -> None:
    assert name_key("Lesson/U\u0308ber.md") == name_key("lesson/\u00fcBER.md")
