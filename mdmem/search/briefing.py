"""What a brief is made from, gathered: the memories of all stores, git, open tasks, what the last runs left undone."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from mdmem import git
from mdmem.memory import Status, when_text
from mdmem.search.background import Background
from mdmem.search.brief import Brief, Census, Context, build
from mdmem.search.candidates import RECENT
from mdmem.store.kept import Kept
from mdmem.store.scan import INDEX_NAME
from mdmem.strength import UNKNOWN_AGE_DAYS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from mdmem.git import Repository
    from mdmem.search.author import Provenance
    from mdmem.search.candidates import Request
    from mdmem.store.reader import Reader
    from mdmem.store.table import StoredMemory


@dataclass(frozen=True)
class Briefing:
    """Briefs over one or more stores, the project's first; call it with a request.

    `is_fit` tells whether a line that some run left may stand in a prompt; `kept` holds what an earlier brief knew.
    """

    stores: tuple[Reader, ...]
    now: datetime
    is_fit: Callable[[str], bool]
    kept: Kept = field(default_factory=Kept)

    def __call__(self, request: Request) -> Brief:
        """The brief of what the files say now. Raises DiskError when a store can't be read."""
        store = self.stores[0]
        provenance = {one.name: self.provenance(one) for one in self.stores}
        parts = [self._part(one, provenance[one.name], request) for one in self.stores]
        threads = self._background.threads(store)
        context = Context(
            provenance=provenance,
            tasks=threads.tasks,
            open_items=threads.open_items,
            catalog=self.label(store.name, INDEX_NAME),
            census=Census.total(census for census, _ in parts),
        )
        return build([one for _, memories in parts for one in memories], context, request, self.now)

    @cached_property
    def repository(self) -> Repository | None:
        """The working tree that holds the first store, None outside of git. Raises GitError when git hangs."""
        return self._background.place(self.stores[0]).repository

    @cached_property
    def _background(self) -> Background:
        return Background(self.kept, self.is_fit)

    def provenance(self, store: Reader) -> Provenance:
        """Who wrote the files of one of the stores, as far as that can be told."""
        return self._background.provenance(store)

    def label(self, name: str, path: str) -> str:
        """How an agent names a file of the store of that name: from the top of the project, or with that name."""
        store = self.stores[0]
        if name != store.name:
            return f"{name}:{path}"
        return f"{self.repository.prefix if self.repository else f'{store.root.name}/'}{path}"

    def _part(self, store: Reader, provenance: Provenance, request: Request) -> tuple[Census, Iterable[StoredMemory]]:
        """How many memories a store has, and of them only those that a brief may come to show."""
        most = sys.maxsize if request.files else RECENT
        outline = store.outline(most)
        active = {kind: count for (status, kind), count in outline.counts.items() if status is Status.ACTIVE}
        pending = sum(count for (status, _), count in outline.counts.items() if status is Status.PENDING)
        dated = [*outline.dated, *self._dated(outline.undated, provenance)]
        newest = sorted(dated, key=itemgetter(1), reverse=True)[:most]
        return Census(active, pending, len(outline.unreadable)), store.pick(path for path, _ in newest).values()

    def _dated(self, paths: Iterable[str], provenance: Provenance) -> Iterator[tuple[str, str]]:
        """Each path with the moment of its first commit as ISO 8601; an unknown age counts as 90 days."""
        unknown = when_text(self.now - timedelta(days=UNKNOWN_AGE_DAYS))
        for path in paths:
            first = provenance.first_commit_at(path)
            yield path, when_text(first) if first else unknown

    def changed_files(self) -> tuple[str, ...]:
        """The paths of the repository that differ from HEAD, sorted; none outside of git. Raises GitError."""
        if self.repository is None:
            return ()
        top = self.repository._replace(folder=self.repository.root, prefix="")
        return tuple(sorted(git.uncommitted(top)))

    def in_repository(self, path: str, folder: Path) -> str:
        """A path as a person in `folder` writes it, relative to the top of the repository (or of the project)."""
        top = self.repository.root if self.repository else self.stores[0].root.parent
        absolute = Path(os.path.normpath(folder / path))
        is_from_top = not absolute.exists() and (top / path).exists()
        return absolute.relative_to(top).as_posix() if absolute.is_relative_to(top) and not is_from_top else path
