"""Vectors without a model: the words and pairs of words of a text, hashed into 256 places.

Texts that share words are near each other, and nothing more is known of meaning. The same text gives the same
vector in every process and on every machine.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final
from zlib import crc32

from mdmem.index import analysis

DIMENSION: Final = 256
PAIR_WEIGHT: Final = 0.5
"""What two words in a row count, beside 1 for a word."""


def hashed(text: str) -> list[float]:
    """A vector of `DIMENSION` numbers and unit length; all zeros for a text without words."""
    words = [word for word in analysis.words(text) if not analysis.is_noise(word)]
    places = [0.0] * DIMENSION
    for word in words:
        _count(places, word, 1.0)
    for first, second in pairwise(words):
        _count(places, f"{first} {second}", PAIR_WEIGHT)
    length = math.sqrt(sum(value * value for value in places))
    return [value / length for value in places] if length else places


def _count(places: list[float], word: str, weight: float) -> None:
    """Add to the word's place, or take away: a sign of its own keeps words that share a place apart on average."""
    code = crc32(word.encode("utf-8", "surrogatepass"))
    places[code % DIMENSION] += weight if code & 0x8000_0000 else -weight
