"""Ranking: what each profile makes of words, meaning and the memory itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from mdmem.config import KEYS, Config
from mdmem.memory import Memory, MemoryType
from mdmem.search import ranking
from mdmem.search.ranking import LIFT, PROFILES, Candidate, candidate, is_relevant, lifted
from mdmem.store.state import Usage
from mdmem.store.table import StoredMemory

NOW = datetime(2026, 3, 10, tzinfo=UTC)


def made(found: float = 0.0, cosine: float = 0.0, *, days: float = 0, usage: Usage | None = None,
         evidence: int = 1, origin: tuple[str, ...] = ()) -> Candidate:  # fmt: skip
    memory = Memory(
        type=MemoryType.LESSON,
        title="T",
        confidence=0.6,
        evidence=evidence,
        origin=origin,
        created=NOW - timedelta(days=days),
    )
    return candidate(StoredMemory("lesson/t.md", memory, ""), found, cosine, NOW, usage)


def totals(profile: str, *candidates: Candidate, asked: float = 10.0) -> list[float]:
    return [score.total for score in PROFILES[profile].score(candidates, asked)]


def test_every_profile_can_be_set() -> None:
    assert KEYS["search.profile"].metadata["choices"] == tuple(PROFILES)
    assert Config().search_profile == "default"


def words(*candidates: Candidate) -> list[float]:
    return [score.parts["words"] for score in PROFILES["default"].score(candidates, 10.0)]


def test_words_weigh_as_much_as_meaning_has_to_say() -> None:
    assert words(made(5.0, 0.1), made(2.5, 0.8)) == pytest.approx([0.6 * 0.8 / 2, 0.6 * 0.8 / 4])
    assert words(made(5.0, -0.4)) == pytest.approx([0.6 * 0.1 / 2])
    assert words(made(5.0)) == pytest.approx([0.6 * 0.6 / 2])


def test_words_count_as_a_share_of_what_is_asked() -> None:
    score = PROFILES["default"].score([made(5.0, 0.5)], 10.0)[0]
    assert score.parts == {
        "cosine": 0.5, "words": pytest.approx(0.6 * 0.5 / 2), "prior": pytest.approx(0.02 * 0.6), "lift": 0
    }  # fmt: skip
    assert score.total == pytest.approx(sum(score.parts.values()))


def test_a_memory_against_the_query_is_no_worse_than_one_beside_it() -> None:
    assert totals("default", made(cosine=-0.3)) == totals("default", made(cosine=0.0))


@pytest.mark.parametrize(
    ("origins", "lifts"),
    [
        ([["a"], ["a"], ["b"]], [0, LIFT * 0.5, 0]),
        ([[], [], []], [0, 0, 0]),
        ([["a"], ["a", "b"], ["b"]], [0, LIFT * 0.5, LIFT * 0.25]),
    ],
)
def test_a_memory_is_lifted_towards_the_best_of_its_run(origins: list[list[str]], lifts: list[float]) -> None:
    assert lifted(origins, [1.0, 0.5, 0.25]) == pytest.approx(lifts)


def test_nothing_is_lifted_above_the_best_of_its_run() -> None:
    first, second = totals("default", made(cosine=0.9, origin=("a/1",)), made(cosine=0.8, origin=("a/1",)))
    assert 0.8 + 0.012 < second < first


def test_reciprocal_ranks_are_weighed_by_type_confidence_and_age() -> None:
    best, second, neither = totals("rrf", made(9, 0.9), made(3, 0.2, days=75), made())
    assert best == pytest.approx(2 / 61 * 1.3 * 0.8)
    assert second == pytest.approx(2 / 62 * 1.3 * 0.8 * 0.7)
    assert neither == 0


def test_only_the_first_of_each_list_have_a_reciprocal_rank() -> None:
    scores = totals("rrf", *(made(100.0 - n) for n in range(50)))
    assert [score > 0 for score in scores] == [True] * 40 + [False] * 10


def test_strength_counts_evidence_and_use() -> None:
    plain, firm = totals("strength", made(cosine=0.5), made(cosine=0.5, evidence=4))
    assert plain == pytest.approx(0.6 * 0.5 + 0.25 + 0.15 * 0.6 / 2)
    assert firm == pytest.approx(0.6 * 0.5 + 0.25 + 0.15 * 1.6 / 2)
    old, used = totals("strength", made(days=90), made(days=90, usage=Usage(4, NOW)))
    assert old == pytest.approx(0.25 / 8 + 0.15 * 0.6 / 4 / 2)
    assert used == pytest.approx(0.25 / 8 + 0.15 * 1.0 / 2)


@pytest.mark.parametrize(
    ("found", "cosine", "coverage", "is_so"),
    [
        (0, 0.5, 0, True),
        (0, 0.4, 0, False),
        (5, 0.3, 0.6, True),
        (5, 0.1, 1.0, False),
        (5, 0.0, 0.4, True),
        (5, 0.0, 0.3, False),
        (40, 0.0, 0.3, True),
    ],
)
def test_what_answers(found: float, cosine: float, coverage: float, is_so: bool) -> None:
    assert is_relevant(made(found, cosine), coverage, rarest=5.0) == is_so


def test_the_prior_is_no_more_than_a_tie_break() -> None:
    memory = Memory(type=MemoryType.LESSON, title="T", confidence=1.0)
    assert ranking.prior(memory, 0) == pytest.approx(ranking.PRIOR)
