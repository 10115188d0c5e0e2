"""One form for those who want it: what a person may write in many ways, written as mdmem itself would write it.

Fields stand in the order of the schema, values are plain where they can be, dates, lists and paths are normal, and a
file states its id. Comments move with the line they belong to, unknown keys come last and are left as they are, and
so is the body but for blanks at its end. The line ends of the opening fence and a byte-order mark are kept, since a
checkout, not a person, often decides on them (`core.autocrlf`, `eol=` in .gitattributes); naming a line end is how to
say otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.errors import InvalidMemoryError
from mdmem.markdown.field import Mark
from mdmem.markdown.parse import parse
from mdmem.markdown.reading import one_line
from mdmem.markdown.render import as_plain, entry, scalar
from mdmem.markdown.schema import READERS, as_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.markdown.fences import Layout
    from mdmem.markdown.field import Field
    from mdmem.markdown.parse import Document
    from mdmem.memory import Memory

LINE_ENDS: Final = {"lf": "\n", "crlf": "\r\n"}
_KEYS: Final = tuple(key for known in READERS for key in (known, {"title": "name", "type": "metadata"}.get(known, "")))
_RANK: Final = {key: rank for rank, key in enumerate(_KEYS) if key}
_LAST: Final = len(_KEYS)


class Part(NamedTuple):
    """A field's lines with the comments that belong to it."""

    key: str
    lines: list[str]


def formatted(document: Document, eol: str | None = None) -> bytes:
    """The file in its normal form; `eol` (`lf` or `crlf`) gives every line that end and takes the BOM away.

    It reads as the same memory, and formatting it again changes nothing. Fields with an error stay as they are.
    Raises ValueError when the document is unreadable, InvalidMemoryError when it would outgrow what a file may have
    or, with tabs in odd places, read otherwise.
    """
    layout, memory = document.layout, document.memory
    if layout is None or memory is None:
        raise ValueError("an unreadable file is never written")
    top, parts, rest = _parts(document, layout, memory)
    ordered = sorted(parts, key=lambda part: _RANK.get(part.key, _LAST))
    lines = ["---", *top, *(line for part in ordered for line in part.lines), *rest, "---"]
    body = "".join(layout.lines[layout.end + 1 :]).rstrip()
    data = _encoded(layout, lines, body, eol)
    again = parse(data, document.path)
    if again.memory is None:
        problem = again.problems[0]
        raise InvalidMemoryError(problem.code, problem.key, problem.message, problem.hint)
    if again.memory.as_json() != memory.as_json():
        raise InvalidMemoryError("E_YAML", "", "it would be read otherwise", "write tabs as blanks")
    return data


def _encoded(layout: Layout, lines: list[str], body: str, eol: str | None) -> bytes:
    end = LINE_ENDS[eol] if eol else layout.eol
    head = "".join(f"{line}{end}" for line in lines)
    text = f"{body}{end}" if body else ""
    if eol:
        text = text.replace("\r\n", "\n").replace("\n", end)
    return replace(layout, lines=(head, text), has_bom=layout.has_bom and not eol).encoded()


def _parts(document: Document, layout: Layout, memory: Memory) -> tuple[list[str], list[Part], list[str]]:
    """(comments on top, each field with its comments, comments at the end), all without line ends."""
    width = _indent(layout, document)
    first = document.fields[0].first if document.fields else layout.end
    top, above = _cut_at_blank(_texts(layout, layout.start + 1, first, width))
    parts: list[Part] = []
    ends = [*(field.first for field in document.fields[1:]), layout.end]
    for field, end in zip(document.fields, ends, strict=False):
        below, rest = _cut_at_outdent(_texts(layout, field.last, end, width))
        is_spread = _has_comments(layout, field) or (field.style == "-" and bool(below))
        written = _written(document, layout, memory, field, width, is_spread=is_spread)
        parts.append(Part(field.key, [*above, *written, *below]))
        above = rest
    if document.field("id") is None:
        parts.append(Part("id", [entry("id", memory.id).rstrip("\n")]))
    return top, parts, [line.rstrip() for line in above if line.strip()]


def _indent(layout: Layout, document: Document) -> int:
    """By how many blanks all keys are indented."""
    line = layout.lines[document.fields[0].first] if document.fields else ""
    return len(line) - len(line.lstrip(" "))


def _texts(layout: Layout, start: int, end: int, width: int) -> list[str]:
    """Lines without their ends and without the indentation that all keys have."""
    lines = (line.rstrip("\r\n") for line in layout.lines[start:end])
    return [line[min(width, len(line) - len(line.lstrip(" "))) :] for line in lines]


def _cut_at_blank(lines: list[str]) -> tuple[list[str], list[str]]:
    """Comments on top of the file, which a blank line sets apart from the first field, and those of that field."""
    blanks = [number for number, line in enumerate(lines) if not line.strip()]
    cut = blanks[-1] if blanks else 0
    top, above = lines[:cut], lines[cut:]
    return [line.rstrip() for line in top if line.strip()], [line.rstrip() for line in above if line.strip()]


def _cut_at_outdent(lines: list[str]) -> tuple[list[str], list[str]]:
    """Comments that are indented belong to what stands above them, the others to what follows; no blank lines."""
    comments = [line.rstrip() for line in lines if line.strip()]
    cut = next((number for number, line in enumerate(comments) if not line.startswith((" ", "\t"))), len(comments))
    return comments[:cut], comments[cut:]


def _written(
    document: Document, layout: Layout, memory: Memory, field: Field, width: int, *, is_spread: bool
) -> list[str]:
    """The lines of one field, without ends; as they are when it is not ours, empty or wrong.

    `is_spread` says that a list keeps its items on lines of their own, for the comments among them.
    """
    key = field.key
    is_wrong = any(problem.key == key and problem.is_error for problem in document.problems)
    value = as_plain(getattr(memory, key) or "") if key in READERS and not is_wrong else ""
    is_spread = is_spread and isinstance(field.value, list)
    if not value or (is_spread and any(start.line != end.line for start, end in field.items)):
        return _texts(layout, field.first, field.last, width)
    if is_spread:
        return list(_one_a_line(layout, field))
    first, *more = entry(key, value).splitlines()
    return [first + _comment(layout, field.end), *more]


def _has_comments(layout: Layout, field: Field) -> bool:
    """Whether comments stand between a list's items."""
    last = field.end.line if field.style == "[" else field.last
    return any("#" in line for line in layout.lines[field.start.line + (field.style == "-") : last])


def _one_a_line(layout: Layout, field: Field) -> Iterator[str]:
    """A list one item a line, each with its comments."""
    yield f"{field.key}:{_comment(layout, field.start if field.style == '-' else _behind_bracket(field))}"
    above = field.start.line + 1
    for value, (start, end) in zip(field.value if isinstance(field.value, list) else (), field.items, strict=True):
        yield from _comments(layout, above, start.line)
        text = one_line(value) if isinstance(value, str) else ""
        comment = _comment(layout, end)
        if text:
            yield f"  - {scalar(as_path(text) if field.key == 'files' else text)}{comment}"
        elif comment:
            yield f" {comment}"
        above = end.line + 1
    if field.style == "[":
        yield from _comments(layout, above, field.end.line)
        yield from filter(None, [_comment(layout, field.end).replace(" ", "  ", 1)])


def _comments(layout: Layout, start: int, end: int) -> Iterator[str]:
    lines = (line.strip() for line in layout.lines[start:end])
    yield from (f"  {line}" for line in lines if line.startswith("#"))


def _behind_bracket(field: Field) -> Mark:
    return Mark(field.start.line, field.start.column + 1)


def _comment(layout: Layout, mark: Mark) -> str:
    """The comment behind a place, with a blank before it and after its `#`, so that it is no part of a plain text."""
    comment = layout.lines[mark.line][mark.column :].strip().removeprefix(",").strip()
    if not comment.startswith("#"):
        return ""
    return f" {comment}" if comment[1:2].isspace() or comment == "#" else f" # {comment[1:]}"
