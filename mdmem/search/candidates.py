"""Which memories a brief may show: active, valid, unflagged, of the right scope, recent; the newest of each topic."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import strength
from mdmem.memory import TYPES, age_days, has_expired
from mdmem.search.author import Author, Provenance
from mdmem.store.filters import covers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from mdmem.store.table import StoredMemory

BUDGET: Final = 5_000
BUDGET_MOST: Final = 9_500
"""Agents show only the beginning of a hook's output that is longer than 10,000 characters."""
SELECTION_MOST: Final = 50_000
"""Of a selection that is printed for a person, or asked for by a program."""
RECENT: Final = 400
"""So many of the most recently confirmed memories are looked at."""


class Request(NamedTuple):
    """What is asked for.

    `budget` is in characters and never counts for more than BUDGET_MOST. Memories about one of `files` (paths in the
    repository) come first. `agent` lets in the memories of scope `agent:<name>`. `reviewed_only` leaves the others out.
    """

    budget: int = BUDGET
    files: tuple[str, ...] = ()
    agent: str = ""
    reviewed_only: bool = False


class Dated(NamedTuple):
    """A memory and when it was last known to be true; `days` is its age. Both are None when nothing tells."""

    stored: StoredMemory
    confirmed_at: datetime | None
    days: float | None

    @property
    def recency(self) -> tuple[float, str, str]:
        """What the most recently confirmed are found by."""
        return recency(self.days), self.stored.store, self.stored.path


class Candidate(NamedTuple):
    """A memory that may be briefed; `is_about` says that it is about one of the files asked for."""

    stored: StoredMemory
    confirmed_at: datetime | None
    days: float | None
    author: Author
    is_about: bool

    @property
    def rank(self) -> float:
        """`confidence × 0.5^(days / half-life of the type)`."""
        memory = self.stored.memory
        return strength.brief_rank(memory.confidence, self.days, TYPES[memory.type].half_life)


def candidates(
    stored: Iterable[StoredMemory], provenance: Mapping[str, Provenance], request: Request, now: datetime
) -> list[Candidate]:
    """What may be briefed, best rank first: the RECENT most recently confirmed, and whatever is about the files.

    `provenance` is that of each store by its name.
    """
    usable = [
        dated(one, provenance.get(one.store, Provenance()), now) for one in stored if may_be_briefed(one, request, now)
    ]
    about = [one for one in usable if is_about(one.stored, request.files)]
    recent = nsmallest(RECENT, usable, key=lambda one: one.recency)
    found = []
    for one, when, days in _newest_of_topic([*recent, *about]):
        author = provenance.get(one.store, Provenance()).author(one.path, one.memory.source, one.etag)
        if author.is_reviewed or not request.reviewed_only:
            found.append(Candidate(one, when, days, author, is_about(one, request.files)))
    return sorted(found, key=lambda one: (-one.rank, one.stored.store, one.stored.path))


def dated(one: StoredMemory, provenance: Provenance, now: datetime) -> Dated:
    """When it was last known to be true: as the file says, else its first commit."""
    when = one.memory.confirmed_at or provenance.first_commit_at(one.path)
    return Dated(one, when, age_days(when, now))


def recency(days: float | None) -> float:
    """Age in days as order sees it: unknown counts as 90."""
    return strength.UNKNOWN_AGE_DAYS if days is None else days


def is_about(one: StoredMemory, files: Iterable[str]) -> bool:
    """Whether a memory is about one of the files: the same path, a folder above or below it, or a glob over it."""
    return any(
        covers(pattern, file) or pattern.startswith(f"{file.rstrip('/')}/")
        for file in files
        for pattern in one.memory.files
    )


def _newest_of_topic(found: Iterable[Dated]) -> list[Dated]:
    """Of several memories of one topic and scope only the newest; each memory once."""
    kept: dict[tuple[str, ...], Dated] = {}
    for one in sorted(found, key=lambda one: one.recency):
        memory = one.stored.memory
        own = (memory.scope, memory.topic) if memory.topic else (one.stored.path,)
        kept.setdefault((one.stored.store, *own), one)
    return list(kept.values())


def may_be_briefed(one: StoredMemory, request: Request, now: datetime) -> bool:
    """Whether an agent may be told of it: active, valid, not flagged, not expired, and of a scope that it is in."""
    memory = one.memory
    return (
        memory.is_active
        and one.is_readable
        and one.is_valid
        and not one.is_kept_out
        and not has_expired(memory, now)
        and memory.scope in {"project", "global", f"agent:{request.agent}"}
    )
