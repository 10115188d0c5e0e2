"""Frontmatter of files that are not ours, read line by line: some of it is no YAML (`globs: *.ts`)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from mdmem.markdown.dates import as_when

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.memory import When


class Foreign(NamedTuple):
    """A file's fields, every value as a list of texts, its body, and the line that the body begins on."""

    fields: Mapping[str, tuple[str, ...]]
    body: str
    body_line: int

    def one(self, key: str) -> str:
        """A field as one text, '' where it is not stated."""
        return ", ".join(self.fields.get(key, ()))

    def many(self, key: str) -> tuple[str, ...]:
        """A field as a list: its items, or what stands between commas."""
        items = (part for value in self.fields.get(key, ()) for part in value.strip("[]").split(","))
        return tuple(text for item in items if (text := unquoted(item)))

    def day(self, key: str) -> When | None:
        """A field as a day, None where it is none."""
        return day_of(self.one(key))


def split(text: str) -> Foreign:
    """A file's frontmatter and body; a file without a closed frontmatter is all body."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    if lines[0].strip() != "---" or not end:
        return Foreign({}, "\n".join(lines), 1)
    fields: dict[str, list[str]] = {}
    key = ""
    for line in lines[1:end]:
        if line.lstrip().startswith("- ") and key:
            fields[key].append(unquoted(line.lstrip()[2:]))
        elif line[:1].strip() and ":" in line:
            key, _, value = line.partition(":")
            fields[key := key.strip()] = [unquoted(value)] if value.strip() else []
    return Foreign({name: tuple(values) for name, values in fields.items()}, "\n".join(lines[end + 1 :]), end + 2)


def unquoted(text: str) -> str:
    """A text without blanks and one pair of quotes around it."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def day_of(text: str) -> date | None:
    """The day that a text begins with, None where it is none."""
    found = as_when(text[:10])
    return found if isinstance(found, date) else None
