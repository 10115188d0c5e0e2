"""Bytes to lines and back, and where frontmatter, body and code begin and end."""

from __future__ import annotations

import pytest

from mdmem.markdown.decoding import NotAMemory, decode, looks_like_utf16, split_lines
from mdmem.markdown.fences import conflict_line, find_fences, outside_code, without_blank_ends


@pytest.mark.parametrize(
    ("data", "start", "end", "eol", "body", "body_line"),
    [
        (b"---\na: b\n---\nBody", 0, 2, "\n", "Body", 4),
        (b"---\r\na: b\r\n---\r\n\r\n Body\r\n", 0, 2, "\r\n", " Body", 5),
        (b"\n \n---\n...\n", 2, 3, "\n", "", 5),
        (b"\xef\xbb\xbf---\na: |\n  ---\n---\nB\n", 0, 3, "\n", "B", 5),
        (b"---\na: b\x0b\n---\nB\n", 0, 2, "\n", "B", 4),
        ("---\na: b\n---\nx\u2028y\x85z\n".encode(), 0, 2, "\n", "x\u2028y\x85z", 4),
    ],
)
def test_a_layout_gives_its_bytes_back(data: bytes, start: int, end: int, eol: str, body: str, body_line: int) -> None:
    layout, _ = find_fences(data)
    assert (layout.start, layout.end, layout.eol, layout.body, layout.body_line) == (start, end, eol, body, body_line)
    assert layout.encoded() == data


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("a", ("a",)),
        ("a\n\nb", ("a\n", "\n", "b")),
        ("a\r\nb\rc\n", ("a\r\n", "b\rc\n")),
        ("a\u2028b", ("a\u2028b",)),
    ],
)
def test_only_lf_ends_a_line(text: str, lines: tuple[str, ...]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n\na\n\n", "a"),
        ("  a\n", "  a"),
        (" \n\t\n  a\n b \n", "  a\n b"),
        ("\r\n a\r\nb\r\n", " a\nb"),
        (" \n ", ""),
        ("", ""),
    ],
)
def test_blank_lines_at_the_ends_are_no_text(text: str, expected: str) -> None:
    assert without_blank_ends(text) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\xff\xfea\0", True),
        (b"\xfe\xff\0a", True),
        ("---\ntitle: x\n".encode("utf-16-le"), True),
        ("---\ntitle: x\n".encode("utf-16-be"), True),
        ("---\ntitle: 日本語の長い題名\n".encode("utf-16-le"), True),
        (b"---\ntitle: a\0b\n", False),
        (b"---\ntitle: a\0\0b\n", False),
        ("---\ntitle: 日本語\n".encode(), False),
        (b"", False),
        (b"\0", False),
    ],
)
def test_utf16_is_known_by_its_mark_or_its_zeros(data: bytes, expected: bool) -> None:
    assert looks_like_utf16(data) is expected


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("a\n```\nb\n```\nc", [1, 5]),
        ("```py\na\n~~~\n````\nb", [5]),
        ("~~~~\na\n~~~\nb\n~~~~\nc", [6]),
        ("   ```\na\n  ```  \nb", [4]),
        ("    ```\na", [1, 2]),
        ("```a``` b\nc", [1, 2]),
        ("```\nnever closed", []),
        ("a\r\n```\r\nb\r\n```\r\nc", [1, 5]),
    ],
)
def test_lines_outside_of_code(text: str, outside: list[int]) -> None:
    assert [number for number, _ in outside_code(split_lines(text))] == outside


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<<<<<<< HEAD", 5),
        ("a\n>>>>>>> x", 6),
        ("<<<<<<<", 5),
        ("<<<<<<<\r\n", 5),
        ("<<<<<<<x", None),
        (" <<<<<<< x", None),
        ("=======", None),
        ("> >>>>>>> x", None),
    ],
)
def test_a_conflict_marker_is_seven_signs_at_the_begin_of_a_line(text: str, line: int | None) -> None:
    assert conflict_line(split_lines(text), 5) == line


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (b"---\ntitle: a\nb\xff\n", "byte 0xFF"),
        (b"---\ntitle: \xe4", "incomplete UTF-8 at end"),
        (b"x" * 65_537, "link to the rest"),
        (b"\n \n", "write the memory"),
        (b"a\rb\r", "CR-only"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, hint: str) -> None:
    with pytest.raises(NotAMemory) as refused:
        decode(data)
    assert hint in refused.value.problem.hint
