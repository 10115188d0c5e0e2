"""A folder of memsearch: one file a day, a section a session, its summary in items. Only rules are taken."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from mdmem.agents.importing import foreign
from mdmem.agents.importing.draft import Draft, SourceFile, draft, plain
from mdmem.agents.importing.outline import blocks
from mdmem.agents.importing.ruling import states_rule
from mdmem.memory import MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KIND: Final = "memsearch"
DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
SESSION: Final = re.compile(r"^##+ (?:Session )?\d{1,2}:\d{2}\b|<!--\s*session:", re.MULTILINE)


def accepts(files: Sequence[SourceFile]) -> bool:
    """Whether files are named after days and hold sessions."""
    return any(DAY.fullmatch(PurePosixPath(file.path).stem) and SESSION.search(file.text) for file in files)


def read(files: Sequence[SourceFile]) -> Iterator[Draft]:
    """A draft for each item that states a rule, dated with its file's day."""
    for file in files:
        day = PurePosixPath(file.path).stem
        parts = foreign.split(file.text)
        for block in blocks(parts.body, parts.body_line):
            if block.is_item and states_rule(plain(block.text)):
                one = draft(
                    KIND, file, block.line, block.text, type=MemoryType.LESSON,
                    context=f"Noted on {day}.", tags=parts.many("tags"), created=foreign.day_of(day),
                )  # fmt: skip
                if one:
                    yield one
