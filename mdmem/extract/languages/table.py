"""The languages that are understood. A new one is a module beside this one, and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.extract.languages.chinese import CHINESE
from mdmem.extract.languages.english import ENGLISH
from mdmem.extract.languages.french import FRENCH
from mdmem.extract.languages.german import GERMAN
from mdmem.extract.languages.japanese import JAPANESE
from mdmem.extract.languages.spanish import SPANISH

if TYPE_CHECKING:
    from mdmem.extract.languages.language import Language

LANGUAGES: Final[tuple[Language, ...]] = (
    ENGLISH,
    GERMAN,
    SPANISH,
    FRENCH,
    JAPANESE,
    CHINESE,
)
"""The first is taken where nothing tells the language; scripts are looked for in this order (kana before Han)."""
