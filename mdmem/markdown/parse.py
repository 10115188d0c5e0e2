"""One file's bytes to a Document: the memory, where its fields stand, and every problem found.

What depends on the clock or on other files (future dates, twins, links) is not said here but by `store.check`.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from mdmem.markdown.decoding import NotAMemory
from mdmem.markdown.fences import Layout, find_fences
from mdmem.markdown.plain import read_plain
from mdmem.markdown.problems import UNREADABLE, Problem
from mdmem.markdown.reading import Reading
from mdmem.markdown.rules import check_keys, check_relations, check_required
from mdmem.markdown.schema import FALLBACKS, READERS
from mdmem.markdown.screen import screen, screen_frontmatter
from mdmem.memory import BODY_LENGTH_WARN, Memory, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mdmem.markdown.field import Field

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32, lower case."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. `memory` is None when it is unreadable; then the first of `problems` says why."""

    path: str
    layout: Layout | None
    fields: tuple[Field, ...]
    memory: Memory | None
    problems: tuple[Problem, ...]

    def field(self, key: str) -> Field | None:
        """The field of that key, if the file states it."""
        return next((field for field in self.fields if field.key == key), None)

    def text(self, key: str) -> str:
        """A field as one line of text, '' when the file does not state it as one."""
        field = self.field(key)
        return Reading().text(field) if field else ""

    def list(self, key: str) -> tuple[str, ...]:
        """A field as a list of texts, empty when the file does not state it as one."""
        field = self.field(key)
        return Reading().list(field) if field else ()


def parse(data: bytes, path: str) -> Document:
    """Read the bytes of the file at `path` (relative to the store, with forward slashes). Never raises."""
    try:
        layout, outer = find_fences(data)
    except NotAMemory as found:
        problems = (found.problem, *_secrets(data))
        return Document(path, None, (), None, tuple(problem.at(path) for problem in problems))
    fields, inner = _read_frontmatter(layout, outer)
    reading = Reading(problems=[*outer, *inner])
    if fields or not inner:
        _read_fields(reading, fields, path, layout)
    if inner:  # what is missing may stand in the lines that could not be read
        reading.problems = [problem for problem in reading.problems if problem.code != "E_MISSING"]
    memory = None
    if any(problem.code in UNREADABLE for problem in reading.problems):
        reading.problems += _secrets(data)
    else:
        memory = _built(reading, fields, layout)
        reading.problems += _text_problems(memory, fields, layout)
    return Document(path, layout, tuple(fields.values()), memory, _sorted(reading.problems, path))


def derived_id(path: str) -> str:
    """The id of a file that states none: 8 base32 characters from its path."""
    number = int.from_bytes(sha256(path.encode("utf-8", "surrogatepass")).digest()[:5])
    return encoded_id(number)


def encoded_id(number: int) -> str:
    """The lowest 40 bits of a number as 8 characters of Crockford's base 32."""
    return "".join(ALPHABET[number >> shift & 31] for shift in range(35, -1, -5))


def _read_frontmatter(layout: Layout, outer: Iterable[Problem]) -> tuple[Mapping[str, Field], tuple[Problem, ...]]:
    """The fields by key and the problems of their YAML; nothing is read from torn or binary text."""
    torn = tuple(one for one in outer if one.code in UNREADABLE and one.line <= layout.end + 1)
    if torn:
        return {}, torn
    plain = read_plain(layout.lines, layout.start + 1, layout.end)
    if plain is not None:
        return plain, ()
    from mdmem.markdown.yaml_reader import read_yaml

    return read_yaml(layout)


def _read_fields(reading: Reading, fields: Mapping[str, Field], path: str, layout: Layout) -> None:
    for table in (READERS, FALLBACKS):
        for key, read in table.items():
            if key in fields:
                read(reading, fields[key])
    if "id" not in reading.values:
        reading.values["id"] = derived_id(path)
    check_keys(reading, fields)
    check_required(reading, fields, path, layout.start + 1)
    check_relations(reading, fields)


def _built(reading: Reading, fields: Mapping[str, Field], layout: Layout) -> Memory:
    values = reading.values
    metadata = fields["metadata"].value if "metadata" in fields else None
    is_native = "name" in fields or (isinstance(metadata, dict) and "type" in metadata)
    values.setdefault("source", Source.AGENT if is_native else Source.USER)
    if "created" in values:
        values.setdefault("confirmed", values["created"])
    extra = tuple((key, field.value) for key, field in fields.items() if key not in READERS)
    return Memory(body=layout.body, extra=extra, **values)


def _text_problems(memory: Memory, fields: Mapping[str, Field], layout: Layout) -> Iterator[Problem]:
    """What the text itself should not hold."""
    title = next((fields[key] for key in ("title", "name") if key in fields), None)
    body = memory.body
    yield from screen(memory.title, body, layout.body_line, title.line if title else layout.start + 1)
    yield from screen_frontmatter(layout.lines[layout.start : layout.end], layout.start + 1)
    if not body:
        yield Problem("W_EMPTY_BODY", layout.end + 1, "a title without a body", hint="say why, or when it applies")
    elif len(body) > BODY_LENGTH_WARN:
        hint = f"agents are given at most {BODY_LENGTH_WARN:,}: split it, or link to the rest"
        yield Problem("W_LENGTH", layout.body_line, f"the body has {len(body):,} characters", hint=hint)


def _secrets(data: bytes) -> Iterator[Problem]:
    """Secrets in a text that is no memory: they are in the repository all the same."""
    text = data.decode("utf-8", "replace")
    yield from (problem for problem in screen("", text, 1, 1) if problem.code == "E_SECRET")


def _sorted(problems: Iterable[Problem], path: str) -> tuple[Problem, ...]:
    """By line, each once; what makes the file unreadable comes first."""
    unique = dict.fromkeys(problem.at(path) for problem in problems)
    return tuple(sorted(unique, key=lambda one: (one.code not in UNREADABLE, one.line, one.code)))
