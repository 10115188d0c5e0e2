"""Search by words: the only module that knows Tantivy.

A document is a memory's fields as our words (`analysis`), joined by blanks; Tantivy splits at the blanks, stems
and counts. Queries are built from terms: no text ever reaches Tantivy's query parser. Documents are keyed by
their path, which is indexed raw, so that deleting one takes no other with it.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import tantivy

from mdmem.index import analysis

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from mdmem.memory import Memory

SCHEMA: Final = 1
"""Raise it with every change of the fields below; it is part of the index's stamp."""
ENGINE: Final = str(tantivy.tantivy.__version__)

KEY: Final = "path"
FIELDS: Final = ("title", "description", "body", "tags", "topic", "files")
STEMS: Final = "mdmem"

HEAP_BYTES: Final = 64_000_000
WRITER_THREADS: Final = 1
PREFIX_TERMS: Final = 20
PREFIX_LETTERS: Final = 2
SMALL: Final = 100
"""Documents that any store counts as having when it is asked how rare a word is."""

Engine = tantivy.Index


class Match(NamedTuple):
    """One memory that holds words of the query; `score` is 0 upwards.

    It is BM25 and, for each word that is held at all, its rarity times `Weights.held`: of two memories the one that
    holds more of the query stands first, however long it is.
    """

    path: str
    score: float


class Terms(NamedTuple):
    """A query, analysed: stems in order, and the last word as the beginning of a longer one."""

    stems: tuple[str, ...]
    prefix: str = ""

    def __bool__(self) -> bool:
        return bool(self.stems)


class Weights(NamedTuple):
    """How words count: a factor for each field, for common words, for completions of the last word; the most words.

    `held` says how much it counts that a word is there, beside how often it is and how long the text.
    """

    fields: Mapping[str, float]
    common: float
    prefix: float
    most_words: int
    held: float = 0.0


def create(folder: Path | None) -> Engine:
    """A new, empty index in the folder, or in memory when there is none. Raises ValueError, OSError."""
    return _with_stemmer(tantivy.Index(_schema(), str(folder) if folder else None))


def open_existing(folder: Path) -> Engine:
    """The index of a folder. Raises ValueError or OSError when it is damaged or can't be read."""
    engine = tantivy.Index.open(str(folder))
    engine.config_reader("manual")
    return _with_stemmer(engine)


def update(engine: Engine, written: Iterable[tuple[str, Memory]], removed: Iterable[str]) -> None:
    """Put memories in under their paths, replacing what was there, take others out, and commit.

    Raises ValueError or OSError when the disk fails.
    """
    writer = engine.writer(HEAP_BYTES, WRITER_THREADS)
    for path in removed:
        writer.delete_documents_by_term(KEY, path)
    for path, memory in written:
        writer.delete_documents_by_term(KEY, path)
        writer.add_document(_document(path, memory))
    writer.commit()
    writer.wait_merging_threads()
    engine.reload()


def terms(query: str) -> Terms:
    """What a query asks for; empty when there is nothing to search for in it."""
    found = analysis.query_words(query)
    stems = tuple(dict.fromkeys(_stemmer().analyze(" ".join(found))))
    last = analysis.words(query)[-1:]
    return Terms(stems, prefix=last[0] if last and last[0] in found else "")


def stems_of(text: str) -> frozenset[str]:
    """Every stem of a text, to tell which of a query's it holds."""
    return frozenset(_stemmer().analyze(" ".join(analysis.words(text))))


def rarity(engines: Sequence[Engine], stems: Sequence[str], common: float) -> dict[str, float]:
    """How much each stem says, 0 upwards: `ln(1 + (N − n + ½) / (n + ½))` for n of N documents, common words less.

    A store of a few memories counts as one of `SMALL`: there no word would be rare.
    """
    searchers = [engine.searcher() for engine in engines]
    size = max(SMALL, sum(searcher.num_docs for searcher in searchers))
    held = {stem: sum(_count(searcher, stem) for searcher in searchers) for stem in stems}
    return {
        stem: math.log1p((size - n + 0.5) / (n + 0.5)) * (common if stem in _common_stems() else 1.0)
        for stem, n in held.items()
    }


def rarest_score(engines: Sequence[Engine]) -> float:
    """The rarity of a word that no memory holds: the unit for scores of stores of any size."""
    return math.log1p(1 + 2 * max(SMALL, sum(engine.searcher().num_docs for engine in engines)))


def matches(
    engine: Engine, asked: Terms, weights: Weights, limit: int, rarity: Mapping[str, float] | None = None
) -> list[Match]:
    """The memories that hold any of the terms, best first, at most `limit`.

    `rarity` says what it counts for that a stem is held (see `Weights.held`).
    """
    searcher = engine.searcher()
    stems = _rarest(searcher, asked.stems, weights.most_words)
    parts = [_word_query(searcher, stem, weights) for stem in stems]
    if rarity and weights.held:
        parts += [_held_query(searcher, stem, weights.held * rarity[stem]) for stem in stems]
    if asked.prefix and (completed := _completions(searcher, asked, weights)):
        parts.append(completed)
    if not parts:
        return []
    query = _any_of(parts)
    return [Match(searcher.doc(address)[KEY][0], score) for score, address in searcher.search(query, limit).hits]


def _rarest(searcher: tantivy.Searcher, stems: Sequence[str], most: int) -> list[str]:
    """The stems that occur at all; of a long query only the rarest, still in order."""
    counts = {stem: _count(searcher, stem) for stem in stems}
    kept = set(sorted((stem for stem in counts if counts[stem]), key=lambda stem: counts[stem])[:most])
    return [stem for stem in stems if stem in kept]


def _count(searcher: tantivy.Searcher, stem: str) -> int:
    """About how many documents hold the stem: those of the field that has it most."""
    return max(searcher.doc_freq(field, stem) for field in FIELDS)


def _word_query(searcher: tantivy.Searcher, stem: str, weights: Weights) -> tantivy.Query:
    query = _field_query(searcher, stem, weights)
    return tantivy.Query.boost_query(query, weights.common) if stem in _common_stems() else query


def _field_query(searcher: tantivy.Searcher, stem: str, weights: Weights) -> tantivy.Query:
    return _any_of(
        [
            tantivy.Query.boost_query(tantivy.Query.term_query(_schema(), field, stem, "freq"), boost)
            for field, boost in weights.fields.items()
            if searcher.doc_freq(field, stem)
        ]
    )


def _held_query(searcher: tantivy.Searcher, stem: str, score: float) -> tantivy.Query:
    """The same score for every document that holds the stem, in whatever field."""
    return tantivy.Query.const_score_query(_any_of(_term_queries(searcher, stem)), score)


def _term_queries(searcher: tantivy.Searcher, stem: str) -> list[tantivy.Query]:
    fields = [field for field in FIELDS if searcher.doc_freq(field, stem)]
    return [tantivy.Query.term_query(_schema(), field, stem, "freq") for field in fields]


def _completions(searcher: tantivy.Searcher, asked: Terms, weights: Weights) -> tantivy.Query | None:
    """Words that begin with the last one; the best of them counts, not their sum."""
    if len(asked.prefix) < PREFIX_LETTERS and asked.prefix.isascii():
        return None
    longer = {
        term
        for field in FIELDS
        for term, _ in searcher.terms_with_prefix(field, asked.prefix, limit=PREFIX_TERMS)
        if term not in asked.stems
    }
    if not longer:
        return None
    best = tantivy.Query.disjunction_max_query([_field_query(searcher, term, weights) for term in sorted(longer)])
    return tantivy.Query.boost_query(best, weights.prefix)


def _any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def _document(path: str, memory: Memory) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text(KEY, path)
    texts = {
        "title": memory.title,
        "description": memory.description,
        "body": memory.body,
        "tags": " ".join(memory.tags),
        "topic": memory.topic,
        "files": " ".join(memory.files),
    }
    for field, text in texts.items():
        document.add_text(field, " ".join(analysis.words(text)))
    return document


@cache
def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(KEY, stored=True, tokenizer_name="raw", index_option="basic")
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name=STEMS, index_option="freq")
    return builder.build()


@cache
def _stemmer() -> tantivy.TextAnalyzer:
    splitter = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    return splitter.filter(tantivy.Filter.stemmer("english")).build()


@cache
def _common_stems() -> frozenset[str]:
    return frozenset(_stemmer().analyze(" ".join(analysis.COMMON_WORDS)))


def _with_stemmer(engine: Engine) -> Engine:
    engine.register_tokenizer(STEMS, _stemmer())
    return engine
