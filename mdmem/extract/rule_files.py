"""What a project's rule files say already: the files that agents read as their instructions, line by line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.extract.transcripts.injected import BRIEF

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROJECT_FILES: Final = (
    "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "AGENTS.override.md", "GEMINI.md",
    ".cursorrules", ".cursor/rules/*.mdc", ".cursor/rules/*.md", ".claude/rules/*.md",
    ".github/copilot-instructions.md",
)  # fmt: skip
STORE_FILES: Final = ("agent-rules.md", "rules/*.md")
SIZE: Final = 200_000
"""A file of more characters is no list of rules."""
ITEM: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)]|#+|>)?\s*(?:\[[ x]\]\s*)?")
SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
LEAST: Final = 8
"""Characters of the shortest rule."""


class Line(NamedTuple):
    """A sentence of a rule file: its text, the file as a person names it, and the line it begins on."""

    text: str
    file: str
    line: int


def read_lines(root: Path) -> tuple[Line, ...]:
    """What the rule files beside and in the store at `root` say; files that can't be read are passed over.

    Recalled memories that are mirrored between marks in such a file are not what the file says.
    """
    places = [(root.parent, pattern) for pattern in PROJECT_FILES] + [(root, pattern) for pattern in STORE_FILES]
    found = ((path, path.relative_to(base).as_posix()) for base, pattern in places for path in _matching(base, pattern))
    return tuple(line for path, name in found for line in _lines(path, name))


def _matching(base: Path, pattern: str) -> Iterator[Path]:
    paths = sorted(base.glob(pattern)) if "*" in pattern else [base / pattern]
    yield from (path for path in paths if path.is_file())


def _lines(path: Path, name: str) -> Iterator[Line]:
    try:
        text = disk.read(path).decode("utf-8", "replace")
    except (MdmemError, FileNotFoundError):
        return
    if len(text) > SIZE:
        return
    bare = BRIEF.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(bare.splitlines(), 1):
        for sentence in SENTENCE.split(ITEM.sub("", line)):
            if len(sentence.strip()) >= LEAST:
                yield Line(sentence.strip(), name, number)
