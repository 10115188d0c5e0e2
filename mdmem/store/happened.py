"""What happened in a project's runs, in the shape of memories, so that it can be searched like them.

Each run gives its summary and its episodes. They are read from the state folder, are never written, and have no file
of their own: their path is the run's name and a number. Nothing but `search --episodes` looks here.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.markdown.dates import as_when
from mdmem.markdown.parse import derived_id
from mdmem.memory import FILES_COUNT, TITLE_LENGTH, Memory, MemoryType, Source, first_sentence
from mdmem.store.reader import Reader
from mdmem.store.state import RUNS, Summary, read_runs
from mdmem.store.table import StoredMemory, Sweep, Table, outline_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from mdmem.store.outline import Outline
    from mdmem.store.state import Episode, Run
    from mdmem.store.table import Parse

NAME: Final = "runs"
SUMMARY: Final = "summary"
FOLDER: Final = "runs"
"""Where the index of runs lies, below the store's cache."""


class Happened(Reader):
    """The runs of one store."""

    def __init__(self, store: Reader) -> None:
        super().__init__(store.root, store.parse, name=NAME)
        self.state_folder = store.state_folder
        self.cache_folder = store.cache_folder / FOLDER

    @cached_property
    def _table(self) -> Table:
        return RunTable(self.state_folder, self.parse)


def happened_in(stores: Iterable[Reader]) -> Iterator[Happened]:
    """The runs of those stores that have any."""
    return (Happened(store) for store in stores if (store.state_folder / RUNS).is_file())


class RunTable(Table):
    """Reads the record of runs anew when it has grown."""

    def __init__(self, state: Path, parse: Parse) -> None:
        super().__init__(state, state, parse, NAME)
        self._state = state
        self._read: tuple[str, dict[str, StoredMemory]] = "", {}

    def sweep(self) -> Sweep:
        """All that happened, sorted by path."""
        memories = tuple(self._all()[path] for path in sorted(self._all()))
        return Sweep(memories, {}, (), len(memories))

    def etags(self) -> dict[str, str]:
        """Path → etag of each."""
        return {path: one.etag for path, one in sorted(self._all().items())}

    def last_etags(self) -> dict[str, str]:
        """The same, as the last look found them."""
        return {path: one.etag for path, one in sorted(self._read[1].items())}

    def outline(self, most: int) -> Outline:
        """What of it counts, and what is the newest."""
        return outline_of(self.sweep(), most)

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """Those of these paths, as the last look found them."""
        seen = self._read[1]
        return {path: seen[path] for path in paths if path in seen}

    def _all(self) -> dict[str, StoredMemory]:
        etag = disk.etag(disk.read_if_exists(self._state / RUNS) or b"")
        if self._read[0] != etag:
            found = (one for run in read_runs(self._state) for one in happened(run))
            self._read = etag, {one.path: one for one in found}
        return self._read[1]


def happened(run: Run) -> Iterator[StoredMemory]:
    """A run's summary and its episodes."""
    if run.summary != Summary():
        yield _stored(run, 0, SUMMARY, run.summary.request or run.summary.work_done, _told(run.summary))
    for n, episode in enumerate(run.episodes, 1):
        yield _stored(run, n, episode.kind, episode.text, _details(episode), episode)


def _stored(run: Run, n: int, kind: str, text: str, body: str, episode: Episode | None = None) -> StoredMemory:
    path = f"{run.origin}/{n}"
    at = (episode.at if episode else "") or run.ended or run.at
    memory = Memory(
        type=MemoryType.WORKSPACE,
        title=" ".join(f"{kind}: {first_sentence(text) or text}".split())[:TITLE_LENGTH].strip(),
        body=body,
        id=derived_id(path),
        files=episode.files[:FILES_COUNT] if episode else (),
        source=Source.EXTRACTION,
        origin=(run.origin,),
        created=as_when(at),
        tags=(kind,),
    )
    return StoredMemory(path, memory, disk.content_hash(f"{memory.title}\n{at}\n{memory.files}\n{body}"), (), NAME)


def _told(summary: Summary) -> str:
    left = "\n".join(f"- {item}" for item in summary.open_items)
    return "\n\n".join(filter(None, (summary.request, summary.work_done, left)))


def _details(episode: Episode) -> str:
    return "\n\n".join(filter(None, (episode.text, episode.context, episode.cause, episode.remedy)))
