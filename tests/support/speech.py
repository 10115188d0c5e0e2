"""What becomes of words that a user says in the middle of the work."""

from __future__ import annotations

from mdmem.extract.corrections import Setting, listen
from mdmem.extract.phrasing import title
from mdmem.extract.transcripts.session import Said

AT_WORK = Setting(has_acted=True, has_spoken=True)


def rule(text: str, code: str) -> str:
    """The title of the rule that words state, '' for none; they must be heard in the language `code`."""
    found = listen(Said(text, 7), AT_WORK)
    if not found or not found.ruling.sentence:
        return ""
    assert found.language.code == code
    return title(found.ruling.sentence, found.language)


def talk(text: str) -> str:
    """The same, whatever the language: '' for words that state no rule."""
    found = listen(Said(text, 7), AT_WORK)
    return title(found.ruling.sentence, found.language) if found and found.ruling.sentence else ""
