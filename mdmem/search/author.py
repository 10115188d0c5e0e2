"""Who a memory is from, and whether anybody here has looked at it.

A memory counts as reviewed when this machine's user wrote it, or when a commit of this clone's `user.email` holds it.
What came by clone or pull from others, and what an agent wrote that nobody committed, does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.memory import Source

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.git import Person
    from mdmem.store.commits import CommitTable

NOBODY: Final = "someone"
WORDS: Final = {
    Source.USER: "you",
    Source.AGENT: "agent",
    Source.EXTRACTION: "run",
    Source.CONSOLIDATION: "run",
}


class Author(NamedTuple):
    """Who said it: `you`, `agent`, `run` (learned from one), or the name of who committed it elsewhere."""

    name: str
    is_reviewed: bool = True


class Provenance(NamedTuple):
    """What git and this machine know of one store's files.

    `commits` is None outside of git. `uncommitted` holds paths relative to the store, `email` is this clone's
    `user.email`, `own_etags` are the versions that the user's own commands wrote here. `is_blind` says that there is
    a repository, but git can't be asked about it: then nothing counts as reviewed that was not written here.
    """

    commits: CommitTable | None = None
    uncommitted: frozenset[str] = frozenset()
    email: str = ""
    own_etags: frozenset[str] = frozenset()
    is_blind: bool = False

    def first_commit_at(self, path: str) -> datetime | None:
        """When the file was first committed, under whatever name; None when it was not."""
        return self.commits.first_commit_at(path) if self.commits else None

    def author(self, path: str, source: Source, etag: str) -> Author:
        """Who the file at `path` is from, that says `source` of itself."""
        word = WORDS[source]
        history = self.commits.of(path) if self.commits else None
        if etag in self.own_etags:
            return Author(word)
        if self.is_blind:
            return Author(NOBODY if source is Source.USER else word, is_reviewed=False)
        if path in self.uncommitted:
            return Author(word, is_reviewed=source is Source.USER)
        if history is None or _is_same(history.committer, self.email):
            return Author(word)
        name = " ".join(history.committer.name.split()) or NOBODY
        return Author(name if source is Source.USER else f"{word} of {name}", is_reviewed=False)


def _is_same(person: Person, email: str) -> bool:
    return bool(email) and person.email.casefold() == email.casefold()
