"""JSON amid other text: every whole value, and the places where one begins that never ends.

A bracket in prose begins nothing and is passed over; brackets inside a string are part of it. The work is bounded
whatever the text.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

WORK_LIMIT: Final = 50_000_000
"""Characters that are read, at most; what follows a bracket that never closes is read more than once."""
PASSED: Final = 8
"""How many characters are passed over in the time that one is read: the decoder counts lines up to each error."""
DEEP: Final = 10_000
"""What a nesting too deep to be read is taken to cost."""
DECODER: Final = json.JSONDecoder(strict=False)
"""Line ends within a string are accepted: models forget to escape them."""
OPENING: Final = re.compile(r"[\[{]")
BEGUN: Final = re.compile(r"\{\s*(?:[\"']|$)|\[\s*\{")
"""How a JSON object begins, and a list of them; a brace before a word is prose."""


class Found(NamedTuple):
    """A value and where it stands, `text[start:end]`."""

    start: int
    end: int
    value: object


class Scan(NamedTuple):
    """The outermost whole values of a text, and where JSON begins that is broken or cut off."""

    found: tuple[Found, ...]
    broken: tuple[int, ...]


def scan(text: str) -> Scan:
    """Every whole JSON object or list of a text, in order; what stands within one is not listed again."""
    found, broken = [], []
    position, work = 0, 0
    while (opening := OPENING.search(text, position)) and work < WORK_LIMIT:
        start = opening.start()
        try:
            value, position = DECODER.raw_decode(text, start)
            found.append(Found(start, position, value))
        except RecursionError:
            position, work = start + 1, work + DEEP
            broken.append(start)
        except ValueError as error:
            position, work = start + 1, work + _work(error, start, len(text))
            if BEGUN.match(text, start):
                broken.append(start)
    return Scan(tuple(found), tuple(broken))


def _work(error: ValueError, start: int, length: int) -> int:
    """What a failed attempt cost; it went to the end of the text when a string never closed or nobody knows."""
    end = length
    if isinstance(error, json.JSONDecodeError) and not error.msg.startswith("Unterminated"):
        end = error.pos
    return end - start + end // PASSED + 1
