"""A store in few words: what counts and what is new in it, without a memory of it built."""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from mdmem.memory import Status, when_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mdmem.memory import Memory, MemoryType
    from mdmem.store.table import Sweep


class Outline(NamedTuple):
    """A store in few words: how many memories it has by status and type, and which active ones are the newest.

    `dated` are the paths of those that were confirmed last (or created, where nothing else is said), newest first,
    each with that day or moment as ISO 8601; `undated` are all active ones that do not say it. `invalid` are the files
    that can be read and have errors, `unreadable` those that can't be. All three are sorted.
    """

    counts: Mapping[tuple[Status, MemoryType], int]
    dated: Sequence[tuple[str, str]]
    undated: Sequence[str]
    invalid: Sequence[str]
    unreadable: Sequence[str]


def outline_of(sweep: Sweep, most: int) -> Outline:
    """The outline of memories that were built, with at most `most` dated ones."""
    active = [(one.path, confirmed_text(one.memory)) for one in sweep.memories if one.memory.status is Status.ACTIVE]
    dated = sorted((path, when) for path, when in active if when)
    return Outline(
        Counter((one.memory.status, one.memory.type) for one in sweep.memories),
        nlargest(most, dated, key=itemgetter(1)),
        sorted(path for path, when in active if not when),
        [one.path for one in sweep.memories if one.is_readable and not one.is_valid],
        sorted(sweep.unreadable),
    )


def confirmed_text(memory: Memory) -> str | None:
    """When it was last known to be true, as ISO 8601; None when the file says neither that nor its creation."""
    when = memory.confirmed or memory.created
    return when_text(when) if when else None
