"""What reading memories costs: one file, a look at a store where nothing changed or one file did, a first index.

    python tests/benchmarks/parsing.py [--sizes 1000 10000] [--rounds 5]

Prints a Markdown table. A time is that of the processor, the least of all rounds. Each has a floor that is measured
beside it: a bare `stat` of every file for a look; for the first index (no vectors) the libraries alone, which is
python-frontmatter over the same texts, and Tantivy that adds them as they are and commits.
"""

from __future__ import annotations

import argparse
import gc
import shutil
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import frontmatter
import tantivy
from corpus import make_corpus

from mdmem.__main__ import CYCLES
from mdmem.index.fulltext import FIELDS
from mdmem.index.index import Index
from mdmem.markdown.parse import parse
from mdmem.store.check import check
from mdmem.store.reader import Reader
from mdmem.store.scan import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
    checked = least(lambda: check(root, datetime(2026, 3, 10, tzinfo=UTC)), rounds)
    yield "check a store", checked, "the same", library
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
    built = least(lambda: Index(Reader(root, parse)).refresh(), rounds, lambda: shutil.rmtree(reader.cache_folder))
    yield "first index", built, "python-frontmatter and Tantivy alone", least(lambda: _index_barely(texts), rounds)


def _index_barely(texts: Iterable[str]) -> None:
    """What the two libraries take: each file parsed, its texts put into fields as they are, and a commit to disk."""
    builder = tantivy.SchemaBuilder()
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="en_stem")
    with tempfile.TemporaryDirectory() as folder:
        writer = tantivy.Index(builder.build(), folder).writer()
        for text in texts:
            metadata, body = frontmatter.parse(text)
            values = {field: str(metadata.get(field, "")) for field in FIELDS} | {"body": body}
            writer.add_document(tantivy.Document(**values))
        writer.commit()
        writer.wait_merging_threads()


def _touch(file: Path) -> None:
    file.write_text(f"{file.read_text(encoding='utf-8')}And one more line.\n", encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    gc.set_threshold(CYCLES)  # as in every command
    print("| what | memories | ms | floor | ms | × floor |\n|---|--:|--:|---|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        for size in given.sizes:
            root = make_corpus(Path(temporary) / str(size), size)
            for what, taken, name, floor in rows(root, given.rounds):
                print(f"| {what} | {size:,} | {taken:.1f} | {name} | {floor:.1f} | {taken / floor:.2f} |", flush=True)


if __name__ == "__main__":
    main()
