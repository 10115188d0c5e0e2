"""Which memories are meant: by type, status, source, scope, file, tag and date."""

from __future__ import annotations

import fnmatch
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from mdmem.memory import MemoryType, Source, Status, as_type, moment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdmem.memory import Memory, When
    from mdmem.store.table import StoredMemory


class Filters(NamedTuple):
    """What is let through; an empty set or text lets all through.

    `file` is a path of the project: memories about it, or about a glob or folder that covers it. `since` compares
    with the date of confirmation.
    """

    types: frozenset[MemoryType] = frozenset()
    statuses: frozenset[Status] = frozenset({Status.ACTIVE})
    sources: frozenset[Source] = frozenset()
    scope: str = ""
    file: str = ""
    tag: str = ""
    since: When | None = None

    @classmethod
    def of(
        cls, *, types: Iterable[str] = (), statuses: Iterable[str] = ("active",), sources: Iterable[str] = (),
        scope: str = "", file: str = "", tag: str = "", since: When | None = None,
    ) -> Filters:  # fmt: skip
        """Filters from names as people type them; the status `all` lets every one through."""
        named = set(statuses)
        kinds = frozenset(kind for name in types if (kind := as_type(name)))
        chosen = frozenset() if "all" in named else frozenset(map(Status, named))
        return cls(types=kinds, statuses=chosen, sources=frozenset(map(Source, sources)), scope=scope, file=file,
                   tag=tag, since=since)  # fmt: skip

    def admits(self, memory: Memory) -> bool:
        """Whether the memory passes all of them."""
        return (not self.statuses or memory.status in self.statuses) and self._admits_otherwise(memory)

    def hides(self, memory: Memory) -> bool:
        """Whether only its status keeps the memory out."""
        return not self.admits(memory) and self._admits_otherwise(memory)

    def _admits_otherwise(self, memory: Memory) -> bool:
        return (
            (not self.types or memory.type in self.types)
            and (not self.sources or memory.source in self.sources)
            and (not self.scope or memory.scope == self.scope)
            and (not self.tag or self.tag.casefold() in {tag.casefold() for tag in memory.tags})
            and (not self.file or any(covers(pattern, self.file) for pattern in memory.files))
            and (not self.since or _is_since(memory, self.since))
        )


def covers(pattern: str, path: str) -> bool:
    """Whether a memory's `files` entry (a path, a folder or a glob) is about the path."""
    globs = {pattern, pattern.replace("**/", "")}  # `**/` may stand for no folder at all
    return (
        pattern == path
        or any(fnmatch.fnmatchcase(path, glob) for glob in globs)
        or path.startswith(f"{pattern.rstrip('/')}/")
    )


def newest_first(stored: Iterable[StoredMemory]) -> list[StoredMemory]:
    """The most recently confirmed first, those without a date last; equal dates by path."""
    by_path = sorted(stored, key=lambda one: one.path)
    return sorted(by_path, key=lambda one: _moment(one.memory), reverse=True)


def _is_since(memory: Memory, since: When) -> bool:
    confirmed = memory.confirmed_at
    return confirmed is not None and confirmed >= moment(since)


def _moment(memory: Memory) -> float:
    return memory.confirmed_at.timestamp() if memory.confirmed_at else -inf
