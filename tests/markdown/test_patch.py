"""A change of some fields changes their lines, and nothing else in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mdmem.errors import InvalidMemoryError
from mdmem.markdown.parse import parse
from mdmem.markdown.patch import patch

if TYPE_CHECKING:
    from mdmem.markdown.render import Plain

PATH = "lesson/pin.md"


def patched(frontmatter: str, changes: dict[str, Plain | None]) -> str:
    """The frontmatter with these changes."""
    data = patch(parse(f"---\n{frontmatter}\n---\nBody.\n".encode(), PATH), changes)
    return data.decode().removeprefix("---\n").removesuffix("\n---\nBody.\n")


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("title: Old", "New", "title: New"),
        ("title: Old", "A\ufeffmark", "title: 'A\u2060mark'"),
        ("title: Old # why", "New", "title: New # why"),
        ("title: Old\t# why", "New", "title: New\t# why"),
        ("title:   Old   ", "New", "title:   New   "),
        ("title : Old", "New", "title : New"),
        ('"title": Old', "New", '"title": New'),
        ("title: fix #1 # why", "New", "title: New # why"),
        ("title: #1 # why", "New", "title: New # why"),
        ("title: 'Old' # why", "New", "title: 'New' # why"),
        ('title: "Old" # why', "New", 'title: "New" # why'),
        ('title: "Old"', 'say "so"', 'title: say "so"'),
        ("title: 'Old'", "it's", "title: 'it''s'"),
        ("title: Old", "a: b", "title: 'a: b'"),
        ("title: Old", "no", "title: 'no'"),
        ("title: Old", "fix #1", "title: 'fix #1'"),
        ("title: Old", "a  b", "title: 'a  b'"),
        ("title: 🚀 𝒳 # 𝒳", "日本", "title: 日本 # 𝒳"),
        ("title:", "New", "title: New"),
        ("title: # why", "New", "title: New # why"),
        ("title:\n  Old # why", "New", "title:\n  New # why"),
        ("title: Old\n  and more # why", "New", "title: New # why"),
        ('title: "Old\n  more" # why', "New", 'title: "New" # why'),
        ("title: >-  # why\n  Old\n  more", "New", "title: New  # why"),
        ("title: |\n  Old\n\n", "New", "title: New\n\n"),
        ("title: [a, b] # why", "New", "title: New # why"),
        ("title:\n  - a\n  - b", "New", "title: New"),
        ("title:\n  a: b", "New", "title: New"),
        ("title: Old", "Old", "title: Old"),
        ("title: |  # why\n  Old", "Old", "title: |  # why\n  Old"),
    ],
)
def test_a_text_is_replaced_where_it_stands(before: str, value: str, after: str) -> None:
    around = "# above\n{}\n# below\nx: 1"
    assert patched(around.format(before), {"title": value}) == around.format(after)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("tags: [a, b] # why", ("a", "c"), "tags: [a, c] # why"),
        ("tags: [a, b]", ("a, b", "[c]"), "tags: ['a, b', '[c]']"),
        ("tags: [ 'a' ,  b ]", ("a", "b"), "tags: [ 'a' ,  b ]"),
        ("tags: a", ("b",), "tags: b"),
        ("tags: a", ("a", "b"), "tags: [a, b]"),
        ("tags: a, b", ("a", "b"), "tags: a, b"),
        ("tags: a, b", ("b",), "tags: b"),
        ("tags:", ("a", "b"), "tags: [a, b]"),
        ("tags: # none", ("a",), "tags: [a] # none"),
        ("tags:\n  - a # of a\n  - b", ("a", "b", "c"), "tags:\n  - a # of a\n  - b\n  - c"),
        ("tags:\n  - a # of a\n  - b", ("b", "a"), "tags:\n  - b\n  - a # of a"),
        ("tags: # all\n  # above a\n  - a\n  # above b\n  - b", ("b",), "tags: # all\n  # above b\n  - b"),
        ("tags:\n- 'a'\n- b", ("c", "a"), "tags:\n- c\n- 'a'"),
        ("tags:\n  -\n    a\n  - b", ("c", "a"), "tags:\n  - c\n  -\n    a"),
        ("tags:\n  - over\n    two\n  - b", ("over two",), "tags:\n  - over\n    two"),
        ("tags:\n  - a\n  - a\n  - b", ("a", "b", "c"), "tags:\n  - a\n  - b\n  - c"),
        ("tags: [\n  a,\n  b\n]", ("a", "c"), "tags: [a, c]"),
        (
            "tags: [ # all\n  # above a\n  a, # of a\n  b\n]",
            ("a", "c"),
            "tags: # all\n  # above a\n  - a # of a\n  - c",
        ),
        ("tags: [a, # of a\n  b] # why", ("b", "a"), "tags: # why\n  - b\n  - a # of a"),
        ("tags: [[a]] # why", ("b",), "tags: [b] # why"),
    ],
)
def test_a_list_keeps_what_is_not_changed(before: str, value: tuple[str, ...], after: str) -> None:
    around = "title: Pin\n# above\n{}\n# below\nx: 1"
    assert patched(around.format(before), {"tags": value}) == around.format(after)


def test_paths_are_compared_as_they_are_read() -> None:
    before = "title: Pin\nfiles:\n  - .\\src\\a.py # of a\n  - b.py"
    assert patched(before, {"files": ("src/a.py", "c.py")}) == "title: Pin\nfiles:\n  - .\\src\\a.py # of a\n  - c.py"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("title: Pin\ntopic: a # why\nx: 1", "title: Pin\n# why\nx: 1"),
        ("title: Pin\ntopic: a #1\nx: 1", "title: Pin\nx: 1"),
        ("title: Pin\ntopic: |  # why\n  # a\nx: 1", "title: Pin\n# why\nx: 1"),
        ("title: Pin\ntopic: # why\n  # this\n  - a\nx: 1", "title: Pin\n# why\n  # this\nx: 1"),
        ("title: Pin\n# above\ntopic: |\n  a\n\n# below\nx: 1", "title: Pin\n# above\n\n# below\nx: 1"),
        ("title: Pin\nx: 1", "title: Pin\nx: 1"),
    ],
)
@pytest.mark.parametrize("nothing", [None, "", (), " ", "\x00"])
def test_nothing_takes_the_field_away(before: str, after: str, nothing: Plain | None) -> None:
    assert patched(before, {"topic": nothing}) == after


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ("title: Pin\nx: 1", {"id": "k7"}, "id: k7\ntitle: Pin\nx: 1"),
        ("# on top\ntitle: Pin\nx: 1", {"tags": ("a",)}, "# on top\ntitle: Pin\ntags: [a]\nx: 1"),
        (
            "id: k7\ntitle: Pin # why\n# below\nx: 1",
            {"topic": "a"},
            "id: k7\ntitle: Pin # why\ntopic: a\n# below\nx: 1",
        ),
        ("x: 1\nname: pin-it", {"topic": "a"}, "x: 1\nname: pin-it\ntopic: a"),
        ("  title: Pin\n  x: 1", {"topic": "a"}, "  title: Pin\n  topic: a\n  x: 1"),
        ("title: Pin", {"topic": "a", "status": "stale"}, "title: Pin\nstatus: stale\ntopic: a"),
        ("title: Pin", {"status": "stale", "topic": "a"}, "title: Pin\nstatus: stale\ntopic: a"),
        ("title: Pin\ntopic: a", {"topic": None, "tags": ("b",)}, "title: Pin\ntags: [b]"),
        ("title: Pin\ntopic: a", {"topic": "c", "status": "stale"}, "title: Pin\nstatus: stale\ntopic: c"),
        ("", {"title": "Pin"}, "\ntitle: Pin"),
    ],
)
def test_a_new_field_stands_where_a_new_file_has_it(before: str, changes: dict[str, Plain | None], after: str) -> None:
    if before:
        assert patched(before, changes) == after
    else:
        assert patch(parse(b"---\n---\nBody.\n", PATH), changes) == b"---\ntitle: Pin\n---\nBody.\n"


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [
        ("---\ntitle: a\n---\n\nOld.\n\n", "New.\n", "---\ntitle: a\n---\n\nNew.\n\n"),
        ("---\ntitle: a\n---\nOld.", "New.", "---\ntitle: a\n---\nNew."),
        ("---\ntitle: a\n---", "New.", "---\ntitle: a\n---\nNew.\n"),
        ("---\ntitle: a\n---\n", "", "---\ntitle: a\n---\n"),
        ("---\ntitle: a\n---\nOld.\n", "", "---\ntitle: a\n---\n\n"),
        ("---\r\ntitle: a\r\n---\r\nOld.\r\n", "a\nb", "---\r\ntitle: a\r\n---\r\na\r\nb\r\n"),
        ("---\r\ntitle: a\r\n---\r\na\nb\r\n", "a\nb", "---\r\ntitle: a\r\n---\r\na\nb\r\n"),
        ("---\ntitle: a\n---\n  Old\n", "  New", "---\ntitle: a\n---\n  New\n"),
    ],
)
def test_a_body_is_replaced_between_its_blank_lines(before: str, body: str, after: str) -> None:
    assert patch(parse(before.encode(), PATH), {}, body) == after.encode()


def test_bytes_that_nobody_meant_to_change_stay() -> None:
    before = b"\xef\xbb\xbf\r\n---  \r\n# a\r\ntitle:  Pin  # b\r\nx: {a: 1}\r\n...\r\n\r\nBody. \r\n\tend"
    data = patch(parse(before, PATH), {"title": "New", "tags": ("a",)})
    assert data == before.replace(b"Pin  # b\r\n", b"New  # b\r\ntags: [a]\r\n")


@pytest.mark.parametrize("value", ["a\x1b[1mb", "a\u2028b", "a\nb", "a\tb", "a\udcffb", "a\ufffeb", "a\rb", "a\x85b"])
def test_what_cannot_stand_in_frontmatter_becomes_a_blank(value: str) -> None:
    memory = parse(patch(parse(b"---\ntitle: Old\n---\nBody.\n", PATH), {"title": value}), PATH).memory
    assert memory is not None
    assert memory.title in ("a b", "a [1mb")


@pytest.mark.parametrize("value", ["high", "a: b", "'", "2026-11-30 # x", "@x", "[a]"])
def test_even_a_wrong_value_is_written_as_it_is(value: str) -> None:
    again = parse(patch(parse(b"---\ntitle: Old\n---\nBody.\n", PATH), {"created": value}), PATH)
    field = again.field("created")
    assert field is not None
    assert field.value == value


@pytest.mark.parametrize(("body", "code"), [("<<<<<<< HEAD\na", "E_CONFLICT"), ("x" * 65537, "E_TOO_BIG")])
def test_a_body_that_would_make_the_file_unreadable_is_refused(body: str, code: str) -> None:
    with pytest.raises(InvalidMemoryError) as refused:
        patch(parse(b"---\ntitle: Old\n---\nBody.\n", PATH), {}, body)
    assert refused.value.code == code


def test_an_unreadable_file_is_never_written() -> None:
    with pytest.raises(ValueError, match="unreadable"):
        patch(parse(b"---\ntitle: @x\n---\nBody.\n", PATH), {"title": "New"})
