"""Which learned memory a newer rule puts out of force, and which one somebody takes back.

Only what was learned gives way: what a person or an agent wrote by hand is left as it is, and a rule that
contradicts a person's waits for them. A rule gives way to one of the same subject with another value, or to one
whose speaker says in the same breath that something is over which it rests on. In doubt both stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mdmem.extract.languages.detection import language_of
from mdmem.index.similar import Likeness, likeness, statement
from mdmem.memory import Source, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdmem.index.similar import Statement
    from mdmem.memory import Memory

LEARNED: Final = frozenset({Source.EXTRACTION, Source.CONSOLIDATION})
QUOTED: Final = re.compile(r"“(?P<words>.*)”", re.DOTALL)
SHARED: Final = 0.5
"""How much of what was taken back the memory must speak of."""
LEAST: Final = 2.0
SURE: Final = 2
"""So many things that are over settle it without another word in common."""


@dataclass(frozen=True, slots=True)
class News:
    """What a draft says and what its speaker said with it: whether that announces a change, and what is over."""

    rule: Statement
    is_change: bool
    over: frozenset[str]


def contradicted(draft: Memory, stored: Sequence[Memory]) -> Memory:
    """The draft with the ids of the learned memories that it supersedes.

    One that contradicts what a person wrote is pending.
    """
    if draft.source not in LEARNED or draft.status is not Status.ACTIVE:
        return draft
    news = _news(draft)
    old = [one for one in stored if _is_older(one, draft) and _gives_way(one, draft, news)]
    if any(one.source not in LEARNED for one in old):
        return replace(draft, status=Status.PENDING)
    ids = tuple(one.id for one in old if one.id)
    return replace(draft, supersedes=ids) if ids else draft


def taken_back(words: str, stored: Iterable[Memory]) -> Memory | None:
    """The one learned memory that somebody takes back with these words; None when it is not clear which."""
    said = statement(words)
    scored = sorted(((_spoken_of(one, said), one) for one in stored if _is_learned(one)), key=lambda found: -found[0])
    if not scored or scored[0][0] < SHARED or (len(scored) > 1 and scored[1][0] >= scored[0][0]):
        return None
    return scored[0][1]


def is_change(draft: Memory) -> bool:
    """Whether a draft announces that something is done in another way now: then it can't mean the same as before,
    however near it is."""
    return _news(draft).is_change


def _news(draft: Memory) -> News:
    """What a draft announces: judged by the words it was drawn from, which its body quotes."""
    quoted = QUOTED.search(draft.body)
    words = quoted["words"] if quoted else draft.title
    language = language_of(words)
    over = {stem for found in language.endings.finditer(words) for stem in statement(_ended(found)).strong}
    return News(statement(draft.title), bool(language.changes.search(words)) or bool(over), frozenset(over))


def _ended(found: re.Match[str]) -> str:
    return next(filter(None, found.groups()), "")


def _is_older(one: Memory, draft: Memory) -> bool:
    """Whether a memory is in force, of the same scope, and from another run."""
    return one.is_active and one.scope == draft.scope and not set(draft.origin) & set(one.origin)


def _is_learned(one: Memory) -> bool:
    return one.is_active and one.source in LEARNED


def _gives_way(old: Memory, draft: Memory, news: News) -> bool:
    """Whether the memory can't hold any more once the draft does."""
    rule = statement(old.title)
    how = likeness(draft.title, old.title)
    if how is Likeness.SAME:
        return False
    is_alike = rule.strong - rule.numbers == news.rule.strong - news.rule.numbers
    if how is Likeness.RIVAL and (news.is_change or is_alike or rule.subject & news.rule.subject):
        return True
    return news.is_change and (_has_subject(rule, news.rule) or _has_other_value(rule, news.rule) or _rests(rule, news))


def _has_subject(old: Statement, new: Statement) -> bool:
    """Whether both are about the same thing, and say something else of it."""
    subject = new.subject & new.strong
    if not subject or subject != old.subject & old.strong or old.is_negative != new.is_negative:
        return False
    return not (set(old.head) & old.strong - subject) & (set(new.head) & new.strong - subject)


def _has_other_value(old: Statement, new: Statement) -> bool:
    """Whether both put a number on one subject, and not the same."""
    if not (old.numbers and new.numbers) or old.numbers & new.numbers:
        return False
    subject = (old.subject & old.strong) - old.numbers
    return bool(subject) and subject <= new.strong


def _rests(old: Statement, news: News) -> bool:
    """Whether a memory rests on what is over: it names that, and the new rule is about the same else."""
    gone = news.over & (old.strong - old.against)
    if not gone:
        return False
    rest = old.strong - news.over
    return len(gone) >= SURE or not rest or bool(rest & news.rule.strong & set(news.rule.head))


def _spoken_of(one: Memory, said: Statement) -> float:
    """How much of the shorter of both is shared: the memory and what was taken back; names and numbers count most."""
    own = statement(one.title)
    shared = own.strong & said.strong
    if not shared:
        return 0.0
    sizes = (sum(each.weights[stem] for stem in each.strong) for each in (own, said))
    names = shared & (own.names | own.numbers)
    return len(names) + sum(said.weights[stem] for stem in shared) / max(LEAST, min(sizes))
