"""Search by query: the few memories whose words answer it best, each with why.

Every call refreshes the indexes first, so that an answer is never older than the files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem.index import fulltext
from mdmem.index.diff import Stats
from mdmem.search.ranking import CANDIDATES, WEIGHTS, Ranked, capped, ordered, rank
from mdmem.store.filters import Filters

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mdmem.index.fulltext import Terms
    from mdmem.index.index import Index, View
    from mdmem.memory import Memory

LIMIT: Final = 8
EXCERPT_LENGTH: Final = 300
SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|\n+")

Json = dict[str, str | int | float | list[str] | dict[str, float] | None]


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: a memory, its score with all parts, and the passage of its body that answers best."""

    found: Ranked
    excerpt: str
    matched: tuple[str, ...]

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.found.stored.memory

    @property
    def path(self) -> str:
        """Its path, relative to its store."""
        return self.found.stored.path

    @property
    def score(self) -> float:
        """How well it answers, the same scale for every query."""
        return round(self.found.score.total, 4)

    def as_json(self, *, explain: bool = False) -> Json:
        """The shape that `search --json` prints; `age_days` is in whole days, null when no date is known."""
        memory, age = self.memory, self.found.age_days
        shown: Json = {
            "path": self.path,
            "id": memory.id,
            "title": memory.title,
            "type": memory.type.value,
            "status": memory.status.value,
            "score": self.score,
            "age_days": None if age is None else int(age),
            "source": memory.source.value,
            "store": self.found.stored.store,
            "confidence": memory.confidence,
            "topic": memory.topic or None,
            "files": list(memory.files),
            "description": memory.hook,
            "excerpt": self.excerpt,
        }
        return shown | {"explain": self.found.score.as_json(), "matched": list(self.matched)} if explain else shown


@dataclass(frozen=True, slots=True)
class Hits:
    """The answer to one query, best first.

    `hint` says what to do when there was nothing to search for. `hidden` counts the memories that matched and were
    left out for their status alone. `stats` says what the refresh had to do.
    """

    query: str
    hits: tuple[Hit, ...]
    stats: Stats
    hint: str = ""
    hidden: int = 0

    def as_json(self, *, explain: bool = False) -> dict[str, str | list[Json]]:
        """The shape that `search --json` prints."""
        return {"query": self.query, "hits": [hit.as_json(explain=explain) for hit in self.hits]}


@dataclass(frozen=True, slots=True)
class Search:
    """Search over the indexes of one or more stores; call it with a query."""

    indexes: tuple[Index, ...]
    now: datetime

    def __call__(
        self, query: str, *, limit: int = LIMIT, filters: Filters = Filters(), per_run: int | None = None
    ) -> Hits:
        """The best `limit` memories for a query, after bringing the indexes up to date.

        `per_run` caps how many may come from one run (`origin`).
        """
        views = [index.refresh() for index in self.indexes]
        stats = sum((view.stats for view in views), start=Stats())
        asked = fulltext.terms(query)
        if not asked:
            return Hits(query, (), stats, hint=f"nothing to search for in {query!r}: give a word or a name")
        matching = [one for view in views for one in self._candidates(view, asked, filters, limit)]
        best = ordered([one for one in matching if filters.admits(one.stored.memory)])
        chosen = (capped(best, per_run) if per_run else best)[:limit]
        hidden = sum(filters.hides(one.stored.memory) for one in matching)
        return Hits(query, tuple(_hit(one, asked) for one in chosen), stats, hidden=hidden)

    def _candidates(self, view: View, asked: Terms, filters: Filters, limit: int) -> list[Ranked]:
        """What the words match, deep enough that `limit` of them pass the filters if so many do."""
        depth = max(CANDIDATES, 2 * limit)
        while True:
            matches = fulltext.matches(view.engine, asked, WEIGHTS, depth)
            found = view.pick(match.path for match in matches)
            if len(matches) < depth or sum(filters.admits(one.memory) for one in found.values()) >= limit:
                break
            depth *= 4
        return [rank(found[match.path], match.score, self.now) for match in matches if match.path in found]


def excerpt(body: str, stems: Sequence[str]) -> str:
    """At most `EXCERPT_LENGTH` characters of the body on one line, from the sentence that holds most of the stems."""
    whole = " ".join(body.split())
    if len(whole) <= EXCERPT_LENGTH:
        return whole
    sentences = [" ".join(part.split()) for part in SENTENCE.split(body.strip())]
    wanted = frozenset(stems)
    best = max(range(len(sentences)), key=lambda i: (len(wanted & fulltext.stems_of(sentences[i])), -i))
    text = ("…" if best else "") + " ".join(sentences[best:])
    return text if len(text) <= EXCERPT_LENGTH else text[: EXCERPT_LENGTH - 1].rsplit(" ", 1)[0] + "…"


def _hit(found: Ranked, asked: Terms) -> Hit:
    memory = found.stored.memory
    fields = (memory.title, memory.description, memory.body, *memory.tags, memory.topic, *memory.files)
    held = fulltext.stems_of(" ".join(fields))
    return Hit(found, excerpt(memory.body, asked.stems), tuple(stem for stem in asked.stems if stem in held))
