"""The words of a brief: one line a body, cut at sentences, ages as people say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.search.lines import age_text, one_line, shorten, without_title

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("", ""),
        ("One.\nTwo.\n\nThree.\n", "One. Two. Three."),
        ("## Why\nSpeed.", "Why: Speed."),
        ("Steps:\n- one\n* two\n3. three", "Steps: · one · two · three"),
        ("Run:\n```sh\nmake all\n\n  make `x`\n```\nThen wait.", "Run: `make all` make `x` Then wait."),
        ("> quoted\n> twice", "quoted twice"),
        ("a\u2028b\x85c\r\nd", "a b c d"),
        ("**Why:** it hangs.", "**Why:** it hangs."),
        ("-5 degrees", "-5 degrees"),
    ],
)
def test_a_body_on_one_line(body: str, line: str) -> None:
    assert one_line(body) == line


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Pin the linter. 0.5 breaks it.", "0.5 breaks it."),
        ("Pin the linter: 0.5 breaks it.", "0.5 breaks it."),
        ("**Pin the linter.** 0.5 breaks it.", "0.5 breaks it."),
        ("pin the LINTER — 0.5 breaks it.", "0.5 breaks it."),
        ("Pin the linter", ""),
        ("Pin the linter to 0.4.", "Pin the linter to 0.4."),
        ("Pin the linter-plugin.", "Pin the linter-plugin."),
        ("Never pin the linter.", "Never pin the linter."),
        ("", ""),
    ],
)
def test_a_repeated_title_is_dropped(text: str, rest: str) -> None:
    assert without_title(text, "Pin the linter.") == rest


@pytest.mark.parametrize(
    ("text", "length", "short"),
    [
        ("Short.", 6, "Short."),
        ("One sentence. And another one.", 20, "One sentence. …"),
        ("v1.2 is out. More of it here.", 16, "v1.2 is out. …"),
        ("No end in these words at all", 15, "No end in…"),
        ("No end in these words at all", 16, "No end in these…"),
        ("A. And then a long stretch of words", 25, "A. And then a long…"),
        ("x" * 30, 10, "x" * 9 + "…"),
        ("一つ目の文。二つ目の長い文です", 10, "一つ目の文。 …"),
    ],
)
def test_text_is_cut_at_a_sentence_else_at_a_word(text: str, length: int, short: str) -> None:
    assert len(shorten(text, length)) <= length
    assert shorten(text, length) == short


@given(st.text(st.sampled_from("ab. !。x—🎉"), max_size=80), st.integers(2, 60))
def test_no_cut_is_longer_than_asked(text: str, length: int) -> None:
    short = shorten(text, length)
    assert len(short) <= length
    assert short == text or short.endswith("…")


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (0, "today"),
        (1, "yesterday"),
        (2, "2 days"),
        (59, "59 days"),
        (60, "2 months"),
        (400, "13 months"),
        (-3, "today"),
    ],
)
def test_ages(days: int, text: str) -> None:
    assert age_text(NOW - timedelta(days=days), NOW) == text


def test_a_night_between_makes_yesterday() -> None:
    assert age_text(datetime(2026, 3, 9, 23, 59, tzinfo=UTC), datetime(2026, 3, 10, 0, 1, tzinfo=UTC)) == "yesterday"


def test_no_date_is_said() -> None:
    assert age_text(None, NOW) == "age unknown"
