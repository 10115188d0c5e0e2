"""Search by query: the few memories whose words answer it best, each with why.

Every call refreshes the indexes first, so that an answer is never older than the files.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, Final

from mdmem.index import fulltext
from mdmem.index.diff import Stats
from mdmem.pattern import pattern
from mdmem.search import LIMIT
from mdmem.search.ranking import CANDIDATES, MEANING_LEAST, WEIGHTS, Ranked, capped, is_relevant, ordered, rank
from mdmem.store.filters import Filters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from mdmem.index.fulltext import Terms
    from mdmem.index.index import Index, View
    from mdmem.index.meaning import Meaning, Progress
    from mdmem.memory import Memory

ACTIVE: Final = Filters()
EXCERPT_LENGTH: Final = 300
SENTENCE: Final = pattern(r"(?<=[.!?。！？])\s+|\n+")

Json = dict[str, str | int | float | list[str] | dict[str, float] | None]


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: a memory, its score with all parts, and the passage of its body that answers best.

    `matched` are the query's stems that the memory holds, `coverage` their share of what the query asks, 0 to 1.
    """

    found: Ranked
    excerpt: str
    matched: tuple[str, ...]
    coverage: float

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
        if not explain:
            return shown
        parts = self.found.score.as_json() | {"coverage": round(self.coverage, 4)}
        return shown | {"explain": parts, "matched": list(self.matched)}


@dataclass(frozen=True, slots=True)
class Hits:
    """The answer to one query, best first.

    `hint` says what to do when there was nothing to search for. `hidden` counts the memories that matched and were
    left out for their status alone. `stats` says what the refresh had to do. `note` says what the answer had to do
    without: '' when meaning was compared as well as words, or was not wanted.
    """

    query: str
    hits: tuple[Hit, ...]
    stats: Stats
    hint: str = ""
    hidden: int = 0
    note: str = ""

    def as_json(self, *, explain: bool = False) -> dict[str, str | list[Json]]:
        """The shape that `search --json` prints; `note` only where there is something to say."""
        shown: dict[str, str | list[Json]] = {
            "query": self.query,
            "hits": [hit.as_json(explain=explain) for hit in self.hits],
        }
        return shown | {"note": self.note} if self.note else shown


@dataclass(frozen=True, slots=True)
class Search:
    """Search over the indexes of one or more stores; call it with a query.

    `meaning` is None where words alone are compared, and `without` says why.
    """

    indexes: tuple[Index, ...]
    now: datetime
    meaning: Meaning | None = None
    without: str = ""

    def __call__(
        self,
        query: str,
        *,
        limit: int = LIMIT,
        filters: Filters = ACTIVE,
        per_run: int | None = None,
        relevant_only: bool = False,
        lexical: bool = False,
        progress: Progress | None = None,
    ) -> Hits:
        """The best `limit` memories for a query, after bringing the indexes up to date.

        `per_run` caps how many may come from one run (`origin`); `relevant_only` keeps what answers the query and
        not just shares a word with it, possibly nothing; `lexical` compares words only. Whoever gives
        `progress` (a wrapper of what is walked) waits until everything is embedded; others get at once what words find.
        """
        asked = fulltext.terms(query)
        begun = self.meaning.ask(query) if self.meaning and asked and not lexical else None
        views = [index.refresh() for index in self.indexes]
        stats = sum((view.stats for view in views), start=Stats())
        if not asked:
            return Hits(query, (), stats, hint=f"nothing to search for in {query!r}: give a word or a name")
        near = self.meaning.near(begun, views, progress) if self.meaning and begun else None
        cosines = near.cosines if near and near.cosines else ({},) * len(views)
        pairs = zip(views, cosines, strict=True)
        matching = [one for view, cosine in pairs for one in self._candidates(view, asked, cosine, filters, limit)]
        best = ordered([one for one in matching if filters.admits(one.stored.memory)])
        hits = _hits((capped(best, per_run) if per_run else best)[:limit], asked, views)
        if relevant_only:
            rarest = fulltext.rarest_score([view.engine for view in views])
            hits = tuple(hit for hit in hits if is_relevant(hit.found.score, hit.coverage, rarest))
        hidden = sum(filters.hides(one.stored.memory) for one in matching if one.score.bm25)
        note = near.note if near else "" if lexical else self.without
        return Hits(query, hits, stats, hidden=hidden, note=note)

    def _candidates(
        self, view: View, asked: Terms, cosines: Mapping[str, float], filters: Filters, limit: int
    ) -> list[Ranked]:
        """What the words match and what is near, deep enough that `limit` of them pass the filters if so many do."""
        depth = max(CANDIDATES, 2 * limit)
        while True:
            matched = {match.path: match.score for match in fulltext.matches(view.engine, asked, WEIGHTS, depth)}
            nearest = nlargest(depth, cosines, key=cosines.__getitem__)
            near = [path for path in nearest if cosines[path] >= MEANING_LEAST]
            found = view.pick({*matched, *near})
            deepest = max(len(matched), len(near)) < depth
            if deepest or sum(filters.admits(one.memory) for one in found.values()) >= limit:
                break
            depth *= 4
        return [rank(one, matched.get(path, 0.0), cosines.get(path, 0.0), self.now) for path, one in found.items()]


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


def _hits(chosen: Sequence[Ranked], asked: Terms, views: Sequence[View]) -> tuple[Hit, ...]:
    rarity = fulltext.rarity([view.engine for view in views], asked.stems, WEIGHTS.common)
    whole = sum(rarity.values())
    hits = []
    for found in chosen:
        held = fulltext.stems_of(_text(found.stored.memory))
        matched = tuple(stem for stem in asked.stems if stem in held)
        coverage = sum(rarity[stem] for stem in matched) / whole
        hits.append(Hit(found, excerpt(found.stored.memory.body, asked.stems), matched, coverage))
    return tuple(hits)


def _text(memory: Memory) -> str:
    """Everything of a memory that the index holds."""
    fields = (memory.title, memory.description, memory.body, *memory.tags, memory.topic, *memory.files)
    return " ".join(fields)
