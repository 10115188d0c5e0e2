"""One file's bytes to a Document: the memory, where its fields stand, and every problem found.

What depends on the clock or on other files (future dates, twins, links) is not said here but by `store.check`.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import frontmatter

from mdmem.markdown.fences import Layout, NotAMemory, find_fences
from mdmem.markdown.problems import UNREADABLE, Problem
from mdmem.markdown.schema import FALLBACKS, READERS, Reading, as_type
from mdmem.markdown.screen import screen, screen_frontmatter
from mdmem.markdown.yaml_reader import Field, StrictHandler
from mdmem.memory import BODY_LENGTH_WARN, Memory, MemoryType, Source, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32, lower case."""
ID_LENGTH: Final = 8
RESERVED_PREFIX: Final = "mdmem-"
_YAML_WORDS: Final = frozenset({"on", "off", "yes", "no", "y", "n", "true", "false", "null"})


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. `memory` is None when it is unreadable; then `problems` says why."""

    path: str
    layout: Layout | None
    fields: tuple[Field, ...]
    memory: Memory | None
    problems: tuple[Problem, ...]

    def field(self, key: str) -> Field | None:
        """The field of that key, if the file states it."""
        return next((field for field in self.fields if field.key == key), None)


def parse(data: bytes, path: str) -> Document:
    """Read the bytes of the file at `path` (relative to the store, with forward slashes). Never raises."""
    try:
        layout, outer = find_fences(data)
        metadata, _ = frontmatter.parse("", handler=StrictHandler(layout))
    except NotAMemory as found:
        return Document(path, None, (), None, (found.problem.at(path),))
    fields = tuple(value for value in metadata.values() if isinstance(value, Field))
    reading = _read(fields, path, layout)
    problems = (*outer, *reading.problems)
    if any(problem.code in UNREADABLE for problem in problems):
        return Document(path, layout, fields, None, _sorted(problems, path))
    memory = _built(reading, fields, path, layout)
    problems = (*problems, *_text_problems(memory, fields, layout))
    return Document(path, layout, fields, memory, _sorted(problems, path))


def derived_id(path: str) -> str:
    """The id of a file that states none: 8 base32 characters from its path."""
    number = int.from_bytes(sha256(path.encode("utf-8", "surrogatepass")).digest()[:5])
    return encoded_id(number)


def encoded_id(number: int) -> str:
    """The lowest 40 bits of a number as 8 characters of Crockford's base 32."""
    return "".join(ALPHABET[number >> shift & 31] for shift in range(35, -1, -5))


def _read(fields: tuple[Field, ...], path: str, layout: Layout) -> Reading:
    reading = Reading()
    by_key = {field.key: field for field in fields}
    for table in (READERS, FALLBACKS):
        for key, read in table.items():
            if key in by_key:
                read(reading, by_key[key])
    for field in fields:
        if field.is_cut:
            reading.report("W_VALUE_CUT", field, "holds ` #`; other YAML readers cut it there", "quote the value")
        _warn_slip(reading, field, by_key)
    _check_required(reading, by_key, path, layout)
    _check_relations(reading, by_key)
    return reading


def _check_required(reading: Reading, by_key: dict[str, Field], path: str, layout: Layout) -> None:
    values, fence = reading.values, layout.start + 1
    if not values.get("title") and not any(p.key == "title" and p.is_error for p in reading.problems):
        line = by_key["title"].line if "title" in by_key else fence
        meant = next((key for key in by_key if key != "title" and key.lower() in ("title", "titel", "titles")), None)
        hint = f"did you mean title instead of {meant}?" if meant else "add `title: …`, one line"
        reading.problems.append(Problem("E_MISSING", line, "no title", key="title", hint=hint))
    if not values.get("title"):
        values["title"] = PurePosixPath(path).stem.replace("-", " ")[:120] or "untitled"
    folder = path.split("/")[0] if "/" in path else ""
    of_folder = as_type(folder)
    if values.get("type") is None:
        if of_folder is None and not any(p.key in ("type", "metadata") and p.is_error for p in reading.problems):
            line = by_key["type"].line if "type" in by_key else fence
            reading.problems.append(
                Problem(
                    "E_MISSING",
                    line,
                    "no type, and the folder names none",
                    key="type",
                    hint=f"add `type:`, one of {', '.join(MemoryType)}",
                )
            )
        values["type"] = of_folder or MemoryType.LESSON
    elif of_folder and of_folder is not values["type"]:
        at = by_key.get("type") or by_key["metadata"]
        reading.problems.append(
            Problem(
                "W_FOLDER",
                at.line,
                f"a {values['type']} in the folder {folder}/",
                key="type",
                hint=f"`mdmem mv` it to {values['type']}/, or mend the type",
            )
        )


def _check_relations(reading: Reading, by_key: dict[str, Field]) -> None:
    values = reading.values
    own = values.get("id")
    for key in ("supersedes", "superseded_by"):
        named = values.get(key, ())
        if own and own in ((named,) if isinstance(named, str) else named):
            reading.report("E_CYCLE", by_key[key], "names the memory itself", "name another memory")
            values[key] = "" if key == "superseded_by" else tuple(ref for ref in named if ref != own)
    if values.get("status") is Status.SUPERSEDED and "superseded_by" not in values:
        reading.problems.append(
            Problem(
                "E_MISSING",
                by_key["status"].line,
                "superseded, but by what?",
                key="superseded_by",
                hint="add `superseded_by: <id>`",
            )
        )


def _built(reading: Reading, fields: tuple[Field, ...], path: str, layout: Layout) -> Memory:
    values = reading.values
    values.setdefault("id", derived_id(path))
    has_agent_keys = any(
        f.key == "name" or (f.key == "metadata" and isinstance(f.value, dict) and "type" in f.value) for f in fields
    )
    values.setdefault("source", Source.AGENT if has_agent_keys else Source.USER)
    if "created" in values:
        values.setdefault("confirmed", values["created"])
    extra = tuple((field.key, field.value) for field in fields if field.key not in READERS)
    return Memory(body=layout.body, extra=extra, **values)


def _text_problems(memory: Memory, fields: tuple[Field, ...], layout: Layout) -> Iterable[Problem]:
    title = next((f for f in fields if f.key in ("title", "name")), None)
    title_line = title.line if title else layout.start + 1
    yield from screen(memory.title, memory.body, layout.body_line, title_line)
    yield from screen_frontmatter(layout.lines[layout.start : layout.end], layout.start + 1)
    if not memory.body:
        yield Problem("W_EMPTY_BODY", layout.end + 1, "a title without a body", hint="say why, or when it applies")
    elif len(memory.body) > BODY_LENGTH_WARN:
        yield Problem(
            "W_LENGTH",
            layout.body_line,
            f"the body has {len(memory.body):,} characters",
            hint=f"agents are given at most {BODY_LENGTH_WARN:,}: split it, or link to the rest",
        )


def _warn_slip(reading: Reading, field: Field, by_key: dict[str, Any]) -> None:
    key = field.key
    if key in READERS or key in FALLBACKS:
        return
    if key.startswith(RESERVED_PREFIX):
        reading.report("W_UNKNOWN_KEY", field, "begins with mdmem-, which is reserved", "choose another name")
    elif key in _YAML_WORDS:
        reading.report("W_UNKNOWN_KEY", field, "is a word that YAML readers take for true or false", "rename it")
    else:
        meant = next((known for known in READERS if known not in by_key and is_slip(key, known)), None)
        if meant:
            reading.report("W_UNKNOWN_KEY", field, f"is unknown; did you mean `{meant}`?", f"write `{meant}:`")


def is_slip(word: str, known: str) -> bool:
    """Whether `word` is `known` with one typing error (two in a word of eight letters or more).

    A typing error is a letter dropped, added, changed, or swapped with its neighbour (Damerau 1964).
    """
    word, known = word.lower(), known.lower()
    allowed = 2 if len(known) >= 8 else 1
    if abs(len(word) - len(known)) > allowed or len(known) < 4:
        return word == known
    before: list[int] = []
    row = list(range(len(known) + 1))
    for i, a in enumerate(word, 1):
        above, before, row = before, row, [i]
        for j, b in enumerate(known, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == known[j - 2] and word[i - 2] == b:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1] <= allowed


def _sorted(problems: Iterable[Problem], path: str) -> tuple[Problem, ...]:
    unique = dict.fromkeys(problem.at(path) for problem in problems)
    return tuple(sorted(unique, key=lambda problem: (problem.line, problem.code)))
