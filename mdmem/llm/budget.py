"""How often a day a model may be asked, and what it cost: one line a call, written before the call is made.

The file of a month lies in the user's state folder and counts the calls of all stores. A call that was begun counts,
whether or not it came back: a crash can't make calls free. Times are UTC, and so is the day.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import BudgetError
from mdmem.llm.runner import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime
    from pathlib import Path

    from mdmem.llm.runner import Completion, Runner

FOLDER: Final = "calls"
LOCK: Final = ".lock"
NOTHING: Final = Usage()


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls of a span of time, and what those took that came back."""

    calls: int = 0
    usage: Usage = NOTHING

    def as_json(self) -> dict[str, object]:
        """The numbers by name."""
        return {"calls": self.calls, **self.usage.as_json()}


@dataclass(frozen=True, slots=True)
class Budget:
    """The calls of one day: `limit` of them at most, kept below `folder`."""

    folder: Path
    limit: int
    now: datetime

    def begin(self, runner: Runner, origin: str) -> None:
        """Count a call that is about to be made for the run `origin`, one at a time.

        Raises BudgetError when the day has no call left; LockedError, ReadOnlyError or DiskError.
        """
        file = month_file(self.folder, self.now.date())
        with disk.lock(file.parent / LOCK):
            if not has_room(read_spent(self.folder, self.now.date()), self.limit):
                raise BudgetError(self.limit)
            line = {"at": self.now.isoformat(), "begin": runner.name, "model": runner.model, "origin": origin}
            disk.append(file, json.dumps(line))

    def end(self, completion: Completion, origin: str) -> None:
        """Note what a call took. Raises ReadOnlyError or DiskError."""
        line = {"at": self.now.isoformat(), "origin": origin, **completion.as_json()}
        disk.append(month_file(self.folder, self.now.date()), json.dumps(line))


def has_room(spent: Spent, limit: int) -> bool:
    """Whether one more call may be made."""
    return spent.calls < limit


def month_file(folder: Path, day: date) -> Path:
    """Where the calls of a day stand."""
    return folder / FOLDER / f"{day:%Y-%m}.jsonl"


def read_spent(folder: Path, day: date) -> Spent:
    """What was spent on one day, in UTC."""
    return _summed(line for line in _lines(month_file(folder, day)) if _text(line, "at")[:10] == day.isoformat())


def read_spent_month(folder: Path, day: date) -> Spent:
    """What was spent in the month of a day, in UTC."""
    return _summed(_lines(month_file(folder, day)))


def _summed(lines: Iterable[dict[str, object]]) -> Spent:
    spent = Spent()
    for line in lines:
        spent = Spent(spent.calls + ("begin" in line), spent.usage + _usage(line))
    return spent


def _lines(file: Path) -> Iterator[dict[str, object]]:
    """The lines of a file of calls; one that can't be read is passed over."""
    for line in (disk.read_if_exists(file) or b"").splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _usage(line: dict[str, object]) -> Usage:
    cost = line.get("cost_usd")
    return Usage(
        _count(line, "input_tokens"),
        _count(line, "output_tokens"),
        _count(line, "cached_tokens"),
        float(cost) if isinstance(cost, int | float) else None,
    )


def _text(line: dict[str, object], key: str) -> str:
    value = line.get(key)
    return value if isinstance(value, str) else ""


def _count(line: dict[str, object], key: str) -> int:
    value = line.get(key)
    return value if isinstance(value, int) else 0
