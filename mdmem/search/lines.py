"""Words of a brief: a memory's text on one line, cut where a sentence ends, and its age as people say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.memory import EVIDENCE
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from datetime import datetime

FENCE: Final = pattern(r"\s*(?:`{3,}|~{3,})")
HEADING: Final = pattern(r"\s*#{1,6}\s+(.*?)\s*#*\s*$")
BULLET: Final = pattern(r"\s*(?:[-*+]|\d+[.)])\s+")
SENTENCE_END: Final = pattern(r"(?<=[.!?])\s|(?<=[。！？])")
AFTER_TITLE: Final = pattern(r"[*_\s]*(?:[.:;!,–—]+[*_]*(?:\s+|$)|-\s+|$)")
MONTH_DAYS: Final = 30


def one_line(body: str) -> str:
    """The body as one line: headings end in a colon, list items begin with a dot, code lines stand in backticks.

    Where a learned memory was said (its **Evidence:** paragraph) is for whoever reviews it, and left out.
    """
    parts = []
    in_code = False
    for line in EVIDENCE.sub("", body).splitlines():
        if FENCE.match(line):
            in_code = not in_code
        elif line.strip():
            parts.append(_code(line) if in_code else _prose(line))
    return " ".join(" ".join(parts).split())


def without_title(text: str, title: str) -> str:
    """The line without a repetition of the title at its beginning; what merely starts with the same words stays."""
    bare = text.lstrip("*_ ")
    wanted = " ".join(title.split()).rstrip(".!:")
    if bare[: len(wanted)].casefold() != wanted.casefold():
        return text
    rest = AFTER_TITLE.match(bare, len(wanted))
    return bare[rest.end() :] if rest else text


def shorten(text: str, length: int) -> str:
    """At most `length` characters: whole sentences if they make a third of it, else whole words, then `…`."""
    if len(text) <= length:
        return text
    ends = [end for found in SENTENCE_END.finditer(text, 0, length) if (end := found.start()) <= length - 2]
    if ends and ends[-1] >= length // 3:
        return f"{text[: ends[-1]]} …"
    cut = text[: length - 1]
    words = cut.rstrip() if text[length - 1].isspace() else cut.rpartition(" ")[0]
    return f"{words if len(words) >= length // 2 else cut}…"


def age_text(when: datetime | None, now: datetime) -> str:
    """`today`, `yesterday`, `N days`, from 60 days on `N months`; `age unknown` without a date. Days are UTC's."""
    if when is None:
        return "age unknown"
    days = (now.date() - when.date()).days
    if days < 1:
        return "today"
    if days == 1:
        return "yesterday"
    return f"{days} days" if days < 2 * MONTH_DAYS else f"{days // MONTH_DAYS} months"


def width(text: str) -> int:
    """Characters as agents count them, in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _code(line: str) -> str:
    return line if "`" in line else f"`{line.strip()}`"


def _prose(line: str) -> str:
    heading = HEADING.match(line)
    if heading:
        return f"{heading[1].rstrip(':')}:"
    return BULLET.sub("· ", line, count=1) if BULLET.match(line) else line.lstrip("> ")
