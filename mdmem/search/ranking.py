"""Ranking: what a score is made of, with every number of it in one table.

`score = cosine + 0.8·b/(b+20) + prior`: the cosine says how near the meaning of the memory's best passage is to the
query's, b is the BM25 score of the words, and the prior, at most 0.02, comes from the memory itself: enough to order
equals, never to outrank relevance. Nothing depends on the other results, so that a score means the same in every
query. Where there is no model the cosine counts as 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem import strength
from mdmem.index.fulltext import Weights
from mdmem.memory import TYPES, age_days

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mdmem.store.table import StoredMemory

WORDS_WEIGHT: Final = 0.8
WORDS_HALF: Final = 20.0
"""The BM25 score at which the words give half of their weight."""
PRIOR: Final = 0.02
TOP_WEIGHT: Final = max(info.weight for info in TYPES.values())

WEIGHTS: Final = Weights(
    fields={"title": 1.3, "description": 1.0, "body": 1.0, "tags": 1.0, "topic": 0.5, "files": 0.5},
    common=0.6,
    prefix=0.1,
    most_words=64,
)
CANDIDATES: Final = 64
"""How many are scored at first; filters that leave too few make it grow."""
MEANING_LEAST: Final = 0.2
"""The cosine below which a memory that shares no word with the query is not worth showing."""
RELEVANT_COSINE: Final = 0.5
"""The cosine above which a memory is relevant whatever its words."""
RELEVANT_COVERAGE: Final = 0.4
"""The share of what a query asks that a relevant memory holds …"""
RELEVANT_WORDS: Final = 2.8
"""… or else the BM25 score, in rarest words, that speaks for itself: a long query is never held whole."""


@dataclass(frozen=True, slots=True)
class Score:
    """One score and its parts. `bm25` is what the index said; the others add up to `total`."""

    bm25: float
    words: float
    cosine: float
    prior: float

    @property
    def total(self) -> float:
        """What results are ordered by, 0 to 1.82; without a model at most 0.82."""
        return self.cosine + self.words + self.prior

    def as_json(self) -> dict[str, float]:
        """Every part, for `--explain`."""
        parts = {"bm25": self.bm25, "words": self.words, "cosine": self.cosine, "prior": self.prior}
        return {name: round(value, 4) for name, value in parts.items()}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score and its age in days (None when no date is known)."""

    stored: StoredMemory
    score: Score
    age_days: float | None


def rank(stored: StoredMemory, bm25: float, cosine: float, now: datetime) -> Ranked:
    """Score one candidate; a negative cosine counts as 0."""
    age = age_days(stored.memory.confirmed_at, now)
    words = WORDS_WEIGHT * bm25 / (bm25 + WORDS_HALF)
    return Ranked(stored, Score(bm25, words, max(cosine, 0.0), prior(stored, age)), age)


def prior(stored: StoredMemory, age: float | None) -> float:
    """What speaks for a memory before any query: `0.02 × weight/1.3 × confidence × recency`, in (0, 0.02].

    `weight` and the half-life of `recency` are those of its type.
    """
    memory = stored.memory
    info = TYPES[memory.type]
    return PRIOR * info.weight / TOP_WEIGHT * memory.confidence * strength.recency(age, info.half_life)


def is_relevant(score: Score, coverage: float, rarest: float) -> bool:
    """Whether a memory answers the query rather than shares a word with it.

    `coverage` is the share of the query's words that it holds, weighed by their rarity, `rarest` the score of the
    rarest word there can be. Calibrated so that of ten questions without an answer nine get none.
    """
    if score.cosine >= RELEVANT_COSINE:
        return True
    return coverage >= RELEVANT_COVERAGE or score.bm25 >= RELEVANT_WORDS * rarest


def ordered(candidates: Sequence[Ranked]) -> list[Ranked]:
    """Best first, equals by age and path; of one topic the newer stands before the older."""
    best = sorted(candidates, key=lambda one: (-one.score.total, _age(one), one.stored.store, one.stored.path))
    return _newer_of_topic_first(best)


def capped(candidates: Sequence[Ranked], per_run: int) -> list[Ranked]:
    """At most `per_run` memories of each run they came from; those without an origin all stay."""
    seen: dict[str, int] = {}
    kept = []
    for one in candidates:
        run = one.stored.memory.origin[0] if one.stored.memory.origin else ""
        seen[run] = seen.get(run, 0) + 1
        if not run or seen[run] <= per_run:
            kept.append(one)
    return kept


def _newer_of_topic_first(candidates: list[Ranked]) -> list[Ranked]:
    """Each topic keeps its places and fills them newest first."""
    groups: dict[tuple[str, str], list[Ranked]] = {}
    for one in candidates:
        if one.stored.memory.topic:
            groups.setdefault(_topic(one), []).append(one)
    newest = {topic: iter(sorted(group, key=_age)) for topic, group in groups.items()}
    return [next(newest[_topic(one)]) if one.stored.memory.topic else one for one in candidates]


def _topic(one: Ranked) -> tuple[str, str]:
    return one.stored.memory.scope, one.stored.memory.topic


def _age(one: Ranked) -> float:
    return strength.UNKNOWN_AGE_DAYS if one.age_days is None else one.age_days
