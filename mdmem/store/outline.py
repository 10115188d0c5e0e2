"""A store in few words: what counts and what is new in it, without a memory of it built."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mdmem.memory import when_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mdmem.memory import Memory, MemoryType, Status


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


def confirmed_text(memory: Memory) -> str | None:
    """When it was last known to be true, as ISO 8601; None when the file says neither that nor its creation."""
    when = memory.confirmed or memory.created
    return when_text(when) if when else None
