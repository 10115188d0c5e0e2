"""What a brief is made from, gathered: the memories of all stores, git, open tasks, what the last runs left undone."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem import git
from mdmem.errors import GitError
from mdmem.markdown.problems import KEPT_OUT
from mdmem.markdown.screen import screen
from mdmem.search.author import Provenance
from mdmem.search.brief import Brief, Context, build
from mdmem.store.commits import read_commits
from mdmem.store.journal import read_log
from mdmem.store.saving import Caller
from mdmem.store.scan import INDEX_NAME
from mdmem.store.state import recent_summaries
from mdmem.store.tasks import read_tasks

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.git import Repository
    from mdmem.search.candidates import Request
    from mdmem.store.store import Store

SUMMARIES: Final = 5
"""Open items are taken from so many of the last runs."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """Briefs over one or more stores, the project's first; call it with a request.

    `repository` is the working tree that holds the project's store, None outside of git.
    """

    stores: tuple[Store, ...]
    repository: Repository | None
    now: datetime

    def __call__(self, request: Request) -> Brief:
        """The brief of what the files say now. Raises DiskError when a store can't be read."""
        stored = [one for store in self.stores for one in store.load()]
        return build(stored, self.context(), request, self.now)

    def context(self) -> Context:
        """All that a brief needs to know besides the memories."""
        store = self.stores[0]
        return Context(
            provenance=self.provenance(),
            tasks=read_tasks(store.root),
            open_items=_open_items(store),
            index=f"{self.repository.prefix if self.repository else f'{store.root.name}/'}{INDEX_NAME}",
        )

    def provenance(self) -> Provenance:
        """Who wrote the project's files. A git that fails takes nothing but that away."""
        own = frozenset(
            change.after
            for entry in read_log(self.stores[0].state_folder)
            for change in entry.changes
            if entry.caller == Caller.USER and change.after
        )
        if self.repository is not None:
            with contextlib.suppress(GitError):
                commits = read_commits(self.repository, self.stores[0].cache_folder)
                return Provenance(commits, git.uncommitted(self.repository), git.user_email(self.repository), own)
        return Provenance(own_etags=own)

    def changed_files(self) -> tuple[str, ...]:
        """The paths of the repository that differ from HEAD, sorted; none outside of git. Raises GitError."""
        if self.repository is None:
            return ()
        top = replace(self.repository, folder=self.repository.root, prefix="")
        return tuple(sorted(git.uncommitted(top)))

    def in_repository(self, path: str, folder: Path) -> str:
        """A path as a person in `folder` writes it, relative to the top of the repository (or of the project)."""
        top = self.repository.root if self.repository else self.stores[0].root.parent
        absolute = Path(os.path.normpath(folder / path))
        is_from_top = not absolute.exists() and (top / path).exists()
        return absolute.relative_to(top).as_posix() if absolute.is_relative_to(top) and not is_from_top else path


def _open_items(store: Store) -> tuple[str, ...]:
    """What the last runs left undone, newest first, without what is kept out of prompts."""
    items = (item for summary in recent_summaries(store.state_folder, SUMMARIES) for item in summary.open_items)
    return tuple(item for item in items if not any(one.code in KEPT_OUT for one in screen(item, "", 1, 1)))
