"""What `mdmem export` prints: one memory a line, with every field; it comes back as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.agents.importing.draft import Draft, SourceFile
from mdmem.agents.importing.records import iter_records, strings, text
from mdmem.errors import InvalidMemoryError, MdmemError
from mdmem.markdown.dates import as_when
from mdmem.memory import CONFIDENCE, Memory, Source, Status, as_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mdmem.memory import MemoryType, When

KIND: Final = "mdmem"
SIGNS: Final = frozenset({"id", "type", "title", "body", "evidence", "supersedes"})
"""Keys that all of its records have, and nobody else's have together."""


def accepts(files: Sequence[SourceFile]) -> bool:
    """Whether the first record has the fields of a memory."""
    first = next((record for file in files for record, _ in iter_records(file.text)), {})
    return first.keys() >= SIGNS


def read(files: Sequence[SourceFile]) -> Iterator[Draft]:
    """A draft for each memory. Raises MdmemError for a record that is none, with its line."""
    for file in files:
        for record, line in _records(file):
            try:
                memory = _memory(record)
            except (InvalidMemoryError, ValueError) as error:
                raise _damaged(file, line, str(error)) from error
            yield Draft(memory, line, file.path, text(record, "path"))


def _records(file: SourceFile) -> Iterator[tuple[Mapping[str, object], int]]:
    """Every record with its line; a line that was cut off is no end of the file."""
    lines = [(line, number) for number, line in enumerate(file.text.split("\n"), 1) if line.strip()]
    if not all(line.lstrip("\ufeff ").startswith("{") for line, _ in lines):
        yield from iter_records(file.text)  # one list, as `jq -s` makes it
        return
    for line, number in lines:
        found = [record for record, _ in iter_records(line)]
        if not found:
            raise _damaged(file, number, "it is cut off, or no JSON")
        yield from ((record, number) for record in found)


def _damaged(file: SourceFile, line: int, why: str) -> MdmemError:
    return MdmemError(f"{file.path}:{line} is no memory: {why}", "mend or remove the line; nothing was imported")


def _memory(record: Mapping[str, object]) -> Memory:
    extra = record.get("extra")
    return Memory(
        type=_type(text(record, "type")),
        title=text(record, "title"),
        body=text(record, "body"),
        id=text(record, "id"),
        description=text(record, "description"),
        status=Status(text(record, "status") or Status.ACTIVE),
        confidence=float(_number(record, "confidence", CONFIDENCE)),
        evidence=int(_number(record, "evidence", 1)),
        topic=text(record, "topic"),
        files=strings(record, "files"),
        scope=text(record, "scope") or "project",
        source=Source(text(record, "source") or Source.USER),
        origin=strings(record, "origin"),
        created=_when(text(record, "created")),
        confirmed=_when(text(record, "confirmed")),
        expires=_when(text(record, "expires")),
        superseded_by=text(record, "superseded_by"),
        supersedes=strings(record, "supersedes"),
        tags=strings(record, "tags"),
        verified=text(record, "verified"),
        extra=tuple(extra.items()) if isinstance(extra, dict) else (),
    )


def _type(name: str) -> MemoryType:
    kind = as_type(name)
    if kind is None:
        raise ValueError(f"{name!r} is no type")
    return kind


def _number(record: Mapping[str, object], key: str, default: float) -> float:
    value = record.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidMemoryError("E_TYPE", key, "is no number")
    return value


def _when(said: str) -> When | None:
    when = as_when(said) if said else None
    if said and when is None:
        raise ValueError(f"{said!r} is no date")
    return when
