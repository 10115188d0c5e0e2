"""The normal form: what it normalises, what it leaves, and that it says the same."""

from __future__ import annotations

import pytest

from mdmem.errors import InvalidMemoryError
from mdmem.markdown.format import formatted
from mdmem.markdown.parse import derived_id, parse
from support.odd_files import FIELDS, PATH, TITLES, WHOLE, with_field, with_title

BODY = "Body.\n"


def fmt(text: str, eol: str | None = None) -> str:
    return formatted(parse(text.encode(), PATH), eol).decode()


def fields(frontmatter: str) -> str:
    """The formatted frontmatter, behind an id and a title."""
    text = fmt(f"---\nid: k7\ntitle: Pin\n{frontmatter}\n---\n{BODY}")
    return text.removeprefix("---\nid: k7\ntitle: Pin\n").removesuffix(f"\n---\n{BODY}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("topic:   a/b  ", "topic: a/b"),
        ("topic:\t'a/b'", "topic: a/b"),
        ('"topic" : a/b', "topic: a/b"),
        ("description: >-\n  over\n  lines", "description: over lines"),
        ("description: fix #1 # why", "description: 'fix #1' # why"),
        ("description: 'plain' #why", "description: plain # why"),
        ("description: 'no'", "description: 'no'"),
        ("confidence: '.80'", "confidence: 0.8"),
        ("evidence: 03", "evidence: 3"),
        ("created: '2026-03-01'", "created: 2026-03-01"),
        ("created: 2026-03-01 10:00:00 +0200 # why", "created: 2026-03-01T08:00:00Z # why"),
        ("tags: a, b", "tags: [a, b]"),
        ("tags: a", "tags: [a]"),
        ("tags: [ 'a' ,b ]", "tags: [a, b]"),
        ("tags:\n- a\n- b", "tags: [a, b]"),
        ("tags: # all\n- a # of a\n# above b\n- b", "tags: # all\n  - a # of a\n  # above b\n  - b"),
        ("tags: [ # all\n  a, # of a\n  # above b\n  'b'\n  # below\n] # end",
         "tags: # all\n  - a # of a\n  # above b\n  - b\n  # below\n  # end"),
        ("tags:\n- a\n  # below\n", "tags:\n  - a\n  # below"),
        ("tags:\n- a\n-\n- # none", "tags:\n  - a\n  # none"),
        ("tags:\n- # none\n- a", "tags:\n  # none\n  - a"),
        ("tags:\n  - |  # keep\n    a\n", "tags:\n  - |  # keep\n    a"),
        ("files: [.\\src\\a.py, ./b.py]", "files: [src/a.py, b.py]"),
        ("files:\n  - src\\a.py # of a", "files:\n  - src/a.py # of a"),
        ("files: [" + ", ".join(f"source/module_{n}.py" for n in range(6)) + "]",
         "files:\n" + "\n".join(f"  - source/module_{n}.py" for n in range(6))),
        ("topic:", "topic:"),
        ("confidence: high # why", "confidence: high # why"),
        ("created: 01.03.2026", "created: 01.03.2026"),
        ("x:   odd  # as it is\ny: {a: 1}", "x:   odd  # as it is\ny: {a: 1}"),
    ],
)  # fmt: skip
def test_a_value_is_written_plainly(before: str, after: str) -> None:
    assert fields(before) == after


def test_a_file_that_would_grow_too_big_is_left() -> None:
    data = b"---\ntitle: Pin the linter\n---\n" + b"x" * (65_536 - 30)
    with pytest.raises(InvalidMemoryError, match="65,5"):
        formatted(parse(data, PATH))


def test_fields_stand_in_order_with_their_comments() -> None:
    before = """\
---
# of the file

# above tags
tags: [a]
  # below tags
x: 1

# above title
title: Pin # behind title
metadata:
  type: lesson
name: pin
# at the end
---
"""
    after = f"""\
---
# of the file
id: {derived_id(PATH)}
metadata:
  type: lesson
# above title
title: Pin # behind title
name: pin
# above tags
tags: [a]
  # below tags
x: 1
# at the end
---
"""
    assert fmt(before + BODY) == after + BODY


@pytest.mark.parametrize(
    ("before", "eol", "after"),
    [
        ("\n\n---\nid: k\ntitle: a\n...\n\nB. \n\n\n", None, "---\nid: k\ntitle: a\n---\n\nB.\n"),
        ("---\nid: k\ntitle: a\n---", None, "---\nid: k\ntitle: a\n---\n"),
        ("---  \n  id: k\n  title: a\n  x:\n    - b\n---\nB.", None, "---\nid: k\ntitle: a\nx:\n  - b\n---\nB.\n"),
        ("---\r\nid: k\r\ntitle: a\r\n---\r\nB.\r\n", None, "---\r\nid: k\r\ntitle: a\r\n---\r\nB.\r\n"),
        ("---\r\nid: k\ntitle: a\r\n---\r\nB\n.\r\n", None, "---\r\nid: k\r\ntitle: a\r\n---\r\nB\n.\r\n"),
        ("---\r\nid: k\r\ntitle: a\r\n---\r\nB\r\n.", "lf", "---\nid: k\ntitle: a\n---\nB\n.\n"),
        ("---\nid: k\ntitle: a\n---\nB\r\n.\n", "crlf", "---\r\nid: k\r\ntitle: a\r\n---\r\nB\r\n.\r\n"),
        ("\ufeff---\nid: k\ntitle: a\n---\nB.\n", None, "\ufeff---\nid: k\ntitle: a\n---\nB.\n"),
        ("\ufeff---\nid: k\ntitle: a\n---\nB.\n", "lf", "---\nid: k\ntitle: a\n---\nB.\n"),
    ],
)
def test_the_outer_form(before: str, eol: str | None, after: str) -> None:
    assert fmt(before, eol) == after


@pytest.mark.parametrize(
    "data",
    [
        *(with_title(row[0]) for row in TITLES),
        *(with_field(row[0]) for row in FIELDS),
        *(row[0] for row in WHOLE if len(row[0]) < 65_000),
    ],
)
def test_every_readable_file_reads_the_same_and_stays_formatted(data: bytes) -> None:
    document = parse(data, PATH)
    if document.memory is None:
        with pytest.raises(ValueError, match="unreadable"):
            formatted(document)
        return
    new = formatted(document)
    again = parse(new, PATH).memory
    assert again is not None
    assert again.as_json() == document.memory.as_json()
    assert formatted(parse(new, PATH)) == new
