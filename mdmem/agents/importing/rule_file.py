"""CLAUDE.md, AGENTS.md, GEMINI.md and their kin: one memory for each item or paragraph that states a rule."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from mdmem.agents.importing.draft import Draft, SourceFile, draft, plain
from mdmem.agents.importing.outline import blocks
from mdmem.agents.importing.ruling import states_rule
from mdmem.memory import MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdmem.agents.importing.outline import Block

KIND: Final = "rules"
NAMES: Final = frozenset(
    {"claude.md", "claude.local.md", "agents.md", "gemini.md", "copilot-instructions.md", ".cursorrules"}
)
COMMAND: Final = re.compile(r"`(?:\./)?[a-z][\w.-]*(?: [^`]+)?`")
COMMANDS: Final = re.compile(r"\b(?:commands?|build|run(?:ning)?|scripts?|quick ?start|development)\b", re.IGNORECASE)


def accepts(files: Sequence[SourceFile]) -> bool:
    """Whether the files are named as agents look for their instructions."""
    return bool(files) and all(PurePosixPath(file.path).name.casefold() in NAMES for file in files)


def read(files: Sequence[SourceFile]) -> Iterator[Draft]:
    """A draft for each rule; its headings become tags, without the file's own title."""
    for file in files:
        for block in blocks(file.text):
            if found := from_block(KIND, file, block):
                yield found


def from_block(kind: str, file: SourceFile, block: Block, files: Sequence[str] = (), tags: Sequence[str] = (),
               first_line: int = 0) -> Draft | None:  # fmt: skip
    """The draft of one item or paragraph; None for what states no rule and shows no command."""
    said = plain(block.text)
    is_command = bool(block.is_item and COMMAND.search(block.text) and COMMANDS.search(block.heading))
    if not (states_rule(said) or is_command):
        return None
    name = PurePosixPath(file.path).name
    return draft(
        kind,
        file,
        block.line + first_line,
        block.text,
        type=MemoryType.COMMAND if is_command else MemoryType.CONVENTION,
        context=f"Stands under “{plain(block.heading)}” in {name}." if block.heading else f"Stands in {name}.",
        files=files,
        tags=(*tags, *block.headings[1:]) if len(block.headings) > 1 else (*tags, *block.headings),
    )
