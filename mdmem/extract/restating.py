"""Words that repeat a known rule and say another thing with it: the known one is confirmed, the new one told apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mdmem.extract.speech import sentences
from mdmem.extract.superseding import QUOTED
from mdmem.index.similar import Likeness, likeness, statement, stems
from mdmem.memory import Source, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdmem.memory import Memory

LEAST: Final = 2.0
"""So much a new rule must say besides the known one that its words repeat, to be sure that it is one."""


def parted(draft: Memory, stored: Sequence[Memory]) -> tuple[Memory, ...]:
    """The draft, and where its quotation restates stored memories one draft for each of these, in their words.

    The draft itself goes without those sentences then, and waits if it says little besides them.
    """
    quoted = QUOTED.search(draft.body) if draft.source is Source.EXTRACTION else None
    told = sentences(quoted["words"]) if quoted else ()
    known = {said: twin for said in told if (twin := _twin(said, draft, stored))}
    if quoted is None or not known:
        return (draft,)
    start, end = quoted.span("words")
    body = draft.body[:start] + " ".join(said for said in told if said not in known) + draft.body[end:]
    twins = tuple(dict.fromkeys(known.values()))
    again = [replace(draft, type=twin.type, title=twin.title, body=twin.body, topic=twin.topic) for twin in twins]
    status = draft.status if _says_more(draft, twins) else Status.PENDING
    return (replace(draft, body=body, status=status), *again)


def _twin(sentence: str, draft: Memory, stored: Iterable[Memory]) -> Memory | None:
    """The memory that a sentence restates; None for the sentence that the draft is about."""
    own, said = stems(draft.title), stems(sentence)
    if 2 * len(own & said) >= min(len(own), len(said)):
        return None
    near = (one for one in stored if one.scope == draft.scope and one.status in (Status.ACTIVE, Status.PENDING))
    return next((one for one in near if likeness(one.title, sentence) is Likeness.SAME), None)


def _says_more(draft: Memory, twins: Iterable[Memory]) -> bool:
    known = {stem for twin in twins for stem in stems(twin.title)}
    return sum(weight for stem, weight in statement(draft.title).weights.items() if stem not in known) >= LEAST
