"""JSONL as agents leave it: read line by line, whatever is broken is named and stepped over.

Nothing here knows what a record means. A line is never held when it is longer than LINE_LIMIT, so a file's size
and its longest line do not decide how much memory reading takes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from mdmem.errors import TranscriptError
from mdmem.markdown.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

Json = Mapping[str, object]

LINE_LIMIT: Final = 8 * 1024 * 1024
CONTROL_BYTES: Final = bytes({*range(0x20), 0x7F} - {ord("\t"), ord("\n"), ord("\r")})
LEAD_BYTE: Final = b"\xc2"
"""How a control character above ASCII begins in UTF-8, and some others do."""
CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
DEPTH_LIMIT: Final = 100
SKIPPED: Final = frozenset({"W_BAD_LINE", "W_BIG_LINE"})
DECODER: Final = json.JSONDecoder()
BOM: Final = b"\xef\xbb\xbf"
PROBLEMS: Final = 1000
"""So many problems of one file are named; the others are only counted."""
KINDS: Final = 200
"""So many kinds of records are told apart: a broken file may make them up."""
OTHER_KINDS: Final = "(others)"

SCALAR: Final = rb'\s*"\w+"\s*:\s*(?:"[^"\\]*"|null|true|false|-?\d+)\s*,'
HEAD: Final = re.compile(
    rb"\s*\{(?:" + SCALAR + rb')*?\s*"type"\s*:\s*"([\w.-]+)"(?:\s*,\s*"payload"\s*:\s*\{\s*"type"\s*:\s*"([\w.-]+)")?'
)
"""A record's own type, and that of its payload, as far as they stand before anything nested: no text can forge them."""
SEAM: Final = re.compile(rb"\}\s*\{")
"""Where two records are glued together, or only seem to be."""


class Record(NamedTuple):
    """One JSON object and the line, from 1, that it stands on."""

    line: int
    value: Json


@dataclass(slots=True)
class Tally:
    """What was counted while reading: problems, lines that could not be read, kinds of records, what was passed over.

    `passed` counts by reason what stands in records that are read and is nothing for us.
    """

    problems: list[Problem] = field(default_factory=list)
    skipped: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)

    def name(self, code: str, line: int, message: str) -> None:
        """Names what is wrong with a line."""
        self.skipped += code in SKIPPED
        if len(self.problems) < PROBLEMS:
            self.problems.append(Problem(code, line, message))

    def count(self, kind: str) -> None:
        """Counts one record of a kind."""
        self.kinds[kind if kind in self.kinds or len(self.kinds) < KINDS else OTHER_KINDS] += 1


def iter_records(stream: BinaryIO, tally: Tally, noise: Collection[str] = ()) -> Iterator[Record]:
    """The objects of a JSONL stream in file order; what is wrong with a line is named in `tally`.

    Records of the kinds in `noise` (a type, or `type/payload type`) are counted and not decoded, where their kind
    can be read off their beginning; the others are for the caller to count.
    Raises TranscriptError (E_NOT_JSONL) for JSON that is not one record a line, and for a file of which no line
    can be read, unless its only line is a record that is still being written.
    """
    good = bad = 0
    for line, data in _iter_lines(stream, tally):
        if noise and (kind := _noise(data, noise)):
            tally.count(kind)
            good += 1
            continue
        if not (good or bad) and (data.lstrip()[:1] == b"[" or data.strip() == b"{"):
            raise TranscriptError(line)
        values = _decoded(line, data, tally)
        good, bad = good + len(values), bad + (not values)
        for value in values:
            if isinstance(value, dict):
                yield Record(line, value)
            else:
                tally.name("W_SHAPE", line, "the line holds JSON that is no record")
    if not good and (bad > 1 or (bad and not data.lstrip().startswith(b"{"))):
        raise TranscriptError(1)


def text(value: Json, key: str) -> str:
    """The string under a key, '' when there is none or it is something else.

    Control sequences of a terminal, control characters, and halves of surrogate pairs, which JSON can escape but no
    file can hold, are gone.
    """
    found = value.get(key)
    return _clean(found) if isinstance(found, str) else ""


def child(value: Json, key: str) -> Json:
    """The object under a key, empty when there is none or it is something else."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def children(value: object) -> tuple[Json, ...]:
    """The objects of a list, none when it is no list."""
    return tuple(item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def _clean(found: str) -> str:
    """A text without what `text` takes out; whether there is any is told by its bytes, which is far quicker."""
    try:
        data = found.encode()
    except UnicodeEncodeError:
        data = found.encode("utf-8", "replace")
        found = data.decode()
    if LEAD_BYTE in data or len(data.translate(None, CONTROL_BYTES)) < len(data):
        return CONTROL.sub("", found)
    return found


def _noise(data: bytes, noise: Collection[str]) -> str:
    """The kind of a whole record that is noise, '' for anything else and whenever that is not certain."""
    head = HEAD.match(data)
    if not head or not data.endswith((b"}\n", b"}\r\n")):
        return ""
    kind, inner = head[1].decode(), (head[2] or b"").decode()
    name = next((name for name in (kind, f"{kind}/{inner}") if name in noise), "")
    return "" if name and SEAM.search(data) else name


def _iter_lines(stream: BinaryIO, tally: Tally) -> Iterator[tuple[int, bytes]]:
    """Numbered lines that are not blank; one above the limit is read past and named."""
    line = 0
    while data := stream.readline(LINE_LIMIT):
        line += 1
        if len(data) == LINE_LIMIT and not data.endswith(b"\n"):
            while data and not data.endswith(b"\n"):
                data = stream.readline(LINE_LIMIT)
            tally.name("W_BIG_LINE", line, f"more than {LINE_LIMIT // 1024**2} MiB; skipped")
            continue
        if line == 1:
            data = data.removeprefix(BOM)
        if data.strip():
            yield line, data


def _decoded(line: int, data: bytes, tally: Tally) -> list[object]:
    """The JSON values on one line: one, several when records are glued together, none when it is broken."""
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError:
        source = data.decode("utf-8", errors="replace")
        tally.name("W_ENCODING", line, "bytes that are not UTF-8 were replaced")
    values, is_whole = _values(source.strip())
    if data.count(b"[") + data.count(b"{") > DEPTH_LIMIT and any(_depth(value) > DEPTH_LIMIT for value in values):
        values, is_whole = [], False
    if len(values) > 1:
        tally.name("W_GLUED_LINE", line, f"{len(values)} records on one line")
    if not is_whole:
        tally.name("W_BAD_LINE", line, "not a JSON record; skipped")
    return values


def _values(source: str) -> tuple[list[object], bool]:
    """The JSON values that stand one after another, and whether they reach the end of the text."""
    values, position = list[object](), 0
    while position < len(source):
        try:
            value, position = DECODER.raw_decode(source, position)
        except (ValueError, RecursionError):
            return values, False
        values.append(value)
        while position < len(source) and source[position].isspace():
            position += 1
    return values, True


def _depth(value: object) -> int:
    """How many levels of lists and objects are nested in a value."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, list | dict)]:
        depth += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return depth
