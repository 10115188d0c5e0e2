"""How long the store takes: load, add, sync and check at 1,000 and 10,000 memories (100,000 with --huge).

    python tests/benchmarks/store.py [--huge] [--runs 5]

Prints medians in ms and their ratio to the first size; each run has a store of its own, as a command has.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.corpus import make_corpus
from mdmem.store.caller import Caller
from mdmem.store.check import check
from mdmem.store.store import Store
from support.memories import NOW, draft

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES: Final = (1_000, 10_000)
HUGE: Final = 100_000


def tasks(root: Path) -> dict[str, Callable[[int], object]]:
    """What is timed, by name; each takes the number of the run."""
    file = min(root.glob("lesson/*.md"))

    def change_one(number: int) -> object:
        file.write_text(f"{file.read_text(encoding='utf-8')}Run {number}.\n", encoding="utf-8")
        return Store(root).load()

    def add_one(number: int) -> object:
        return Store(root).add(draft(f"A lesson of run {number}", "Text."), caller=Caller.USER, now=NOW)

    def load_cold(number: int) -> object:
        (root / ".mdmem/cache/memories.sqlite").unlink()
        return Store(root).load()

    return {
        "load, unchanged": lambda _: Store(root).load(),
        "look, unchanged": lambda _: Store(root).etags(),
        "load, one changed": change_one,
        "load, no cache": load_cold,
        "add one": add_one,
        "sync": lambda _: Store(root).sync(),
        "check": lambda _: check(root, NOW),
    }


def timed(task: Callable[[int], object], runs: int) -> float:
    """The median of so many runs, in ms."""
    times = []
    for number in range(runs):
        began = time.perf_counter()
        task(number)
        times.append((time.perf_counter() - began) * 1000)
    return median(times)


def main() -> None:
    """Make the stores, time the tasks, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--huge", action="store_true", help=f"with {HUGE:,} memories too")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    sizes = (*SIZES, HUGE) if given.huge else SIZES
    results: dict[str, list[float]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            for name, task in tasks(make_corpus(Path(folder), size)).items():
                results.setdefault(name, []).append(timed(task, given.runs))
    print(f"{'':20}" + "".join(f"{size:>12,}" for size in sizes) + "       ratio")
    for name, times in results.items():
        print(f"{name:20}" + "".join(f"{one:>9,.0f} ms" for one in times) + f"{times[-1] / times[0]:>12.1f}")


if __name__ == "__main__":
    main()
