"""Frontmatter by our schema, not by YAML's guesses: every scalar is the text that a person sees.

The handler plugs into python-frontmatter but builds the mapping from YAML events, so that anchors, tags, depth and
duplicate keys are refused before anything is expanded, and every key knows its lines.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import yaml
from frontmatter.default_handlers import BaseHandler

from mdmem.markdown.fences import Layout, NotAMemory
from mdmem.markdown.hints import explain
from mdmem.markdown.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

LOADER: Final[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
DEPTH: Final = 20
_KEY: Final = re.compile(r"[^\W\d][\w .-]*")
_CUT: Final = re.compile(r"[ \t]+#\S")
_COMMENT: Final = re.compile(r"[ \t]+#(?=[ \t]|$)|[ \t]*$")
_TAB: Final = re.compile(r" *\t\s*[^\s#]")

Value = Any
"""A frontmatter value: text, None (nothing after the colon), or lists and mappings of them."""


@dataclass(frozen=True, slots=True)
class Field:
    """One top-level key of the frontmatter.

    Lines are indexes into Layout.lines: the entry takes `lines[first:last]`. A value that stands on the key's own
    line takes its columns `start` to `end`; `start` is -1 for every other. `style` is YAML's: '' for plain, a
    quote, | or >, '[' for a flow list, '-' for a block list, '{' for a mapping. `items` holds the line spans of a
    block list's items. `is_cut` says that other readers see a comment where the value goes on.
    """

    key: str
    value: Value
    style: str
    first: int
    last: int
    start: int
    end: int
    items: tuple[tuple[int, int], ...] = ()
    is_cut: bool = False

    @property
    def line(self) -> int:
        """The line of the key, from 1."""
        return self.first + 1


class StrictHandler(BaseHandler):
    """python-frontmatter's interface over our fences and our reading of YAML."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def detect(self, text: str) -> bool:  # noqa: ARG002
        """Always: the fences were found before."""
        return True

    def split(self, text: str) -> tuple[str, str]:  # noqa: ARG002
        """(frontmatter, body), cut at our fences."""
        return self.layout.frontmatter, self.layout.body

    def load(self, fm: str, **_: object) -> dict[str, Field]:
        """The fields by key, in the file's order. Raises NotAMemory when it can't be read as a mapping."""
        return {field.key: field for field in _read(fm, self.layout)}


def _read(text: str, layout: Layout) -> list[Field]:
    first = layout.start + 1
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _TAB.match(line):
            raise NotAMemory(
                Problem(
                    "E_YAML",
                    first + number + 1,
                    "a tab as indentation",
                    hint="indent with spaces, not with a tab",
                )
            )
    try:
        return _Reader(layout).fields(yaml.parse(text, Loader=LOADER))
    except yaml.MarkedYAMLError as error:
        index, message, hint = explain(lines, error)
        raise NotAMemory(Problem("E_YAML", first + index + 1, message, hint=hint)) from error
    except yaml.YAMLError as error:
        raise NotAMemory(Problem("E_YAML", first + 1, str(error).splitlines()[0])) from error


class _Reader:
    """Walks the events of one frontmatter; `line` numbers in events count from the line after the fence."""

    def __init__(self, layout: Layout) -> None:
        self.offset = layout.start + 1
        self.lines = layout.lines

    def fields(self, events: Iterator[Any]) -> list[Field]:
        checked = self._checked(events)
        root = next((e for e in checked if not isinstance(e, yaml.StreamStartEvent | yaml.DocumentStartEvent)), None)
        if root is None or isinstance(root, yaml.StreamEndEvent):
            return []
        if not isinstance(root, yaml.MappingStartEvent):
            self._refuse_root(root)
        if root.flow_style:
            raise self._problem("E_FORMAT", root, "JSON-like frontmatter", "write one `key: value` a line")
        fields: dict[str, Field] = {}
        for event in checked:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._key(event)
            if key in fields:
                raise self._problem(
                    "E_DUP_KEY",
                    event,
                    f"`{key}` stands on line {fields[key].line} already",
                    f"keep one of lines {fields[key].line} and {self._line(event)}",
                    key,
                )
            fields[key] = self._field(key, event, checked)
        self._refuse_second_document(checked)
        return list(fields.values())

    def _checked(self, events: Iterator[Any]) -> Iterator[Any]:
        depth = 0
        for event in events:
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise self._problem(
                    "E_ANCHOR",
                    event,
                    "YAML anchors and aliases are not read",
                    "quote the value, if & or * is part of it",
                )
            if getattr(event, "tag", None):
                raise self._problem("E_TAG", event, f"YAML tag {event.tag}", "quote the value, if ! is part of it")
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > DEPTH:
                    raise self._problem("E_DEPTH", event, f"nested more than {DEPTH} levels deep")
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            yield event

    def _field(self, key: str, name: Any, events: Iterator[Any]) -> Field:
        event = next(events)
        first = self._line(name) - 1
        value, last, style, items = self._value(event, events, key)
        start, end, is_cut = -1, -1, False
        if isinstance(event, yaml.ScalarEvent) and style == "":
            value, start, end, is_cut = self._plain(event, name, value)
            last = max(last, first + 1)
        elif event.start_mark.line == name.start_mark.line and last == first + 1 and style in ("'", '"', "["):
            start = event.start_mark.column
            end = self._end_column(event, first, start, style)
        return Field(key, value, style, first, last, start, end, items, is_cut)

    def _value(
        self, event: Any, events: Iterator[Any], key: str
    ) -> tuple[Value, int, str, tuple[tuple[int, int], ...]]:
        """(value, line after it, style, spans of items) of the node that begins with `event`."""
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, key), self._last(event), event.style or "", ()
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(event, events, key)
        values: dict[str, Value] = {}
        last = self._line(event)
        for inner in events:
            if isinstance(inner, yaml.MappingEndEvent):
                last = max(last, self._line(inner)) if event.flow_style else last
                break
            if not isinstance(inner, yaml.ScalarEvent):
                raise self._problem(
                    "E_YAML_TYPE",
                    inner,
                    f"`{key}` holds a mapping where one value should stand",
                    "fill in the placeholder, or quote the value",
                    key,
                )
            values[inner.value], end, *_ = self._value(next(events), events, key)
            last = max(last, end)
        return values, last, "{", ()

    def _list(self, event: Any, events: Iterator[Any], key: str) -> tuple[Value, int, str, tuple[tuple[int, int], ...]]:
        values: list[Value] = []
        spans: list[tuple[int, int]] = []
        last = self._line(event)
        for inner in events:
            if isinstance(inner, yaml.SequenceEndEvent):
                last = max(last, self._line(inner)) if event.flow_style else last
                break
            begin = self._line(inner) - 1
            value, end, style, _ = self._value(inner, events, key)
            if isinstance(inner, yaml.ScalarEvent) and style == "" and not event.flow_style:
                value = self._with_hash(inner, value)[0]
            values.append(value)
            spans.append((begin, max(end, begin + 1)))
            last = max(last, end)
        return values, last, "[" if event.flow_style else "-", () if event.flow_style else tuple(spans)

    def _scalar(self, event: Any, key: str) -> str | None:
        text = unicodedata.normalize("NFC", event.value)
        if event.style == '"' and any(unicodedata.category(c) == "Cc" for c in text):
            raise self._problem(
                "E_CONTROL_CHAR",
                event,
                "an escape in double quotes gives a control character",
                "use single quotes or forward slashes",
                key,
            )
        return None if not text and not event.style else text

    def _plain(self, event: Any, name: Any, value: str | None) -> tuple[Value, int, int, bool]:
        """A plain value with what follows ` #`, its columns on the key's line, whether it was cut."""
        value, end, is_cut = self._with_hash(event, value)
        is_here = event.start_mark.line == event.end_mark.line == name.start_mark.line
        line = self._text(name.start_mark.line)
        start = event.start_mark.column
        if value is None or not line[start:end].strip():
            start = end = name.end_mark.column + 1
            return value, start if is_here else -1, end if is_here else -1, is_cut
        if is_cut and not event.value:
            start += len(line[start:]) - len(line[start:].lstrip())
        return value, start if is_here else -1, end if is_here else -1, is_cut

    def _with_hash(self, event: Any, value: str | None) -> tuple[str | None, int, bool]:
        """Decision: blank, hash, blank begins a comment; ` #x` belongs to a plain value."""
        line = self._text(event.end_mark.line)
        end = event.end_mark.column
        if not _CUT.match(line, end):
            return value, end, False
        stop = _COMMENT.search(line, end)
        whole = line[end : stop.start() if stop else len(line)]
        text = unicodedata.normalize("NFC", f"{value or ''}{whole}".strip())
        return text, end + len(whole), True

    def _end_column(self, event: Any, first: int, start: int, style: str) -> int:
        if style != "[":
            return int(event.end_mark.column)
        line = self.lines[first].rstrip("\r\n")
        return flow_end(line, start)

    def _key(self, event: Any) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            raise self._problem(
                "E_YAML_TYPE",
                event,
                "a mapping or list stands where a key should",
                "fill in the placeholder, or quote the value",
            )
        line = self._text(event.start_mark.line)
        key = unicodedata.normalize("NFC", event.value)
        if key == "<<":
            raise self._problem("E_ANCHOR", event, "YAML merge keys are not read", "write the keys out")
        if line[: event.start_mark.column].strip():
            raise self._problem("E_YAML", event, "an explicit `?` key", "write `key: value`")
        if not _KEY.fullmatch(key):
            raise self._problem("E_KEY_TYPE", event, f"the key {key!r} is not a word", "begin a key with a letter", key)
        return key

    def _refuse_root(self, root: Any) -> None:
        line = self._text(root.start_mark.line)
        hint = "write `key: value` lines"
        if "\u00a0" in line:
            hint = "a non-breaking space follows the colon: type a plain space"
        elif "：" in line:
            hint = "a full-width colon stands after the key: type a plain :"
        elif isinstance(root, yaml.ScalarEvent) and re.match(r"[\w-]+:\S", line):
            hint = "put a space after the colon"
        raise self._problem("E_FM_NOT_MAPPING", root, "the frontmatter is not a list of `key: value` lines", hint)

    def _refuse_second_document(self, events: Iterator[Any]) -> None:
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise self._problem("E_YAML", event, "a second YAML document", "keep one block of frontmatter")

    def _text(self, line: int) -> str:
        return self.lines[self.offset + line].rstrip("\r\n") if self.offset + line < len(self.lines) else ""

    def _line(self, event: Any) -> int:
        return self.offset + int(event.start_mark.line) + 1

    def _last(self, event: Any) -> int:
        """The index of the line after a scalar."""
        mark: Any = event.end_mark
        last = self.offset + int(mark.line) + (0 if mark.column == 0 and mark.line > event.start_mark.line else 1)
        while event.style in ("|", ">") and last - 1 > self._line(event) and not self.lines[last - 1].strip():
            last -= 1
        return last

    def _problem(self, code: str, event: Any, message: str, hint: str = "", key: str = "") -> NotAMemory:
        return NotAMemory(Problem(code, self._line(event), message, key=key, hint=hint))


def flow_end(line: str, start: int) -> int:
    """The column after the flow collection that opens at `start`, quotes respected."""
    depth, quote = 0, ""
    for column in range(start, len(line)):
        char = line[column]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            depth += (char in "[{") - (char in "]}")
            if depth == 0:
                return column + 1
    return len(line)
