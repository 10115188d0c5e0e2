"""fmt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.store.store import Store
    from support.machine import Answer

ODD = b"---\r\n# mine\r\ntags: a, b\r\ntitle:  'Pin it'  # why\r\n---\r\nBecause.\r\n"
NORMAL = b"---\r\nid: %s\r\ntitle: Pin it # why\r\n# mine\r\ntags: [a, b]\r\n---\r\nBecause.\r\n"


@pytest.fixture
def odd(store: Store) -> Store:
    """An odd file, a normal one and one that can't be read."""
    for path, data in (
        ("lesson/odd.md", ODD),
        ("lesson/normal.md", b"---\nid: n1\ntitle: Warm the cache\n---\nIt is slow.\n"),
        ("spec/broken.md", b"---\ntitle: @x\n---\nText.\n"),
    ):
        (store.root / path).parent.mkdir(exist_ok=True)
        (store.root / path).write_bytes(data)
    return store


def test_a_file_is_written_in_its_normal_form(odd: Store, cli: Callable[..., Answer]) -> None:
    given = json.loads(cli("show", "odd", "--json").out)["id"]
    assert cli("fmt", "odd").out == "formatted lesson/odd.md\n"
    assert (odd.root / "lesson/odd.md").read_bytes() == NORMAL % given.encode()
    assert json.loads(cli("show", "odd", "--json").out)["id"] == given
    assert cli("fmt", "odd").out == ""


def test_check_and_diff_write_nothing(odd: Store, cli: Callable[..., Answer]) -> None:
    checked = cli("fmt", "--check", "lesson")
    assert (checked.code, checked.out) == (1, "would format lesson/odd.md\n")
    assert "+tags: [a, b]" in cli("fmt", "--diff", "lesson").out
    assert (odd.root / "lesson/odd.md").read_bytes() == ODD
    assert cli("fmt", "--check", "normal").code == 0


def test_all_files_and_one_that_is_left(odd: Store, cli: Callable[..., Answer]) -> None:
    answer = cli("fmt", "--eol", "lf", "--json")
    assert answer.code == 1
    report = json.loads(answer.out)
    assert report["changed"] == ["lesson/odd.md"]
    assert list(report["left"]) == ["spec/broken.md"]
    assert b"\r" not in (odd.root / "lesson/odd.md").read_bytes()
    assert (odd.root / "spec/broken.md").read_bytes() == b"---\ntitle: @x\n---\nText.\n"


def test_an_agent_leaves_what_a_person_wrote(odd: Store, cli: Callable[..., Answer]) -> None:
    answer = cli("--as", "agent", "fmt", "odd")
    assert (answer.code, answer.out) == (1, "")
    assert "lesson/odd.md was left alone: a person wrote it" in answer.err
    assert (odd.root / "lesson/odd.md").read_bytes() == ODD


def test_it_can_be_undone(odd: Store, cli: Callable[..., Answer]) -> None:
    cli("fmt", "odd")
    cli("undo")
    assert (odd.root / "lesson/odd.md").read_bytes() == ODD
