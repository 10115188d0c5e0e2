"""Markdown as a list of its items and paragraphs, each with the headings above it. Code, comments, tables are left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

FENCE: Final = re.compile(r"^\s*(`{3,}|~{3,})")
HEADING: Final = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
ITEM: Final = re.compile(r"^( {0,3})(?:[-*+]|\d+[.)])\s+(.*)$")
OURS_BEGIN: Final = re.compile(r"<!--\s*mdmem:(\w+) begin\s*-->")
COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
LEFT: Final = re.compile(r"^\s*(?:\||@\S+$|[-*_]{3,}\s*$)")
"""Rows of tables, imports of other files, rules across the page."""


class Block(NamedTuple):
    """An item of a list with what is indented below it, or a paragraph; `line` counts from 1."""

    text: str
    line: int
    headings: tuple[str, ...] = ()
    is_item: bool = False

    @property
    def heading(self) -> str:
        """The nearest heading, '' where there is none."""
        return self.headings[-1] if self.headings else ""


def blocks(text: str, first_line: int = 1) -> Iterator[Block]:
    """The items and paragraphs of a text in order. What mdmem itself put between its marks is none of them."""
    headings: list[tuple[int, str]] = []
    open_: Block | None = None
    for number, line in enumerate(_readable(text), first_line):
        heading, item = HEADING.match(line), ITEM.match(line)
        if open_ and (heading or LEFT.match(line) or not _goes_on(open_, line, item)):
            yield _closed(open_)
            open_ = None
        if heading:
            level = len(heading[1])
            headings = [*(one for one in headings if one[0] < level), (level, heading[2])]
        elif open_:
            open_ = open_._replace(text=f"{open_.text}\n{line}")
        elif line.strip() and not LEFT.match(line):
            open_ = Block(item[2] if item else line, number, tuple(name for _, name in headings), bool(item))
    if open_:
        yield _closed(open_)


def _goes_on(block: Block, line: str, item: re.Match[str] | None) -> bool:
    """Whether a line belongs to a block: to a paragraph up to a blank line or a list, to an item what is indented."""
    if not block.is_item:
        return bool(line.strip()) and not item
    if item:
        return len(item[1]) > 1
    return not line[:1].strip() or not block.text.endswith("\n")


def _closed(block: Block) -> Block:
    return block._replace(text=block.text.strip())


def _readable(text: str) -> list[str]:
    """The lines of a text, with those of code, comments and our own marked parts blank."""
    lines = _without_own(COMMENT.sub(_kept_marks, text).replace("\r\n", "\n")).split("\n")
    fence = ""
    for at, line in enumerate(lines):
        mark = FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
            lines[at] = ""
        elif fence:
            lines[at] = ""
    return lines


def _kept_marks(match: re.Match[str]) -> str:
    return match[0] if "mdmem:" in match[0] else "\n" * match[0].count("\n")


def _without_own(text: str) -> str:
    while begin := OURS_BEGIN.search(text):
        end = re.search(rf"<!--\s*mdmem:{begin[1]} end\s*-->", text[begin.end() :])
        stop = begin.end() + end.end() if end else len(text)
        text = text[: begin.start()] + "\n" * text.count("\n", begin.start(), stop) + text[stop:]
    return text
