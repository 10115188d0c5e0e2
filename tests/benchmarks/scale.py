"""What commands take on a very large store: processor time, wall time, and memory at most.

    python tests/benchmarks/scale.py [--sizes 10000 100000] [--git] [--embedded 2000] [--rounds 3]

Prints a Markdown table, a row a command and size. Each number is the least of all rounds, but for what is done once:
the first command reads, judges and indexes every file. With `--git` the files are committed. Embedding so many texts
takes long, and all the same for each, so that it is measured on another store (`--embedded` memories); vectors of the
large one are random, in the files that mdmem makes of real ones.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

from startup import Used, used, used_by_meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MDMEM: Final = (sys.executable, "-m", "mdmem")
WORDS: Final = {"MDMEM_EMBEDDING_PATH": "none"}
QUERY: Final = "the worker sends a retry twice"


def make(folder: Path, count: int, *, with_git: bool) -> None:
    """Write a store that no command has seen yet, in a process of its own."""
    from corpus import make_corpus

    (make_corpus(folder, count, with_git=with_git) / ".mdmem/cache/memories.sqlite").unlink()


def make_vectors(folder: Path) -> None:
    """Give every memory of a store a random vector, as if the model had made it."""
    import numpy as np

    from mdmem.index import vectors
    from mdmem.index.vector_files import root_of
    from mdmem.project import Project

    project = Project.open(folder / "memory")
    store, model = project.readers[0], project.model_choice.model
    assert model is not None
    etags = sorted(set(store.etags().values()))
    rows = np.random.default_rng(1).standard_normal((len(etags), model.shape.dimension)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    named = b"".join(bytes.fromhex(etag) + bytes.fromhex(etag) for etag in etags)
    vectors.publish(root_of(store), vectors.Matrix(rows, named), model.digest)


def apart(work: Callable[..., None], *args: object, **options: object) -> None:
    """Do something in another process, since a child of this one counts its memory as its own."""
    process = get_context("spawn").Process(target=work, args=args, kwargs=options)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)


def least(
    command: Sequence[str],
    folder: Path,
    rounds: int,
    before: Callable[[], object] | None = None,
    run: Callable[[Sequence[str], Path], Used] = used,
) -> Used:
    """The least of each figure over all rounds."""
    taken = []
    for _ in range(rounds):
        if before:
            before()
        taken.append(run((*MDMEM, *command), folder))
    return Used(*map(min, zip(*taken, strict=True)))


def rows_of(folder: Path, rounds: int) -> Iterator[tuple[str, Used]]:
    """What each command takes in a store that no command has seen yet."""
    words, meaning = ("search", "--lexical", QUERY), ("search", QUERY)
    file = min((folder / "memory/lesson").glob("*.md"))

    def change() -> None:
        file.write_text(f"{file.read_text(encoding='utf-8')}One more line.\n", encoding="utf-8")

    yield "search by words, nothing read yet", least(words, folder, 1)
    yield "brief, for the first time", least(("brief",), folder, 1)
    apart(make_vectors, folder)
    yield "search by words, nothing changed", least(words, folder, rounds)
    yield "search by words, one file changed", least(words, folder, rounds, change)
    yield "search by words and meaning", least(meaning, folder, rounds, run=used_by_meaning)
    for command in ("brief", "list", "status", "sync", "check"):
        yield command, least((command,), folder, rounds)
    yield "add", least(("add", "lesson", "Close every pool", "--body", "A pool that stays open leaks."), folder, 1)


def embedding(folder: Path) -> Used:
    """What it takes to embed a store that is indexed already."""
    used((*MDMEM, "sync"), folder, **WORDS)
    return used((*MDMEM, "sync"), folder)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--git", action="store_true")
    parser.add_argument("--embedded", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print("| command | memories | processor, s | wall, s | memory, MB |\n|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        for size in given.sizes:
            folder = Path(temporary) / str(size)
            apart(make, folder, size, with_git=given.git)
            for name, taken in rows_of(folder, given.rounds):
                show(name, size, taken)
        if given.embedded:
            folder = Path(temporary) / "embedded"
            apart(make, folder, given.embedded, with_git=False)
            show("sync, every memory embedded", given.embedded, embedding(folder))


def show(name: str, size: int, taken: Used) -> None:
    """Print a row."""
    figures = (f"{taken.cpu / 1000:.2f}", f"{taken.wall / 1000:.2f}", f"{taken.peak:.0f}")
    print("|", " | ".join((name, f"{size:,}", *figures)), "|", flush=True)


if __name__ == "__main__":
    main()
