"""Days, paths and slips, apart from any file."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from mdmem.markdown.dates import as_iso, as_when
from mdmem.markdown.problems import CODES
from mdmem.markdown.reading import one_line
from mdmem.markdown.rules import is_slip, type_folder
from mdmem.markdown.schema import READERS, as_path, leaves_repository
from mdmem.memory import Memory, MemoryType, as_type


def test_every_field_of_a_memory_is_read_and_no_other() -> None:
    assert {*READERS, "body", "extra"} == set(Memory.__slots__)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2026-11-30", date(2026, 11, 30)),
        ("2026-11-30T10:00Z", datetime(2026, 11, 30, 10, tzinfo=UTC)),
        ("2026-11-30 10:00:30 +01:00", datetime(2026, 11, 30, 9, 0, 30, tzinfo=UTC)),
        ("2026-11-31", None),
        ("2026-11-30T", None),
        ("2026-11-30T10", None),
        ("2026-11-30Z", None),
        ("2026-W49-1", None),
        ("0001-01-01T00:00+14:00", None),
        ("", None),
    ],
)
def test_iso_days_and_moments(text: str, when: date | None) -> None:
    assert as_when(text) == when


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026/11/30", "2026-11-30"),
        ("2026.11.30", "2026-11-30"),
        ("20261130", "2026-11-30"),
        ("30.11.2026", "2026-11-30"),
        ("1. 2. 2026", "2026-02-01"),
        ("30/11/2026", "2026-11-30"),
        ("11/30/2026", "2026-11-30"),
        ("11/12/2026", ""),
        ("30 Nov 2026", "2026-11-30"),
        ("30. November 2026", "2026-11-30"),
        ("3. Mai 2026", "2026-05-03"),
        ("Nov. 3rd, 2026", "2026-11-03"),
        ("2026-11-30 10 Uhr", "2026-11-30"),
        ("31.11.2026", ""),
        ("2026-11", ""),
        ("soon", ""),
        ("30 Foo 2026", ""),
    ],
)
def test_a_day_in_another_form_is_offered_where_it_is_sure(text: str, iso: str) -> None:
    assert as_iso(text) == iso


@pytest.mark.parametrize(
    ("path", "leaves"),
    [
        ("a/b.py", False),
        ("a/../b.py", False),
        ("./a", False),
        ("..", True),
        ("a/../../b", True),
        ("**/..", True),
        ("/a", True),
        ("//host/a", True),
        ("~/a", True),
        ("~ada/a", True),
        ("C:/a", True),
        ("c:a", True),
        ("https://a.example", True),
        ("$HOME/a", True),
        ("${HOME}/a", True),
        ("$lib/a.ts", False),
        ("%TEMP%/a", True),
        ("ab:c", False),
        ("a..b", False),
        ("...", False),
        ("", False),
    ],
)
def test_a_path_that_leaves_the_repository(path: str, leaves: bool) -> None:
    assert leaves_repository(path) is leaves


@pytest.mark.parametrize(
    ("text", "path"), [("./a", "a"), (".\\a\\b", "a/b"), ("././/a", "a"), ("a/./b", "a/./b"), ("./", "."), ("..", "..")]
)
def test_a_path_as_it_is_compared(text: str, path: str) -> None:
    assert as_path(text) == path


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("titel", "title", True),
        ("tiltle", "title", True),
        ("tile", "title", True),
        ("tittel", "title", False),
        ("confidense", "confidence", True),
        ("cnofidense", "confidence", True),
        ("confident", "confidence", True),
        ("tag", "tags", True),
        ("id", "ids", False),
        ("ident", "id", False),
        ("source", "scope", False),
        ("created", "created", True),
    ],
)
def test_a_slip_is_one_typing_error_or_two_in_a_long_word(word: str, known: str, expected: bool) -> None:
    assert is_slip(word, known) is expected


def test_no_known_key_looks_like_a_slip_of_another() -> None:
    assert [(one, other) for one in READERS for other in READERS if one != other and is_slip(one, other)] == []


@pytest.mark.parametrize(
    ("path", "kind"), [("a.md", None), ("spec/a.md", "spec"), ("spec/x/a.md", "spec"), ("x/quirk/a.md", "env_quirk")]
)
def test_a_folder_names_a_type(path: str, kind: str | None) -> None:
    assert type_folder(path)[1] == kind


def test_types_and_aliases() -> None:
    assert [as_type(name) for name in ("lesson", "project", "Lesson", "")] == [
        MemoryType.LESSON,
        MemoryType.WORKSPACE,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n b", "a b"),
        ("a\n\n\nb\n", "a b"),
        ("a\tb", "a b"),
        (" a  b ", "a  b"),
        ("\n", ""),
        ("a\u00a0b", "a\u00a0b"),
    ],
)
def test_a_text_on_one_line(text: str, line: str) -> None:
    assert one_line(text) == line


def test_every_code_says_what_it_means_in_one_sentence() -> None:
    assert [code for code, info in CODES.items() if not info.meaning.endswith(".")] == []
