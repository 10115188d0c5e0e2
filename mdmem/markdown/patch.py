"""Change some fields of a file and nothing else: comments, order, quotes, line ends and unknown keys stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.markdown.parse import Document, parse
from mdmem.markdown.render import Plain, entry, inline_value, scalar
from mdmem.markdown.schema import READERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.markdown.fences import Layout
    from mdmem.markdown.yaml_reader import Field

_ORDER: Final = tuple(READERS)


def patch(document: Document, changes: Mapping[str, Plain | None], body: str | None = None) -> bytes:
    """The file's bytes with each key of `changes` set (None or empty removes it), and the body when one is given.

    Only the lines of those keys change. Raises ValueError when the document is unreadable, and AssertionError when
    the new text would read otherwise than asked: then nothing must be written.
    """
    layout = document.layout
    if layout is None or document.memory is None:
        raise ValueError("an unreadable file is never written")
    lines = list(layout.lines)
    edits = [_edit(document, layout, key, value) for key, value in changes.items()]
    for _, (first, last, new) in sorted(
        enumerate(edits), key=lambda item: (item[1][0], _rank(item[0], changes)), reverse=True
    ):
        lines[first:last] = new
    added = len(lines) - len(layout.lines)
    if body is not None:
        lines[layout.end + 1 + added :] = _body(layout, body)
    data = type(layout)(tuple(lines), layout.start, layout.end + added, layout.has_bom).encoded()
    _verify(document, data, changes)
    return data


def _rank(position: int, changes: Mapping[str, object]) -> int:
    """Two new keys that go to the same line keep the order of the schema."""
    key = list(changes)[position]
    return _ORDER.index(key) if key in _ORDER else len(_ORDER)


def _edit(document: Document, layout: Layout, key: str, value: Plain | None) -> tuple[int, int, list[str]]:
    """(first line, line after, new lines) that set one key."""
    field = document.field(key)
    if field is None:
        at = _place(document, layout, key)
        return at, at, _as_lines(entry(key, value, _indent(document, layout)), layout) if value else []
    if not value:
        return field.first, field.last, []
    if field.start >= 0:
        return field.first, field.first + 1, [_inline(layout.lines[field.first], field, key, value)]
    if field.items and isinstance(value, tuple) and all(isinstance(item, str) for item in field.value):
        return field.first, field.last, _block_list(layout, field, value)
    return field.first, field.last, _as_lines(entry(key, value, _indent(document, layout)), layout)


def _inline(line: str, field: Field, key: str, value: Plain) -> str:
    before, after = line[: field.start], line[field.end :]
    if not before.endswith((" ", "\t")):
        before = before.rstrip() + " "
    if isinstance(value, tuple) and len(value) == 1 and isinstance(field.value, str) and field.style != "[":
        value = value[0]
    new = inline_value(key, value, field.style if field.style in ("'", '"') else "")
    return before + new + (after if after[:1].isspace() or not after else f" {after}")


def _block_list(layout: Layout, field: Field, values: tuple[str, ...]) -> list[str]:
    """The list's lines: those of the items that stay, with the comments before them, then new ones."""
    chunks: dict[str, tuple[str, ...]] = {}
    begin = field.first + 1
    for text, (_, end) in zip(field.value, field.items, strict=True):
        chunks.setdefault(text, layout.lines[begin:end])
        begin = end
    sample = layout.lines[field.items[0][0]]
    indent = sample[: len(sample) - len(sample.lstrip())]
    new = [layout.lines[field.first]]
    for value in values:
        new.extend(chunks.get(value) or (f"{indent}- {scalar(value)}{layout.eol}",))
    return new


def _place(document: Document, layout: Layout, key: str) -> int:
    """The line before which a new key goes: after the nearest key that the schema states before it."""
    rank = _ORDER.index(key) if key in _ORDER else len(_ORDER)
    for earlier in reversed(_ORDER[:rank]):
        field = document.field(earlier)
        if field:
            return field.last
    return layout.start + 1 if rank == 0 or not document.fields else document.fields[-1].last


def _indent(document: Document, layout: Layout) -> str:
    line = layout.lines[document.fields[0].first] if document.fields else ""
    return line[: len(line) - len(line.lstrip())]


def _as_lines(text: str, layout: Layout) -> list[str]:
    return [line + layout.eol for line in text.splitlines()]


def _body(layout: Layout, body: str) -> list[str]:
    old = "".join(layout.lines[layout.end + 1 :])
    text = body.strip("\n").rstrip().replace("\r\n", "\n").replace("\n", layout.eol)
    if not old.strip():
        return [text + layout.eol] if text else []
    stripped = old.lstrip()
    lead = old[: len(old) - len(stripped)]
    lead = lead[: lead.rfind("\n") + 1]
    return [lead + text + old[len(old.rstrip()) :]]


def _verify(document: Document, data: bytes, changes: Mapping[str, Plain | None]) -> None:
    """A patched file must read as before, but for the keys that were meant."""
    again = parse(data, document.path)
    kept = {field.key: field.value for field in document.fields if field.key not in changes}
    now = {field.key: field.value for field in again.fields if field.key not in changes}
    assert again.memory is not None, f"the patch would make the file unreadable: {again.problems}"
    assert kept == now, (
        f"the patch would change {sorted(k for k in kept.keys() | now.keys() if kept.get(k) != now.get(k))}"
    )
    for key, value in changes.items():
        field = again.field(key)
        assert (field is None) == (not value), f"the patch would lose {key}"
