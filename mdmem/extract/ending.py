"""What a user takes back in a run goes out of use: the learned memory is set stale, a person's is left as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdmem.extract.superseding import taken_back
from mdmem.memory import Status
from mdmem.store.caller import Caller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from mdmem.store.state import Episode
    from mdmem.store.store import Store
    from mdmem.store.table import StoredMemory


@dataclass(frozen=True, slots=True)
class Ended:
    """A memory that was set stale, and the words that took it back."""

    stored: StoredMemory
    words: str

    def as_json(self) -> dict[str, object]:
        """The shape of a memory that was taken back in `extract --json`."""
        return {"path": self.stored.path, "title": self.stored.memory.title, "words": self.words}


def end_all(episodes: Iterable[Episode], store: Store, now: datetime) -> Iterator[Ended]:
    """Set stale what the run's revocations take back; a second time nothing is left to be taken back.

    Raises the store's errors.
    """
    for episode in episodes:
        if episode.kind != "revocation":
            continue
        stored = store.load()
        found = taken_back(episode.text, (one.memory for one in stored if one.is_readable))
        path = next((one.path for one in stored if one.memory is found), "")
        if path:
            changes = {"status": Status.STALE}
            yield Ended(store.change(path, changes, caller=Caller.AGENT, now=now, what="extract"), episode.text)
