"""Search by query: the few memories whose words answer it best, each with why.

Every call refreshes the indexes first, so that an answer is never older than the files.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.errors import MdmemError
from mdmem.index import fulltext
from mdmem.index.diff import Stats
from mdmem.pattern import pattern
from mdmem.search import LIMIT
from mdmem.search.ordering import Ranked, capped, ordered
from mdmem.search.ranking import MEANING_LEAST, PROFILES, Candidate, Profile, candidate, is_relevant
from mdmem.store.filters import Filters
from mdmem.store.state import append_recalls, read_usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from mdmem.index.cosines import Cosines
    from mdmem.index.fulltext import Terms
    from mdmem.index.index import Index, View
    from mdmem.index.meaning import Meaning, Progress
    from mdmem.memory import Memory

ACTIVE: Final = Filters()
EXCERPT_LENGTH: Final = 300
SENTENCE: Final = pattern(r"(?<=[.!?。！？])\s+|\n+")

Json = dict[str, str | int | float | list[str] | dict[str, float] | None]


class Hit(NamedTuple):
    """One result: a memory, its score with all parts, and the passage of its body that answers best.

    `matched` are the query's stems that the memory holds, `coverage` their share of what the query asks, 0 to 1;
    `bm25` is the part of the words that counts how often they occur.
    """

    found: Ranked
    excerpt: str
    matched: tuple[str, ...]
    coverage: float
    bm25: float

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
        return shown | {"explain": self.explained(), "matched": list(self.matched)}

    def explained(self) -> dict[str, float]:
        """Every part of the score, and what the words' part was made of."""
        parts = {**self.found.score.parts, "bm25": self.bm25, "coverage": self.coverage}
        return {name: round(value, 4) for name, value in parts.items()}


class Hits(NamedTuple):
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


class Asked(NamedTuple):
    """A query as one search sees it: its terms, how rare each is in the stores, and how to rank."""

    terms: Terms
    rarity: Mapping[str, float]
    profile: Profile

    @property
    def whole(self) -> float:
        """What the query asks: the rarity of all its words."""
        return sum(self.rarity.values())


@dataclass(frozen=True, slots=True)
class Search:
    """Search over the indexes of one or more stores; call it with a query.

    `meaning` and `without` are asked when meaning is to be compared: the one gives None where that can't be, the other
    says why. `profile` names the ranking that is used unless another is asked for.
    """

    indexes: tuple[Index, ...]
    now: datetime
    meaning: Callable[[], Meaning | None] = lambda: None
    without: Callable[[], str] = str
    profile: str = "default"

    def __call__(
        self,
        query: str,
        *,
        limit: int = LIMIT,
        filters: Filters = ACTIVE,
        per_run: int | None = None,
        relevant_only: bool = False,
        lexical: bool = False,
        profile: str | None = None,
        progress: Progress | None = None,
    ) -> Hits:
        """The best `limit` memories for a query, after bringing the indexes up to date.

        `per_run` caps how many may come from one run (`origin`); `relevant_only` keeps what answers the query and
        not just shares a word with it, possibly nothing; `lexical` compares words only; `profile` is a name in
        `ranking.PROFILES`. Whoever gives `progress` (a wrapper of what is walked) waits until everything is
        embedded; others get at once what words find.
        """
        ranking = PROFILES[profile or self.profile]
        terms = fulltext.terms(query)
        meaning = self.meaning() if terms and not lexical else None
        begun = meaning.ask(query) if meaning else None
        views = [index.refresh() for index in self.indexes]
        stats = sum((view.stats for view in views), start=Stats())
        if not terms:
            return Hits(query, (), stats, hint=f"nothing to search for in {query!r}: give a word or a name")
        near = meaning.near(begun, views, progress) if meaning and begun else None
        cosines = near.cosines if near and near.cosines else (None,) * len(views)
        rarity = fulltext.rarity([view.engine for view in views], terms.stems, ranking.weights.common)
        asked = Asked(terms, rarity, ranking)
        pairs = zip(views, cosines, strict=True)
        matching = [one for view, cosine in pairs for one in self._candidates(view, asked, cosine, filters, limit)]
        admitted = [one for one in matching if filters.admits(one.memory)]
        best = ordered(list(map(Ranked, admitted, ranking.score(admitted, asked.whole))))
        most = per_run or ranking.per_run
        hits = tuple(_hit(found, asked) for found in (capped(best, most) if most else best)[:limit])
        if relevant_only:
            rarest = fulltext.rarest_score([view.engine for view in views])
            hits = tuple(hit for hit in hits if is_relevant(hit.found.candidate, hit.coverage, rarest))
        if ranking.counts_use:
            self._count_use(views, hits)
        hidden = sum(filters.hides(one.memory) for one in matching if one.found)
        note = near.note if near else "" if lexical else self.without()
        return Hits(query, hits, stats, hidden=hidden, note=note)

    def _candidates(
        self, view: View, asked: Asked, cosines: Cosines | None, filters: Filters, limit: int
    ) -> list[Candidate]:
        """What the words match and what is near, deep enough that `limit` of them pass the filters if so many do."""
        weights, depth = asked.profile.weights, max(asked.profile.depth, 2 * limit)
        while True:
            matches = fulltext.matches(view.engine, asked.terms, weights, depth, asked.rarity)
            matched = {match.path: match.score for match in matches}
            near = cosines.nearest(depth, MEANING_LEAST) if cosines else []
            found = view.pick({*matched, *near})
            deepest = max(len(matched), len(near)) < depth
            if deepest or sum(filters.admits(one.memory) for one in found.values()) >= limit:
                break
            depth *= 4
        used = read_usage(view.store.state_folder) if asked.profile.counts_use else {}
        cosine = {path: cosines.get(path, 0.0) for path in found} if cosines else {}
        return [
            candidate(one, matched.get(path, 0.0), cosine.get(path, 0.0), self.now, used.get(one.memory.id))
            for path, one in found.items()
        ]

    def _count_use(self, views: Sequence[View], hits: Sequence[Hit]) -> None:
        """Count a recall of each memory that was found; a store that can't be written is only read."""
        for view in views:
            ids = [hit.memory.id for hit in hits if hit.found.stored.store == view.store.name]
            with contextlib.suppress(MdmemError):
                append_recalls(view.store.state_folder, ids, self.now)


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


def _hit(found: Ranked, asked: Asked) -> Hit:
    stems = asked.terms.stems
    held = fulltext.stems_of(_text(found.stored.memory))
    matched = tuple(stem for stem in stems if stem in held)
    weight = sum(asked.rarity[stem] for stem in matched)
    bm25 = max(found.candidate.found - asked.profile.weights.held * weight, 0.0)
    return Hit(found, excerpt(found.stored.memory.body, stems), matched, weight / asked.whole, bm25)


def _text(memory: Memory) -> str:
    """Everything of a memory that the index holds."""
    fields = (memory.title, memory.description, memory.body, *memory.tags, memory.topic, *memory.files)
    return " ".join(fields)
