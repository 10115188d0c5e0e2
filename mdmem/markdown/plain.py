"""Frontmatter that needs no YAML parser: behind each key one text, plain or quoted, or a list of such.

Nearly all files are like that. A line that leaves any doubt (a comment, an escape, a tab, a sign that may mean
something to YAML) leaves the whole frontmatter to `yaml_reader`, which reads plain lines as they are read here.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from mdmem.markdown.decoding import BOM, WORD_JOINER
from mdmem.markdown.field import Field, Mark
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

_CONTROL: Final = r"\x00-\x1f\x7f-\xa0"
_TEXT: Final = rf"[^{_CONTROL}:#]*+"
_BEGIN: Final = rf"[^{_CONTROL} :#?,!&*|>%@`'\"[\]{{}}-]"
"""What a text may begin with, in any reader's eyes."""
_PLAIN: Final = rf"(?P<plain>{_BEGIN}{_TEXT}(?:(?::(?![ \r\n])|(?<! )#){_TEXT})*+(?<! ))"
_SINGLE: Final = rf"[^{_CONTROL}']*+"
_QUOTED: Final = rf"'(?P<single>{_SINGLE}(?:''{_SINGLE})*+)'|\"(?P<double>[^{_CONTROL}\"\\]*+)\""
_ITEM: Final = rf"(?P<plain>{_BEGIN}[^{_CONTROL}:#?!,'\"[\]{{}}]*+(?<! ))|{_QUOTED}"
_UNNAMED: Final = re.sub(r"\?P<\w+>", "?:", _ITEM)
ENTRY: Final = pattern(
    rf"(?P<key>[A-Za-z][A-Za-z0-9_-]{{0,60}}):"
    rf"(?: +(?:{_PLAIN}|{_QUOTED}|\[(?P<list>(?:(?:{_UNNAMED})(?:, *(?:{_UNNAMED}))*+)?)\]))?\r?\n"
)
FLOW_ITEM: Final = pattern(_ITEM)
BLOCK_ITEM: Final = pattern(rf"(?P<indent> *)- (?:{_PLAIN}|{_QUOTED})\r?\n")
STYLES: Final = {"plain": "", "single": "'", "double": '"'}


def read_plain(lines: Sequence[str], first: int, end: int) -> dict[str, Field] | None:
    """The fields by key of the frontmatter `lines[first:end]`, None where it holds anything but plain lines.

    The lines hold none of the characters that make a frontmatter unreadable (see `fences`).
    """
    fields: dict[str, Field] = {}
    while first < end:
        entry = ENTRY.fullmatch(lines[first])
        if entry is None or entry["key"] in fields:
            return None
        field = _field(entry, lines, first, end)
        fields[field.key] = field
        first = field.last
    return fields


def _field(entry: re.Match[str], lines: Sequence[str], at: int, end: int) -> Field:
    key, kind = entry["key"], entry.lastgroup
    if kind in STYLES:
        return Field(key, _text(entry), STYLES[kind], at, at + 1, *_place(entry, at))
    if kind == "list":
        start, stop = entry.span("list")
        items = [*FLOW_ITEM.finditer(lines[at], start, stop)]
        places = tuple(_place(item, at) for item in items)
        return Field(key, [*map(_text, items)], "[", at, at + 1, Mark(at, start - 1), Mark(at, stop + 1), places)
    colon = Mark(at, entry.end("key") + 1)
    items = _block_items(lines, at + 1, end)
    if not items:
        return Field(key, None, "", at, at + 1, colon, colon)
    places = tuple(_place(item, line) for line, item in enumerate(items, at + 1))
    return Field(key, [*map(_text, items)], "-", at, at + 1 + len(items), colon, colon, places)


def _block_items(lines: Sequence[str], first: int, end: int) -> list[re.Match[str]]:
    """The items on the lines from `first` on, as far as they are indented alike."""
    items: list[re.Match[str]] = []
    for line in lines[first:end]:
        item = BLOCK_ITEM.fullmatch(line)
        if item is None or (items and item["indent"] != items[0]["indent"]):
            break
        items.append(item)
    return items


def _text(match: re.Match[str]) -> str:
    text = match[match.lastgroup or 0]
    if match.lastgroup == "single":
        text = text.replace("''", "'")
    return text if text.isascii() else unicodedata.normalize("NFC", text.replace(BOM, WORD_JOINER))


def _place(match: re.Match[str], line: int) -> tuple[Mark, Mark]:
    """Where the text stands, with the quotes around it."""
    start, end = match.span(match.lastgroup or 0)
    quote = match.lastgroup != "plain"
    return Mark(line, start - quote), Mark(line, end + quote)
