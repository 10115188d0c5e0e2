"""Which language a message is in: told by its script, else by its small words. Sessions mix languages."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mdmem.extract.languages.table import LANGUAGES

if TYPE_CHECKING:
    from mdmem.extract.languages.language import Language

CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\S*[/\\_=<>@]\S*|\S+\.\w{1,4}\b", re.DOTALL)
"""What is of no language: code, paths, names with marks in them."""
WORD: Final = re.compile(r"[^\W\d_]+['’]?")
LETTER: Final = re.compile(r"[^\W\d_]")
SHARE: Final = 0.15
"""From this share of a text's letters on, a script is what it is written in."""
FEW: Final = 4
"""In so few words a single small one must do."""
HITS: Final = 2
LENGTH: Final = 600
"""So much of a message tells its language."""


@lru_cache(maxsize=256)
def language_of(text: str) -> Language:
    """The language of a message; the first of the table when nothing else is sure."""
    bare = CODE.sub(" ", text[: 4 * LENGTH])[:LENGTH]
    letters = len(LETTER.findall(bare))
    for language in LANGUAGES:
        if language.script and len(language.script.findall(bare)) > letters * SHARE:
            return language
    found = WORD.findall(bare.casefold().replace("’", "'"))
    default, *others = LANGUAGES
    best = max((one for one in others if not one.script), key=lambda one: _hits(found, bare, one), default=default)
    hits = _hits(found, bare, best)
    is_sure = hits >= HITS or (len(found) <= FEW and hits)
    return best if is_sure and hits > _hits(found, bare, default) else default


def _hits(found: list[str], text: str, language: Language) -> int:
    """How many different small words of a language a text has, and one more for letters of its own."""
    return len(language.function_words.intersection(found)) + bool(language.letters.search(text))
