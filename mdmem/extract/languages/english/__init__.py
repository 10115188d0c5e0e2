"""English: the tables that all other languages are modelled on."""

from __future__ import annotations

from typing import Final

from mdmem.extract.languages.english import phrases
from mdmem.extract.languages.english.cues import CUES
from mdmem.extract.languages.english.rewrites import REWRITES
from mdmem.extract.languages.language import Language

ENGLISH: Final = Language(
    code="en",
    cues=CUES,
    openers=phrases.OPENERS,
    fillers=phrases.FILLERS,
    closers=phrases.CLOSERS,
    objections=phrases.OBJECTIONS,
    doubts=phrases.DOUBTS,
    dismissals=phrases.DISMISSALS,
    questions=phrases.QUESTIONS,
    requests=phrases.REQUESTS,
    imperatives=phrases.ORDERS,
    negatives=phrases.NEGATIVES,
    deictics=phrases.DEICTICS,
    polite=phrases.POLITE,
    fragments=phrases.FRAGMENTS,
    strangers=phrases.STRANGERS,
    pasted=phrases.PASTED,
    persons=phrases.PERSONS,
    revocations=phrases.REVOCATIONS,
    once=phrases.ONCE,
    withdrawals=phrases.WITHDRAWALS,
    as_before=phrases.AS_BEFORE,
    standing=phrases.STANDING,
    choices=phrases.CHOICES,
    reasons=phrases.REASONS,
    kinds=phrases.KINDS,
    rewrites=REWRITES,
    relative_days=phrases.RELATIVE_DAYS,
    changes=phrases.CHANGES,
    endings=phrases.ENDINGS,
    function_words=phrases.FUNCTION_WORDS,
)
