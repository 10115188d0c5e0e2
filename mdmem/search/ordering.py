"""The order of what was scored: best first, of one topic the newer before the older, few from one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mdmem import strength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.search.ranking import Candidate, Score
    from mdmem.store.table import StoredMemory


class Ranked(NamedTuple):
    """A candidate with its score."""

    candidate: Candidate
    score: Score

    @property
    def stored(self) -> StoredMemory:
        """The memory and its file."""
        return self.candidate.stored

    @property
    def age_days(self) -> float | None:
        """Its age, None when no date is known."""
        return self.candidate.age_days


def ordered(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Best first, equals by age and path; of one topic the newer stands before the older."""
    best = sorted(ranked, key=lambda one: (-one.score.total, _age(one), one.stored.store, one.stored.path))
    return _newer_of_topic_first(best)


def capped(ranked: Sequence[Ranked], per_run: int) -> list[Ranked]:
    """At most `per_run` memories of each run they came from; those without an origin all stay."""
    seen: dict[str, int] = {}
    kept = []
    for one in ranked:
        run = one.stored.memory.origin[0] if one.stored.memory.origin else ""
        seen[run] = seen.get(run, 0) + 1
        if not run or seen[run] <= per_run:
            kept.append(one)
    return kept


def _newer_of_topic_first(ranked: list[Ranked]) -> list[Ranked]:
    """Each topic keeps its places and fills them newest first."""
    groups: dict[tuple[str, str], list[Ranked]] = {}
    for one in ranked:
        if one.stored.memory.topic:
            groups.setdefault(_topic(one), []).append(one)
    newest = {topic: iter(sorted(group, key=_age)) for topic, group in groups.items()}
    return [next(newest[_topic(one)]) if one.stored.memory.topic else one for one in ranked]


def _topic(one: Ranked) -> tuple[str, str]:
    return one.stored.memory.scope, one.stored.memory.topic


def _age(one: Ranked) -> float:
    return strength.UNKNOWN_AGE_DAYS if one.age_days is None else one.age_days
