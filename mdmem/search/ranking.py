"""Ranking: what a score is made of, with every number of it in one table.

The default is `cosine + 0.6·nearest·words + prior + lift`. The cosine says how near the meaning of the memory's best
passage is to the query's. The words are what the index says of them, as a share of what the query asks: a memory that
holds a rare name of a short question counts as much as one that holds half of a pasted task. They weigh in proportion
to the nearest memory's cosine, for where meaning finds little, chance words would decide. The prior, at most 0.02,
comes from the memory itself: enough to order equals, never to outrank relevance. The lift brings a memory nearer to
the best of its run.

`docs/explanation/retrieval.md` says what each number was measured on and what did not help.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import strength
from mdmem.index.fulltext import Weights
from mdmem.memory import TYPES, age_days

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from mdmem.memory import Memory, TypeInfo
    from mdmem.store.state import Usage
    from mdmem.store.table import StoredMemory

WORDS: Final = 0.6
HELD: Final = 0.5
"""How much of a word's rarity it counts for that the word is held at all, beside its BM25.

These two and LIFT are among the best of a grid by the mean over four labelled sets (chat turns, facts, sessions, a
project's memories): 0.4 with 1.5, 0.55 with 1 and 0.67 with 0.5 do as well within the noise.
"""
LIFT: Final = 0.3
"""The part of the way to the best of its run that a memory is lifted; 0.15 to 0.45 do as well."""
NEAREST: Final = 0.6
"""What counts as the nearest memory's cosine where there is no model."""
NEAREST_LEAST: Final = 0.1
"""… and at least where there is one: words still order what nothing is near to."""
PRIOR: Final = 0.02
TOP_WEIGHT: Final = max(info.weight for info in TYPES.values())

MEANING_LEAST: Final = 0.15
"""The cosine below which a memory that shares no word with the query is not worth showing."""

RELEVANT: Final = 0.45
"""The least `cosine + 0.3·coverage` of a memory that answers: 10 % of the questions without an answer get one."""
RELEVANT_COVERAGE: Final = 0.3
RELEVANT_COVERAGE_ALONE: Final = 0.4
"""Without a model: the share of what the query asks that a relevant memory holds …"""
RELEVANT_WORDS_ALONE: Final = 3.4
"""… or else what the index says of its words, in rarest words: a long query is never held whole."""

RRF_RANK: Final = 60
RRF_HALF_LIFE: Final = 75
"""Reciprocal rank fusion with the constant of its authors (Cormack, Clarke, Büttcher: SIGIR 2009)."""
STRENGTH_WEIGHTS: Final = {"cosine": 0.6, "recency": 0.25, "strength": 0.15}
STRENGTH_HALF_LIFE: Final = 30
STRENGTH_TOP: Final = 2.0

FIELDS: Final = {"title": 1.3, "description": 1.0, "body": 1.0, "tags": 1.0, "topic": 0.5, "files": 0.5}


class Candidate(NamedTuple):
    """A memory before it is scored.

    `found` is what the index says of its words, 0 upwards; `cosine` -1 to 1, 0 when it is not known; the age in days
    is None when no date is known. `idle_days` counts from the last use or confirmation.
    """

    stored: StoredMemory
    found: float
    cosine: float
    age_days: float | None
    recalls: int = 0
    idle_days: float | None = None

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.stored.memory


class Score(NamedTuple):
    """What results are ordered by, and the parts it was made of, for `--explain`."""

    total: float
    parts: Mapping[str, float]


class Profile(NamedTuple):
    """One way to rank.

    `score` gives each candidate its score, in their order; its second argument is what the query asks, the rarity of
    all its words. `depth` many are looked at of each kind, by words and by meaning, and more where filters leave too
    few. `per_run` is the most from one run (None: any number). `counts_use`: what was found counts as used.
    """

    weights: Weights
    depth: int
    score: Callable[[Sequence[Candidate], float], list[Score]]
    per_run: int | None = None
    counts_use: bool = False


def candidate(stored: StoredMemory, found: float, cosine: float, now: datetime, usage: Usage | None) -> Candidate:
    """A candidate as of now; `usage` is only needed where a profile counts it."""
    age = age_days(stored.memory.confirmed_at, now)
    unused = age_days(usage.last_used, now) if usage else None
    idle = min((days for days in (age, unused) if days is not None), default=None)
    return Candidate(stored, found, cosine, age, usage.recalls if usage else 0, idle)


def by_relevance(candidates: Sequence[Candidate], asked: float) -> list[Score]:
    """The default: `cosine + 0.6·nearest·found/asked + prior`, lifted by what else its run has."""
    weight = WORDS * nearest(candidates) / asked
    parts = [
        {
            "cosine": max(one.cosine, 0.0),
            "words": weight * one.found,
            "prior": prior(one.memory, one.age_days),
        }
        for one in candidates
    ]
    alone = [sum(each.values()) for each in parts]
    lifts = lifted([one.memory.origin for one in candidates], alone)
    return [Score(total + lift, each | {"lift": lift}) for each, total, lift in zip(parts, alone, lifts, strict=True)]


def nearest(candidates: Sequence[Candidate]) -> float:
    """The greatest cosine, at least 0.1; 0.6 where none is known."""
    cosines = [one.cosine for one in candidates if one.cosine]
    return max(*cosines, NEAREST_LEAST) if cosines else NEAREST


def lifted(origins: Sequence[Sequence[str]], scores: Sequence[float]) -> list[float]:
    """What each gets from the best memory of its runs: `0.3 × (the best's score − its own)`.

    What stands beside an answer often belongs to it: the turn after a question, the second lesson of a hard day. The
    best of a run gets nothing, and neither does a memory that comes from no run, so that no run outranks others by
    its length.
    """
    best: dict[str, float] = {}
    for runs, score in zip(origins, scores, strict=True):
        for run in runs:
            best[run] = max(best.get(run, score), score)
    return [
        LIFT * (max((best[run] for run in runs), default=score) - score)
        for runs, score in zip(origins, scores, strict=True)
    ]


def prior(memory: Memory, age: float | None) -> float:
    """What speaks for a memory before any query: `0.02 × weight/1.3 × confidence × recency`, in (0, 0.02].

    `weight` and the half-life of `recency` are those of its type.
    """
    info = _info(memory)
    return PRIOR * info.weight / TOP_WEIGHT * memory.confidence * strength.recency(age, info.half_life)


def by_reciprocal_rank(candidates: Sequence[Candidate], _asked: float) -> list[Score]:
    """`Σ 1/(60 + rank) × type weight × (0.5 + confidence/2) × (0.4 + 0.6·0.5^(days/75))`.

    The sum is over the first 40 by words and the first 40 by meaning.
    """
    by_words = _reciprocal_ranks([one.found for one in candidates])
    by_meaning = _reciprocal_ranks([one.cosine for one in candidates])
    scores = []
    for one, words, meaning in zip(candidates, by_words, by_meaning, strict=True):
        weight, confidence = _info(one.memory).weight, 0.5 + one.memory.confidence / 2
        recency = strength.recency(one.age_days, RRF_HALF_LIFE)
        parts = {"words": words, "meaning": meaning, "type": weight, "confidence": confidence, "recency": recency}
        scores.append(Score((words + meaning) * weight * confidence * recency, parts))
    return scores


def by_strength(candidates: Sequence[Candidate], _asked: float) -> list[Score]:
    """`0.6·cosine + 0.25·2^(−age/30) + 0.15·min(strength, 2)/2`; see `mdmem.strength` for the last."""
    scores = []
    for one in candidates:
        shares = {
            "cosine": max(one.cosine, 0.0),
            "recency": strength.decay(one.age_days, STRENGTH_HALF_LIFE),
            "strength": min(_strength(one), STRENGTH_TOP) / STRENGTH_TOP,
        }
        parts = {name: weight * shares[name] for name, weight in STRENGTH_WEIGHTS.items()}
        scores.append(Score(sum(parts.values()), parts))
    return scores


def is_relevant(one: Candidate, coverage: float, rarest: float) -> bool:
    """Whether a memory answers the query rather than shares a word or a subject with it.

    `coverage` is the share of the query's words that it holds, weighed by their rarity, `rarest` the score of the
    rarest word there can be.
    """
    if one.cosine:
        return one.cosine + RELEVANT_COVERAGE * coverage >= RELEVANT
    return coverage >= RELEVANT_COVERAGE_ALONE or one.found >= RELEVANT_WORDS_ALONE * rarest


def _info(memory: Memory) -> TypeInfo:
    return TYPES[memory.type]


def _reciprocal_ranks(values: Sequence[float]) -> list[float]:
    """`1/(60 + rank)` of each among the values above 0, 0 past the profile's depth."""
    order = sorted((i for i, value in enumerate(values) if value > 0), key=lambda i: -values[i])
    ranks = {i: 1 / (RRF_RANK + rank) for rank, i in enumerate(order[: PROFILES["rrf"].depth], 1)}
    return [ranks.get(i, 0.0) for i in range(len(values))]


def _strength(one: Candidate) -> float:
    return strength.strength(one.memory.confidence, one.memory.evidence, one.recalls, one.idle_days)


PROFILES: Final[Mapping[str, Profile]] = {
    "default": Profile(Weights(FIELDS, common=0.6, prefix=0.1, most_words=64, held=HELD), 128, by_relevance),
    "rrf": Profile(
        Weights(dict.fromkeys(FIELDS, 1.0) | {"title": 2.0}, common=1.0, prefix=0.1, most_words=12),
        40,
        by_reciprocal_rank,
        per_run=3,
    ),
    "strength": Profile(Weights(FIELDS, common=0.6, prefix=0.1, most_words=64), 128, by_strength, counts_use=True),
}
