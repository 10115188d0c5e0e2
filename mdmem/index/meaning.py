"""Meaning beside words: the model is loaded and the query embedded in the background, within a limit.

Whatever goes wrong with a model leaves an answer by words and a sentence that says so.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mdmem.errors import ModelError
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from mdmem.index.cosines import Cosines
    from mdmem.index.embedding import Embedded, Embedding
    from mdmem.index.index import View
    from mdmem.index.vectors import Array

    Progress = Callable[[Iterable[str]], Iterator[str]]

QUERY_SECONDS: Final = 0.5
"""How long a query may take to embed."""
LOAD_SECONDS: Final = 2.0
"""How long the model may take to load and embed the first query."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near the memories of some stores are to a query.

    `cosines` has those of each view, in their order; it is empty where words alone must do. `note` says why, or what
    is missing; '' when all is well. `made` counts the texts that were embedded for this answer.
    """

    cosines: tuple[Cosines | None, ...]
    note: str = ""
    made: int = 0


class Meaning:
    """Search by meaning; `load` gives the embedding, and is called once, when it is first needed."""

    def __init__(self, load: Callable[[], Embedding]) -> None:
        self._load = load
        self._worker = ThreadPoolExecutor(1)

    @cached_property
    def embedding(self) -> Embedding:
        """The embedder and its cache. Raises ModelError."""
        return self._load()

    def ask(self, query: str) -> Future[Array]:
        """Begin to embed a query."""
        return self._worker.submit(self._queries, query)

    def near(self, asked: Future[Array], views: Sequence[View], progress: Progress | None = None) -> Nearness:
        """How near the memories of the views are to a query that was begun.

        Whoever gives `progress` waits for the model, and until everything is embedded; else what would take long is
        left out.
        """
        limit = QUERY_SECONDS if "embedding" in self.__dict__ else LOAD_SECONDS
        try:
            queries = asked.result(None if progress else limit)
            found = [self._refresh(view, progress) for view in views]
        except LateError:
            return Nearness((), f"by words only: the model took longer than {limit:g} s")
        except ModelError as error:
            return Nearness((), f"by words only: {error.message}; {error.hint}")
        pending = sum(one.pending for one in found)
        note = f"{counted(pending, 'memory is', 'memories are')} not embedded yet and found by words only: `mdmem sync`"
        return Nearness(
            tuple(one.cosines(queries) if len(queries) else None for one in found),
            note if pending else "",
            sum(one.made for one in found),
        )

    def embed_all(self, views: Sequence[View], progress: Progress) -> int:
        """Embed all that is new in the views, and say how many texts that were. Raises ModelError."""
        return sum(self.embedding.embed_all(view, progress).made for view in views)

    def cosine(self, one: str, other: str) -> float:
        """How near two short texts are, -1 to 1; 0 when the model can't be used."""
        try:
            first, second = self._queries(one), self._queries(other)
        except ModelError:
            return 0.0
        return float(first[0] @ second[0]) if len(first) and len(second) else 0.0

    def _queries(self, query: str) -> Array:
        return self.embedding.queries(query)

    def _refresh(self, view: View, progress: Progress | None) -> Embedded:
        return self.embedding.embed_all(view, progress) if progress else self.embedding.refresh(view)
