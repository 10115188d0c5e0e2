"""Change some fields of a file and nothing else: comments, order, quotes, line ends and unknown keys stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.errors import InvalidMemoryError
from mdmem.markdown.fences import without_blank_ends
from mdmem.markdown.parse import Document, parse
from mdmem.markdown.reading import Reading, one_line
from mdmem.markdown.render import Plain, entry, inline_value, scalar, writable
from mdmem.markdown.schema import READERS, as_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mdmem.markdown.fences import Layout
    from mdmem.markdown.field import Field

_ORDER: Final = {key: rank for rank, key in enumerate(READERS)}
_LAST: Final = len(_ORDER)
_TITLES: Final = frozenset({"title", "name"})


class Edit(NamedTuple):
    """New lines in the place of `lines[first:last]`; `rank` orders what goes to the same place."""

    first: int
    last: int
    rank: int
    lines: list[str]


def patch(document: Document, changes: Mapping[str, Plain | None], body: str | None = None) -> bytes:
    """The file's bytes with each key of `changes` set (None or empty removes it), and the body when one is given.

    Only the lines of those keys change, and none where the file says it already. Raises ValueError when the document
    is unreadable, InvalidMemoryError when the new text would make it so (a body with conflict markers, too long a
    file), and AssertionError when it would read otherwise than asked: then nothing must be written.
    """
    layout = document.layout
    if layout is None or document.memory is None:
        raise ValueError("an unreadable file is never written")
    wanted = {key: writable(value) if value else None for key, value in changes.items()}
    edits = [edit for key, value in wanted.items() if (edit := _edit(document, layout, key, value))]
    lines = _edited(layout.lines[: layout.end], edits)
    end = len(lines)
    lines += _with_body(layout, body) if body is not None else layout.lines[layout.end :]
    data = replace(layout, lines=tuple(lines), end=end).encoded()
    _verify(document, data, wanted)
    return data


def says(field: Field, key: str, value: Plain) -> bool:
    """Whether a field is read as this value."""
    reading = Reading()
    if isinstance(value, tuple) and not isinstance(field.value, str | list):
        return False
    if isinstance(value, str):
        return reading.text(field, null_is_text=key in _TITLES) == value
    return tuple(_item(key, text) for text in reading.list(field)) == tuple(_item(key, text) for text in value)


def _item(key: str, text: str) -> str:
    return as_path(text) if key == "files" else text


def _edited(lines: tuple[str, ...], edits: list[Edit]) -> list[str]:
    new: list[str] = []
    at = 0
    for edit in sorted(edits):
        new += [*lines[at : edit.first], *edit.lines]
        at = edit.last
    return [*new, *lines[at:]]


def _edit(document: Document, layout: Layout, key: str, value: Plain | None) -> Edit | None:
    """What sets one key; None when nothing has to change."""
    field, rank = document.field(key), _ORDER.get(key, _LAST)
    if field is None:
        at = _place(document, layout, rank)
        new = entry(key, value, _indent(document, layout)).splitlines() if value else []
        return Edit(at, at, rank, [line + layout.eol for line in new]) if new else None
    if not value:
        return Edit(field.first, field.last, rank, _remarks(layout, field))
    if says(field, key, value):
        return None
    if isinstance(value, tuple) and _is_list_of_lines(layout, field):
        return Edit(field.first, field.last, rank, _items(layout, field, key, value))
    return Edit(field.first, field.last, rank, _inline(layout, field, key, value))


def _remarks(layout: Layout, field: Field) -> list[str]:
    """The comments of a field that is taken away, each on a line of its own: they are the user's."""
    behind = layout.lines[field.end.line][field.end.column :].strip()
    own = [f"{_indent_of(layout.lines[field.first])}{behind}{layout.eol}"] if behind.startswith("#") else []
    inner = layout.lines[field.first + 1 : field.last] if isinstance(field.value, list) else ()
    return [*own, *(line for line in inner if line.lstrip().startswith("#"))]


def _inline(layout: Layout, field: Field, key: str, value: Plain) -> list[str]:
    """The value in the place of the old one; what stands before and after it on its lines stays."""
    before = layout.lines[field.start.line][: field.start.column]
    after = layout.lines[field.end.line][field.end.column :]
    if not before.endswith((" ", "\t")):
        before += " "
    if isinstance(value, tuple) and len(value) == 1 and isinstance(field.value, str) and "," not in value[0]:
        value = value[0]
    new = inline_value(key, value, field.style if field.style in ("'", '"') else "")
    return [*layout.lines[field.first : field.start.line], before + new + after]


def _is_list_of_lines(layout: Layout, field: Field) -> bool:
    """Whether a list's items have lines of their own that are worth keeping: a block list, or comments between."""
    if not field.items or not isinstance(field.value, list) or any(isinstance(one, list | dict) for one in field.value):
        return False
    return field.style == "-" or any("#" in line for line in layout.lines[field.start.line : field.end.line])


def _items(layout: Layout, field: Field, key: str, values: tuple[str, ...]) -> list[str]:
    """A list one item a line: those that stay with their lines and comments, in the order of `values`."""
    head, indent = layout.lines[field.first : field.start.line + 1], ""
    kept: dict[str, list[list[str]]] = {}
    if field.style == "-":
        dashed = next(line for line in layout.lines[field.first + 1 :] if line.lstrip().startswith("-"))
        indent = dashed[: len(dashed) - len(dashed.lstrip())]
        found = _block_items(layout, field)
    else:
        indent = _indent_of(layout.lines[field.first]) + "  "
        head = (*head[:-1], _flow_head(layout, field))
        found = _flow_items(layout, field, indent)
    for text, lines in found:
        kept.setdefault(_item(key, text), []).append(lines)
    new = list(head)
    for value in values:
        same = kept.get(_item(key, value))
        new += same.pop(0) if same else [f"{indent}- {scalar(value)}{layout.eol}"]
    return new


def _block_items(layout: Layout, field: Field) -> Iterator[tuple[str, list[str]]]:
    """(text, lines) of each item of a block list, the comments above it among its lines."""
    begin = field.start.line + 1
    for text, (start, end) in zip(_texts(field), field.items, strict=True):
        stop = end.line + (end.column > 0 or end.line == start.line)
        yield text, list(layout.lines[begin:stop])
        begin = stop


def _flow_items(layout: Layout, field: Field, indent: str) -> Iterator[tuple[str, list[str]]]:
    """(text, lines) of each item of a list in brackets, as lines of a block list, its comments with it."""
    begin = field.start.line + 1
    for text, (start, end) in zip(_texts(field), field.items, strict=True):
        above = [line for line in layout.lines[begin : start.line] if line.lstrip().startswith("#")]
        rest = layout.lines[end.line][end.column :].strip().removeprefix(",").strip()
        comment = f" {rest}" if rest.startswith("#") else ""
        yield text, [*above, f"{indent}- {scalar(text)}{comment}{layout.eol}"]
        begin = end.line + 1


def _flow_head(layout: Layout, field: Field) -> str:
    """The line of the key without the bracket, with the comment that stood behind one of the two brackets."""
    opening, closing = layout.lines[field.start.line], layout.lines[field.end.line]
    behind = opening[field.start.column + 1 :].strip()
    comment = behind if behind.startswith("#") else closing[field.end.column :].strip()
    return f"{opening[: field.start.column].rstrip()} {comment}".rstrip() + layout.eol


def _texts(field: Field) -> Iterator[str]:
    for value in field.value if isinstance(field.value, list) else ():
        yield one_line(value) if isinstance(value, str) else ""


def _place(document: Document, layout: Layout, rank: int) -> int:
    """The line before which a new key goes: after the nearest key that the schema states before it."""
    earlier = [field for field in document.fields if _ORDER.get(field.key, _LAST) < rank]
    if earlier:
        return max(earlier, key=lambda field: _ORDER[field.key]).last
    return document.fields[-1].last if document.fields and rank else layout.start + 1


def _indent(document: Document, layout: Layout) -> str:
    return _indent_of(layout.lines[document.fields[0].first]) if document.fields else ""


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def _with_body(layout: Layout, body: str) -> list[str]:
    """The closing fence and the new body; the blank lines around the old one stay."""
    fence, old = layout.lines[layout.end], "".join(layout.lines[layout.end + 1 :])
    text = without_blank_ends(body)
    if text == layout.body:
        return [fence, old]
    text = text.replace("\n", layout.eol)
    if not old.strip():
        return [fence.rstrip("\r\n") + layout.eol, text + layout.eol] if text else [fence, old]
    lead = "".join(layout.lines[layout.end + 1 : layout.body_line - 1])
    return [fence, lead + text + old[len(old.rstrip()) :]]


def _verify(document: Document, data: bytes, changes: Mapping[str, Plain | None]) -> None:
    """Hold the new bytes to what was asked: they read as before, but for the keys that were meant."""
    again = parse(data, document.path)
    if again.memory is None:
        problem = again.problems[0]
        raise InvalidMemoryError(problem.code, problem.key, problem.message, problem.hint)
    before = {field.key: field.value for field in document.fields if field.key not in changes}
    after = {field.key: field.value for field in again.fields if field.key not in changes}
    if before != after:
        keys = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
        raise AssertionError(f"the patch would change {', '.join(keys)} too")
    for key, value in changes.items():
        field = again.field(key)
        if not (says(field, key, value) if field and value else field is None and not value):
            raise AssertionError(f"the patch would not set {key} to {value!r}")
