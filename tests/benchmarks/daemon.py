"""What the watcher costs and gives: warm answers, idle CPU, how soon a change can be found.

    python tests/benchmarks/daemon.py [--sizes 1000 10000] [--runs 21] [--idle 30] [--lexical]

Each time is that of a whole client process, beside `python -c pass` measured in turn with it: the ratio compares
across machines and loads. With `--lexical` no model is used.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpus import make_corpus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOTHING: Final = (sys.executable, "-c", "pass")
CLIENT: Final = (sys.executable, "-c", "from mdmem.__main__ import main; main()")
DIRECT: Final = (sys.executable, "-c", "from mdmem.cli.main import main; main()")
QUERIES: Final = ("pool hangs", "who answers for the importer", "alembic migration port", "release of the mailer")


def timed(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> float:
    """Wall time of a command in milliseconds."""
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env=environ)
    return 1000 * (time.perf_counter() - began)


def compare(cases: Mapping[str, Sequence[str]], folder: Path, environ: Mapping[str, str], runs: int) -> None:
    """Print the median of each case, and its ratio to the first, all measured in turn."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for run in range(runs + 1):
        for name, command in cases.items():
            words = [QUERIES[run % len(QUERIES)] if word == "QUERY" else word for word in command]
            times[name].append(timed(words, folder, environ))
    medians = {name: statistics.median(values[1:]) for name, values in times.items()}
    nothing = next(iter(medians.values()))
    for name, value in medians.items():
        print(f"  {name:34} {value:8.1f} ms {value / nothing:6.2f} × pass")


def cpu_seconds(pid: int) -> float:
    """User and system time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle(pid: int, seconds: float) -> None:
    """Print the CPU that a watcher uses while nothing happens."""
    before = cpu_seconds(pid)
    time.sleep(seconds)
    used = cpu_seconds(pid) - before
    print(f"  idle for {seconds:g} s: {used:.2f} s of CPU, {100 * used / seconds:.2f} %")


def one_change(root: Path, folder: Path, environ: Mapping[str, str], runs: int) -> None:
    """Print how long the answer takes that is asked for right after one file was changed."""
    file = next(root.glob("lesson/*.md"))
    text = file.read_text(encoding="utf-8")
    times = []
    for run in range(runs):
        word = f"zebra{run}x"
        file.write_text(f"{text}\n{word}\n", encoding="utf-8")
        began = time.perf_counter()
        done = subprocess.run(
            [*CLIENT, "search", "--lexical", word], cwd=folder, check=True, capture_output=True, env=environ
        )
        times.append(1000 * (time.perf_counter() - began))
        assert done.stdout, "the change was not found"
        time.sleep(0.5)
    print(f"  {'one file changed, then searched':34} {statistics.median(times):8.1f} ms, client included")


def measure(size: int, top: Path, given: argparse.Namespace) -> None:
    """Make a store and a watcher, and print all figures of this size."""
    folder = top / str(size)
    home = top / f"home{size}"
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("MDMEM_", "GIT_", "XDG_"))}
    environ |= {"HOME": str(home), "MDMEM_NOW": "2026-03-10T12:00:00Z"}
    home.mkdir()
    if given.lexical:
        environ["MDMEM_EMBEDDING_PATH"] = "hash"
    root = make_corpus(folder, size)
    subprocess.run([*DIRECT, "sync"], cwd=folder, check=True, capture_output=True, env=environ)
    subprocess.run([*DIRECT, "watch", "--daemon"], cwd=folder, check=True, capture_output=True, env=environ)
    status = subprocess.run([*DIRECT, "watch", "--status"], cwd=folder, check=True, capture_output=True, env=environ)
    print(f"{size:,} memories: {status.stdout.decode().strip()}")
    how = ("--lexical",) if given.lexical else ()
    cases = {
        "python -c pass": NOTHING,
        "search through the watcher": (*CLIENT, "search", *how, "QUERY"),
        "search --lexical": (*CLIENT, "search", "--lexical", "QUERY"),
        "brief through the watcher": (*CLIENT, "brief"),
        "search without it": (*DIRECT, "search", *how, "QUERY"),
        "brief without it": (*DIRECT, "brief"),
    }
    try:
        compare(cases, folder, environ, given.runs)
        one_change(root, folder, environ, given.runs // 2)
        idle(int(status.stdout.split(b"pid ")[1].split(b",")[0]), given.idle)
    finally:
        subprocess.run([*DIRECT, "watch", "--stop"], cwd=folder, check=True, capture_output=True, env=environ)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--idle", type=float, default=30.0)
    parser.add_argument("--lexical", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for size in given.sizes:
            measure(size, Path(temporary), given)


if __name__ == "__main__":
    main()
