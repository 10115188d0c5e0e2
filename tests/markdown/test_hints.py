"""A hint is to be followed: whoever does what it says is rid of the problem."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from mdmem.markdown.hints import quoted, split_value
from mdmem.markdown.parse import parse
from support.odd_files import FIELDS, PATH, REFUSED, WHOLE, with_field, with_title

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.markdown.problems import Problem


def _with_indent(line: str, new: str) -> str:
    return line[: len(line) - len(line.lstrip())] + new


def _single_quoted(line: str) -> str:
    head, value = split_value(line)
    return f"{head}'{value.replace(chr(39), chr(39) * 2)}'"


FIXES: Final[dict[str, Callable[[str, re.Match[str]], str]]] = {
    r"quote the value: (?P<new>.+)": lambda line, match: _with_indent(line, match["new"]),
    r"quote the value|put the whole value between quotes": lambda line, match: _single_quoted(line),
    r"write (?P<rule>.+: )?(one value: )?`(?P<new>[^`…]+)`": lambda line, match: match["new"],
    r".+: write `(?P<new>[^`…]+)`": lambda line, match: match["new"],
    r"did you mean (?P<new>\w+)\? one of .+": lambda line, match: f"{split_value(line)[0]}{match['new']}",
    r"write `(?P<key>\w+):`": lambda line, match: f"{match['key']}:{line.partition(':')[2]}",
    r"write (?P<new>[^ ]+/[^ ]+)": lambda line, match: re.sub(r"[\w.-]*\\[\w.\\-]+", match["new"], line),
    r"a line can't begin with %.*|delete it": lambda line, match: re.sub(
        "[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\ufeff]|^%.*", "", line
    ),
    r"a full-width colon .*": lambda line, match: line.replace("：", ": "),
    r"a non-breaking space .*": lambda line, match: line.replace("\u00a0", " "),
    r"put a space after the colon: (?P<new>.+)": lambda line, match: match["new"],
    r"indent with spaces.*": lambda line, match: line.replace("\t", "  "),
    r"(in double quotes a backslash is an escape: )?use single quotes or forward slashes": lambda line, match: (
        line.replace('"', "'")
    ),
    r"write '' for an apostrophe.*": lambda line, match: _single_quoted(line).replace("'''", "'"),
    r"delete the comma at the end of the line": lambda line, match: line.rstrip(","),
    r"delete the comma too many": lambda line, match: line.replace(",,", ","),
    r"delete them, or type .*": lambda line, match: re.sub("[“”„‘’]", "", line),
    r"(write )?a number from 0.1 to 1.*": lambda line, match: "confidence: 0.8",
    r"(write )?(how often.*)?1 or more": lambda line, match: "evidence: 1",
    r"write a day that exists.*": lambda line, match: f"{split_value(line)[0]}2026-11-30",
    r"project, global or agent:<name>": lambda line, match: "scope: global",
    r"fill in the placeholder, or quote the value": lambda line, match: _single_quoted(line),
    r"begin the key with a letter": lambda line, match: f"key{line.partition(':')[1]}{line.partition(':')[2]}",
    r"write the keys out|begin the line where the other keys begin.*": lambda line, match: "a: b",
    r"quote the texts in the list.*": lambda line, match: re.sub(r"([\[,] *)([^\[\],]+)", r"\1'\2'", line),
    r"delete the tab.*": lambda line, match: line.lstrip(),
    r"add `title: …`, one line": lambda line, match: "title: Pin it",
}
"""What a person does who reads the hint: line and match to the mended line."""


def mended(line: str, problem: Problem) -> str | None:
    """The line as the hint asks for it, None when the hint is nothing mechanical."""
    for pattern, fix in FIXES.items():
        match = re.fullmatch(pattern, problem.hint)
        if match:
            return fix(line, match)
    return None


SAMPLES = [
    *(with_title(row[0]) for row in REFUSED),
    *(with_field(row[0]) for row in FIELDS),
    *(row[0] for row in WHOLE if len(row[0]) < 2000),
]
MECHANICAL = [
    (data, problem)
    for data in SAMPLES
    for problem in parse(data, PATH).problems
    if problem.key and mended("", problem) is not None
]


@pytest.mark.parametrize(("data", "problem"), MECHANICAL)
def test_the_hint_mends_it(data: bytes, problem: Problem) -> None:
    lines = data.decode().split("\n")
    new = mended(lines[problem.line - 1], problem)
    assert new is not None
    if problem.code == "E_MISSING" and ":" not in lines[problem.line - 1]:
        lines.insert(problem.line, new)
    else:
        lines[problem.line - 1] = new
    again = parse("\n".join(lines).encode(), PATH)
    assert (problem.code, problem.line) not in {(other.code, other.line) for other in again.problems}, new


def test_most_hints_about_fields_are_mechanical() -> None:
    about_fields = [problem for data in SAMPLES for problem in parse(data, PATH).problems if problem.key]
    assert len(MECHANICAL) > 0.75 * len(about_fields)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("title: @x", "quote the value: title: '@x'"),
        ("title: it's: so", "quote the value: title: 'it''s: so'"),
        ("  - *x", "quote the value: - '*x'"),
        ("tags: [*x]", "quote the texts in the list, as in ['one', 'two']"),
        ("title: @" + "x" * 80, "quote the value: put it between single quotes"),
    ],
)
def test_a_value_is_shown_quoted(line: str, hint: str) -> None:
    assert quoted(line) == hint
