"""How long a cold `mdmem brief` takes, as medians and as ratios to an interpreter that does nothing.

    python tests/benchmarks/brief.py [--sizes 1000 10000] [--runs 11]

A ratio compares across machines; the second yardstick imports the libraries that any command needs and no more.
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
    from collections.abc import Sequence

NOTHING: Final = (sys.executable, "-c", "pass")
LIBRARIES: Final = (
    sys.executable,
    "-c",
    "import click, frontmatter, yaml, platformdirs, sqlite3, json, subprocess, tomllib, dataclasses",
)


def median(command: Sequence[str], folder: Path, runs: int) -> float:
    """Median wall time of a command in milliseconds, after one run that is not counted."""
    times = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, capture_output=True, env=environment())
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times[1:])


def environment() -> dict[str, str]:
    """This process's own, with a fixed clock and without the variables that would change the answer."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MDMEM_", "GIT_"))}
    return kept | {"MDMEM_NOW": "2026-03-10T12:00:00Z"}


def main() -> None:
    """Measure and print one line a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--runs", type=int, default=11)
    given = parser.parse_args()
    brief = (sys.executable, "-m", "mdmem", "brief")
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(temporary)
        nothing, libraries = (median(command, top, given.runs) for command in (NOTHING, LIBRARIES))
        rows = [("python -c pass", nothing), ("python, libraries", libraries)]
        for size in given.sizes:
            for name, with_git in (("files", False), ("git", True)):
                folder = top / f"{size}-{name}"
                make_corpus(folder, size, with_git=with_git)
                rows.append((f"brief, {size:,} ({name})", median(brief, folder, given.runs)))
        for label, value in rows:
            print(f"{label:26} {value:8.1f} ms {value / nothing:6.1f} × pass {value / libraries:6.1f} × libraries")


if __name__ == "__main__":
    main()
