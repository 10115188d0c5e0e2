"""What is known of a store besides its memories: who wrote them, open tasks, what the last runs left undone.

Where the store is watched it is kept for the next brief, as long as nothing was touched that it was made from; else it
is made each time.
"""

from __future__ import annotations

import contextlib
import os
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from mdmem import disk, git
from mdmem.errors import GitError
from mdmem.git_state import files_behind, state_of, surroundings
from mdmem.search.author import Provenance
from mdmem.store.caller import Caller
from mdmem.store.commits import read_commits
from mdmem.store.journal import LOG_NAME, read_log
from mdmem.store.scan import OWN_FOLDER
from mdmem.store.sessions import read_sessions
from mdmem.store.state import REVIEWED, RUNS, read_reviewed, recent_summaries
from mdmem.store.tasks import read_tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mdmem.git import Repository
    from mdmem.store.kept import Kept
    from mdmem.store.reader import Reader
    from mdmem.store.tasks import Task
    from mdmem.store.watched import Mark

_T = TypeVar("_T")

SUMMARIES: Final = 5
"""Open items are taken from so many of the last runs."""


class Place(NamedTuple):
    """The working tree that holds a store, None outside of git, and the files behind that; None for any file."""

    repository: Repository | None
    files: tuple[Path, ...] | None


class Threads(NamedTuple):
    """What waits to be done: tasks, and what the last runs left undone, newest first."""

    tasks: tuple[Task, ...]
    open_items: tuple[str, ...]


class Background:
    """What is known of stores; `is_fit` tells whether a line that some run left may stand in a prompt."""

    def __init__(self, kept: Kept, is_fit: Callable[[str], bool]) -> None:
        self._kept = kept
        self._is_fit = is_fit
        self._places: dict[Path, Place] = {}

    def place(self, store: Reader) -> Place:
        """Where the store lies, told once. Raises GitError when git hangs."""
        if store.root not in self._places:
            key = Place, store.root, surroundings(os.environ)
            self._places[store.root] = self._kept.while_true(key, partial(_placed, store))
        return self._places[store.root]

    def provenance(self, store: Reader) -> Provenance:
        """Who wrote the files of the store, as far as that can be told."""
        key = Provenance, store.root, store.pathspecs, surroundings(os.environ)
        return self._kept.while_true(key, lambda: self._provenance(store))

    def threads(self, store: Reader) -> Threads:
        """The store's open threads, without what is kept out of prompts."""
        return self._kept.while_true((Threads, store.root), lambda: self._threads(store))

    def _provenance(self, store: Reader) -> tuple[Provenance, Callable[[], bool]]:
        began = disk.clock_ns()
        place = Place(None, None)
        with contextlib.suppress(GitError):
            place = self.place(store)
        files = None if place.files is None else (*place.files, *_in_state(store, LOG_NAME, REVIEWED))
        return _made(store.mark, files, began, lambda: provenance_of(store, place.repository))

    def _threads(self, store: Reader) -> tuple[Threads, Callable[[], bool]]:
        def read() -> Threads:
            shared = read_sessions(store.root, store.parse)
            summaries = recent_summaries(store.state_folder, SUMMARIES, shared)
            items = tuple(item for summary in summaries for item in summary.open_items if self._is_fit(item))
            return Threads(read_tasks(store.root, store.parse), items)

        return _made(store.mark, _in_state(store, RUNS), disk.clock_ns(), read)


def provenance_of(store: Reader, repository: Repository | None) -> Provenance:
    """Who wrote the files of a store, as far as git, this machine's log of writes and its reviews tell."""
    own = frozenset(
        change.after
        for entry in read_log(store.state_folder)
        for change in entry.changes
        if entry.caller == Caller.USER and change.after
    ) | read_reviewed(store.state_folder)
    if repository is None:
        return Provenance(own_etags=own, is_blind=_has_repository(store.root))
    repository = repository._replace(pathspecs=store.pathspecs)
    try:
        commits = read_commits(repository, store.cache_folder)
        uncommitted = git.uncommitted(repository)
    except GitError:
        return Provenance(own_etags=own, is_blind=True)
    if any(path.startswith(OWN_FOLDER) for path in commits.rows):
        own = frozenset()  # a log that came with the repository is not this machine's
    return Provenance(commits, uncommitted, git.user_email(repository), own)


def _placed(store: Reader) -> tuple[Place, Callable[[], bool]]:
    began = disk.clock_ns()
    repository = git.find(store.root)
    files = files_behind(store.root, repository, os.environ) if store.mark else None
    state = None if files is None else state_of(files, began)
    return Place(repository, files), lambda: state is not None and state_of(files or ()) == state


def _made(
    mark: Mark | None, files: Sequence[Path] | None, began_ns: int, make: Callable[[], _T]
) -> tuple[_T, Callable[[], bool]]:
    """What is made now, and what tells whether neither the marked folder nor these files were touched since."""
    marked = mark and mark()
    state = None if marked is None or files is None else state_of(files, began_ns)

    def is_true() -> bool:
        return state is not None and mark is not None and mark() == marked and state_of(files or ()) == state

    return make(), is_true


def _in_state(store: Reader, *names: str) -> tuple[Path, ...]:
    return tuple(store.state_folder / name for name in names)


def _has_repository(folder: Path) -> bool:
    return any((parent / ".git").exists() for parent in (folder, *folder.parents))
