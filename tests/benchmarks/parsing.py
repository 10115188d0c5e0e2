"""What reading memories costs: one file, a look at a store where nothing changed or one file did, a first index.

    python tests/benchmarks/parsing.py [--sizes 1000 10000] [--rounds 5]

Prints a Markdown table. A time is that of the processor, the least of all rounds. Each has a floor that is measured
beside it: a bare `stat` of every file for a look, parsing alone and Tantivy alone for the first index (no vectors).
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import frontmatter
from corpus import make_corpus

from mdmem.index import fulltext
from mdmem.index.index import Index
from mdmem.markdown.parse import parse
from mdmem.store.reader import Reader
from mdmem.store.scan import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Row = tuple[str, float, str, float]


def least(task: Callable[[], object], rounds: int, prepare: Callable[[], object] = int) -> float:
    """The least processor time of a task in ms; `prepare` goes before each round and is not counted."""
    best = float("inf")
    for _ in range(rounds):
        prepare()
        began = time.process_time()
        task()
        best = min(best, time.process_time() - began)
    return 1000 * best


def rows(root: Path, rounds: int) -> Iterator[Row]:
    """(what, ms, its floor, ms) for the store at `root`."""
    files = [(file.path, (root / file.path).read_bytes()) for file in scan(root).files]
    parsing = least(lambda: [parse(data, path) for path, data in files], rounds)
    texts = [data.decode() for _, data in files]
    library = least(lambda: [frontmatter.parse(text) for text in texts], rounds)
    yield "parse and judge every file", parsing, "python-frontmatter alone", library
    reader = Reader(root, parse)
    reader.load()
    time.sleep(0.2)
    reader.load()
    bare = least(lambda: [(root / path).stat() for path, _ in files], rounds)
    yield "look, nothing changed", least(reader.etags, rounds), "a `stat` a file", bare
    index = Index(reader)
    index.refresh()
    changed = root / files[0][0]
    yield (
        "look, one file changed, found by words",
        least(index.refresh, rounds, lambda: _touch(changed)),
        "the same",
        bare,
    )
    memories = [(found.path, found.memory) for found in reader.load()]
    words = least(lambda: fulltext.update(fulltext.create(None), memories, ()), 1)
    built = least(lambda: Index(Reader(root, parse)).refresh(), 2, lambda: shutil.rmtree(reader.cache_folder))
    yield "first index", built, "parse, then Tantivy", parsing + words


def _touch(file: Path) -> None:
    file.write_text(f"{file.read_text(encoding='utf-8')}And one more line.\n", encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print("| what | memories | ms | floor | ms | × floor |\n|---|--:|--:|---|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        for size in given.sizes:
            root = make_corpus(Path(temporary) / str(size), size)
            for what, taken, name, floor in rows(root, given.rounds):
                print(f"| {what} | {size:,} | {taken:.1f} | {name} | {floor:.1f} | {taken / floor:.2f} |", flush=True)


if __name__ == "__main__":
    main()
