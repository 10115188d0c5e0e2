"""Extraction without a model against a labelled folder of transcripts, as counts.

    python tests/benchmarks/extraction.py FOLDER

FOLDER holds `labels.tsv` (file, line, kind, words, rule) and the transcripts it names. Kinds: `correction`,
`rejection`, `repeated-error` (its lines with commas), and what only looks like a correction: `not-correction`,
`discussion`. A labelled line counts as found when an episode stands there; a repeated error when one episode holds two
of its lines. Whether a memory says what its `rule` says is for a reader: both are printed side by side.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem.errors import MdmemError
from mdmem.extract.extraction import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mdmem.extract.extraction import Extraction
    from mdmem.store.state import Episode

NOW: Final = datetime(2026, 12, 1, tzinfo=UTC)
SPOKEN: Final = ("correction", "rejection")
REPEATED: Final = "repeated-error"
TALKED: Final = frozenset({"correction", "rejection", "decision", "revocation"})
"""Kinds of episodes that rest on the user's words."""


@dataclass(frozen=True)
class Label:
    """One labelled place."""

    file: str
    lines: tuple[int, ...]
    kind: str
    words: str
    rule: str


TOKEN_CHARACTERS = 4
"""Characters of English and code that make a token, roughly."""


def read_labels(path: Path) -> tuple[Label, ...]:
    """The rows of a labels.tsv."""
    with path.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return tuple(
        Label(row["file"], tuple(map(int, row["line"].split(","))), row["kind"], row["words"] or "", row["rule"] or "")
        for row in rows
    )


def read_all(folder: Path) -> tuple[dict[str, Extraction], dict[str, str]]:
    """Every transcript of a folder by its path there, and why those that could not be read were not."""
    found, unread = {}, {}
    for path in sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.json")]):
        name = path.relative_to(folder).as_posix()
        try:
            found[name] = read(path, NOW)
        except MdmemError as error:
            unread[name] = error.message
    return found, unread


def episode_at(label: Label, runs: Mapping[str, Extraction]) -> Episode | None:
    """The episode that stands where the label does."""
    episodes = runs[label.file].episodes if label.file in runs else ()
    if label.kind == REPEATED:
        return next((one for one in episodes if len(set(one.lines) & set(label.lines)) > 1), None)
    return next((one for one in episodes if one.kind in TALKED and set(one.lines) & set(label.lines)), None)


def report(labels: Sequence[Label], runs: Mapping[str, Extraction]) -> Iterator[str]:
    """The counts, then what a reader has to judge."""
    found = {label: episode_at(label, runs) for label in labels}
    yield from _detection(found)
    yield from _rules(found)
    places = {(label.file, line) for label in labels for line in label.lines}
    unlabelled = [
        (name, one)
        for name, run in runs.items()
        for one in run.episodes
        if one.kind in TALKED and not {(name, line) for line in one.lines} & places
    ]
    yield f"false episodes: {len(unlabelled)}"
    yield from (f"  {name}:{one.lines[0]} {one.kind}: {one.text[:80]}" for name, one in unlabelled)
    ruled = {(label.file, one.memory) for label, one in found.items() if one and label.rule}
    others = [
        (name, memory) for name, run in runs.items() for memory in run.memories if (name, memory.title) not in ruled
    ]
    yield f"memories elsewhere: {len(others)}"
    yield from (f"  {name}: {memory.status} {memory.type}: {memory.title}" for name, memory in others)


def _detection(found: Mapping[Label, Episode | None]) -> Iterator[str]:
    total, hit = Counter(label.kind for label in found), Counter(label.kind for label, one in found.items() if one)
    for kind in total:
        is_wanted = kind in (*SPOKEN, REPEATED)
        yield f"{kind}: {hit[kind]} of {total[kind]} found" + ("" if is_wanted else " (none should be)")
    for label, one in found.items():
        if (one is None) == (label.kind in (*SPOKEN, REPEATED)):
            yield f"  {'missed' if one is None else 'wrong'} {label.file}:{label.lines[0]} {label.kind}: {label.words}"


def _rules(found: Mapping[Label, Episode | None]) -> Iterator[str]:
    rules = [(label, one) for label, one in found.items() if label.rule]
    yield f"rules: {sum(bool(one and one.memory) for _, one in rules)} of {len(rules)} became a memory"
    for label, one in rules:
        yield f"  wanted {label.rule}"
        yield f"  made   {one.memory if one and one.memory else '-'}"


def tokens_line(tokens: Sequence[int]) -> str:
    """What a model would be given of each run: its digest in tokens, by the usual estimate from characters."""
    if not tokens:
        return "no run to ask a model about"
    return f"tokens of digest a run: {sum(tokens) // len(tokens)} on average, {max(tokens)} at most"


def main(folders: Iterable[str] | None = None) -> None:
    """Prints the counts of one folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="holds labels.tsv and the transcripts")
    folder = parser.parse_args(folders if folders is None else list(folders)).folder
    start = time.perf_counter()
    runs, unread = read_all(folder)
    seconds = time.perf_counter() - start
    print(f"{len(runs)} transcripts in {seconds:.2f} s, {len(unread)} not read")
    for name, reason in unread.items():
        print(f"  {name}: {reason}")
    print(tokens_line([len(run.digest) // TOKEN_CHARACTERS for run in runs.values() if run.extract]))
    for line in report(read_labels(folder / "labels.tsv"), runs):
        print(line)


if __name__ == "__main__":
    main()
