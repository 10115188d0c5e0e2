"""What a single YAML value says to a person, where YAML itself says less: ` #42`, NFC, escapes that nobody sees."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdmem.markdown.nodes import Scalar

_COMMENT: Final = pattern(r"[ \t]#(?=[ \t]|$)")
_BLOCK_HEADER: Final = pattern(r"[|>][-+\d]*")
_ESCAPE: Final = pattern(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_CONTROL_ESCAPES: Final = frozenset("0abtnvfreNLP\t")
_INVISIBLE: Final = frozenset({"Cc", "Zl", "Zp"})


def text_of(node: Scalar, line: str) -> str | None:
    """The text of a scalar in NFC, None for nothing at all. `line` is the one on which it ends."""
    text = f"{node.text}{rest_of(node, line)}" if not node.style else node.text
    return unicodedata.normalize("NFC", text.strip(" \t") if not node.style else text) if text or node.style else None


def rest_of(node: Scalar, line: str) -> str:
    """What follows a plain value as ` #x`, which YAML takes for a comment; a comment begins with ` # `."""
    if node.style or node.is_flow:
        return ""
    rest = line[node.end.column :]
    word = rest.lstrip(" \t")
    if not word.startswith("#") or word == rest or not word[1:2].strip():
        return ""
    comment = _COMMENT.search(rest)
    return rest[: comment.start() if comment else len(rest)].rstrip(" \t")


def header_length(line: str, column: int) -> int:
    """How many characters the header of a block scalar takes (`|`, `>-`, `|2+`)."""
    match = _BLOCK_HEADER.match(line, column)
    return match.end() - column if match else 1


def iter_control_escapes(node: Scalar, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(index of the line, escape) for each escape in double quotes that gives a control character.

    `lines` are those of the node's text, so that node.start.line is an index into them.
    """
    if node.style != '"':
        return
    for index in range(node.start.line, node.end.line + 1):
        line = lines[index]
        begin = node.start.column if index == node.start.line else 0
        end = node.end.column if index == node.end.line else len(line)
        for match in _ESCAPE.finditer(line, begin, end):
            code = match[1]
            char = chr(int(code[1:], 16)) if len(code) > 1 else ""
            if code in _CONTROL_ESCAPES or (char and unicodedata.category(char) in _INVISIBLE):
                yield index, match[0]
