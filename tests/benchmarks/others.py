"""mdmem beside other tools over the same files with the same queries: time, space, and how much is found.

    python tests/benchmarks/others.py [FOLDER QUERIES] [--count 1000] [--queries 100]

FOLDER holds memories, QUERIES is a TSV with the columns `query` and `relevant` (paths in FOLDER, `,` between; `;`
between groups of which one path will do). Without them `--count` memories are made up, and the words of a title must
find its memory. At most `--queries` of those that have an answer are asked, spread over the file.

Prints a Markdown table. Each tool is used as its own documentation says, in the best of its ways that needs no network
and no model that has to be downloaded; it gets a copy of the files and a home of its own. Times are those of the
processor: all that is done once before the first query, and the median query, each in a process of its own. The size
is what the tool wrote. R@5 is the share of what was wanted among the first five. A tool that is not on PATH is skipped.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Final, NamedTuple

from corpus import make_corpus
from startup import environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TOP: Final = 5
STORE: Final = "memory"
"""The name of the folder of files, below the one in which a tool is run."""
NO_MEMORIES: Final = ("MEMORY.md", "INDEX.md")
FTS_INDEX: Final = f"""
import pathlib, sqlite3
db = sqlite3.connect("home/fts.sqlite")
db.execute("CREATE VIRTUAL TABLE memory USING fts5(path UNINDEXED, text, tokenize='porter')")
for file in pathlib.Path("{STORE}").rglob("*.md"):
    db.execute("INSERT INTO memory VALUES (?, ?)", (str(file), file.read_text(encoding="utf-8")))
db.commit()
"""
FTS_QUERY: Final = f"""
import re, sqlite3, sys
words = " OR ".join('"' + word + '"' for word in re.findall(r"\\w+", sys.argv[1]))
db = sqlite3.connect("home/fts.sqlite")
for row in db.execute("SELECT path FROM memory WHERE memory MATCH ? ORDER BY rank LIMIT {TOP}", (words,)):
    print(row[0])
"""


class Asked(NamedTuple):
    """A query, and what it must find: of each group one path."""

    text: str
    wanted: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Tool:
    """Another program: commands that are run once, one a query, and how its output names files, best first."""

    name: str
    program: str
    install: str
    prepare: tuple[tuple[str, ...], ...]
    query: Callable[[str], tuple[str, ...]]
    paths: Callable[[str], Iterable[str]]


def words(text: str) -> list[str]:
    """The words of a query."""
    return list(dict.fromkeys(re.findall(r"\w+", text)))


def counted(output: str) -> list[str]:
    """The files of ripgrep's counts, most first: it has no order of its own."""
    pairs = (line.rpartition(":") for line in output.splitlines())
    return [path for path, _, _ in sorted(pairs, key=lambda pair: (-int(pair[2]), pair[0]))]


def ripgrep(text: str) -> tuple[str, ...]:
    """Any of the words, in whatever case."""
    return ("rg", "--ignore-case", "--fixed-strings", "--count-matches", *(f"--regexp={word}" for word in words(text)),
            STORE)  # fmt: skip


def named(key: str) -> Callable[[str], Iterable[str]]:
    """The files that a JSON list of results names under a key."""
    return lambda output: [str(one[key]) for one in json.loads(output or "[]")]


MDMEM: Final = (sys.executable, "-m", "mdmem", "--dir", STORE)
PYTHON: Final = (sys.executable, "-c")
TOOLS: Final = (
    Tool("mdmem", sys.executable, "", ((*MDMEM, "sync"),), lambda text: (*MDMEM, "search", "--json", "--", text),
         lambda output: [one["path"] for one in json.loads(output)["hits"]]),
    Tool("mdmem --lexical", sys.executable, "", ((*MDMEM, "search", "--lexical", "a"),),
         lambda text: (*MDMEM, "search", "--lexical", "--json", "--", text),
         lambda output: [one["path"] for one in json.loads(output)["hits"]]),
    Tool("ripgrep", "rg", "apt-get install ripgrep", (), ripgrep, counted),
    Tool("SQLite FTS5, porter, bm25", sys.executable, "", ((*PYTHON, FTS_INDEX),),
         lambda text: (*PYTHON, FTS_QUERY, text), str.splitlines),
    Tool("qmd search", "qmd", "npm install -g @tobilu/qmd (Node.js 22)",
         (("qmd", "collection", "add", STORE, "--name", STORE),),
         lambda text: ("qmd", "search", "--format", "json", "-n", str(TOP), "--", text), named("file")),
    Tool("memtomem, preset minimal", "mm", "pip install memtomem (Python 3.12)",
         (("mm", "init", "--non-interactive", "--preset", "minimal", "--memory-dir", STORE, "--mcp", "skip"),
          ("mm", "index", STORE)),
         lambda text: ("mm", "search", "--json", "-k", str(TOP), "--", text), named("source")),
)  # fmt: skip


def run(command: Sequence[str], folder: Path) -> tuple[float, str]:
    """(processor time in ms, output) of one run, whatever it ends in."""
    program = shutil.which(command[0]) or command[0]
    environ = environment(folder) | {"HOME": str(folder / "home"), "PWD": str(folder)}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(
            [program, *command[1:]], cwd=folder, env=environ,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        _, status, taken = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return 1000 * (taken.ru_utime + taken.ru_stime), output.read()


def recall(paths: Iterable[str], asked: Asked) -> float:
    """The share of what was wanted among the first five."""
    found = {re.sub(rf"^.*?{STORE}/", "", path) if STORE in path else path for path in [*paths][:TOP]}
    return mean(bool(group & found) for group in asked.wanted)


def size_of(folder: Path) -> float:
    """Megabytes of all that is not a memory."""
    files = [one for top in (folder / "home", folder / STORE / ".mdmem") for one in top.rglob("*") if one.is_file()]
    return sum(one.stat().st_size for one in files) / 1e6


def row(tool: Tool, folder: Path, queries: Sequence[Asked]) -> tuple[str, ...]:
    """What a tool takes and finds."""
    began = sum(run(command, folder)[0] for command in tool.prepare)
    run(tool.query(queries[0].text), folder)
    size, times, found = size_of(folder), [], []
    for asked in queries:
        taken, output = run(tool.query(asked.text), folder)
        times.append(taken)
        found.append(recall(tool.paths(output), asked) if output.strip() else 0.0)
    return f"{began / 1000:.1f}", f"{median(times):.0f}", f"{size:.1f}", f"{mean(found):.2f}"


def read_queries(file: Path) -> Iterator[Asked]:
    """The queries of a TSV that have an answer."""
    with file.open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            wanted = line["relevant"] or ""
            groups = (
                [one.split(",") for one in wanted.split(";")] if ";" in wanted else [[o] for o in wanted.split(",")]
            )
            if wanted:
                text = " ".join(line["query"].replace("\\n", " ").split())
                yield Asked(text, tuple(frozenset(filter(None, group)) for group in groups))


def known_items(root: Path) -> Iterator[Asked]:
    """The words of titles, each with its memory's path."""
    for path in sorted(root.rglob("*.md")):
        title = re.search(r"^title: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        if title and "status:" not in path.read_text(encoding="utf-8"):
            yield Asked(" ".join(words(title[1])), (frozenset({path.relative_to(root).as_posix()}),))


def main() -> None:
    """Measure and print a row a tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--queries", type=int, default=100)
    given = parser.parse_args()
    print("| tool | before, s | query, ms | size, MB | R@5 |\n|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        source = given.folder or make_corpus(Path(temporary) / "made", given.count)
        found = list(read_queries(given.file) if given.file else known_items(source))
        queries = found[:: max(1, len(found) // given.queries)][: given.queries]
        for number, tool in enumerate(TOOLS):
            if not shutil.which(tool.program):
                print(f"| {tool.name} | not installed: `{tool.install}` | | | |")
                continue
            folder = Path(temporary) / str(number)
            shutil.copytree(source, folder / STORE, ignore=shutil.ignore_patterns(".mdmem", *NO_MEMORIES))
            (folder / "home").mkdir()
            print("|", " | ".join((tool.name, *row(tool, folder, queries))), "|", flush=True)


if __name__ == "__main__":
    main()
