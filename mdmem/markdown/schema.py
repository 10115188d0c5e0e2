"""Fields to values: what each key of the frontmatter may hold, and what is said when it does not.

A bad field never spoils the others: it is reported and read as its default, so that the memory stays searchable.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from mdmem.markdown.dates import as_iso, as_when
from mdmem.memory import (
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
    as_type,
    rounded,
)
from mdmem.pattern import pattern
from mdmem.redact import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mdmem.markdown.field import Field
    from mdmem.markdown.reading import Reading

ID_LENGTH_MOST: Final = 64
_LOW, _HIGH = CONFIDENCE_RANGE
_CONFIDENCE_RULE: Final = f"a number from {_LOW:g} to {_HIGH:g}, as in 0.8"
_NUMBER: Final = pattern(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_WHOLE: Final = pattern(r"[+-]?[0-9]+")
_WHOLE_MOST: Final = 1_000_000_000
_NOT_FINITE: Final = pattern(r"[+-]?\.(?:inf|nan)", re.IGNORECASE)
_SLUG: Final = pattern(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")
_OUTSIDE: Final = pattern(r"[/~]|[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*://|\$\{?HOME\b|%[A-Za-z]+%|file:")


def read_title(reading: Reading, at: Field) -> None:
    """`title`: one line; longer than the limit is cut for reading, and an error."""
    text = _cut_title(reading, at, reading.text(at, null_is_text=True))
    if text:
        reading.values["title"] = text


def read_name(reading: Reading, at: Field) -> None:
    """`name`: an agent's own title, un-slugged when it is kebab-case; `title` outranks it."""
    if reading.values.get("title"):
        return
    text = _cut_title(reading, at, reading.text(at, null_is_text=True))
    if text:
        words = re.sub("[-_]", " ", text) if _SLUG.fullmatch(text) else text
        reading.values["title"] = words[:1].upper() + words[1:]


def _cut_title(reading: Reading, at: Field, text: str) -> str:
    if len(text) <= TITLE_LENGTH:
        return text
    message = f"has {len(text)} characters; at most {TITLE_LENGTH} are read"
    reading.report("E_LENGTH", at, message, "say it in one short sentence and move the rest to the body")
    return text[:TITLE_LENGTH].rstrip()


def read_type(reading: Reading, at: Field) -> None:
    """`type`: one of the table, or an alias."""
    _take_type(reading, at, reading.text(at), "is")


def read_metadata(reading: Reading, at: Field) -> None:
    """`metadata.type`: where Claude Code's own memory keeps the type; `type` outranks it."""
    inner = at.value.get("type") if isinstance(at.value, dict) else None
    if isinstance(inner, str) and "type" not in reading.values:
        _take_type(reading, at, inner.strip(), "has the type")


def _take_type(reading: Reading, at: Field, text: str, verb: str) -> None:
    kind = as_type(text)
    if kind:
        reading.values["type"] = kind
    elif text:
        reading.report("E_ENUM", at, f"{verb} {_shown(text)}", _one_of_hint(text, MemoryType))


def read_text(reading: Reading, at: Field) -> None:
    """Any text field."""
    text = reading.text(at)
    if text:
        reading.values[at.key] = text


def read_list(reading: Reading, at: Field) -> None:
    """Any list field; what stands in it twice is read once."""
    reading.values[at.key] = tuple(dict.fromkeys(reading.list(at)))


def _matching(pattern: re.Pattern[str], rule: str, most: int) -> Callable[[Reading, Field], None]:
    def read(reading: Reading, at: Field) -> None:
        text = reading.text(at)
        if pattern.fullmatch(text):
            reading.values[at.key] = text
        elif len(text) > most:
            reading.report("E_LENGTH", at, f"has {len(text)} characters, at most {most}", rule)
        elif text:
            near = _nearly(text, pattern)
            reading.report("E_TYPE", at, f"is {_shown(text)}", f"{rule}{near and f': write `{at.key}: {near}`'}")

    return read


def _nearly(text: str, pattern: re.Pattern[str]) -> str:
    """The text with its blanks as hyphens, if need be in lower case, where it then matches; else ''."""
    hyphened = re.sub(r"[ \\]+", lambda match: "/" if "\\" in match[0] else "-", text)
    return next((near for near in (hyphened, hyphened.lower()) if pattern.fullmatch(near)), "")


def _one_of(choices: type[Status | Source]) -> Callable[[Reading, Field], None]:
    names = {choice.value: choice for choice in choices}

    def read(reading: Reading, at: Field) -> None:
        text = reading.text(at)
        if text in names:
            reading.values[at.key] = names[text]
        elif text:
            reading.report("E_ENUM", at, f"is {_shown(text)}", _one_of_hint(text, names))

    return read


def read_scope(reading: Reading, at: Field) -> None:
    """`scope`: the project, everywhere, or one agent."""
    text = reading.text(at)
    if SCOPE.fullmatch(text):
        reading.values["scope"] = text
    elif text:
        reading.report("E_ENUM", at, f"is {_shown(text)}", "project, global or agent:<name>")


def _one_of_hint(text: str, names: Iterable[str]) -> str:
    listed = list(names)
    near = get_close_matches(text.lower().replace("-", "_"), listed, 1, 0.75)
    return f"{f'did you mean {near[0]}? ' if near else ''}one of {', '.join(listed)}"


def read_confidence(reading: Reading, at: Field) -> None:
    """`confidence`: a number from 0.1 to 1, to two decimals."""
    text = reading.text(at)
    if _NUMBER.fullmatch(text):
        if _LOW <= float(text) <= _HIGH:
            reading.values["confidence"] = rounded(float(text))
        else:
            reading.report("E_RANGE", at, f"is {_shown(text, quote='')}", _CONFIDENCE_RULE)
    elif _NOT_FINITE.fullmatch(text):
        reading.report("E_RANGE", at, f"is {text}", _CONFIDENCE_RULE)
    elif text:
        reading.report("E_TYPE", at, f"is {_shown(text)}, not a number", f"write {_CONFIDENCE_RULE}, with a point")


def read_evidence(reading: Reading, at: Field) -> None:
    """`evidence`: a whole number from 1."""
    text = reading.text(at)
    if text and not _WHOLE.fullmatch(text):
        message = f"is {_shown(text)}, not a whole number"
        reading.report("E_TYPE", at, message, "write how often it was confirmed: 1 or more")
    elif text and (len(text) > 10 or not 1 <= int(text) <= _WHOLE_MOST):
        reading.report("E_RANGE", at, f"is {_shown(text, quote='')}", "1 or more")
    elif text:
        reading.values["evidence"] = int(text)


def read_date(reading: Reading, at: Field) -> None:
    """`created`, `confirmed`, `expires`: an ISO day, or a moment; without a zone it is UTC."""
    text = reading.text(at)
    when = as_when(text)
    if when:
        reading.values[at.key] = when
    elif text:
        iso = as_iso(text)
        hint = f"write `{at.key}: {iso}`" if iso else "write a day that exists, as in 2026-11-30"
        reading.report("E_DATE", at, f"is {_shown(text)}", hint)


def read_files(reading: Reading, at: Field) -> None:
    """`files`: repository paths or globs; one that leaves the repository is an error and dropped."""
    kept: dict[str, None] = {}
    for item, line in reading.items(at):
        path = as_path(item)
        if "\\" in item:
            reading.report("W_PATH_SEP", at, f"has backslashes in {_shown(item)}", f"write {path}", line)
        if leaves_repository(path):
            message = f"names {_shown(item)}, which is outside of the repository"
            reading.report("E_PATH", at, message, "a path from the repository's root, as in src/main.py", line)
        else:
            kept[path] = None
    if len(kept) > FILES_COUNT:
        reading.report("E_LENGTH", at, f"names {len(kept)} paths; at most {FILES_COUNT} are read", "use a glob")
    reading.values["files"] = tuple(kept)[:FILES_COUNT]


def as_path(text: str) -> str:
    """A path as it is compared: forward slashes, no `./` in front."""
    path = text.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path or "."


def leaves_repository(path: str) -> bool:
    """Whether a path is absolute, a home path or a URL, or climbs above its root with `..`."""
    depth = 0
    for part in path.split("/"):
        depth += -1 if part == ".." else part not in ("", ".", "**")
        if depth < 0:
            return True
    return bool(_OUTSIDE.match(path))


def read_origin(reading: Reading, at: Field) -> None:
    """`origin`: a run, or a list of the newest ones."""
    one = reading.text(at) if isinstance(at.value, str) else ""
    runs = (one,) if one else () if isinstance(at.value, str) else tuple(dict.fromkeys(reading.list(at)))
    if len(runs) > ORIGIN_COUNT:
        reading.report("E_LENGTH", at, f"names {len(runs)} runs; at most {ORIGIN_COUNT} are read", "keep the newest")
    reading.values["origin"] = runs[-ORIGIN_COUNT:]


def _shown(text: str, quote: str = "'") -> str:
    """A value in a message: quoted, without secrets, and cut where it is long."""
    text = redact(text).text
    short = text if len(text) <= 80 else f"{text[:79]}…"
    return f"{quote}{short}{quote}"


READERS: Final[Mapping[str, Callable[[Reading, Field], None]]] = {
    "id": _matching(ID, "1 to 64 of A-Z a-z 0-9 . _ -", ID_LENGTH_MOST),
    "type": read_type,
    "title": read_title,
    "description": read_text,
    "status": _one_of(Status),
    "confidence": read_confidence,
    "topic": _matching(TOPIC, f"at most {TOPIC_LENGTH} of a-z 0-9 / - _ .", TOPIC_LENGTH),
    "files": read_files,
    "scope": read_scope,
    "tags": read_list,
    "source": _one_of(Source),
    "origin": read_origin,
    "created": read_date,
    "confirmed": read_date,
    "evidence": read_evidence,
    "expires": read_date,
    "superseded_by": _matching(ID, "the id of one memory", ID_LENGTH_MOST),
    "supersedes": read_list,
    "verified": read_text,
}
"""How each field is read, in the order in which a new file states them."""
FALLBACKS: Final[Mapping[str, Callable[[Reading, Field], None]]] = {
    "name": read_name,
    "metadata": read_metadata,
}
"""Keys of agents' own memory files, read after ours and outranked by them."""
