"""The analyser: text in, out the words that search compares.

Documents and queries pass through the same `words`, so that what one writes the other finds. A word is folded
(case, accents, width) and given whole and in parts: `src/db/pool.py:42` is also `pool.py`, `pool`, `py`, `42`;
`acksLate`, `acks_late` and `acks-late` share the whole `ackslate` and the parts `acks` and `late`. Scripts that
are written without blanks become pairs of characters. The index makes stems of these words (see `fulltext`).

`VERSION` is part of the index's stamp: raise it with every change that alters a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION: Final = 1

WORD_LENGTH: Final = 64
"""Longer words are cut, in documents and queries alike."""

LANGUAGES: Final = frozenset({"c", "r"})
"""The one-letter words that mean something in a query."""

STOP_WORDS: Final = frozenset(
    """
    a about after again all also am an and any are as at be because been before being both but by can cannot cant
    could did didnt do does doesnt doing dont down each few for from further had has have having he her here hers
    him his how i if in into is isnt it its just me more most my no nor not now of off on once only or other our
    out over own please same she should so some such than that the their them then there these they this those
    through to too under until up very was we were what when where which while who whom whose why will with would
    you your
    """.split()  # noqa: SIM905 (a hundred quoted words on a page are harder to read)
)

COMMON_WORDS: Final = frozenset(
    """
    able above across actually ago almost alone along already although always another anybody anyone anything anyway
    around ask asked asks away back bad become begin behind best better big bit bring brought call called came cause
    certain come comes coming course different done either else end ended enough even ever every everybody everyone
    everything exactly fact far feel felt find fine first found full gave general get gets getting give given gives
    giving go goes going gone good got great hand happen happened happens hard help high hold idea instead keep
    keeps kept kind knew know known knows large last late later least leave left less let lets like liked likely
    likes line little long longer look looked looking looks lot low made main make makes making many matter may
    maybe mean means might mine moment much must near nearly need needed needs never new next nice nobody nothing
    number often okay old one ones part particular people perhaps person place point possible probably put quite
    rather really reason right said say saying says second see seem seemed seems seen several show since small
    somebody someone something sometimes somewhere soon sort start started still stop stuff suppose sure take taken
    takes taking talk tell thing things think thought three time times today together told tomorrow took toward
    tried tries true try trying turn two type unless upon use used uses using usual usually various via want wanted
    wants way ways week well went whatever whenever whether whole within without wonder word words work worked
    working works world wrong year years yes yesterday yet
    """.split()  # noqa: SIM905
)
"""Words that every text may use, whatever it is about: they are searched for, and count less than rare ones.

In a small store they look as rare as the names that matter, since BM25 knows no other texts.
"""

UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Thai to Khmer, kana, Han, Hangul: their texts are searched by pairs of characters."""

LETTER: Final = r"[^\W_\u0900-\u0dff]|[\u0900-\u0dff]"
"""A letter or digit; the Indic blocks count whole, for `\\w` leaves out their vowel signs."""

NAME: Final = re.compile(
    rf"(?P<name>(?:{LETTER})+(?:(?:[./\\:@_-]{{1,3}}|->)(?:{LETTER})+)*(?:\+\+|\#(?!\w))?)"
    r"(?P<ending>['’](?:s|t|re|ve|ll|d|m)(?!\w))?"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]"
)
"""A word, identifier, path or version with what holds it together; or an emoji."""

PATH_MARKS: Final = re.compile(r"[/\\:@]+|->")
DOTS: Final = re.compile(r"\.+")
SQUASHED: Final = str.maketrans("", "", "_-")
VERSION_LETTER: Final = re.compile(r"v(?=\d+\.)")
PIECE: Final = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|(?:[^\W\d_A-Za-z]|[\u0900-\u0dff])+")
"""Part of an identifier: an acronym, a word with or without its capital, a number, letters of another script."""

KEPT_MARKS: Final = frozenset({7, 8, 9})
"""Combining classes that make another letter rather than an accent: nukta, kana voicing, virama."""

LOOKALIKES: Final = str.maketrans(
    dict(zip("øØłŁđĐı", "oOlLdDi", strict=True))
    | {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
)
"""Letters that Unicode does not take apart, and invisible characters that would cut a word in two."""


def words(text: str) -> list[str]:
    """Every word of the text in order, compounds whole and in parts, folded; stop words are still there."""
    return [word for token in text.split() for word in token_words(token)]


def query_words(text: str) -> list[str]:
    """The distinct words a query asks for, in order.

    Stop words and one-letter words other than `LANGUAGES` are dropped, unless nothing else is left.
    """
    found = list(dict.fromkeys(words(text)))
    return [word for word in found if not is_noise(word)] or found


def is_noise(word: str) -> bool:
    """Whether the word says too little to be searched for beside others."""
    if len(word) > 1:
        return word in STOP_WORDS
    return word not in LANGUAGES and word.isalnum() and not _unspaced().match(word)


@lru_cache(maxsize=1 << 16)
def token_words(token: str) -> tuple[str, ...]:
    """The words of a text without blanks; memory texts repeat most of theirs, hence the cache."""
    if token.isascii():
        if token.isalpha() and (token.islower() or token.istitle()):
            return (token.lower()[:WORD_LENGTH],)
        found = spaced_words(token)
    else:
        runs = _unspaced().split(without_accents(token))
        found = (word for i, run in enumerate(runs) for word in (pairs(run) if i % 2 else spaced_words(run)))
    return tuple(word[:WORD_LENGTH] for word in found)


def spaced_words(text: str) -> Iterator[str]:
    """The words of a script that leaves blanks between them, its accents gone."""
    for match in NAME.finditer(text):
        name, ending = match["name"], match["ending"] or ""
        if name is None:
            yield match[0]
        elif ending and ending[1:] != "s":
            yield (name + ending[1:]).casefold()
        else:
            yield from compound_words(name)


def compound_words(compound: str) -> Iterator[str]:
    """A path or qualified name: the whole, then each segment (`pool.py`) and what it is made of."""
    segments = PATH_MARKS.split(compound)
    if len(segments) > 1:
        yield compound.translate(SQUASHED).casefold()
    for segment in segments:
        names = DOTS.split(segment)
        if len(names) > 1:
            yield VERSION_LETTER.sub("", segment.translate(SQUASHED).casefold())
        for name in names:
            yield from name_words(name)


def name_words(name: str) -> Iterator[str]:
    """An identifier without its `_` and `-`, then its parts of two letters and more (`C++` also has `c`)."""
    whole = name.translate(SQUASHED).casefold()
    parts = [piece.casefold() for piece in PIECE.findall(name)]
    yield whole
    yield from (part for part in parts if part != whole and (len(part) > 1 or len(parts) == 1))


def pairs(run: str) -> Iterator[str]:
    """Overlapping pairs of characters; a single one is a word of its own."""
    return (run[i : i + 2] for i in range(max(1, len(run) - 1)))


@cache
def _unspaced() -> re.Pattern[str]:
    """A run of an unspaced script, as a group; compiled late, since most commands never meet one."""
    return re.compile(f"([{UNSPACED}]+)")


def without_accents(text: str) -> str:
    """Compatibility forms unified, accents dropped, Hangul and kana whole again, invisible characters gone."""
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in letters if not (mark := unicodedata.combining(c)) or mark in KEPT_MARKS)
    return unicodedata.normalize("NFC", bare).translate(LOOKALIKES)
