"""Text in = text out: what holds for every memory, for every readable file and for any bytes at all.

`HYPOTHESIS_PROFILE=long` looks much longer.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from unittest import mock

import yaml
from hypothesis import given
from hypothesis import strategies as st

from mdmem.markdown import escape, nodes
from mdmem.markdown.format import formatted
from mdmem.markdown.parse import parse
from mdmem.markdown.patch import patch, says
from mdmem.markdown.problems import CODES, UNREADABLE
from mdmem.markdown.render import TYPED_KEYS, render, stated
from support.odd_files import FIELDS, REFUSED, TITLES, WHOLE, with_field, with_title
from support.strategies import LIST_KEYS, TEXT_KEYS, MessyFile, bodies, memories, messy_files, texts

if TYPE_CHECKING:
    from mdmem.markdown.parse import Document
    from mdmem.markdown.render import Plain
    from mdmem.memory import Memory

PATH = "lesson/pin.md"
SEEDS = (
    *(with_title(row[0]) for row in (*TITLES, *REFUSED)),
    *(with_field(row[0]) for row in FIELDS),
    *(row[0] for row in WHOLE if len(row[0]) < 2000),
)
values = st.one_of(
    st.tuples(st.sampled_from(TEXT_KEYS), texts()),
    st.tuples(st.sampled_from(LIST_KEYS), st.lists(texts(20), min_size=1, max_size=3, unique=True).map(tuple)),
    st.tuples(st.sampled_from(LIST_KEYS), st.permutations(["a", "b", "c", "new"]).map(tuple)),
    st.tuples(st.just("confidence"), st.sampled_from(["0.5", "1"])),
    st.tuples(st.just("created"), st.sampled_from(["2026-05-06", "2026-05-06T07:08:09Z"])),
    st.tuples(st.just("topic"), st.sampled_from(["a/b", "007"])),
)


PIECES = (
    "<",
    ">",
    "--",
    "#",
    "`",
    "~",
    "mdmem",
    ":",
    "-",
    "=",
    "*",
    "_",
    " ",
    "\t",
    "\n",
    "a",
    "1.",
    "[",
    "\u200b",
    "\x1b",
)


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=8).map("".join))
def test_what_is_not_escaped_needed_no_escaping(text: str) -> None:
    assert escape.escape_for_brief(text) == escape._escaped(text)


def lines_of(data: bytes) -> list[str]:
    return data.decode().removeprefix("\ufeff").split("\n")


def without_field(document: Document, data: bytes, *keys: str) -> list[str]:
    """The file's lines but for those of the fields with these keys."""
    taken = {n for f in document.fields if f.key in keys for n in range(f.first, f.last)}
    return [line for number, line in enumerate(lines_of(data)) if number not in taken]


def read(data: bytes) -> Document:
    document = parse(data, PATH)
    assert document.memory is not None, document.problems[0]
    return document


# --- Memories ----------------------------------------------------------------------------------------------


@given(memories())
def test_what_is_rendered_is_read_as_the_same(memory: Memory) -> None:
    data = render(memory).encode()
    again = read(data).memory
    assert again is not None
    confirmed = memory.confirmed or memory.created
    assert {name: getattr(again, name) for name in again.__slots__ if name != "confirmed"} == {
        name: getattr(memory, name) for name in memory.__slots__ if name != "confirmed"
    }
    assert again.confirmed == confirmed
    assert render(again).encode() == data


@given(memories())
def test_other_readers_see_the_same_texts(memory: Memory) -> None:
    frontmatter = render(memory).split("\n---\n")[0].removeprefix("---\n")
    seen = yaml.safe_load(frontmatter)
    for key, value in stated(memory).items():
        if key not in TYPED_KEYS:
            assert seen[key] == (list(value) if isinstance(value, tuple) else value)


# --- Readable files ----------------------------------------------------------------------------------------


@given(messy_files())
def test_a_messy_file_is_read_and_written_back_as_it_is(file: MessyFile) -> None:
    document = read(file.data)
    assert document.layout is not None
    assert document.layout.encoded() == file.data
    assert [field.key for field in document.fields] == list(file.keys)
    assert patch(document, {}) == file.data


@given(messy_files())
def test_the_normal_form_says_the_same_and_stays(file: MessyFile) -> None:
    before = read(file.data)
    data = formatted(before)
    after = read(data)
    assert before.memory is not None
    assert after.memory is not None
    assert after.memory.as_json() == before.memory.as_json()
    assert formatted(after) == data
    assert data.startswith(b"\xef\xbb\xbf") == file.data.startswith(b"\xef\xbb\xbf")
    remarks = [
        line.strip()
        for line in lines_of(file.data)[: before.layout.end if before.layout else 0]
        if line.strip() == "# a remark"
    ]
    assert data.decode().count("# a remark") >= len(remarks)


@given(memories())
def test_what_is_rendered_is_normal(memory: Memory) -> None:
    assert formatted(read(render(memory).encode())) == render(memory).encode()


@given(messy_files(), values)
def test_setting_a_field_changes_its_lines_alone(file: MessyFile, change: tuple[str, Plain]) -> None:
    key, value = change
    before = read(file.data)
    data = patch(before, {key: value})
    after = read(data)
    field = after.field(key)
    assert field is not None
    assert says(field, key, value)
    assert without_field(after, data, key) == without_field(before, file.data, key)
    assert patch(after, {key: value}) == data


@given(messy_files(), values, values)
def test_two_fields_set_together_change_their_lines_alone(
    file: MessyFile, one: tuple[str, Plain], other: tuple[str, Plain]
) -> None:
    before = read(file.data)
    changes = dict([one, other])
    data = patch(before, changes)
    after = read(data)
    assert without_field(after, data, *changes) == without_field(before, file.data, *changes)
    assert patch(after, changes) == data
    in_turn = file.data
    for key, value in changes.items():
        in_turn = patch(read(in_turn), {key: value})
    assert {f.key: f.value for f in read(in_turn).fields} == {f.key: f.value for f in after.fields}


@given(messy_files(), st.data())
def test_a_removed_field_leaves_its_comments_and_can_come_back(file: MessyFile, data: st.DataObject) -> None:
    before = read(file.data)
    if not before.fields:
        return
    key = data.draw(st.sampled_from([field.key for field in before.fields]))
    without = patch(before, {key: None})
    kept, others = lines_of(without), without_field(before, file.data, key)
    rest = iter(kept)
    assert all(line in rest for line in others)
    assert all(line.lstrip().startswith("#") for line in Counter(kept) - Counter(others))
    again = patch(read(without), {key: "back"})
    assert without_field(read(again), again, key) == kept


@given(messy_files(), bodies, values)
def test_a_new_body_leaves_the_frontmatter(file: MessyFile, body: str, change: tuple[str, Plain]) -> None:
    before = read(file.data)
    assert before.layout is not None
    data = patch(before, {}, body)
    after = read(data)
    assert after.memory is not None
    assert after.memory.body == body
    assert data.decode().startswith("".join(before.layout.encoded().decode().splitlines(keepends=True)[:1]))
    assert [field.value for field in after.fields] == [field.value for field in before.fields]
    assert patch(after, {}, body) == data
    both = patch(before, dict([change]), body)
    assert both == patch(read(patch(before, dict([change]))), {}, body)


@given(messy_files(), values)
def test_line_ends_mark_and_last_line_stay(file: MessyFile, change: tuple[str, Plain]) -> None:
    data = patch(read(file.data), dict([change]))
    assert data.startswith(b"\xef\xbb\xbf") == file.data.startswith(b"\xef\xbb\xbf")
    assert (b"\r\n" in data) == (b"\r\n" in file.data)
    assert (
        data.replace(b"\r\n", b"").count(b"\n") == file.data.replace(b"\r\n", b"").count(b"\n") or b"\r\n" not in data
    )
    assert data[-5:] == file.data[-5:]


# --- Any bytes ---------------------------------------------------------------------------------------------


_PUT = (
    *(
        b": ",
        b" #",
        b"\n",
        b"\t",
        b"'",
        b'"',
        b"- ",
        b"&a",
        b"---\n",
        b"|",
        b">",
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b"\r\n",
        b"?",
        b"!",
    ),
    *(
        b"\xef\xbb\xbf",
        b"  ",
        b"\\",
        b"x",
        b"\xc2\xa0",
        b"#",
        b"*",
        b"~",
        b"\n  ",
        b"\n- ",
        b"k: v\n",
        b"<<<<<<< x\n",
        b"\0",
        b"\xff",
    ),
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """An odd file with a few bytes cut and others put in, most of them such as mean something."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, min(len(data), 120)))
        end = start + draw(st.sampled_from([0, 0, 1, 3, 8]))
        data = data[:start] + draw(st.one_of(st.sampled_from(_PUT), st.binary(max_size=3))) + data[end:]
    return data


@given(mutated())
def test_both_parsers_of_pyyaml_give_the_same_verdict(data: bytes) -> None:
    fast = parse(data, PATH)
    with mock.patch.object(nodes, "FAST_LOADER", yaml.BaseLoader):
        slow = parse(data, PATH)
    assert fast.problems == slow.problems
    assert (fast.memory and fast.memory.as_json()) == (slow.memory and slow.memory.as_json())


@given(st.one_of(mutated(), st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_no_bytes_are_too_much(data: bytes) -> None:
    document = parse(data, PATH)
    assert (document.memory is None) == any(problem.code in UNREADABLE for problem in document.problems)
    assert all(problem.code in CODES and 1 <= problem.line <= data.count(b"\n") + 1 for problem in document.problems)
    if document.memory is not None:
        assert patch(document, {}) == data
        changed = patch(document, {"confidence": "0.5"})
        assert without_field(read(changed), changed, "confidence") == without_field(document, data, "confidence")
        read(render(document.memory).encode())
        normal = formatted(document)
        assert formatted(read(normal)) == normal
