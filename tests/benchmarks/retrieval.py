"""How well search finds what is labelled as the answer, in stores of your own or others'.

    python tests/benchmarks/retrieval.py project=FOLDER chat=FOLDER … [--profile NAME] [--lexical] [--curve] [--tune]

Each argument names a set and a folder of it: one that holds `memory/` and `queries.tsv`, or one whose subfolders do.
`queries.tsv` has a header line and the columns qid, kind, query, relevant, must_not, note, parted by tabs. `relevant`
are the paths of the answers below `memory/`, parted by commas; parted by `;` they are groups, and of each group any
path will do. The kind `unanswerable` has none. A note `evidence=N` says that N answers are needed, whether or not
there is a memory of each; such a `relevant` is always groups. The kind `cat5` (questions about the wrong speaker) is
left out of the means.

It prints recall@5, recall@10 and MRR of each set with 95 % intervals (bootstrap over queries), and of each kind;
`--curve` how much is returned for what has no answer, and how much of the answers is kept, by threshold; `--tune`
what the default's constants would be with one set left out, and how that one then does.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import shutil
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final

from mdmem.index import fulltext
from mdmem.project import Project
from mdmem.search import ranking
from mdmem.search.ranking import HELD, LIFT, PROFILES, RELEVANT_COVERAGE, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mdmem.search.search import Search

TOP: Final = 10
NOW: Final = "2026-11-30T12:00:00Z"
UNANSWERABLE: Final = "unanswerable"
APART: Final = frozenset({UNANSWERABLE, "cat5"})
METRICS: Final = ("R@5", "R@10", "MRR")
ROUNDS: Final = 1000
GRID: Final = {
    "words": (0.4, 0.5, 0.6, 0.7, 0.8),
    "held": (0.25, 0.5, 0.75, 1.0, 1.5),
    "lift": (0.0, 0.15, 0.3, 0.45),
}
Numbers = tuple[float, ...]
"""Values of the metrics, in their order; or of the constants, in the order of the grid."""


@dataclass(frozen=True, slots=True)
class Query:
    """One labelled question."""

    kind: str
    text: str
    groups: tuple[frozenset[str], ...]
    needed: int
    must_not: frozenset[str]

    def score(self, paths: Sequence[str]) -> Numbers:
        """Recall@5, recall@10 and reciprocal rank of an answer."""
        found: list[set[int]] = [{i for i, group in enumerate(self.groups) if path in group} for path in paths]
        first = next((rank for rank, held in enumerate(found, 1) if held), 0)
        at5, at10 = (len(set().union(*found[:k])) / max(self.needed, 1) for k in (5, 10))
        return at5, at10, 1 / first if first else 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """What the best hits of a query were: path, cosine and coverage of each."""

    query: Query
    hits: tuple[tuple[str, float, float], ...]

    def kept(self, least: float) -> list[str]:
        """What a threshold leaves of the first five."""
        return [path for path, cosine, coverage in self.hits[:5] if cosine + RELEVANT_COVERAGE * coverage >= least]


@dataclass(frozen=True, slots=True)
class Measured:
    """The candidates of a query with all that the default's score is made of."""

    query: Query
    paths: tuple[str, ...]
    origins: tuple[tuple[str, ...], ...]
    fixed: tuple[float, ...]
    bm25: tuple[float, ...]
    held: tuple[float, ...]
    nearest: float

    def order(self, words: float, held: float, lift: float) -> list[str]:
        """The first ten with these constants in place of the default's."""
        parts = zip(self.fixed, self.bm25, self.held, strict=True)
        alone = [fixed + words * self.nearest * (bm25 + held * share) for fixed, bm25, share in parts]
        lifts = ranking.lifted(self.origins, alone)
        totals = [score + more * lift / LIFT for score, more in zip(alone, lifts, strict=True)]
        best = sorted(range(len(totals)), key=lambda i: (-totals[i], self.paths[i]))
        return [self.paths[i] for i in best[:TOP]]


def read_queries(file: Path) -> Iterator[Query]:
    """The labelled questions of a store."""
    for row in file.read_text(encoding="utf-8").splitlines()[1:]:
        _, kind, text, relevant, must_not, note = (row.split("\t") + [""] * 6)[:6]
        asked = int(note.removeprefix("evidence=").split()[0]) if note.startswith("evidence=") else 0
        parts = relevant.split(";") if asked or ";" in relevant else relevant.split(",")
        groups = tuple(frozenset(filter(None, part.split(","))) for part in parts if part)
        line = " ".join(text.replace("\\n", " ").split())
        yield Query(kind, line, groups, max(asked, len(groups)), frozenset(filter(None, must_not.split(","))))


def stores(folder: Path) -> list[Path]:
    """The folders of a set that hold labelled questions."""
    return (
        [folder] if (folder / "queries.tsv").is_file() else sorted(one.parent for one in folder.glob("*/queries.tsv"))
    )


def opened(folder: Path, scratch: Path) -> Search:
    """Search in a copy of a store."""
    copy = Path(tempfile.mkdtemp(dir=scratch)) / "memory"
    shutil.copytree(folder / "memory", copy, ignore=shutil.ignore_patterns(".mdmem"))
    return Project.open(copy, environ={**os.environ, "MDMEM_NOW": NOW}).search


def judge(search: Search, query: Query, profile: str, lexical: bool) -> Judged:
    """Ask one question; whatever is not embedded yet is embedded first."""
    hits = search(query.text, limit=TOP, profile=profile, lexical=lexical, progress=iter).hits
    return Judged(query, tuple((hit.path, hit.found.candidate.cosine, hit.coverage) for hit in hits))


def measure(search: Search, query: Query) -> Measured:
    """Collect the parts of every candidate's score; the first of the indexes is the store's."""
    view, weights = search.indexes[0].refresh(), PROFILES["default"].weights
    terms = fulltext.terms(query.text)
    rarity = fulltext.rarity([view.engine], terms.stems, weights.common)
    whole = sum(rarity.values()) or 1.0
    bm25, both = (
        {
            match.path: match.score / whole
            for match in fulltext.matches(view.engine, terms, weights._replace(held=held), len(view.etags), rarity)
        }
        for held in (0.0, 1.0)
    )
    meaning = search.meaning()
    cosines = (meaning.near(meaning.ask(query.text), [view], iter).cosines[0] if meaning else None) or {}
    near = {path for path, cosine in cosines.items() if cosine >= ranking.MEANING_LEAST}
    found = {path: one.memory for path, one in view.pick(near | both.keys()).items() if one.memory.is_active}
    made = [ranking.candidate(one, 0, cosines.get(path, 0), search.now, None) for path, one in view.pick(found).items()]
    priors = {one.stored.path: ranking.prior(one.memory, one.age_days) for one in made}
    return Measured(
        query,
        tuple(found),
        tuple(memory.origin for memory in found.values()),
        tuple(max(cosines.get(path, 0.0), 0.0) + priors[path] for path in found),
        tuple(bm25.get(path, 0.0) for path in found),
        tuple(both.get(path, 0.0) - bm25.get(path, 0.0) for path in found),
        ranking.nearest(made),
    )


def interval(values: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval of the mean: bootstrap over queries, always the same."""
    rng = random.Random(1)
    means = sorted(fmean(rng.choices(values, k=len(values))) for _ in range(ROUNDS))
    return means[ROUNDS // 40], means[-ROUNDS // 40]


def print_set(name: str, judged: Sequence[Judged]) -> None:
    """The table of one set: all, and each kind."""
    kinds: dict[str, list[Numbers]] = defaultdict(list)
    for one in judged:
        if one.query.kind != UNANSWERABLE:
            kinds[one.query.kind].append(one.query.score([path for path, *_ in one.hits]))
    answered = [scores for kind, each in kinds.items() if kind not in APART for scores in each]
    for kind, each in ({"all": answered} | (kinds if len(kinds) > 1 else {})).items():
        columns = []
        for metric, values in zip(METRICS, zip(*each, strict=True), strict=True):
            low, high = interval(values)
            columns.append(f"{metric} {fmean(values):.3f} [{low:.3f}, {high:.3f}]")
        print(f"{name:10} {kind:12} n={len(each):5}  " + "  ".join(columns))
    trapped = [one for one in judged if one.query.must_not]
    if trapped:
        wrong = sum(any(path in one.query.must_not for path, *_ in one.hits[:5]) for one in trapped)
        print(f"{name:10} must_not in the first five: {wrong} of {len(trapped)}")


def print_curve(name: str, judged: Sequence[Judged]) -> None:
    """What each threshold returns for questions without an answer, and keeps of the others' recall@5."""
    without = [one for one in judged if one.query.kind == UNANSWERABLE]
    answerable = [one for one in judged if one.query.kind not in APART]
    for least in (step / 100 for step in range(30, 61, 2 if without else 10)):
        kept = fmean(one.query.score(one.kept(least))[0] for one in answerable)
        returned = f"{fmean(bool(one.kept(least)) for one in without):.3f}" if without else "-"
        print(f"{name:10} threshold {least:.2f}  returned without an answer {returned}  recall@5 kept {kept:.3f}")


def print_tuned(sets: Mapping[str, Sequence[Measured]]) -> None:
    """Choose the constants by all sets but one, for each: how it does on the one left out."""
    points = list(itertools.product(*GRID.values()))
    means: dict[str, dict[Numbers, Numbers]] = {}
    for name, measured in sets.items():
        rows = [one for one in measured if one.query.kind not in APART]
        for point in points:
            scores = [one.query.score(one.order(*point)) for one in rows]
            at5, at10, mrr = (fmean(values) for values in zip(*scores, strict=True))
            means.setdefault(name, {})[point] = at5, at10, mrr

    def value(point: Numbers, without: str) -> float:
        return fmean(means[name][point][0] + means[name][point][2] for name in sets if name != without)

    for left_out in (*sets, ""):
        best = max(points, key=lambda point: value(point, left_out))
        print(f"chosen without {left_out or 'none':10}" + " ".join(f"{k}={v}" for k, v in zip(GRID, best, strict=True)))
        for name in (left_out,) if left_out else sets:
            now = (WORDS, HELD, LIFT)
            for point, what in ((best, "then"), (now, "with the default")):
                row = zip(METRICS, means[name][point], strict=True)
                print(f"    {name:10} {what:16} " + "  ".join(f"{metric} {mean:.3f}" for metric, mean in row))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--profile", default="default", choices=PROFILES)
    parser.add_argument("--lexical", action="store_true")
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--tune", action="store_true")
    given = parser.parse_args()
    if given.tune and len(given.sets) == 1:
        parser.error("--tune needs more than one set")
    measured: dict[str, list[Measured]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, _, folder in (one.partition("=") for one in given.sets):
            judged = []
            for store in stores(Path(folder)):
                search = opened(store, Path(scratch))
                queries = list(read_queries(store / "queries.tsv"))
                judged += [judge(search, query, given.profile, given.lexical) for query in queries]
                if given.tune:
                    measured.setdefault(name, []).extend(measure(search, query) for query in queries)
            print_set(name, judged)
            if given.curve:
                print_curve(name, judged)
    if given.tune:
        print_tuned(measured)


if __name__ == "__main__":
    main()
