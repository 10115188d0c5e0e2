"""Who a memory is from, and whether anybody here has looked at it.

A memory counts as reviewed when this machine's user wrote it, or when a commit of this clone's `user.email` holds it.
What came by clone or pull from others, and what an agent wrote that nobody committed, does not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.memory import Source

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.git import Person
    from mdmem.store.commits import CommitTable
    from mdmem.store.table import StoredMemory

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


@dataclass(frozen=True, slots=True)
class Provenance:
    """What git and this machine know of a store's files.

    `commits` is None outside of git. `uncommitted` holds paths relative to the store, `email` this clone's
    `user.email`, `own_etags` the versions that the user's own commands wrote here.
    """

    commits: CommitTable | None = None
    uncommitted: frozenset[str] = frozenset()
    email: str = ""
    own_etags: frozenset[str] = field(default=frozenset(), repr=False)

    def first_commit_at(self, path: str) -> datetime | None:
        """When the file was first committed, under whatever name; None when it was not."""
        history = self.commits.of(path) if self.commits else None
        return history.first_commit_at if history else None


def author_of(one: StoredMemory, provenance: Provenance) -> Author:
    """Who a memory is from. Where git does not see the file there is only what the file says of itself."""
    return author(one.path, one.memory.source, one.etag, provenance if one.store == "project" else Provenance())


def author(path: str, source: Source, etag: str, provenance: Provenance) -> Author:
    """Who the file at `path` is from, that says `source` of itself."""
    word = WORDS[source]
    history = provenance.commits.of(path) if provenance.commits else None
    if path in provenance.uncommitted:
        return Author(word, is_reviewed=source is Source.USER or etag in provenance.own_etags)
    if history is None or etag in provenance.own_etags or _is_same(history.committer, provenance.email):
        return Author(word)
    name = " ".join(history.committer.name.split()) or "someone"
    return Author(name if source is Source.USER else f"{word} of {name}", is_reviewed=False)


def _is_same(person: Person, email: str) -> bool:
    return bool(email) and person.email.casefold() == email.casefold()
