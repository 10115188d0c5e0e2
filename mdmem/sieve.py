"""Which of many short strings does a text hold? Asked for all of them at once, and word by word.

A detector names a few strings, its hints, of which a text must hold one before a costly pattern is worth trying. There
are hundreds of them, so that looking for each would cost more than reading a file does. But a string without blanks
stands within one word, and nearly every word of a text stood in those before it.

A blank in a string stands for any white space, and for the ends of the text: where a line is broken must not matter.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

KEPT_WORDS: Final = 1 << 16
"""Remembered words; past so many all are forgotten."""
KEPT_LENGTH: Final = 40
"""Longer words are hardly ever met again."""


class Sieve:
    """Finds which of the strings given to `add` a text holds: as `in` tells for each, white space aside."""

    def __init__(self) -> None:
        self._strings: set[str] = set()
        self._parts: dict[str, list[tuple[str, str]]] = {}
        self._common: list[str] = []
        self._telling: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._harmless: set[str] = set()

    def add(self, strings: Collection[str]) -> None:
        """Look for these too, from now on."""
        for string in set(strings) - self._strings:
            part = max(string.split(), key=len)  # whoever holds the string holds this within one word
            if len(part) > 2 or len(part) == len(string) > 1:
                self._parts.setdefault(part[:2], []).append((part, string))
            else:
                self._common.append(string)
        self._strings.update(strings)
        self._forget()

    def held(self, text: str) -> frozenset[str]:
        """Every string that the text holds."""
        words = text.split()
        flat = f" {' '.join(words)} "
        found = {string for string in self._common if string in flat}
        for word in set(words) - self._harmless:
            whole, parted = self._telling.get(word) or self._told_by(word)
            found.update(whole)
            if parted:
                found.update(string for string in parted if string in flat)
        return frozenset(found)

    def _told_by(self, word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The strings that stand in the word, and those with blanks of which a part does."""
        near = [*self._iter_near(word)]
        told = (
            tuple(string for part, string in near if part == string),
            tuple(string for part, string in near if part != string),
        )
        if len(word) <= KEPT_LENGTH:
            if len(self._telling) + len(self._harmless) >= KEPT_WORDS:
                self._forget()
            if near:
                self._telling[word] = told
            else:
                self._harmless.add(word)
        return told

    def _iter_near(self, word: str) -> Iterator[tuple[str, str]]:
        for start in range(len(word) - 1):
            for part, string in self._parts.get(word[start : start + 2], ()):
                if word.startswith(part, start):
                    yield part, string

    def _forget(self) -> None:
        self._telling.clear()
        self._harmless.clear()


_ALL: Final = Sieve()


def hints(*strings: str) -> frozenset[str]:
    """Strings in lower case that `held` looks for from now on."""
    _ALL.add(strings)
    held.cache_clear()
    return frozenset(strings)


@lru_cache(maxsize=4)
def held(folded: str) -> frozenset[str]:
    """All hints, of whatever detector, that a text in lower case holds; several detectors ask this of one text."""
    return _ALL.held(folded)


def fold(text: str) -> str:
    """The text in lower case, each character in its place: the one letter that grows in lower case is replaced."""
    return text.lower() if text.isascii() else text.replace("İ", "I").lower()
