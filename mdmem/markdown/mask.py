"""Code and quotations blanked out, so that a detector reads only what the text says itself.

A masked text has the same length and the same line ends as the text it was made from.
"""

from __future__ import annotations

import re
from typing import Final

from mdmem.pattern import pattern

_FENCED: Final = r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?s:.*?)(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)"
_INLINE: Final = r"(?<!`)(?P<ticks>`{1,8})(?!`)[^`\n]{1,2000}(?P=ticks)(?!`)"
_QUOTED: Final = r'"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|^[ \t]*>[^\n]*'
_MARKS: Final = ("`", "~~~", '"', "“", "„", "«", ">")
"""One of these stands in every text that holds code or a quotation."""
CODE: Final = pattern(rf"{_FENCED}|{_INLINE}", re.MULTILINE)
CODE_OR_QUOTE: Final = pattern(rf"{_FENCED}|{_INLINE}|{_QUOTED}", re.MULTILINE)
_NOT_LINE_END: Final = pattern(r"[^\n]")


def without_code(text: str) -> str:
    """The text with fenced blocks and code spans blanked out."""
    return CODE.sub(_blank, text) if "`" in text or "~~~" in text else text


def without_quotes(text: str) -> str:
    """The text with fenced blocks, code spans and quotations blanked out."""
    return CODE_OR_QUOTE.sub(_blank, text) if any(map(text.__contains__, _MARKS)) else text


def _blank(match: re.Match[str]) -> str:
    return _NOT_LINE_END.sub(" ", match[0])
