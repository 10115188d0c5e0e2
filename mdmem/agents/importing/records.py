"""JSON of others as records: a list, lists one after the other (as `gh api --paginate` prints), or lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LISTS: Final = ("results", "memories", "data")


def iter_records(content: str) -> Iterator[tuple[Mapping[str, object], int]]:
    """Every object of the outer lists, with the line that its list begins on; nothing for what is no JSON."""
    content, at = content.removeprefix("\ufeff"), 0
    decoder = json.JSONDecoder()
    while at < len(content):
        if content[at].isspace():
            at += 1
            continue
        try:
            value, end = decoder.raw_decode(content, at)
        except (ValueError, RecursionError):
            return
        line = content.count("\n", 0, at) + 1
        yield from ((record, line) for record in _records(value))
        at = end


def text(record: Mapping[str, object], key: str) -> str:
    """A field as text, '' where it is none."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def strings(record: Mapping[str, object], key: str) -> tuple[str, ...]:
    """A field as a list of texts."""
    value = record.get(key)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def child(record: Mapping[str, object], key: str) -> Mapping[str, object]:
    """A field as an object, empty where it is none."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def _records(value: object) -> list[dict[str, object]]:
    if isinstance(value, list):
        return [one for one in value if isinstance(one, dict)]
    if not isinstance(value, dict):
        return []
    inner = next((value[name] for name in LISTS if isinstance(value.get(name), list)), None)
    return [value] if inner is None else _records(inner)
