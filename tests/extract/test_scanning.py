"""JSON amid other text: what is found, what is passed over, what is cut off."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.extract.scanning import scan


@pytest.mark.parametrize(
    ("text", "values", "broken"),
    [
        ("", [], 0),
        ("no brackets", [], 0),
        ('{"a": {"b": 1}}', [{"a": {"b": 1}}], 0),
        ('one {"a": 1} two [2] three', [{"a": 1}, [2]], 0),
        ('the form {type} and {a: 1}: {"a": 1}', [{"a": 1}], 0),
        ('{"a": "}{"}', [{"a": "}{"}], 0),
        ('{"a": "\\"}"}', [{"a": '"}'}], 0),
        ('{"a": "two\nlines"}', [{"a": "two\nlines"}], 0),
        ('{"a": 1', [], 1),
        ('{"a": [{"b": 1}, {"c', [{"b": 1}], 3),
        ("{'a': 1}", [], 1),
        ('{"a": 1,}', [], 1),
        ("[1, 2", [], 0),
    ],
)
def test_values_and_broken_beginnings(text: str, values: list[object], broken: int) -> None:
    found = scan(text)
    assert [one.value for one in found.found] == values
    assert len(found.broken) == broken
    assert [json.loads(text[one.start : one.end], strict=False) for one in found.found] == values


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 40_000, '{"' * 200_000, '["' + "x{" * 200_000, '{"a": 1' + "1" * 9_999]
)
def test_the_work_is_bounded(text: str) -> None:
    started = time.monotonic()
    scan(text)
    assert time.monotonic() - started < 10


@given(st.text(alphabet='{}[]":,\\ an1\n', max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    found = scan(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found.found)
