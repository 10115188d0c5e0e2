"""What mem0 exports: a JSON list of memories, bare or under `results`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.agents.importing.draft import Draft, SourceFile, draft
from mdmem.agents.importing.foreign import day_of
from mdmem.agents.importing.records import iter_records, strings, text
from mdmem.agents.importing.ruling import states_rule
from mdmem.memory import MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KIND: Final = "mem0"
CONTEXT: Final = "Remembered by mem0."


def accepts(files: Sequence[SourceFile]) -> bool:
    """Whether a file holds records with a `memory`."""
    return any(text(record, "memory") for file in files for record, _ in iter_records(file.text))


def read(files: Sequence[SourceFile]) -> Iterator[Draft]:
    """A draft for each memory: what states a rule is a convention, the rest is about the user."""
    for file in files:
        for record, line in iter_records(file.text):
            said = text(record, "memory") or text(record, "text")
            kind = MemoryType.CONVENTION if states_rule(said) else MemoryType.USER
            created = day_of(text(record, "updated_at") or text(record, "created_at"))
            one = draft(
                KIND, file, line, said, type=kind, context=CONTEXT, tags=strings(record, "categories"), created=created
            )
            if one:
                yield one
