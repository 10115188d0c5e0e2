"""`key=value` as people type it, as changes of one memory's frontmatter."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from mdmem.errors import MdmemError
from mdmem.markdown.render import as_plain
from mdmem.markdown.schema import READERS
from mdmem.pattern import pattern
from mdmem.redact import redact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdmem.markdown.render import Plain
    from mdmem.memory import Memory

LISTS: Final = frozenset({"files", "tags", "origin", "supersedes"})
_ASSIGNMENT: Final = pattern(r"(?P<key>[A-Za-z_]+)\s*(?P<sign>[+-]?)=(?P<value>.*)", re.DOTALL)


def read_assignments(texts: Iterable[str], memory: Memory) -> tuple[dict[str, Plain | None], str | None]:
    """(changes, new body or None) from `key=value`, `key=` (remove), and for lists `key+=value`, `key-=value`.

    A list is written with commas. Secrets are redacted. Raises MdmemError for a text of another form or an unknown
    key; whether the value is right is said when it is written.
    """
    changes: dict[str, Plain | None] = {}
    body = None
    for text in texts:
        found = _ASSIGNMENT.fullmatch(text)
        if found is None:
            raise MdmemError(f"{text!r} is no assignment", "write key=value, as in confidence=0.8")
        key, value = found["key"], redact(found["value"]).text.strip()
        if key == "body":
            body = value
        elif key not in READERS:
            near = get_close_matches(key, [*READERS, "body"], 3)
            raise MdmemError(f"unknown field `{key}`", f"did you mean {', '.join(near)}?" if near else
                             f"one of {', '.join(READERS)}, body")  # fmt: skip
        elif key in LISTS:
            before = changes[key] if key in changes else as_plain(getattr(memory, key))
            changes[key] = _list(before if isinstance(before, tuple) else (), found["sign"], value)
        else:
            changes[key] = " ".join(value.split()) or None
    return changes, body


def _list(before: tuple[str, ...], sign: str, value: str) -> tuple[str, ...]:
    items = tuple(item.strip() for item in value.split(",") if item.strip())
    if sign == "+":
        return tuple(dict.fromkeys((*before, *items)))
    if sign == "-":
        return tuple(item for item in before if item not in items)
    return items
