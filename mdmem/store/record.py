"""A memory and its problems as text in the table's cache, and back: whatever the text holds, it never misleads."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import date, datetime
from typing import TYPE_CHECKING, Final
from zlib import crc32

from mdmem.errors import InvalidMemoryError
from mdmem.markdown.problems import Problem
from mdmem.memory import Memory, MemoryType, Source, Status, when_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.memory import When

_FIELDS: Final = tuple(field.name for field in fields(Memory))
_WHENS: Final = ("created", "confirmed", "expires")
_LISTS: Final = ("files", "origin", "supersedes", "tags")
NO_PROBLEMS: Final = "[]"


def write_memory(memory: Memory) -> str:
    """All fields of a memory in their order, as JSON."""
    return json.dumps([getattr(memory, name) for name in _FIELDS], ensure_ascii=False, default=when_text)


def read_memory(text: str) -> Memory:
    """The memory that `write_memory` wrote. Raises ValueError for anything else."""
    try:
        values = dict(zip(_FIELDS, json.loads(text), strict=True))
        for name in _WHENS:
            values[name] = _when(values[name]) if values[name] else None
        for name in _LISTS:
            values[name] = tuple(values[name])
        values["type"] = MemoryType(values["type"])
        values["status"] = Status(values["status"])
        values["source"] = Source(values["source"])
        values["extra"] = tuple((key, value) for key, value in values["extra"])
        return Memory(**values)
    except (TypeError, AttributeError, RecursionError, InvalidMemoryError) as error:
        raise ValueError(str(error)) from error


def _when(text: str) -> When:
    return date.fromisoformat(text) if len(text) == len("2026-11-30") else datetime.fromisoformat(text)


def write_problems(problems: Sequence[Problem]) -> str:
    """Problems as JSON, without their path."""
    if not problems:
        return NO_PROBLEMS
    rows = [[one.code, one.line, one.message, one.key, one.hint] for one in problems]
    return json.dumps(rows, ensure_ascii=False)


def read_problems(text: str, path: str) -> tuple[Problem, ...]:
    """The problems that `write_problems` wrote, of the file `path`. Raises ValueError for anything else."""
    if text == NO_PROBLEMS:
        return ()
    try:
        return tuple(
            Problem(code, line, message, key, hint, path) for code, line, message, key, hint in json.loads(text)
        )
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def seal(*values: str | int | None) -> int:
    """A checksum over the columns of a row: a flipped bit on the disk must not become a fact."""
    return crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))
