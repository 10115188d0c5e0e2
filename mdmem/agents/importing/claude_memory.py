"""The folder of Claude Code's own memory: files with name, description and metadata.type, and what MEMORY.md says."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from mdmem.agents.importing.draft import Draft, SourceFile, draft, plain
from mdmem.agents.importing.outline import blocks
from mdmem.agents.importing.ruling import states_rule
from mdmem.markdown.parse import parse
from mdmem.memory import MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KIND: Final = "claude-memory"
INDEX: Final = "MEMORY.md"
NATIVE: Final = re.compile(r"\A\ufeff?---\r?\n(?:.*\r?\n)*?(?:name:|metadata:\s*\r?\n\s+(?:\w+:.*\r?\n\s+)*type:)")
INDEX_LINE: Final = re.compile(r"\[[^\]]+\]\([^)]+\.md\)")
HEADING: Final = re.compile(r"^#\s+(.+)$", re.MULTILINE)


def accepts(files: Sequence[SourceFile]) -> bool:
    """Whether the files are such a folder's: its MEMORY.md, or files with its frontmatter."""
    return any(PurePosixPath(file.path).name == INDEX for file in files) or any(NATIVE.match(f.text) for f in files)


def read(files: Sequence[SourceFile]) -> Iterator[Draft]:
    """A draft for each file, and one for each note that stands in MEMORY.md itself."""
    for file in files:
        found = _notes(file) if PurePosixPath(file.path).name == INDEX else [_memory(file)]
        yield from (one for one in found if one)


def _memory(file: SourceFile) -> Draft | None:
    document = parse(file.text.encode("utf-8", "replace"), f"{MemoryType.REFERENCE}/{file.path}")
    memory = document.memory
    if memory is not None:
        line = document.layout.body_line if document.layout else 1
        # a name is a slug there, and what it stands for is what the description says
        is_slug = document.field("title") is None and bool(memory.description)
        title = memory.description if is_slug else memory.title
        return draft(
            KIND, file, line, memory.body, type=memory.type, title=title, description=memory.description,
            files=memory.files, tags=memory.tags, created=memory.created,
        )  # fmt: skip
    heading = HEADING.search(file.text)
    title = heading[1] if heading else PurePosixPath(file.path).stem.replace("-", " ").replace("_", " ")
    body = file.text.replace(heading[0], "", 1) if heading else file.text
    return draft(KIND, file, 1, body, type=MemoryType.REFERENCE, title=title)


def _notes(file: SourceFile) -> Iterator[Draft | None]:
    """What older versions wrote into the index itself; its lines that lead to files are left."""
    for block in blocks(file.text):
        if not INDEX_LINE.search(block.text):
            kind = MemoryType.CONVENTION if states_rule(plain(block.text)) else MemoryType.WORKSPACE
            context = f"Noted under “{plain(block.heading)}”." if block.heading else "Noted in MEMORY.md."
            yield draft(KIND, file, block.line, block.text, type=kind, context=context, tags=block.headings[1:])
