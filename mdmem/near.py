"""The name that was meant: the one most like what was typed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST: Final = 0.5


def nearest(word: str, names: Iterable[str]) -> str:
    """The name that shares most pairs of letters with the word, '' when none shares half of them (Dice 1945)."""
    likest = max(names, key=lambda name: _likeness(word, name), default="")
    return likest if _likeness(word, likest) >= LEAST else ""


def _likeness(one: str, other: str) -> float:
    """`2·|A ∩ B| / (|A| + |B|)` over the sets of neighbouring letters, 0 to 1."""
    a, b = set(pairwise(one)), set(pairwise(other))
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0
