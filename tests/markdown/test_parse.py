"""Files as people write them: each gets the verdict that a person would give, and is read as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from mdmem.markdown import nodes
from mdmem.markdown.parse import derived_id, parse
from mdmem.markdown.problems import CODES, UNREADABLE
from support.odd_files import BODY, FIELDS, PATH, REFUSED, TITLES, WHOLE, with_body, with_field, with_title

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.markdown.parse import Document

ALL = (
    *(with_title(row[0]) for row in (*TITLES, *REFUSED)),
    *(with_field(row[0]) for row in FIELDS),
    *(row[0] for row in WHOLE),
)


def verdict(document: Document) -> str:
    """`CODE:line` of every problem, by line."""
    found = sorted(document.problems, key=lambda problem: (problem.line, problem.code))
    return " ".join(f"{problem.code}:{problem.line}" for problem in found)


def codes(data: bytes, path: str = PATH) -> list[str]:
    return [problem.code for problem in parse(data, path).problems]


@pytest.mark.parametrize(("text", "expected", "title"), TITLES)
def test_a_title_is_read_as_it_is_seen(text: str, expected: str, title: str) -> None:
    document = parse(with_title(text), PATH)
    assert verdict(document) == expected
    assert document.memory is not None
    assert document.memory.title == title


@pytest.mark.parametrize(("text", "expected"), REFUSED)
def test_an_unreadable_title_is_told_first(text: str, expected: str) -> None:
    document = parse(with_title(text), PATH)
    assert document.memory is None
    first = document.problems[0]
    assert f"{first.code}:{first.line}" == expected
    assert first.code in UNREADABLE


@pytest.mark.parametrize(("text", "expected", "key", "value"), FIELDS)
def test_a_field_is_read_as_it_is_seen(text: str, expected: str, key: str, value: object) -> None:
    document = parse(with_field(text), PATH)
    assert verdict(document) == expected
    if key:
        assert document.memory is not None
        assert document.memory.as_json()[key] == value


@pytest.mark.parametrize(("data", "expected"), WHOLE)
def test_an_odd_file_is_told_what_is_odd(data: bytes, expected: str) -> None:
    document = parse(data, PATH)
    assert verdict(document) == expected
    assert (document.memory is None) == any(problem.code in UNREADABLE for problem in document.problems)


@pytest.mark.parametrize("loader", [yaml.BaseLoader, getattr(yaml, "CBaseLoader", yaml.BaseLoader)])
def test_every_build_of_pyyaml_gives_the_same_verdict(loader: object, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [parse(data, PATH).problems for data in ALL]
    monkeypatch.setattr(nodes, "FAST_LOADER", loader)
    assert [parse(data, PATH).problems for data in ALL] == expected


def test_every_problem_says_where_what_and_how_to_mend_it() -> None:
    problems = [problem for data in ALL for problem in parse(data, PATH).problems]
    assert all(problem.code in CODES and problem.line >= 1 and problem.path == PATH for problem in problems)
    assert [problem for problem in problems if not problem.message or not problem.hint] == []
    of_fields = [problem for problem in problems if problem.message.startswith("`")]
    assert [problem for problem in of_fields if not problem.key] == []


def test_messages(snapshot: Callable[..., None]) -> None:
    """Every message about one file, each once."""
    problems = {problem.at("lesson/pin.md") for data in ALL for problem in parse(data, PATH).problems}
    ordered = sorted(problems, key=lambda problem: (problem.code, problem.message, problem.hint, problem.line))
    snapshot("".join(f"{problem}\n" for problem in ordered))


# --- Where title and type come from ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "frontmatter", "kind", "expected"),
    [
        ("x.md", "title: a b\ntype: command", "command", []),
        ("x.md", "title: a b\nmetadata:\n  type: feedback", "feedback", []),
        ("x.md", "title: a b\nmetadata: {type: project}", "workspace", []),
        ("x.md", "title: a b\ntype: user\nmetadata:\n  type: feedback", "user", []),
        ("x.md", "title: a b\ntype:\nmetadata:\n  type: feedback", "feedback", []),
        ("x.md", "title: a b\ntype: 'quirk'", "env_quirk", []),
        ("x.md", "title: a b\ntype: correction", "feedback", []),
        ("decision/x.md", "title: a b", "decision", []),
        ("decision/db/x.md", "title: a b", "decision", []),
        ("team/decision/x.md", "title: a b", "decision", []),
        ("project/x.md", "title: a b", "workspace", []),
        ("notes/x.md", "title: a b\ntype: spec", "spec", []),
        ("decision/x.md", "title: a b\ntype: spec", "spec", ["W_FOLDER"]),
        ("decision/x.md", "title: a b\nmetadata:\n  type: user", "user", ["W_FOLDER"]),
        ("x.md", "title: a b", "lesson", ["E_MISSING"]),
        ("notes/x.md", "title: a b", "lesson", ["E_MISSING"]),
        ("x.md", "title: a b\ntype: hint", "lesson", ["E_ENUM"]),
        ("spec/x.md", "title: a b\ntype: hint", "spec", ["E_ENUM"]),
        ("spec/x.md", "title: a b\nmetadata:\n  type: hint", "spec", ["E_ENUM"]),
        ("x.md", "title: a b\ntype: [spec]", "lesson", ["E_TYPE"]),
        ("x.md", "title: a b\ntype: Lesson", "lesson", ["E_ENUM"]),
    ],
)
def test_the_type_is_stated_or_the_folders(path: str, frontmatter: str, kind: str, expected: list[str]) -> None:
    document = parse(f"---\n{frontmatter}\n---\n{BODY}".encode(), path)
    assert document.memory is not None
    assert document.memory.type == kind
    assert [problem.code for problem in document.problems] == expected


@pytest.mark.parametrize(
    ("frontmatter", "title"),
    [
        ("name: pin-the-linter", "Pin the linter"),
        ("name: pin_the_linter", "Pin the linter"),
        ("name: Terse answers-only", "Terse answers-only"),
        ("name: iOS", "IOS"),
        ("name: slug\ntitle: Said", "Said"),
        ("name: said-so\ntitle:", "Said so"),
    ],
)
def test_a_native_file_is_titled_by_its_name_and_said_by_its_agent(frontmatter: str, title: str) -> None:
    memory = parse(f"---\n{frontmatter}\n---\n{BODY}".encode(), PATH).memory
    assert memory is not None
    assert (memory.title, memory.source) == (title, "agent")


def test_a_native_file_keeps_the_source_that_it_states() -> None:
    memory = parse(with_field("metadata:\n  type: lesson\nsource: user"), PATH).memory
    assert memory is not None
    assert memory.source == "user"


@pytest.mark.parametrize("frontmatter", ["name: " + "x" * 121, "name: [a]"])
def test_a_bad_name_is_told_once(frontmatter: str) -> None:
    [problem] = parse(f"---\n{frontmatter}\n---\n{BODY}".encode(), PATH).problems
    assert (problem.code, problem.key) in {("E_LENGTH", "name"), ("E_TYPE", "name")}


def test_an_id_is_derived_from_the_path() -> None:
    files = (("a", "a.md"), ("b", "a.md"), ("a", "b.md"))
    one, same, other = (parse(with_body(text), path).memory for text, path in files)
    assert one
    assert same
    assert other
    assert one.id == same.id == derived_id("a.md") != other.id
    assert len(one.id) == 8


def test_confirmed_falls_back_on_created() -> None:
    memory = parse(with_field("created: 2026-03-01"), PATH).memory
    assert memory is not None
    assert memory.confirmed == memory.created


# --- Bodies ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("\n\n  indented\n\n\nend  \n\n", "  indented\n\n\nend"),
        ("{not: json}\n", "{not: json}"),
        ("a\n---\nb\n", "a\n---\nb"),
        ("a\r\nb\r\n", "a\nb"),
        ("hard  \nbreak", "hard  \nbreak"),
        (" \n", ""),
    ],
)
def test_a_body_keeps_all_but_blank_lines_at_its_ends(text: str, body: str) -> None:
    memory = parse(with_body(text), PATH).memory
    assert memory is not None
    assert memory.body == body


def test_a_line_of_the_body_is_counted_from_the_file() -> None:
    data = with_body("\n\nA fact.\n\x1b[1m bold\n")
    assert verdict(parse(data, PATH)) == "W_CONTROL_CHAR:8"


# --- Secrets -----------------------------------------------------------------------------------------------

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (with_title(f"title: use {TOKEN}"), 2),
        (with_field(f"description: use {TOKEN}"), 4),
        (with_field(f"tags:\n  - {TOKEN}"), 5),
        (with_field(f"note: |\n  a\n  {TOKEN}"), 6),
        (with_field(f"# {TOKEN}"), 4),
        (with_body(f"a\n{TOKEN}\n"), 6),
        (with_title(f"title: @x {TOKEN}"), 2),
        (with_title(f"title:{TOKEN}"), 2),
        (with_field(f"status: {TOKEN}"), 4),
        (with_field(f"created: {TOKEN}"), 4),
        (with_field(f"tags: a, {TOKEN}"), 4),
        (with_field(f"files: [../{TOKEN}]"), 4),
        (f"no frontmatter\n{TOKEN}\n".encode(), 2),
        (f"---\ntitle: x\n{TOKEN}\n".encode(), 3),
    ],
)
def test_a_secret_is_told_wherever_it_stands_and_never_shown(data: bytes, line: int) -> None:
    found = [problem for problem in parse(data, PATH).problems if problem.code == "E_SECRET"]
    assert [problem.line for problem in found] == [line]
    assert all(TOKEN not in str(problem) for problem in parse(data, PATH).problems)


def test_what_makes_a_file_unreadable_comes_first() -> None:
    found = codes(b"\xef\xbb\xbf---\r\nconfidence: 7\ntitle: @x\n---\nBody.\n")
    assert found == ["E_YAML", "W_BOM", "E_RANGE", "W_MIXED_EOL"]
