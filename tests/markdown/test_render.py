"""New files, and values that every reader of YAML takes for the same text."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
import yaml

from mdmem.markdown.parse import parse
from mdmem.markdown.render import entry, inline_value, render, scalar, writable
from mdmem.memory import Memory, MemoryType, Source, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.markdown.render import Plain

FULL = Memory(
    type=MemoryType.LESSON,
    title="Run migrations: before the worker",
    body="The pool test hangs.\n\n**Why:** a connection opens too early.",
    id="4k7q2m9x",
    description="fix #42",
    status=Status.STALE,
    confidence=0.85,
    evidence=3,
    topic="test/pool",
    files=("src/db/pool.py", "src/db/*.sql"),
    scope="agent:claude-code",
    source=Source.EXTRACTION,
    origin=("claude-code/0b1f",),
    created=date(2026, 11, 28),
    confirmed=datetime(2026, 11, 30, 10, 0, tzinfo=UTC),
    expires=date(2027, 1, 1),
    superseded_by="x1",
    supersedes=("a1", "0x1f"),
    tags=("ci", "no", "1.10", "a, b"),
    verified="0123456",
    extra=(
        ("cssclasses", "wide"),
        ("nothing", None),
        ("empty", ""),
        ("lines", "a\n\n  b\n"),
        ("nested", {"a: b": ["x", {"y": "z"}, []], "c": {}}),
    ),
)


def test_a_file_with_everything(snapshot: Callable[..., None]) -> None:
    snapshot(render(FULL))
    assert parse(render(FULL).encode(), "lesson/a.md").memory == FULL


def test_what_equals_its_default_is_left_out() -> None:
    memory = Memory(type=MemoryType.SPEC, title="Pin it", created=date(2026, 1, 2), confirmed=date(2026, 1, 2))
    assert render(memory) == "---\ntype: spec\ntitle: Pin it\ncreated: 2026-01-02\n---\n"


def test_a_native_file_that_a_person_took_over_says_so() -> None:
    memory = Memory(type=MemoryType.SPEC, title="Pin it", id="k7", extra=(("name", "pin-it"),))
    again = parse(render(memory).encode(), "a.md").memory
    assert again is not None
    assert again.source is Source.USER


PLAIN = (
    "word",
    "two words",
    "it's",
    'a "b"',
    "a:b",
    "C#",
    "http://x",
    "a-b",
    "-a",
    "1st",
    "🚀 é",
    "a, b",
    "[a",
    "a]",
    "x=y",
)
QUOTED = (
    *(
        "no",
        "Yes",
        "on",
        "null",
        "~",
        "true",
        "y",
        "N",
        "1",
        "1.5",
        "0x1f",
        "0o17",
        "1e3",
        "1_000",
        ".5",
        "-1",
        "+1",
        ".inf",
    ),
    *("10:00", "2026-11-30", "2026-11-30T10:00:00Z", "=", "<<", "007"),
    *("", " a", "a ", "a  b", "a\u00a0b", "a\u200bb", "a: b", "a:", "a #b", "# a", "- a", "? a", "-", "?", ":"),
    *("@a", "`a`", "%a", "&a", "*a", "!a", "|a", ">a", "[a]", "{a}", '"a"', "'a'", ",a", "]a", "}a"),
)


@pytest.mark.parametrize("text", [text for text in PLAIN if not text.startswith("[")])
def test_a_plain_text_stays_plain(text: str) -> None:
    assert scalar(text) == text


@pytest.mark.parametrize("text", QUOTED)
def test_what_would_be_taken_for_something_else_is_quoted(text: str) -> None:
    assert scalar(text) == "'" + text.replace("'", "''") + "'"


@pytest.mark.parametrize("text", [*PLAIN, *QUOTED, "a?", "-?", "b?c", "{x", "a}b"])
@pytest.mark.parametrize("like", ["", "'", '"'])
def test_other_readers_take_it_for_the_same_text(text: str, like: str) -> None:
    for loader in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        assert yaml.load(f"k: {scalar(text, like)} # c\n", loader) == {"k": text}
        assert yaml.load(f"k: {inline_value('k', (text, text))}\n", loader) == {"k": [text, text]}
        assert yaml.load(f"k:\n  - {scalar(text)} # c\n", loader) == {"k": [text]}


@pytest.mark.parametrize(
    ("text", "like", "written"),
    [
        ("a", "'", "'a'"),
        ("a", '"', '"a"'),
        ('a"b', '"', 'a"b'),
        ("a\\b", '"', "a\\b"),
        ("no", '"', '"no"'),
        ("it's", "'", "'it''s'"),
    ],
)
def test_the_quotes_of_before_are_kept_where_they_can_hold_the_text(text: str, like: str, written: str) -> None:
    assert scalar(text, like) == written


@pytest.mark.parametrize(
    ("key", "value", "lines"),
    [
        ("confidence", "0.8", "confidence: 0.8\n"),
        ("created", "2026-11-30", "created: 2026-11-30\n"),
        ("created", "a: b", "created: 'a: b'\n"),
        ("topic", "10", "topic: '10'\n"),
        ("tags", ("a", "b"), "tags: [a, b]\n"),
        ("tags", ("a" * 50, "b" * 50), f"tags:\n  - {'a' * 50}\n  - {'b' * 50}\n"),
    ],
)
def test_an_entry(key: str, value: Plain, lines: str) -> None:
    assert entry(key, value) == lines


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a\nb", "a b"),
        ("a\x00b\x1b", "a b"),
        ("a\u2028b\udc80", "a b"),
        (("a\n", " ", "b"), ("a", "b")),
        ((), ()),
    ],
)
def test_what_frontmatter_can_hold(value: Plain, expected: Plain) -> None:
    assert writable(value) == expected


def test_control_characters_do_not_make_a_file_unreadable() -> None:
    memory = Memory(type=MemoryType.SPEC, title="a\x1b[1mb", tags=("a\x00b",), extra=(("x", "c\x07\nd"),))
    again = parse(render(memory).encode(), "a.md").memory
    assert again is not None
    assert (again.title, again.tags, dict(again.extra)) == ("a [1mb", ("a b",), {"x": "c \nd"})
