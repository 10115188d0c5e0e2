"""Fields to values: what each key of the frontmatter may hold, and what is said when it does not.

A bad field never spoils the others: it is reported and read as its default, so that the memory stays searchable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final

from mdmem.markdown.problems import Problem
from mdmem.memory import (
    ALIASES,
    CONFIDENCE_RANGE,
    FILES_COUNT,
    ID,
    ORIGIN_COUNT,
    SCOPE,
    TITLE_LENGTH,
    TOPIC,
    TOPIC_LENGTH,
    MemoryType,
    Source,
    Status,
    When,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mdmem.markdown.yaml_reader import Field

_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_DATE: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)\s*([Zz]|[+-]\d{2}:?\d{2})?)?"
)
_SLUG: Final = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")
_ABSOLUTE: Final = re.compile(r"[/~]|[A-Za-z]:")
_TYPES: Final = {kind.value: kind for kind in MemoryType}
_SMART: Final = {"‘": "’", "“": "”", "„": "“”", "«": "»"}


@dataclass(slots=True)
class Reading:
    """What is known while one file's fields are read; `problems` grows."""

    values: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def report(self, code: str, at: Field, message: str, hint: str = "") -> None:
        """Note a problem of one field."""
        self.problems.append(Problem(code, at.line, f"`{at.key}` {message}", key=at.key, hint=hint))

    def text(self, at: Field) -> str | None:
        """The field as one line of text, None when it is empty or no text."""
        if at.value is None or isinstance(at.value, str):
            return " ".join((at.value or "").split()) or None
        if isinstance(at.value, dict):
            self.report(
                "E_YAML_TYPE",
                at,
                "holds a mapping where one value should stand",
                "fill in the placeholder, or quote the value",
            )
        else:
            self.report("E_TYPE", at, "must be one value, not a list", f"write `{at.key}: text`")
        return None

    def list(self, at: Field) -> tuple[str, ...]:
        """The field as a list of texts; one comma-separated text is split, and warned about."""
        if at.value is None:
            return ()
        if isinstance(at.value, str):
            parts = [part.strip() for part in at.value.split(",")]
            if len(parts) > 1:
                self.report(
                    "W_TAGS_STRING",
                    at,
                    "is one text with commas; it is read as a list",
                    f"write `{at.key}: [{', '.join(parts)}]`",
                )
            return tuple(part for part in parts if part)
        items = at.value if isinstance(at.value, list) else [at.value]
        if not all(item is None or isinstance(item, str) for item in items):
            self.report("E_TYPE", at, "must be a plain list of texts", f"write `{at.key}: [one, two]`")
            return ()
        return tuple(" ".join(item.split()) for item in items if item and item.strip())


def read_title(reading: Reading, at: Field) -> None:
    """`title`: one line; longer than the limit is cut for reading, and an error."""
    text = reading.text(at)
    if text is None:
        return
    if len(text) > TITLE_LENGTH:
        reading.report(
            "E_LENGTH",
            at,
            f"has {len(text)} characters; at most {TITLE_LENGTH} are read",
            "say it in one short sentence and move the rest to the body",
        )
        text = text[:TITLE_LENGTH].rstrip()
    _warn_smart_quotes(reading, at, text)
    reading.values["title"] = text


def read_name(reading: Reading, at: Field) -> None:
    """`name`: an agent's own title, un-slugged when it is kebab-case; `title` outranks it."""
    text = reading.text(at)
    if text and not reading.values.get("title"):
        words = text.replace("-", " ").replace("_", " ") if _SLUG.fullmatch(text) else text
        reading.values["title"] = (words[:1].upper() + words[1:])[:TITLE_LENGTH]


def read_type(reading: Reading, at: Field) -> None:
    """`type`: one of the table, or an alias."""
    text = reading.text(at)
    if text:
        kind = as_type(text)
        if kind:
            reading.values["type"] = kind
        else:
            reading.report("E_ENUM", at, f"is {text!r}", f"one of {', '.join(MemoryType)}")
            reading.values.setdefault("type", None)


def as_type(text: str) -> MemoryType | None:
    """The type of that name or alias, None when there is none."""
    return _TYPES.get(text) or ALIASES.get(text)


def read_metadata(reading: Reading, at: Field) -> None:
    """`metadata.type`: where Claude Code's own memory keeps the type."""
    inner = at.value.get("type") if isinstance(at.value, dict) else None
    if isinstance(inner, str) and "type" not in reading.values:
        kind = as_type(inner)
        if kind:
            reading.values["type"] = kind
        else:
            reading.report("E_ENUM", at, f"has the type {inner!r}", f"one of {', '.join(MemoryType)}")


def read_text(reading: Reading, at: Field) -> None:
    """Any text field."""
    text = reading.text(at)
    if text:
        _warn_smart_quotes(reading, at, text)
        reading.values[at.key] = text


def read_list(reading: Reading, at: Field) -> None:
    """Any list field."""
    reading.values[at.key] = reading.list(at)


def _matching(pattern: re.Pattern[str], code: str, rule: str, limit: int = 0) -> Callable[[Reading, Field], None]:
    def read(reading: Reading, at: Field) -> None:
        text = reading.text(at)
        if not text:
            return
        if pattern.fullmatch(text):
            reading.values[at.key] = text
        else:
            too_long = limit and len(text) > limit
            reading.report("E_LENGTH" if too_long else code, at, f"is {text[:80]!r}", rule)

    return read


def _one_of(choices: type[Status | Source]) -> Callable[[Reading, Field], None]:
    names = {choice.value: choice for choice in choices}

    def read(reading: Reading, at: Field) -> None:
        text = reading.text(at)
        if text and text in names:
            reading.values[at.key] = names[text]
        elif text:
            reading.report("E_ENUM", at, f"is {text!r}", f"one of {', '.join(names)}")

    return read


def read_confidence(reading: Reading, at: Field) -> None:
    """`confidence`: a number from 0.1 to 1."""
    low, high = CONFIDENCE_RANGE
    text = reading.text(at)
    if not text:
        return
    if not _NUMBER.fullmatch(text):
        reading.report("E_TYPE", at, f"is {text!r}, not a number", "write a point, as in 0.8")
    elif not low <= float(text) <= high:
        reading.report("E_RANGE", at, f"is {text}", f"{low:g} to {high:g}")
    else:
        reading.values["confidence"] = float(text)


def read_evidence(reading: Reading, at: Field) -> None:
    """`evidence`: a whole number from 1."""
    text = reading.text(at)
    if not text:
        return
    if not re.fullmatch(r"[+-]?\d{1,9}", text):
        reading.report("E_TYPE", at, f"is {text!r}, not a whole number", "how often it was confirmed: 1 or more")
    elif int(text) < 1:
        reading.report("E_RANGE", at, f"is {text}", "1 or more")
    else:
        reading.values["evidence"] = int(text)


def read_date(reading: Reading, at: Field) -> None:
    """`created`, `confirmed`, `expires`: an ISO day, or a moment; without a zone it is UTC."""
    text = reading.text(at)
    if not text:
        return
    when = as_when(text)
    if when is None:
        reading.report("E_DATE", at, f"is {text!r}", "a day that exists, as in 2026-11-30")
    else:
        reading.values[at.key] = when


def as_when(text: str) -> When | None:
    """The day or moment that an ISO 8601 text names, None when it names none."""
    match = _DATE.fullmatch(text)
    if not match:
        return None
    day, clock, zone = match.groups()
    try:
        if clock is None:
            return date.fromisoformat(day)
        return datetime.fromisoformat(f"{day}T{clock}{(zone or 'Z').upper()}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def read_files(reading: Reading, at: Field) -> None:
    """`files`: repository paths or globs; one that leaves the repository is an error and dropped."""
    kept: list[str] = []
    for item in reading.list(at):
        path = item
        if "\\" in path:
            path = path.replace("\\", "/")
            reading.report("W_PATH_SEP", at, f"has backslashes in {item!r}", f"write {path}")
        if leaves_repository(path):
            reading.report("E_PATH", at, f"names {item!r}, which is outside of the repository", "a path from its root")
        elif path not in kept:
            kept.append(path.removeprefix("./"))
    if len(kept) > FILES_COUNT:
        reading.report("E_LENGTH", at, f"names {len(kept)} paths; at most {FILES_COUNT} are read", "use a glob")
    reading.values["files"] = tuple(kept[:FILES_COUNT])


def leaves_repository(path: str) -> bool:
    """Whether a path is absolute, a home path, or climbs with `..`."""
    return bool(_ABSOLUTE.match(path)) or ".." in path.split("/")


def read_origin(reading: Reading, at: Field) -> None:
    """`origin`: a run, or a list of the newest ones."""
    runs = (at.value,) if isinstance(at.value, str) else reading.list(at)
    if len(runs) > ORIGIN_COUNT:
        reading.report("E_LENGTH", at, f"names {len(runs)} runs; at most {ORIGIN_COUNT} are read", "keep the newest")
    reading.values["origin"] = tuple(runs[-ORIGIN_COUNT:])


def _warn_smart_quotes(reading: Reading, at: Field, text: str) -> None:
    if len(text) > 1 and at.style == "" and text[-1] in _SMART.get(text[0], ()):
        reading.report(
            "W_SMART_QUOTES",
            at,
            "is wrapped in typographic quotes, which are part of it",
            "delete them, or type ' or \"",
        )


READERS: Final[Mapping[str, Callable[[Reading, Field], None]]] = {
    "id": _matching(ID, "E_TYPE", "1 to 64 of A-Z a-z 0-9 . _ -", 64),
    "type": read_type,
    "title": read_title,
    "description": read_text,
    "status": _one_of(Status),
    "confidence": read_confidence,
    "topic": _matching(TOPIC, "E_TYPE", f"at most {TOPIC_LENGTH} of a-z 0-9 / - _ .", TOPIC_LENGTH),
    "files": read_files,
    "scope": _matching(SCOPE, "E_ENUM", "project, global or agent:<name>"),
    "tags": read_list,
    "source": _one_of(Source),
    "origin": read_origin,
    "created": read_date,
    "confirmed": read_date,
    "evidence": read_evidence,
    "expires": read_date,
    "superseded_by": _matching(ID, "E_TYPE", "the id of one memory", 64),
    "supersedes": read_list,
    "verified": read_text,
}
"""How each field is read, in the order in which a new file states them."""
FALLBACKS: Final[Mapping[str, Callable[[Reading, Field], None]]] = {
    "name": read_name,
    "metadata": read_metadata,
}
"""Keys of agents' own memory files, read after ours and outranked by them."""
