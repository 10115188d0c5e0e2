"""Bytes to text and text to lines: everything that can keep a file from being text at all."""

from __future__ import annotations

import re
from typing import Final

from mdmem.markdown.problems import Problem
from mdmem.memory import FILE_SIZE

BOM: Final = "\ufeff"
WORD_JOINER: Final = "\u2060"
"""What Unicode has put in the place of U+FEFF within a text, which YAML parsers leave out when they count columns."""
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_UTF16_SAMPLE: Final = 4096
_UTF16_ZEROS: Final = 0.25
"""The least part of zero bytes on one side of the pairs: ASCII letters amid any other script give more."""


class NotAMemory(Exception):
    """The text can't be read as a memory; `problem` says why. Never leaves this package."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def decode(data: bytes) -> str:
    """The file's bytes as text, a byte-order mark kept.

    Raises NotAMemory for an empty or too large file, for another encoding than UTF-8 and for CR-only line ends.
    """
    if not data.removeprefix(BOM.encode()).strip():
        raise NotAMemory(Problem("E_EMPTY", 1, "the file is empty", hint="write the memory, or delete the file"))
    if len(data) > FILE_SIZE:
        message = f"{len(data):,} bytes; a memory has at most {FILE_SIZE:,}"
        raise NotAMemory(Problem("E_TOO_BIG", 1, message, hint="keep the point, and link to the rest"))
    if looks_like_utf16(data):
        raise NotAMemory(Problem("E_ENCODING", 1, "the file is UTF-16", hint="save it as UTF-8, not UTF-16"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotAMemory(_not_utf8(data, error)) from error
    if "\r" in text and "\n" not in text:
        raise NotAMemory(Problem("E_EOL", 1, "lines end in CR alone", hint="CR-only line ends: save with LF line ends"))
    return text


def split_lines(text: str) -> tuple[str, ...]:
    """Lines with their ends; only LF ends a line (CRLF with it)."""
    return tuple(re.findall(r"[^\n]*\n|[^\n]+", text))


def looks_like_utf16(data: bytes) -> bool:
    """Whether the bytes are UTF-16: by their mark, or by zero bytes on one side of the pairs alone."""
    if data[:2] in _UTF16_MARKS:
        return True
    if b"\0" not in data:
        return False
    sample = data[: min(len(data), _UTF16_SAMPLE) & ~1]
    zeros = sample[::2].count(0), sample[1::2].count(0)
    return min(zeros) == 0 and max(zeros) > 1 and max(zeros) >= _UTF16_ZEROS * len(sample) / 2


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> Problem:
    line = data.count(b"\n", 0, error.start) + 1
    if error.reason == "unexpected end of data":
        hint = "incomplete UTF-8 at end: the file was cut; restore it, or delete the last character"
    else:
        hint = f"save it as UTF-8 (byte 0x{data[error.start]:02X} looks like Latin-1 or Windows-1252)"
    return Problem("E_ENCODING", line, "the file is not UTF-8", hint=hint)
