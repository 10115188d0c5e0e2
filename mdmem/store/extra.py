"""Memories that live elsewhere: decision records and the like, read as they are, never written.

`[extra] decision = "docs/adr/*.md"` in mdmem.toml. A record needs no frontmatter: its title is the first heading, its
status the `Status:` line (or what stands under a `Status` heading), its day the `Date:` line.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.markdown.dates import as_when
from mdmem.markdown.decoding import NotAMemory, decode
from mdmem.markdown.parse import derived_id, parse
from mdmem.markdown.screen import screen
from mdmem.memory import TITLE_LENGTH, Memory, MemoryType, Status
from mdmem.pattern import pattern
from mdmem.store.store import Store
from mdmem.store.table import StoredMemory, Sweep, Table, outline_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from mdmem.markdown.problems import Problem
    from mdmem.store.outline import Outline

NAME: Final = "extra"
STATUSES: Final = {
    "accepted": Status.ACTIVE,
    "approved": Status.ACTIVE,
    "active": Status.ACTIVE,
    "adopted": Status.ACTIVE,
    "implemented": Status.ACTIVE,
    "proposed": Status.PENDING,
    "draft": Status.PENDING,
    "pending": Status.PENDING,
    "deprecated": Status.STALE,
    "obsolete": Status.STALE,
    "superseded": Status.SUPERSEDED,
    "replaced": Status.SUPERSEDED,
    "rejected": Status.RETRACTED,
    "withdrawn": Status.RETRACTED,
}
"""What the usual words of decision records mean here."""
_HEADING: Final = pattern(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_NUMBER: Final = pattern(r"^(?:ADR|RFC|DR)?[-\s#]*\d+[.:)\s-]+\s*", re.IGNORECASE)
_STATUS: Final = pattern(r"^\W*status\W*?(?::\s*|\W*\n+)\W*(\w+)", re.IGNORECASE | re.MULTILINE)
_DATE: Final = pattern(r"^\W*(?:date|decided)\W*?:?\W*(\d{4}-\d{2}-\d{2})", re.IGNORECASE | re.MULTILINE)


class ExtraStore(Store):
    """The files that `patterns` (type, glob from `root`) name, as read-only memories."""

    def __init__(self, root: Path, patterns: Iterable[tuple[str, str]], cache: Path) -> None:
        super().__init__(root, name=NAME)
        self.patterns = tuple(patterns)
        self.cache_folder = self.state_folder = cache

    @cached_property
    def _table(self) -> Table:
        return ExtraTable(self.root, self.patterns)

    @property
    def pathspecs(self) -> tuple[str, ...]:
        """The patterns, as git writes them."""
        return tuple(f":(glob){glob}" for _, globs in self.patterns for glob in globs.split())

    def lock(self) -> AbstractContextManager[None]:
        """Refused: these files belong to somebody else. Raises MdmemError."""
        raise MdmemError("memories from [extra] are read-only", f"change the file itself, below {self.root}")


class ExtraTable(Table):
    """Reads the files anew each time: there are few."""

    def __init__(self, root: Path, patterns: Iterable[tuple[str, str]]) -> None:
        super().__init__(root, root, parse, NAME)
        self.patterns = tuple(patterns)
        self._seen: dict[str, StoredMemory] = {}

    def sweep(self) -> Sweep:
        """All records that can be read, sorted by path."""
        unreadable: dict[str, Problem] = {}
        self._seen = {}
        for kind, path in self._paths():
            try:
                self._seen[path] = read_record(disk.read(self.root / path), path, MemoryType(kind))
            except NotAMemory as found:
                unreadable[path] = found.problem.at(path)
            except FileNotFoundError:
                continue
        memories = tuple(self._seen[path] for path in sorted(self._seen))
        return Sweep(memories, unreadable, (), len(memories))

    def etags(self) -> dict[str, str]:
        """Path → etag of each record."""
        return {one.path: one.etag for one in self.sweep().memories}

    def last_etags(self) -> dict[str, str]:
        """The same, as the last look found them."""
        return {path: one.etag for path, one in sorted(self._seen.items())}

    def outline(self, most: int) -> Outline:
        """What the records count, and which are the newest."""
        return outline_of(self.sweep(), most)

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """The records of these paths, as the last look found them."""
        return {path: self._seen[path] for path in paths if path in self._seen}

    def _paths(self) -> Iterator[tuple[str, str]]:
        seen = set()
        for kind, globs in self.patterns:
            for glob in globs.split():
                if glob.startswith(("/", "~")) or ".." in glob.split("/"):
                    continue
                for file in sorted(self.root.glob(glob)):
                    path = file.relative_to(self.root).as_posix()
                    if path not in seen and file.is_file() and not file.is_symlink() and file.suffix == ".md":
                        seen.add(path)
                        yield kind, path


def read_record(data: bytes, path: str, kind: MemoryType) -> StoredMemory:
    """One record as a memory: by its frontmatter where it has a title, else by its headings.

    Raises NotAMemory when the bytes are no text that can be read.
    """
    document = parse(data, path)
    if document.memory is not None and document.field("title"):
        known = replace(document.memory, type=kind if document.field("type") is None else document.memory.type)
        return StoredMemory(path, known, disk.etag(data), (), NAME)
    text = decode(data).replace("\r\n", "\n").lstrip("\ufeff")
    heading = _HEADING.search(text)
    title = _NUMBER.sub("", heading[1]) if heading else path.rsplit("/", 1)[-1].removesuffix(".md").replace("-", " ")
    body = text[heading.end() :].strip() if heading else text.strip()
    word = _STATUS.search(text)
    when = _DATE.search(text)
    memory = Memory(
        type=kind,
        title=" ".join(title.split())[:TITLE_LENGTH] or "untitled",
        body=body,
        id=derived_id(path),
        status=STATUSES.get(word[1].lower(), Status.ACTIVE) if word else Status.ACTIVE,
        created=as_when(when[1]) if when else None,
        confirmed=as_when(when[1]) if when else None,
    )
    return StoredMemory(path, memory, disk.etag(data), tuple(screen(memory.title, body, 1, 1)), NAME)
