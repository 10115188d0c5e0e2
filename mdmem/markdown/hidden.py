"""Characters that no reader sees: which they are, and where they rightly stand.

Unicode 16, default ignorable and bidirectional format characters. Joiners belong in emoji and in several scripts,
direction marks in right-to-left text, tag characters in the flags of regions, variation selectors behind one base.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUSPECT: Final = pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]"
)
_FLAG: Final = pattern("\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f")
_RIGHT_TO_LEFT: Final = pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_JOINING: Final = pattern(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u18af\ua840-\ua8ff\ufb50-\ufdff]"
)
_EMOJI: Final = pattern("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff\ufe0f\U0001f3fb-\U0001f3ff]")


def iter_hidden(text: str) -> Iterator[int]:
    """The offsets of invisible characters that have no business where they stand."""
    if text.isascii() or not _SUSPECT.search(text):
        return
    flags = {i for match in _FLAG.finditer(text) for i in range(*match.span())}
    is_right_to_left = bool(_RIGHT_TO_LEFT.search(text))
    for match in _SUSPECT.finditer(text):
        at = match.start()
        if at not in flags and not _is_fitting(text, at, is_right_to_left=is_right_to_left):
            yield at


def without_hidden(text: str) -> str:
    """The text without the characters that `iter_hidden` finds."""
    offsets = set(iter_hidden(text))
    return "".join(c for i, c in enumerate(text) if i not in offsets) if offsets else text


def name_of(char: str) -> str:
    """`U+200B ZERO WIDTH SPACE`."""
    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()


def _is_fitting(text: str, at: int, *, is_right_to_left: bool) -> bool:
    char, before, after = text[at], text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if char in "\u200e\u200f\u061c":
        return is_right_to_left
    if char == "\u200c":
        return bool(_JOINING.match(before) or _JOINING.match(after))
    if char == "\u200d":
        return bool((_EMOJI.match(before) and _EMOJI.match(after)) or _JOINING.match(before))
    if "\ufe00" <= char <= "\ufe0f":
        return bool(before) and not before.isspace() and not _SUSPECT.match(before)
    if "\u180b" <= char <= "\u180f":
        return "\u1800" <= before <= "\u18af"
    if "\U000e0100" <= char <= "\U000e01ef":
        return unicodedata.name(before, "").startswith("CJK") if before else False
    return False
