"""Who committed which file of the store when, and what was deleted: one `git log` pass, cached for its HEAD.

The cache lies in a file of the store's cache folder. When HEAD moved on, only the new commits are read; when it took
in another branch or moved elsewhere (a checkout, a rebase), or the cache is missing or damaged, all are.
"""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk, git
from mdmem.errors import MdmemError
from mdmem.git import Person
from mdmem.git_state import clone_folder
from mdmem.store.own import make_own

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from mdmem.git import Change, Commit, Repository

FILE_NAME: Final = "commits.json"
VERSION: Final = 2
BETWEEN: Final = "//"
"""Between paths in the cache: no path of git holds it, and one long text is read faster than many short ones."""

Row = tuple[int, int, int, int]
"""First and last commit time (seconds since 1970), then its author and committer as positions among the people."""


class FileHistory(NamedTuple):
    """The first and the last commit of a file: when, who wrote the first, who committed the last. Renames count on."""

    first_commit_at: datetime
    last_commit_at: datetime
    author: Person
    committer: Person


class Deletion(NamedTuple):
    """A file that a commit deleted without a new name, and that HEAD does not have. `parent` still has it."""

    path: str
    commit: str
    at: datetime

    @property
    def parent(self) -> str:
        """The commit before, where its last content stands."""
        return f"{self.commit}^"


class CommitTable:
    """All commits of a folder up to `head`, folded into one row a file; paths are relative to the folder."""

    def __init__(
        self,
        head: str = "",
        people: Iterable[Person] = (),
        rows: Mapping[str, Row] | None = None,
        deleted: Mapping[str, tuple[str, int]] | None = None,
    ) -> None:
        self.head = head
        self.people = list(people)
        self.rows = dict(rows or {})
        self.deleted = dict(deleted or {})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CommitTable) and vars(self) == vars(other)

    def of(self, path: str) -> FileHistory | None:
        """What is known of a file; None when no commit up to HEAD has it."""
        row = self.rows.get(path)
        if row is None:
            return None
        first, last, author, committer = row
        return FileHistory(_moment(first), _moment(last), self.people[author], self.people[committer])

    def first_commit_at(self, path: str) -> datetime | None:
        """When the file's first commit was made, as `of` tells it."""
        row = self.rows.get(path)
        return _moment(row[0]) if row else None

    def deletions(self) -> tuple[Deletion, ...]:
        """Every deletion that still holds, by path."""
        return tuple(Deletion(path, commit, _moment(at)) for path, (commit, at) in sorted(self.deleted.items()))


def read_commits(repository: Repository, cache: Path) -> CommitTable:
    """The table at HEAD; `cache` is the folder that keeps it. Raises GitError."""
    clone = _clone(repository)
    known = _cached(cache / FILE_NAME, clone)
    if known.head == repository.head:
        return known
    table = known if known.head and git.is_linear(repository, known.head) else CommitTable()
    _fold(table, repository)
    # a cache that can't be written costs only time
    with contextlib.suppress(MdmemError):
        make_own(cache)
        disk.write(cache / FILE_NAME, json.dumps(_as_json(table, clone)).encode("ascii"))
    return table


def _fold(table: CommitTable, repository: Repository) -> None:
    """Take in the commits since `table.head`."""
    positions = {person: position for position, person in enumerate(table.people)}
    for commit in git.iter_log(repository, table.head):
        author, committer = (positions.setdefault(one, len(positions)) for one in (commit.author, commit.committer))
        for change in commit.changes:
            _take(table, commit, change, (commit.at, commit.at, author, committer))
    table.people = list(positions)
    table.head = repository.head
    if table.deleted:
        # what one branch deleted may live on in another that was merged
        present = git.tracked(repository)
        table.deleted = {path: deletion for path, deletion in table.deleted.items() if path not in present}


def _take(table: CommitTable, commit: Commit, change: Change, new: Row) -> None:
    if change.status == "D":
        table.deleted[change.path] = (commit.id, commit.at)
        return
    if table.deleted.pop(change.path, None) and change.status == "A":
        table.rows.pop(change.path, None)  # another file of that name
    before = table.rows.pop(change.old, None) if change.status == "R" else table.rows.get(change.path)
    table.rows[change.path] = (before[0], new[1], before[2], new[3]) if before else new


def _clone(repository: Repository) -> list[str | int]:
    """What tells this clone from any other, and what is read of it: a cache that came along speaks for nobody.

    Where a shallow clone ends, its first commit seems to bring all files: with more of the past they are others'.
    """
    folder = repository.git_folder
    status = folder.stat()
    past = disk.etag(disk.read_if_exists(clone_folder(folder) / "shallow") or b"")
    return [str(folder), status.st_dev, status.st_ino, past, repository.prefix, *repository.pathspecs]


def _cached(path: Path, clone: list[str | int]) -> CommitTable:
    try:
        known = json.loads(disk.read(path))
        people = [Person(*one) for one in known["people"]]
        firsts, lasts, authors, committers = known["columns"]
        is_whole = all(0 <= person < len(people) for person in {*authors, *committers})
        if known["version"] == VERSION and known["clone"] == clone and is_whole:
            paths = known["paths"].split(BETWEEN) if known["paths"] else []
            rows = dict(zip(paths, zip(firsts, lasts, authors, committers, strict=True), strict=True))
            return CommitTable(known["head"], people, rows, known["deleted"])
    except (FileNotFoundError, MdmemError, ValueError, TypeError, KeyError, AttributeError):
        pass
    return CommitTable()


def _as_json(table: CommitTable, clone: list[str | int]) -> dict[str, object]:
    return {
        "version": VERSION,
        "clone": clone,
        "head": table.head,
        "people": table.people,
        "paths": BETWEEN.join(table.rows),
        "columns": list(zip(*table.rows.values(), strict=True)) or [()] * 4,
        "deleted": table.deleted,
    }


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
