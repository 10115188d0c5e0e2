"""All decay maths: how age, evidence and use weigh on a memory.

Pure functions over numbers. Nothing here reads a clock: every age comes in as days. An age that is not known
(`None`, a file without dates outside git) counts as `UNKNOWN_AGE_DAYS`.
"""

from __future__ import annotations

import math
from typing import Final

UNKNOWN_AGE_DAYS: Final = 90.0

STRENGTH_HALF_LIFE: Final = 45.0
EVIDENCE_WEIGHT: Final = 0.5
RECALL_WEIGHT: Final = 0.1
FADED: Final = 0.15
"""A learned memory of less strength is proposed for archiving."""

SALIENCE_HALF_LIFE: Final = 14.0
RECENCY_FLOOR: Final = 0.4


def decay(days: float | None, half_life: float) -> float:
    """What is left after `days`: `0.5 ^ (days / half_life)`, in (0, 1]."""
    age = UNKNOWN_AGE_DAYS if days is None else max(0.0, days)
    return float(0.5 ** (age / half_life))


def recency(days: float | None, half_life: float) -> float:
    """The part of age in a search prior: `0.4 + 0.6·0.5^(days / half_life)`, in (0.4, 1].

    Age alone never hides a memory: what nobody has confirmed for years keeps two fifths.
    """
    return RECENCY_FLOOR + (1 - RECENCY_FLOOR) * decay(days, half_life)


def strength(confidence: float, evidence: int, recalls: int, idle_days: float | None) -> float:
    """How firmly a memory stands, 0 upwards.

    `(confidence + 0.5·log2(evidence) + 0.1·recalls) × 2^(−idle_days / 45)`, where `idle_days` counts from the last
    use or confirmation and `recalls` from this machine's usage file. It is computed, never stored.
    """
    firmness = confidence + EVIDENCE_WEIGHT * math.log2(max(1, evidence)) + RECALL_WEIGHT * max(0, recalls)
    return firmness * decay(idle_days, STRENGTH_HALF_LIFE)


def has_faded(value: float) -> bool:
    """Whether a strength is so low that a learned memory should be archived."""
    return value < FADED


def salience(importance: float, confidence: float, evidence: int, days: float | None) -> float:
    """The rank among learned insights: `importance × confidence × ln(evidence + 1) × 2^(−days / 14)`.

    `importance` is the weight of the memory's type.
    """
    return importance * confidence * math.log(max(1, evidence) + 1) * decay(days, SALIENCE_HALF_LIFE)


def brief_rank(confidence: float, days: float | None, half_life: float) -> float:
    """The rank within a brief: `confidence × 0.5^(days / half-life of the type)`."""
    return confidence * decay(days, half_life)
