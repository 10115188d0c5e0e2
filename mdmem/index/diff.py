"""What changed: the files as they are against the files as they were indexed.

Pure: two tables of path → content hash in, a frozen value out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a refresh did; prints itself as `+2 ~1 -0`."""

    added: int = 0
    changed: int = 0
    removed: int = 0

    @property
    def indexed(self) -> int:
        """How many memories were analysed and written."""
        return self.added + self.changed

    def __add__(self, other: Stats) -> Stats:
        return Stats(self.added + other.added, self.changed + other.changed, self.removed + other.removed)

    def __str__(self) -> str:
        return f"+{self.added} ~{self.changed} -{self.removed}"


class Changes(NamedTuple):
    """The paths to bring up to date, each tuple sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    @property
    def written(self) -> tuple[str, ...]:
        """The paths whose memory must be analysed."""
        return self.added + self.changed

    @property
    def stats(self) -> Stats:
        """The counts."""
        return Stats(len(self.added), len(self.changed), len(self.removed))


def diff(indexed: Mapping[str, str], current: Mapping[str, str]) -> Changes:
    """The changes that turn `indexed` into `current`; both map paths to content hashes."""
    differing = [path for path, etag in current.items() if indexed.get(path) != etag]
    added = [path for path in differing if path not in indexed]
    # most often there is nothing to remove, and the counts say so
    some_removed = len(indexed) + len(added) != len(current)
    removed = indexed.keys() - current.keys() if some_removed else ()
    return Changes(tuple(sorted(added)), tuple(sorted(set(differing).difference(added))), tuple(sorted(removed)))
