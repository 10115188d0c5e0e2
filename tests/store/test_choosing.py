"""Which memories are meant (filters), what is to change (assignments), and how many there are (overview)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from mdmem.errors import MdmemError
from mdmem.memory import Memory, MemoryType, Status
from mdmem.store.assignment import read_assignments
from mdmem.store.filters import Filters, covers, newest_first
from mdmem.store.overview import overview
from mdmem.store.table import StoredMemory
from support.memories import draft, make_store, write_memory

if TYPE_CHECKING:
    from pathlib import Path

ONE = draft("One", files=("src/**/*.py", "docs"), tags=("Db", "ci"), created=date(2026, 1, 5))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, True),
        ({"types": ["lesson", "decision"]}, True),
        ({"types": ["quirk"]}, False),
        ({"sources": ["user"]}, True),
        ({"sources": ["agent"]}, False),
        ({"statuses": ["stale"]}, False),
        ({"statuses": ["all"]}, True),
        ({"scope": "global"}, False),
        ({"tag": "db"}, True),
        ({"tag": "d"}, False),
        ({"file": "src/db/pool.py"}, True),
        ({"file": "docs/a/b.md"}, True),
        ({"file": "doc"}, False),
        ({"since": date(2026, 1, 5)}, True),
        ({"since": date(2026, 1, 6)}, False),
    ],
)
def test_filters(given: dict[str, object], expected: bool) -> None:
    assert Filters.of(**given).admits(ONE) is expected  # type: ignore[arg-type]


def test_what_only_its_status_hides() -> None:
    stale = draft("Old", status=Status.STALE, tags=("x",))
    assert Filters.of().hides(stale)
    assert not Filters.of(tag="y").hides(stale)
    assert not Filters.of(statuses=["all"]).hides(stale)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a.py", "a.py", True),
        ("src/", "src/a.py", True),
        ("src", "srcs/a.py", False),
        ("*.py", "src/a.py", True),
        ("app/[id]/page.tsx", "app/[id]/page.tsx", True),
        ("src/**/*.py", "src/a.py", True),
    ],
)
def test_what_a_memory_is_about(pattern: str, path: str, expected: bool) -> None:
    assert covers(pattern, path) is expected


def test_the_newest_first_and_those_without_a_date_last() -> None:
    dated = [StoredMemory(f"{when}.md", draft("x", created=when and date.fromisoformat(when)), "")
             for when in ("2026-01-01", "", "1969-05-01", "2026-03-01")]  # fmt: skip
    assert [one.path for one in newest_first(dated)] == ["2026-03-01.md", "2026-01-01.md", "1969-05-01.md", ".md"]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("confidence=0.8", {"confidence": "0.8"}),
        ("confidence = 0.8 ", {"confidence": "0.8"}),
        ("topic=", {"topic": None}),
        ("title=a = b", {"title": "a = b"}),
        ("title=two\nlines", {"title": "two lines"}),
        ("tags=x, y,,", {"tags": ("x", "y")}),
        ("tags+=new,ci", {"tags": ("Db", "ci", "new")}),
        ("tags-=ci", {"tags": ("Db",)}),
        ("files=", {"files": ()}),
    ],
)
def test_assignments(text: str, changes: dict[str, object]) -> None:
    assert read_assignments([text], ONE) == (changes, None)


def test_a_body_and_several_changes_of_one_list() -> None:
    changes, body = read_assignments(["tags+=a", "tags-=Db", "body=New\ntext."], ONE)
    assert (changes, body) == ({"tags": ("ci", "a")}, "New\ntext.")


@pytest.mark.parametrize(("text", "hint"), [("confidense=1", "confidence"), ("=1", "key=value"), ("x", "key=value")])
def test_what_is_no_assignment_is_explained(text: str, hint: str) -> None:
    with pytest.raises(MdmemError) as error:
        read_assignments([text], ONE)
    assert hint in error.value.hint


def test_the_overview_counts(tmp_path: Path) -> None:
    store = make_store(tmp_path / "memory", {"lesson/a.md": ("One", "x")})
    write_memory(store.root, "decision/b.md", "Two", "x", status="pending")
    write_memory(store.root, "decision/c.md", "Three", "x", confidence="7")
    (store.root / "lesson/d.md").write_text("no memory", encoding="utf-8")
    view = overview(store.root, "project", store.outline(0))
    assert (view.by_type, view.pending) == ({"decision": 1, "lesson": 1}, 1)
    assert (view.invalid, view.unreadable) == (("decision/c.md",), ("lesson/d.md",))
    assert "  1 waits for review: mdmem review" in view.lines()
    assert "  2 files have errors: mdmem check" in view.lines()
    assert Memory(type=MemoryType.LESSON, title="x").is_active
