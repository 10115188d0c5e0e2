"""What is not saved: what says nothing, what is known, what was forgotten on purpose.

Pure: drafts and what the store holds come in as values, what may be saved and what was left comes out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mdmem.memory import Source, Status, normal_text
from mdmem.store.vetoes import is_vetoed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdmem.memory import Memory
    from mdmem.store.vetoes import Veto

LOW_VALUE: Final = re.compile(
    r"^(?:(?:all )?tests? (?:passed|pass|are green)|i(?:'m| am) sorry|i can(?:'t|not) (?:help|assist)|as an ai\b|done"
    r"|ok(?:ay)?|fixed|completed|looks good|thanks|[\[{\"'].*[\]}\"'])\W*$"
    r"|\b(?:can't|cannot|won't) help with\b|\bhappy to help\b",
    re.IGNORECASE,
)
INJECTION: Final = re.compile(
    r"\bignore (?:all |your |any )*(?:previous|prior|earlier|above) (?:instructions?|rules?|prompts?)"
    r"|\b(?:dear|attention,?) (?:language model|assistant|ai)\b|\bsystem (?:note|prompt|message)\b|\btell nobody\b"
    r"|\b(?:do not|don't) tell the user\b|\bcurl\b[^|]*\|\s*(?:ba|z)?sh\b",
    re.IGNORECASE,
)
REDACTED_ONLY: Final = re.compile(r"\[redacted:[\w-]+\]")
WORD: Final = re.compile(r"[\w#@./:-]*\w")
STOP_WORDS: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "of",
        "for",
        "in",
        "on",
        "at",
        "by",
        "with",
        "and",
        "or",
        "is",
        "are",
        "be",
        "it",
        "its",
        "this",
        "that",
        "please",
        "we",
        "our",
        "i",
    ]
)
LEAST_WORDS: Final = 2

VETOED: Final = "it was forgotten on purpose"
KNOWN: Final = "this run already taught it"
USERS: Final = "the user has written it down"
TWICE: Final = "the same run says it twice"
NOTHING: Final = "it says nothing worth remembering"
INJECTED: Final = "it reads like instructions to an agent"


@dataclass(frozen=True, slots=True)
class Left:
    """A draft that is not saved, and why."""

    memory: Memory
    reason: str


@dataclass(frozen=True, slots=True)
class Admission:
    """What may be saved, and what was left. A rule the store has already is admitted in the store's own words,
    so that saving it confirms."""

    admitted: tuple[Memory, ...]
    left: tuple[Left, ...]


def worth(memory: Memory) -> str:
    """Why a draft is not worth saving wherever it goes; '' when it is."""
    text = REDACTED_ONLY.sub("", memory.title)
    if LOW_VALUE.search(text) or len(significant(text)) < LEAST_WORDS:
        return NOTHING
    return INJECTED if INJECTION.search(f"{memory.title}\n{memory.body}") else ""


def admit(drafts: Iterable[Memory], stored: Sequence[Memory], vetoes: Sequence[Veto]) -> Admission:
    """Sorts drafts into what is saved and what is left, each with its reason."""
    admitted: list[Memory] = []
    left: list[Left] = []
    for draft in drafts:
        known = next((memory for memory in stored if says_the_same(memory, draft)), None)
        reason = worth(draft) or (VETOED if is_vetoed(draft, vetoes) else "") or _known(draft, known)
        if not reason and any(says_the_same(other, draft) for other in admitted):
            reason = TWICE
        if reason:
            left.append(Left(draft, reason))
        else:
            admitted.append(_as_confirmation(draft, known) if known else draft)
    return Admission(tuple(admitted), tuple(left))


def says_the_same(one: Memory, other: Memory) -> bool:
    """Whether two memories state one rule: the same scope, and titles of the same words that carry meaning."""
    return one.scope == other.scope and significant(one.title) == significant(other.title)


def significant(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, folded; numbers, flags, names and negations are among them."""
    return frozenset(WORD.findall(normal_text(text).casefold())) - STOP_WORDS


def _known(draft: Memory, known: Memory | None) -> str:
    if known is None or known.status not in (Status.ACTIVE, Status.PENDING):
        return ""
    if set(draft.origin) <= set(known.origin):
        return KNOWN
    return USERS if known.source is Source.USER else ""


def _as_confirmation(draft: Memory, known: Memory) -> Memory:
    """The draft in the words of the memory that it confirms, so that the store sees a duplicate.

    A draft with a topic replaces by topic as it is; a memory that is no longer active is not woken by this.
    """
    if draft.topic or known.status is not Status.ACTIVE:
        return draft
    return replace(draft, type=known.type, title=known.title, body=known.body, topic=known.topic)
