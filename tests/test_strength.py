"""Decay maths: known values, and what must hold for any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem import strength

DAYS = st.floats(0, 10_000)


def test_decay_halves_by_the_half_life() -> None:
    assert strength.decay(0, 90) == 1
    assert strength.decay(90, 90) == pytest.approx(0.5)
    assert strength.decay(-3, 90) == 1
    assert strength.decay(None, 90) == pytest.approx(0.5)


def test_recency_keeps_two_fifths() -> None:
    assert strength.recency(0, 30) == 1
    assert strength.recency(30, 30) == pytest.approx(0.7)
    assert strength.recency(1e9, 30) == pytest.approx(0.4)


def test_strength() -> None:
    assert strength.strength(0.6, 1, 0, 0) == pytest.approx(0.6)
    assert strength.strength(0.6, 4, 3, 45) == pytest.approx((0.6 + 1.0 + 0.3) / 2)
    assert strength.has_faded(strength.strength(0.6, 1, 0, 91))
    assert not strength.has_faded(strength.strength(0.6, 1, 0, 90))


def test_salience() -> None:
    assert strength.salience(1.2, 0.5, 1, 0) == pytest.approx(1.2 * 0.5 * 0.6931, abs=1e-3)
    assert strength.salience(1.2, 0.5, 1, 14) == pytest.approx(strength.salience(1.2, 0.5, 1, 0) / 2)


def test_brief_rank() -> None:
    assert strength.brief_rank(0.8, 90, 90) == pytest.approx(0.4)


@given(DAYS, DAYS, st.floats(1, 400))
def test_what_is_older_never_counts_more(one: float, other: float, half_life: float) -> None:
    young, old = sorted([one, other])
    assert strength.decay(young, half_life) >= strength.decay(old, half_life)
    assert strength.recency(young, half_life) >= strength.recency(old, half_life)
