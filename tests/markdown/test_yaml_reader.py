"""Fields and their places: where each key and value stands, so that a change touches nothing else."""

from __future__ import annotations

import time

import pytest
import yaml

from mdmem.markdown.decoding import split_lines
from mdmem.markdown.fences import Layout
from mdmem.markdown.nodes import DEPTH, compose
from mdmem.markdown.parse import parse
from mdmem.markdown.yaml_reader import MOST_PROBLEMS, StrictHandler, entries


def read(frontmatter: str) -> StrictHandler:
    lines = split_lines(f"---\n{frontmatter}\n---\n")
    handler = StrictHandler(Layout(lines, 0, len(lines) - 1, has_bom=False))
    handler.load(handler.layout.frontmatter)
    return handler


@pytest.mark.parametrize(
    ("text", "style", "lines", "value"),
    [
        ("k: v", "", (1, 2), "v"),
        ("k:  v  # c", "", (1, 2), "v"),
        ("k: v #1 # c", "", (1, 2), "v #1"),
        ("k: #1 # c", "", (1, 2), "#1"),
        ("k: 'v' # c", "'", (1, 2), "'v'"),
        ('k: "𝒳" # c', '"', (1, 2), '"𝒳"'),
        ("k:", "", (1, 2), ""),
        ("k: # c", "", (1, 2), ""),
        ("k:\n  v # c", "", (1, 3), "v"),
        ("k: a\n  b # c", "", (1, 3), "a\n  b"),
        ("k: [a,\n  b] # c", "[", (1, 3), "[a,\n  b]"),
        ("k: {a: b} # c", "{", (1, 2), "{a: b}"),
        ("k: |- # c\n  a\n\n  b\n\n\nx: 1", "|", (1, 5), "|-"),
        ("k: |+\n  a\n\nx: 1", "|", (1, 4), "|+"),
        ("k: >2\n    a\n# c\nx: 1", ">", (1, 3), ">2"),
        ("k:\n  - a\n  - b # c\n# d", "-", (1, 4), ""),
        ("k:\n- a\n-\nx: 1", "-", (1, 4), ""),
        ("k:\n  a: b\n  c:\n    - d\nx: 1", ":", (1, 5), ""),
    ],
)
def test_a_value_knows_its_place(text: str, style: str, lines: tuple[int, int], value: str) -> None:
    handler = read(f"{text}\nlast: 1")
    field = handler.load(handler.layout.frontmatter)["k"]
    assert (field.style, (field.first, field.last)) == (style, lines)
    texts = [line.rstrip("\n") for line in handler.layout.lines[field.start.line : field.end.line + 1]]
    texts[-1] = texts[-1][: field.end.column]
    texts[0] = texts[0][field.start.column :]
    assert "\n".join(texts) == value


def test_a_slip_hides_neither_fields_nor_slips() -> None:
    handler = read("a: 1\nb: x: y\nc: 2\nd: @z\n  more\ne: [3]")
    assert list(handler.load(handler.layout.frontmatter)) == ["a", "c", "e"]
    assert [(problem.line, problem.key) for problem in handler.problems] == [(3, "b"), (5, "d")]


def test_so_many_slips_are_told_and_no_more() -> None:
    assert len(read("\n".join(f"k{number}: @x" for number in range(500))).problems) == MOST_PROBLEMS


@pytest.mark.parametrize(
    ("lines", "cut"),
    [
        (["a: 1", "b: 2"], [(0, ["a: 1"]), (1, ["b: 2"])]),
        (["a:", "- x", "", "  y", "# c", "b: 2"], [(0, ["a:", "- x", "", "  y", "# c"]), (5, ["b: 2"])]),
        (["  a: 1", "    b", "  c: 2"], [(0, ["  a: 1", "    b"]), (2, ["  c: 2"])]),
        (["a: [", "]", "b: 2"], [(0, ["a: [", "]"]), (2, ["b: 2"])]),
    ],
)
def test_entries_are_cut_before_their_keys(lines: list[str], cut: list[tuple[int, list[str]]]) -> None:
    assert list(entries(lines)) == cut


@pytest.mark.parametrize(("levels", "is_whole"), [(DEPTH, True), (DEPTH + 1, False)])
def test_the_depth_has_a_limit(levels: int, is_whole: bool) -> None:
    assert compose("[" * levels + "]" * levels).is_whole is is_whole


ADVERSARIES = {
    "brackets": "k: " + "[" * 60_000,
    "bracket lines": "k:\n" + " [\n" * 20_000,
    "braces": "k: " + "{a: " * 15_000,
    "dashes": "k:\n  " + "- " * 30_000,
    "backticks": "k: " + "`" * 60_000,
    "hashes": "k: x" + " #" * 30_000,
    "cut values": "k: x" + " #y" * 20_000,
    "blanks before a hash": "k: x" + " " * 60_000 + "#y",
    "blanks after a cut": "k: x #y" + " " * 60_000 + "z",
    "colons": "k: " + ":" * 60_000,
    "pairs": "k: " + "a: " * 20_000,
    "quotes": "k: " + "'" * 60_001,
    "double quotes": 'k: "' + '\\"' * 30_000,
    "escapes": 'k: "' + "\\n" * 30_000 + '"',
    "questions": "k: [" + "a?" * 20_000 + " ?",
    "tabs": "k: " + "a\t" * 30_000 + ": b",
    "keys": "".join(f"k{number}: v\n" for number in range(6_000)),
    "keys and a slip": "".join(f"k{number}: v\n" for number in range(6_000)) + "x: @",
    "aliases": "".join(f"k{number}: *a\n" for number in range(5_000)),
    "tags": "".join(f"k{number}: !a\n" for number in range(5_000)),
    "one key": "k: v\n" * 10_000,
    "items": "tags:\n" + "- a\n" * 14_000,
    "fences": "k: |\n" + "  ---\n" * 9_000,
    "long key": "k" * 60_000 + ": v",
    "commas": "tags: " + "a," * 30_000,
    "directories": "files: [" + "../" * 20_000 + "]",
    "blank lines": "\n" * 60_000,
    "comments": "# c\n" * 15_000,
    "anchors": "k: " + "&a " * 20_000,
    "folded": "k: >\n" + "  a\n\n" * 10_000,
}


@pytest.mark.parametrize("text", ADVERSARIES.values(), ids=ADVERSARIES)
def test_no_text_takes_long(text: str) -> None:
    """Seconds at most; what grows with the square of the length would take minutes."""
    data = f"---\ntitle: Pin the linter\n{text}\n---\nBody text.\n".encode()
    start = time.perf_counter()
    assert parse(data, "lesson/pin.md").layout is not None
    assert time.perf_counter() - start < 20


def test_every_loader_is_asked_for_events_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a value was built by YAML's rules")

    monkeypatch.setattr(yaml.constructor.BaseConstructor, "construct_document", refuse)
    assert parse(b"---\ntitle: no\n---\nBody.\n", "lesson/a.md").memory is not None
