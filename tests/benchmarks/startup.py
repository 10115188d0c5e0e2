"""What a cold command costs, beside an interpreter that imports the same libraries and looks at the same files.

    python tests/benchmarks/startup.py [--sizes 1000 10000] [--rounds 9]

Prints a Markdown table. A time is that of the processor (user and system), the least of all rounds, since other work
on the machine only makes it longer; rounds are interleaved. The floor of a command is what nobody can save: its
libraries (given below), one `stat` of every file where it answers from the files, and what has to be asked of git:
the store lies in a repository. `search` is given `--lexical`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from corpus import make_corpus

if TYPE_CHECKING:
    from collections.abc import Sequence

BASE: Final = "import click"
READING: Final = "import click, dataclasses, hashlib, json, pathlib, platformdirs, sqlite3, tomllib"
SWEEP: Final = """
import os
waiting = ["memory"]
while waiting:
    with os.scandir(waiting.pop()) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                entry.stat(follow_symlinks=False)
"""
GIT: Final = """
for args in ("rev-parse HEAD", "status --porcelain -z --untracked-files=all -- memory", "config user.email"):
    subprocess.run(["git", *args.split()], capture_output=True)
"""
FLOORS: Final = {
    ("--version",): BASE,
    ("hook", "session-end"): "import dataclasses, hashlib, json, pathlib, platformdirs, subprocess, tomllib",
    ("list",): READING + SWEEP,
    ("status",): f"{READING}, subprocess{SWEEP}",
    ("brief",): f"{READING}, subprocess{SWEEP}{GIT}",
    ("search", "--lexical", "worker"): f"{READING}, tantivy{SWEEP}",
    ("check",): f"{READING}, subprocess, frontmatter, yaml{SWEEP}",
}
"""The commands, each with what an interpreter must do for it."""
TRIES: Final = 20


class Used(NamedTuple):
    """What one run of a command took: processor and wall time in ms, its memory at most in MB."""

    cpu: float
    wall: float
    peak: float


def cost(command: Sequence[str], folder: Path) -> float:
    """The processor time of one run in ms. Raises RuntimeError when it ends in a bug."""
    return used(command, folder).cpu


def used(command: Sequence[str], folder: Path, *, said: str = os.devnull, **environ: str) -> Used:
    """Run a command once; what it says on stderr goes to the file `said`. Raises RuntimeError when it ends in a bug.

    A child counts the memory of the process that starts it as its own: keep that one small.
    """
    streams = ((0, os.devnull), (1, os.devnull), (2, said))
    opened = [
        (os.POSIX_SPAWN_OPEN, number, name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600) for number, name in streams
    ]
    before = Path.cwd()
    os.chdir(folder)
    try:
        began = time.perf_counter()
        process = os.posix_spawn(command[0], command, environment(folder) | environ, file_actions=opened)
    finally:
        os.chdir(before)
    _, status, taken = os.wait4(process, 0)
    wall = 1000 * (time.perf_counter() - began)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} failed")
    peak = taken.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return Used(1000 * (taken.ru_utime + taken.ru_stime), wall, peak)


def used_by_meaning(command: Sequence[str], folder: Path) -> Used:
    """Run a search until the model was quick enough for it: else words alone were compared. Raises RuntimeError."""
    with tempfile.NamedTemporaryFile() as said:
        for _ in range(TRIES):
            taken = used(command, folder, said=said.name)
            if b"the model took longer" not in Path(said.name).read_bytes():
                return taken
    raise RuntimeError("the machine is too busy to compare meaning in time")


def environment(folder: Path) -> dict[str, str]:
    """This process's own, with a fixed clock, a home of its own, and without what would change the answer."""
    mine = ("MDMEM_", "GIT_", "CLAUDE", "CODEX", "XDG_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(mine)}
    return kept | {"MDMEM_NOW": "2026-03-10T12:00:00Z", "HOME": str(folder.parent)}


def least(commands: Sequence[Sequence[str]], folder: Path, rounds: int) -> list[float]:
    """The least cost of each command, after a round that is not counted."""
    best = [float("inf")] * len(commands)
    for turn in range(rounds + 1):
        costs = [cost(command, folder) for command in commands]
        best = [min(pair) for pair in zip(best, costs, strict=True)] if turn else best
    return best


def main() -> None:
    """Measure and print one row a command and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    print("| command | memories | ms | floor, ms | × floor | × `python -c pass` |\n|---|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        for size in given.sizes:
            folder = Path(temporary) / str(size)
            make_corpus(folder, size, with_git=True)
            for args, code in FLOORS.items():
                mdmem, floor = (sys.executable, "-m", "mdmem", *args), (sys.executable, "-c", code)
                taken, bare, nothing = least([mdmem, floor, (sys.executable, "-c", "pass")], folder, given.rounds)
                row = (" ".join(args), f"{size:,}", f"{taken:.0f}", f"{bare:.0f}", f"{taken / bare:.2f}")
                print("|", " | ".join((*row, f"{taken / nothing:.1f}")), "|", flush=True)


if __name__ == "__main__":
    main()
