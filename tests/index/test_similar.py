"""The same rule in other words, its rival, and another rule that only sounds alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.index.similar import Likeness, likeness, stemmed, stems

SAME = [
    ("Crane logs are kept 90 days, the auditors read them", "Crane logs stay 90 days for the auditors"),
    ("Run make check before committing", "Run make check each time before you commit, there is no hook"),
    ("Container ids are strings", "Container ids are always strings, never numbers"),
    ("Loads have at most 200 containers", "At most 200 containers in one load"),
    ("Every quay table has a primary key", "Every quay table has a primary key, replication needs it"),
    ("The harbour API listens on 7070", "Harbour API is on 7070 on our machines"),
    ("Branches start with the ticket, DK-12-crane", "Branch names begin with their ticket, DK-99-quay"),
    ("Never deploy on Fridays", "Don't deploy on fridays, nobody is around"),
    ("Use testcontainers for the database", "Tests use testcontainers for their database"),
    ("Nutze pnpm für alle Pakete", "Pakete immer mit pnpm, für alle"),
    ("Die Logs werden 30 Tage aufgehoben", "Logs 30 Tage lang aufheben"),
    ("日志最多保留 30 天", "日志保留最多 30 天"),
]
OTHER = [
    ("Write tests for every new importer", "Write tests for every new exporter"),
    ("Number cranes from 1", "Number berths from 1"),
    ("Cranes are numbered from 1", "Berths are numbered from 1"),
    ("Never push to main", "Push to main"),
    ("Run make lint before committing", "Run make lint-sql before opening a pull request"),
    ("If a load fails, keep the manifest", "If a load fails, page the operator"),
    ("Raw files are kept 14 days", "Reports are kept 400 days"),
    ("Connect timeout is 10 seconds for all clients", "Read timeout is 60 seconds for all clients"),
    ("Rebase before you open a review", "Rebase after you open a review"),
    ("Enable the cache in staging", "Disable the cache in staging"),
    ("Pass --dry-run to the loader", "Pass --force to the loader"),
    ("Put fixtures in tests/data", "Put fixtures in tests/unit"),
    ("Crane", "Crane"[:0] or "Quay"),
    ("", ""),
]
RIVALS = [
    ("The harbour API listens on 7071", "Our harbour API listens on 7070"),
    ("Use httpx instead of requests for calls", "Use requests instead of httpx for calls"),
    ("Load manifests by day", "Load manifests by month"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert likeness(one, other) is Likeness.SAME
    assert likeness(other, one) is Likeness.SAME


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_only_sounds_alike(one: str, other: str) -> None:
    assert likeness(one, other) is not Likeness.SAME
    assert likeness(other, one) is not Likeness.SAME


@pytest.mark.parametrize(("one", "other"), RIVALS)
def test_another_value_for_the_same(one: str, other: str) -> None:
    assert likeness(one, other) is Likeness.RIVAL


def test_a_model_lowers_the_bar_and_never_overrules_a_number() -> None:
    one, other = "Show the plan of a publish first", "A publish begins with its plan on the screen"
    assert likeness(one, other) is Likeness.OTHER
    assert likeness(one, other, lambda *_: 0.9) is Likeness.SAME
    assert likeness(one, other, lambda *_: 0.5) is Likeness.OTHER
    assert likeness("Keep 3 plans of a publish", "Keep 5 plans of a publish", lambda *_: 1.0) is not Likeness.SAME


def test_words_are_compared_by_their_stems() -> None:
    assert stemmed("partitioned") == stemmed("partition")
    assert stemmed("containers") == stemmed("container")
    assert stems("Set TW_MODE=2 in src/db/pool.py, please") >= {"tw_mode", "src/db/pool.py"}


@given(st.text(max_size=80), st.text(max_size=80))
def test_likeness_is_mutual(one: str, other: str) -> None:
    assert likeness(one, other) is likeness(other, one)
