"""Stores of any size for benchmarks: memories of every type as a team would write them, the same for the same seed.

    python tests/benchmarks/corpus.py FOLDER --count 1000 [--seed 1] [--git]

makes FOLDER/memory; with `--git` FOLDER is a repository in which two people and an agent committed them over a year.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem.markdown.render import render
from mdmem.memory import TYPES, Memory, MemoryType, Source, Status
from mdmem.store.founding import found_store
from mdmem.store.naming import slug
from mdmem.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TODAY: Final = date(2026, 3, 10)
COMMITS: Final = 50
PEOPLE: Final = (("Ada Tester", "ada@example.org"), ("Bo Li", "bo@example.org"))

PARTS: Final = (
    "pool", "worker", "importer", "parser", "scheduler", "mailer", "exporter", "invoice page", "search box", "cache",
    "login form", "rate limiter", "migration", "seed data", "feature flag", "webhook", "report job", "image resizer",
)  # fmt: skip
TOOLS: Final = ("pytest", "ruff", "make", "docker compose", "alembic", "npm", "terraform", "psql", "redis-cli", "tox")
FACTS: Final = (
    "The {part} reads its settings once, at start.",
    "Two processes may hold the {part} at the same time, and only the first of them may write.",
    "`{tool}` must run before the {part} is built, or it uses last week's schema.",
    "In CI the {part} has two cores and no network.",
    "A retry of the {part} sends everything twice unless the key of the first attempt is kept.",
    "The {part} was slow because it opened one connection a row.",
    "Ask the payments team before the {part} changes its columns.",
    "The {part} takes {number} seconds on a cold machine.",
    "Nobody uses the old {part} since the move to version {number}.",
)
TITLES: Final = {
    MemoryType.DECISION: "Keep the {part} in one process, number {number}",
    MemoryType.LESSON: "Run {tool} before the {part} ({number})",
    MemoryType.COMMAND: "Start the {part} with {tool} on port {number}",
    MemoryType.ENV_QUIRK: "The {part} needs {number} MB on this machine",
    MemoryType.CONVENTION: "Name every {part} after its table, case {number}",
    MemoryType.PREFERENCE: "Small commits for the {part}, at most {number} lines",
    MemoryType.SPEC: "The {part} answers within {number} ms",
    MemoryType.OWNERSHIP: "Team {number} answers for the {part}",
    MemoryType.USER: "Knows {tool} well and the {part} little ({number})",
    MemoryType.FEEDBACK: "Show the plan for the {part} first, round {number}",
    MemoryType.WORKSPACE: "The {part} moves to release {number}",
    MemoryType.REFERENCE: "The {part} is described on wiki page {number}",
}


def iter_memories(count: int, seed: int = 1) -> Iterator[Memory]:
    """`count` memories, types in turn; one in twenty is not active, one in ten has no date."""
    chance = random.Random(seed)
    for number in range(count):
        yield _memory(chance, list(TYPES)[number % len(TYPES)], number)


def _memory(chance: random.Random, kind: MemoryType, number: int) -> Memory:
    words = {"part": chance.choice(PARTS), "tool": chance.choice(TOOLS), "number": number}
    facts = [chance.choice(FACTS).format(**words) for _ in range(chance.randint(1, 5))]
    if chance.random() < 0.4:
        facts.append(f"\n\n**Why:** {chance.choice(FACTS).format(**words)}")
    created = TODAY - timedelta(days=chance.randint(0, 400))
    is_dated = chance.random() < 0.9
    return Memory(
        type=kind,
        title=TITLES[kind].format(**words),
        body=" ".join(facts) + "\n",
        id=f"{number:08}",
        status=chance.choice((Status.STALE, Status.PENDING)) if chance.random() < 0.05 else Status.ACTIVE,
        confidence=round(chance.uniform(0.3, 1), 2),
        topic=f"{slug(words['part'])}/{number}" if chance.random() < 0.5 else "",
        files=(f"src/{slug(words['part'])}.py",) if chance.random() < 0.6 else (),
        source=chance.choice((Source.USER, Source.AGENT, Source.EXTRACTION)),
        created=created if is_dated else None,
        confirmed=created + timedelta(days=(TODAY - created).days // 2) if is_dated and chance.random() < 0.5 else None,
    )


def make_corpus(folder: Path, count: int, seed: int = 1, *, with_git: bool = False) -> Path:
    """Write a store of `count` memories below `folder` and return its root."""
    if with_git:
        folder.mkdir(parents=True, exist_ok=True)
        _git(folder, "init", "-q")
    root = found_store(folder / "memory").root
    paths: dict[Path, None] = {}
    for memory in iter_memories(count, seed):
        path = root / memory.type / f"{slug(memory.title)}.md"
        if path in paths:  # a name holds the first words of a title
            path = path.with_stem(f"{path.stem}-{memory.id}")
        path.parent.mkdir(exist_ok=True)
        path.write_text(render(memory), encoding="utf-8")
        paths[path] = None
    Store(root).sync()
    if with_git:
        _commit_in_turn(folder, list(paths))
    return root


def _commit_in_turn(folder: Path, paths: Sequence[Path]) -> None:
    _git(folder, "config", "user.email", PEOPLE[0][1])
    _git(folder, "config", "user.name", PEOPLE[0][0])
    step = max(1, len(paths) // COMMITS)
    for number, start in enumerate(range(0, len(paths), step)):
        name, email = PEOPLE[number % 2]
        at = f"{TODAY - timedelta(days=365 - number * 7)}T12:00Z"
        _git(folder, "add", "--", *(str(path.relative_to(folder)) for path in paths[start : start + step]))
        _git(folder, "commit", "-q", "-m", f"Memories, part {number}", GIT_AUTHOR_NAME=name, GIT_AUTHOR_EMAIL=email,
             GIT_COMMITTER_NAME=name, GIT_COMMITTER_EMAIL=email, GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)  # fmt: skip
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "The index")


def _git(folder: Path, *args: str, **identity: str) -> None:
    subprocess.run(["git", *args], cwd=folder, check=True, env=os.environ | identity)


def main() -> None:
    """Make a store from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--git", action="store_true")
    given = parser.parse_args()
    print(make_corpus(given.folder, given.count, given.seed, with_git=given.git))


if __name__ == "__main__":
    main()
