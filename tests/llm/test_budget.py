"""Calls that are counted before they are made, and what they cost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from mdmem.errors import BudgetError
from mdmem.llm.budget import Budget, Spent, has_room, month_file, read_spent, read_spent_month
from mdmem.llm.runner import Completion, Usage
from support.models import MockRunner

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 10, 23, 30, tzinfo=UTC)
RUNNER = MockRunner([])


def test_a_day_has_so_many_calls(tmp_path: Path) -> None:
    budget = Budget(tmp_path, 2, NOW)
    budget.begin(RUNNER, "a/1")
    budget.begin(RUNNER, "a/2")
    with pytest.raises(BudgetError, match="the 2 calls") as caught:
        budget.begin(RUNNER, "a/3")
    assert "--runner local" in caught.value.hint
    assert read_spent(tmp_path, NOW.date()).calls == 2
    Budget(tmp_path, 2, NOW + timedelta(hours=1)).begin(RUNNER, "a/3")


def test_a_call_that_never_came_back_counts(tmp_path: Path) -> None:
    Budget(tmp_path, 5, NOW).begin(RUNNER, "a/1")
    assert read_spent(tmp_path, NOW.date()) == Spent(1)


def test_what_calls_took_is_summed(tmp_path: Path) -> None:
    for day in (NOW, NOW, NOW - timedelta(days=1)):
        budget = Budget(tmp_path, 5, day)
        budget.begin(RUNNER, "a/1")
        budget.end(Completion("secret text", "claude", "haiku", Usage(100, 20, 5, 0.25), 1.5), "a/1")
    assert read_spent(tmp_path, NOW.date()) == Spent(2, Usage(200, 40, 10, 0.5))
    assert read_spent_month(tmp_path, NOW.date()) == Spent(3, Usage(300, 60, 15, 0.75))
    assert "secret text" not in month_file(tmp_path, NOW.date()).read_text()


def test_damaged_lines_are_passed_over(tmp_path: Path) -> None:
    budget = Budget(tmp_path, 5, NOW)
    budget.begin(RUNNER, "a/1")
    file = month_file(tmp_path, NOW.date())
    with file.open("ab") as log:
        log.write(b'\xff\n[1]\n{"at": 7, "begin": "x"}\n{"at": "2026-03-10T01:00:00+00:00", "cost_usd": "high"}\n{"at"')
    budget.begin(RUNNER, "a/2")
    assert read_spent(tmp_path, NOW.date()) == Spent(2)


def test_workers_do_not_share_the_last_call(tmp_path: Path) -> None:
    def attempt(number: int) -> bool:
        try:
            Budget(tmp_path, 3, NOW).begin(RUNNER, f"a/{number}")
        except BudgetError:
            return False
        return True

    with ThreadPoolExecutor(4) as workers:
        assert sum(workers.map(attempt, range(8))) == 3


def test_no_calls_at_all(tmp_path: Path) -> None:
    assert not has_room(Spent(), 0)
    with pytest.raises(BudgetError):
        Budget(tmp_path, 0, NOW).begin(RUNNER, "a/1")


def test_costs_nobody_tells_stay_unknown() -> None:
    assert (Usage(1) + Usage(2)).cost is None
    assert (Usage(1) + Usage(2, cost=0.5)).cost == 0.5
