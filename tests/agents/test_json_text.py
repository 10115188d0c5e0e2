"""Values put into JSON and taken out of it, with every other byte kept."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.agents import json_text
from mdmem.errors import ConfigError
from support.settings_files import settings_texts

PLACE = ("hooks", "Stop")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}'),
        ('{"a": 1}', '{"a": 1, "hooks": {"Stop": [1]}}'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t1\n\t\t]\n\t}\n}\n'),
        ('{\n  "a": 1, // why\n}\n', '{\n  "a": 1, // why\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  },\n}\n'),
        ('{\r\n  "hooks": {"Stop": []}\r\n}', '{\r\n  "hooks": {"Stop": [\r\n    1\r\n  ]}\r\n}'),
        ('{"hooks": {"Stop": [0]}}', '{"hooks": {"Stop": [0, 1]}}'),
        ('\ufeff{ "a": "é // no comment" }', '\ufeff{ "a": "é // no comment", "hooks": {"Stop": [1]} }'),
    ],
)
def test_a_value_is_put_in_as_the_file_is_written(before: str, after: str) -> None:
    assert json_text.append(before, "x.json", PLACE, 1) == after


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ('{"a": 1, "b": 2}', ("a",), '{"b": 2}'),
        ('{ "a": 1, "b": 2, }', ("b",), '{ "a": 1, }'),
        ('{\n  "a": 1, // one\n  "b": 2 // two\n}', ("b",), '{\n  "a": 1 // one\n  // two\n}'),
        ('{"a": [1, 2, 3]}', ("a", 1), '{"a": [1, 3]}'),
        ('{"a": {"b": [1]}, "c": 0}', ("a", "b", 0), '{"c": 0}'),
        ('{"a": 1}', ("a",), "{}"),
        ("[ // first\n  1]", (0,), "[ // first\n  ]"),
    ],
)
def test_a_value_is_taken_out_with_what_it_leaves_empty(before: str, path: tuple[str | int, ...], after: str) -> None:
    assert json_text.take_out(before, "x.json", path) == after
    json_text.parse(after, "x.json")


def test_a_value_is_replaced_in_its_place() -> None:
    assert json_text.put('{"a": {"b": [1, 2]}, "c": 3}', "x.json", ("a", "b"), "new") == '{"a": {"b": "new"}, "c": 3}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "x.json:1: a value is expected, not the end"),
        ('{\n  "a": 1\n  "b": 2\n}', "x.json:3: a comma or '}' is expected"),
        ('{\n  "a" 1}', "x.json:2: a colon is expected"),
        ("{'a': 1}", "x.json:1: a key in quotes is expected"),
        ('{"a": 1}\n{"b": 2}', "x.json:2: more text after the end"),
        ('{"a": 1,\n"a": 2}', "x.json:2: the key 'a' stands twice"),
        ('{"a": tru}', "x.json:1: a value is expected, not 't'"),
        ("[" * 200, "x.json:1: nested more than 100 levels deep"),
        ("[1,,2]", "x.json:1: a value is expected, not ','"),
        ('{"hooks": []}', "x.json:1: `hooks` is not an object"),
        ('{"hooks": {"Stop": {}}}', "x.json:1: `hooks.Stop` is not a list"),
        ("[]", "x.json:1: the whole is not an object"),
    ],
)
def test_broken_text_is_told_with_its_line(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(says)):
        json_text.append(text, "x.json", PLACE, 1)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
                    | st.text(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner,
                    max_size=3), max_leaves=8), st.sampled_from([None, 2, "\t"]))  # fmt: skip
def test_it_reads_what_python_writes(value: object, indent: int | str | None) -> None:
    assert json_text.value_of(json.dumps(value, indent=indent), "x.json") == value
    assert json_text.value_of(json.dumps(value, indent=indent, ensure_ascii=False), "x.json") == value


@given(settings_texts())
def test_nothing_else_changes(text: str) -> None:
    before = json_text.value_of(text, "x.json")
    changed = json_text.append(text, "x.json", ("ours", "list"), {"x": 1})
    assert json_text.value_of(changed, "x.json") == {**before, "ours": {"list": [{"x": 1}]}}  # type: ignore[dict-item]
    back = json_text.take_out(changed, "x.json", ("ours", "list", 0))
    assert json_text.value_of(back, "x.json") == before
    assert back == text or not before
