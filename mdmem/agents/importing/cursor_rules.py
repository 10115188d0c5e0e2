"""Rules of Cursor (.mdc): one memory for each rule in a file; its globs are the files that it is about."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from mdmem.agents.importing import foreign
from mdmem.agents.importing.draft import Draft, SourceFile, draft
from mdmem.agents.importing.outline import blocks
from mdmem.agents.importing.rule_file import from_block
from mdmem.agents.owned import SIGN
from mdmem.memory import MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KIND: Final = "cursor-rules"
ALWAYS: Final = "always"


def accepts(files: Sequence[SourceFile]) -> bool:
    """Whether the files end in .mdc."""
    return any(file.path.endswith(".mdc") for file in files)


def read(files: Sequence[SourceFile]) -> Iterator[Draft]:
    """A draft for each item that states a rule; for a file without such items one draft for the whole."""
    for file in files:
        if file.path.endswith(".mdc") and SIGN not in file.text:
            yield from _rules(file)


def _rules(file: SourceFile) -> Iterator[Draft]:
    parts = foreign.split(file.text)
    globs = parts.many("globs")
    tags = (ALWAYS,) if parts.one("alwaysApply") == "true" else ()
    items = [block for block in blocks(parts.body) if block.is_item]
    found = [from_block(KIND, file, one, globs, tags, first_line=parts.body_line - 1) for one in items]
    if any(found):
        yield from (one for one in found if one)
        return
    title = parts.one("description") or PurePosixPath(file.path).stem.replace("-", " ")
    whole = draft(
        KIND, file, parts.body_line, parts.body, type=MemoryType.CONVENTION, title=title, files=globs, tags=tags
    )
    if whole and whole.memory.body:
        yield whole
