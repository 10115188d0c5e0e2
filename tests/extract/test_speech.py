"""Sentences, other people's words, and dates made absolute."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.extract.languages.english import ENGLISH
from mdmem.extract.speech import own_text, sentences, with_dates

WEDNESDAY = date(2026, 5, 6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Put it in a.py, e.g. by Crane.Lift. Then stop", ["Put it in a.py, e.g. by Crane.Lift.", "Then stop"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("good now :) next one", ["good now :)", "next one"]),
        ("- one\n- two", ["one", "two"]),
        ("", []),
    ],
)  # fmt: skip
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@given(st.text(max_size=200))
def test_sentences_lose_no_letter(text: str) -> None:
    letters = [char for char in text if char.isalnum()]
    assert [char for part in sentences(text) for char in part if char.isalnum()] == letters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("since yesterday", "since 2026-05-05"),
        ("from today", "from 2026-05-06"),
        ("by tomorrow", "by 2026-05-07"),
        ("3 days ago it broke", "on 2026-05-03 it broke"),
        ("two weeks ago", "around 2026-04-22"),
        ("until next friday", "until 2026-05-08"),
        ("last Monday", "2026-05-04"),
        ("next wednesday", "2026-05-13"),
        ("last week", "the week of 2026-04-29"),
        ("next month", "2026-06"),
        ("from this week", "from the week of 2026-05-06"),
        ("a day in May", "a day in May"),
    ],
)
def test_relative_dates_become_absolute(text: str, expected: str) -> None:
    assert with_dates(text, WEDNESDAY, ENGLISH) == expected


@given(st.text(max_size=100))
def test_dates_are_made_absolute_once(text: str) -> None:
    once = with_dates(text, WEDNESDAY, ENGLISH)
    assert with_dates(once, WEDNESDAY, ENGLISH) == once


def test_code_and_quotes_are_taken_out_of_what_somebody_says() -> None:
    text = "use this shape:\n```py\nnever = 1\n```\n> always\nbut with dates"
    assert own_text(text, ENGLISH) == "use this shape:\n\nbut with dates"
