"""File names that every system can hold, stable for a title, equal to no other."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.memory import ID
from mdmem.store.naming import DEVICE_NAMES, free_path, names_in, new_id, slug
from mdmem.store.scan import is_memory_path, name_key

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Run migrations before the worker starts", "run-migrations-before-the-worker-starts"),
        ("Don't use `eval`!", "dont-use-eval"),
        ("Über Café", "uber-cafe"),
        ("U\u0308ber Cafe\u0301", "uber-cafe"),
        ("straße", "strasse"),
        ("STRASSE", "strasse"),
        ("Read & write", "read-and-write"),
        ("aux", "aux-memory"),
        ("COM1", "com1-memory"),
        ("aux notes", "aux-notes"),
        ("MEMORY", "memory-memory"),
        ("ReadMe", "readme-memory"),
        ("agent rules", "agent-rules-memory"),
        ("../../etc/cron.d/x", "etc-cron-d-x"),
        ("trailing dot. ", "trailing-dot"),
        ("a\nb", "a-b"),
        ("x" * 120, "x" * 50),
    ],
)
def test_slugs(title: str, stem: str) -> None:
    assert slug(title) == stem


def test_a_title_without_letters_gets_a_name_of_its_own() -> None:
    assert re.fullmatch(r"memory-[0-9a-z]{8}", slug("日本語"))
    assert slug("日本語") == slug("日本語") != slug("中文")


@given(st.text(max_size=200))
def test_any_title_gives_a_name_that_every_system_holds(title: str) -> None:
    stem = slug(title)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", stem)
    assert len(stem) <= 57
    assert stem not in DEVICE_NAMES
    assert is_memory_path(f"lesson/{stem}.md")
    assert slug(unicodedata.normalize("NFD", title)) == slug(unicodedata.normalize("NFC", title)) or not title.isascii()


def test_a_taken_name_gets_a_number() -> None:
    taken = {name_key("lesson/One.md"), name_key("lesson/one-2.md")}
    assert free_path("lesson", "One", taken) == "lesson/one-3.md"
    assert free_path("decision", "One", taken) == "decision/one.md"


def test_names_are_taken_whatever_their_case_and_kind(tmp_path: Path) -> None:
    (tmp_path / "Lesson").mkdir()
    (tmp_path / "lesson").mkdir(exist_ok=True)
    (tmp_path / "Lesson/ONE.md").touch()
    (tmp_path / "lesson/two.md").mkdir()
    (tmp_path / "lesson/link.md").symlink_to("nowhere")
    assert names_in(tmp_path, "lesson") >= {"lesson/one.md", "lesson/two.md", "lesson/link.md"}
    assert names_in(tmp_path, "decision") == set()


def test_an_id_is_new() -> None:
    made = {new_id(()) for _ in range(50)}
    assert len(made) == 50
    assert all(ID.fullmatch(one) and len(one) == 8 for one in made)
