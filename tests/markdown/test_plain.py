"""Plain lines, read without a YAML parser: the same fields at the same places, or none at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.markdown.decoding import split_lines
from mdmem.markdown.fences import Layout, find_fences
from mdmem.markdown.parse import parse
from mdmem.markdown.plain import read_plain
from mdmem.markdown.render import render
from mdmem.markdown.yaml_reader import StrictHandler
from mdmem.memory import Memory, MemoryType
from support.odd_files import FIELDS, TITLES
from support.strategies import MessyFile, messy_files

PLAIN = (
    "k: v",
    "k:   v w",
    "k: a:b, c#d [e] {f} 'g' \"h\" ?i !j &k *l",
    "k: 2026-03-01",
    "k: https://x.example/y?z=1#w",
    "k: 'a: b # c'",
    'k: "it\'s [so]"',
    "k: ''",
    "k: 'it''s'",
    "k: ['''a''', '''', b]",
    "k: é 日本 🚀",
    "k: e\u0301",
    "k: a\ufeffb",
    "k:",
    "k: []",
    "k: [a, 'b, c', \"d\",e f, src/*.py]",
    "k:\n- a\n- 'b: c'",
    "k:\n   - a:b\n   - c",
    "k: v\nl:\nm: w",
)
NOT_PLAIN = (
    "k: v ",
    "k: v # remark",
    "k: v #42",
    "k: #42",
    "k:\tv",
    "k: a\tb",
    "k : v",
    "k:v",
    "k: a: b",
    "k: a:",
    "k: - a",
    "k: ?a",
    "k: @a",
    "k: 'a' b",
    'k: "a\\nb"',
    "k: [a",
    "k: [a, b] c",
    "k: [a, ]",
    "k: [[a]]",
    "k: [a: b]",
    "k: [a b?]",
    "k: {a: b}",
    "k: |\n  a",
    "k: >-\n  a",
    "k: a\n  b",
    "k:\n  a",
    "k:\n  - a\n - b",
    "k:\n  - a: b",
    "k:\n  - a\n\n  - b",
    "k:\n  l: v",
    "k: v\nk: w",
    "1: v",
    "'k': v",
    "<<: v",
    "- a",
    "# remark",
    "",
)


def layout_of(frontmatter: str) -> Layout:
    lines = split_lines(f"---\n{frontmatter}\n---\n")
    return Layout(lines, 0, len(lines) - 1, has_bom=False)


def assert_read_alike(layout: Layout) -> None:
    """Where the plain reading answers, it is that of the YAML reader, which finds nothing wrong."""
    plain = read_plain(layout.lines, layout.start + 1, layout.end)
    if plain is not None:
        handler = StrictHandler(layout)
        assert list(handler.load(layout.frontmatter).items()) == list(plain.items())
        assert handler.problems == ()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("text", PLAIN)
def test_plain_lines_need_no_parser(text: str, end: str) -> None:
    layout = layout_of(f"first: 1\n{text}\nlast: x".replace("\n", end))
    assert read_plain(layout.lines, 1, layout.end) is not None
    assert_read_alike(layout)


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_a_doubtful_line_leaves_all_to_the_parser(text: str) -> None:
    layout = layout_of(f"first: 1\n{text}\nlast: x")
    assert read_plain(layout.lines, 1, layout.end) is None


def test_what_mdmem_writes_is_plain() -> None:
    memory = Memory(
        type=MemoryType.LESSON, title="Pin the linter: why", id="000123", files=("src/a.py", "b c.py"), tags=("x", "no")
    )
    layout, _ = find_fences(render(memory).encode())
    assert read_plain(layout.lines, layout.start + 1, layout.end) is not None


_PIECES = (
    *("k", "title", "l", ": ", ":", " ", "  ", "\n", "\n", "\n- ", "\n  - ", "[", "]", ", ", ",", "'", '"', "#", " #"),
    *("-", "?", "!", "&", "*", "|", ">", "%", "@", "`", "{", "}", "~", "=", "\\", "a", "v w", "1", "é", "e\u0301"),
    *("\ufeff", "\u3000", "\xad", "日本", "null", "<<", "\t", "...", "(", "$", "x: y\n", "tags: [a, b]\n", "m: 'q'\n"),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
def test_any_lines_are_read_alike(frontmatter: str) -> None:
    assert_read_alike(layout_of(frontmatter))


@given(messy_files())
def test_messy_files_are_read_alike(file: MessyFile) -> None:
    assert_read_alike(find_fences(file.data)[0])


@pytest.mark.parametrize("text", [row[0] for row in (*TITLES, *FIELDS)])
def test_odd_lines_are_read_alike(text: str) -> None:
    assert_read_alike(layout_of(text))


def test_a_control_character_is_told_before_anything_is_read() -> None:
    document = parse(b"---\ntitle: a\xe2\x80\xa8b\ntype: lesson\n---\nx\n", "a.md")
    assert [problem.code for problem in document.problems] == ["E_CONTROL_CHAR"]
    assert document.fields == ()
