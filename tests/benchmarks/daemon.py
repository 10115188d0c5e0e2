"""What the watcher gives and costs: warm answers, how soon a change is found, idle CPU.

    python tests/benchmarks/daemon.py [--sizes 1000 10000] [--rounds 21] [--idle 30] [--lexical] [--without-git]

Prints Markdown tables. The store is committed to a git repository, unless `--without-git` says otherwise, and has its
vectors, unless `--lexical` does without a model. A time is the wall time of a whole client process, the least of all
rounds, which are interleaved; its ratio is to `python -c pass` in the same rounds. The processor's time is that of
the client and of the watcher together. The table of changes holds what is asked right after one file was changed, and
what that takes more than when nothing was. The watcher's own time for a change is that from the end of the wait for
further events to an index that has it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from corpus import make_corpus
from startup import environment, used

from mdmem.watch.burst import QUIET_SECONDS
from mdmem.watch.service import REST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

NOTHING: Final = (sys.executable, "-c", "pass")
CLIENT: Final = (sys.executable, "-c", "from mdmem.__main__ import main; main()")
"""What the installed command does."""
DIRECT: Final = (sys.executable, "-c", "from mdmem.cli.main import main; main()")
QUERIES: Final = ("pool hangs", "who answers for the importer", "alembic migration port", "release of the mailer")
WORDS: Final = {"MDMEM_EMBEDDING_PATH": "none"}
SETTLED_SECONDS: Final = 2 * QUIET_SECONDS + 0.3
"""After so long the watcher has looked at a change by itself."""


class Times(NamedTuple):
    """Wall time, and the processor's in client and watcher, in ms."""

    wall: float
    cpu: float


class Watched:
    """A store with its watcher; `environ` is added to that of every command."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.folder = folder
        self.environ = environ
        self.run("sync")
        self.run("watch", "--daemon")
        self.pid = int(self.status()["pid"])

    def run(self, *args: str) -> str:
        """What a command prints that asks no watcher."""
        environ = environment(self.folder) | self.environ
        done = subprocess.run([*DIRECT, *args], cwd=self.folder, check=True, capture_output=True, env=environ)
        return done.stdout.decode()

    def status(self) -> dict[str, float]:
        """How the watcher says it is."""
        found: dict[str, float] = json.loads(self.run("watch", "--status", "--json"))
        return found

    def answers(self) -> int:
        """How many answers it gave: it says so after it has looked at a file that was touched."""
        (self.folder / "memory/MEMORY.md").touch()
        touched = time.monotonic()
        while (now := self.status())["heartbeat_age"] > time.monotonic() - touched - QUIET_SECONDS:
            time.sleep(QUIET_SECONDS)
        return int(now["answers"])

    def times(self, command: Sequence[str]) -> Times:
        """Run a command once."""
        before = cpu_ms(self.pid)
        taken = used(command, self.folder, **self.environ)
        return Times(taken.wall, taken.cpu + cpu_ms(self.pid) - before)


def cpu_ms(pid: int) -> float:
    """What a process has used of the processor, as exactly as the system tells."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e6


def least(rounds: Sequence[Times]) -> Times:
    """The least of each."""
    return Times(min(one.wall for one in rounds), min(one.cpu for one in rounds))


def table(*head: str) -> Callable[..., None]:
    """Print the head of a table; what prints its rows."""
    print("\n| " + " | ".join(head) + " |\n|---" + "|--:" * (len(head) - 1) + "|")
    return lambda *cells: print("| " + " | ".join(cells) + " |", flush=True)


def asked(args: Sequence[str], turn: int) -> tuple[str, ...]:
    """The arguments of a command with another query each turn."""
    return tuple(QUERIES[turn % len(QUERIES)] if word == "QUERY" else word for word in args)


def warm(watched: Watched, rounds: int) -> None:
    """Print what each command takes, through the watcher and without it."""
    cases = {
        "`python -c pass`": NOTHING,
        "brief": (*CLIENT, "brief"),
        "search by words": (*CLIENT, "search", "--lexical", "QUERY"),
        "search by words and meaning": (*CLIENT, "search", "QUERY"),
        "brief without the watcher": (*DIRECT, "brief"),
        "search without the watcher": (*DIRECT, "search", "QUERY"),
    }
    answered = watched.answers()
    times: dict[str, list[Times]] = {name: [] for name in cases}
    for turn in range(rounds + 1):
        for name, command in cases.items():
            times[name].append(watched.times(asked(command, turn)))
    given, wanted = watched.answers() - answered, 3 * (rounds + 1)
    assert given > wanted / 2, "the watcher was too slow to be waited for"
    best = {name: least(some[1:]) for name, some in times.items()}
    nothing = next(iter(best.values()))
    row = table("command", "ms", "× pass", "processor, ms", "× pass")
    for name, one in best.items():
        numbers = (one.wall, one.wall / nothing.wall, one.cpu, one.cpu / nothing.cpu)
        row(name, *(f"{number:.{1 + i % 2}f}" for i, number in enumerate(numbers)))
    if given < wanted:
        print(f"\n{wanted - given} of {wanted} questions were not answered in time: the machine is busy.")


def changes(watched: Watched, root: Path, rounds: int) -> None:
    """Print what it takes to find what was just changed, and how long the watcher needs by itself."""
    file = next(root.glob("lesson/*.md"))
    text = file.read_text(encoding="utf-8")

    def change() -> Iterator[str]:
        for turn in range(rounds):
            word = f"zebra{turn}x"
            file.write_text(f"{text}\n{word}\n", encoding="utf-8")
            yield word
            time.sleep(SETTLED_SECONDS)

    def compared(args: Sequence[str]) -> tuple[Times, Times]:
        first, second = [], []
        for word in change():
            command = [*CLIENT, *(word if arg == "QUERY" else arg for arg in args)]
            first.append(watched.times(command))
            second.append(watched.times(command))
        return least(first), least(second)

    row = table("asked right after one file changed", "ms", "processor, ms", "more than unchanged, ms", "of processor")
    for name, args in {"search by words": ("search", "--lexical", "QUERY"), "brief": ("brief",)}.items():
        new, same = compared(args)
        row(name, *(f"{number:.1f}" for number in (*new, new.wall - same.wall, new.cpu - same.cpu)))
    own = []
    for word in change():
        time.sleep(SETTLED_SECONDS)
        own.append(watched.status()["lag_ms"] - 1000 * QUIET_SECONDS)
        assert word in watched.run("search", "--lexical", "--json", word), "the change was not found"
    print(f"\nThe watcher by itself: {min(own):.0f} ms after its wait of {1000 * QUIET_SECONDS:g} ms.")
    file.write_text(text, encoding="utf-8")


def idle(watched: Watched, seconds: float) -> None:
    """Print the CPU that a watcher uses while nothing happens, once it has embedded what was new."""
    time.sleep(2 * REST_SECONDS)
    before = cpu_ms(watched.pid)
    time.sleep(seconds)
    taken = cpu_ms(watched.pid) - before
    print(f"\nIdle for {seconds:g} s: {taken:.0f} ms of processor time, {taken / seconds / 10:.2f} %.")


def measure(size: int, top: Path, given: argparse.Namespace) -> None:
    """Make a store and a watcher, and print all figures of this size."""
    folder = top / str(size) / "project"
    root = make_corpus(folder, size, with_git=not given.without_git)
    watched = Watched(folder, **(WORDS if given.lexical else {}))
    where = "no repository" if given.without_git else "a git repository"
    print(f"\n{size:,} memories in {where}:")
    try:
        warm(watched, given.rounds)
        changes(watched, root, max(3, given.rounds // 3))
        idle(watched, given.idle)
    finally:
        watched.run("watch", "--stop")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--idle", type=float, default=30.0)
    parser.add_argument("--lexical", action="store_true")
    parser.add_argument("--without-git", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for size in given.sizes:
            measure(size, Path(temporary), given)


if __name__ == "__main__":
    main()
