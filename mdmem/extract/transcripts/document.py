"""One large JSON document, `{"info": …, "messages": [ … ]}`, read a message at a time."""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK: Final = 1024 * 1024
DECODER: Final = json.JSONDecoder()
CLOSERS: Final = ("}", "]")


class TornError(ValueError):
    """The document ends, or is broken, before its end."""


def iter_members(stream: BinaryIO, list_key: str) -> Iterator[tuple[str, object]]:
    """The members of an object as (key, value); of the list under `list_key` each element on its own.

    Raises TornError where the text stops being JSON; what came before has been given out.
    """
    source = _Source(stream)
    source.expect("{")
    while source.peek() not in CLOSERS:
        key = source.value()
        source.expect(":")
        if key == list_key and source.peek() == "[":
            for element in _iter_elements(source):
                yield list_key, element
        else:
            yield str(key), source.value()
        if source.peek() == ",":
            source.expect(",")


def _iter_elements(source: _Source) -> Iterator[object]:
    source.expect("[")
    while source.peek() != "]":
        yield source.value()
        if source.peek() == ",":
            source.expect(",")
    source.expect("]")


@dataclass(slots=True)
class _Source:
    """A text that is read on as far as the next value needs; what was given out is forgotten."""

    stream: BinaryIO
    buffer: str = ""
    at: int = 0
    decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8-sig")("replace")
    )

    def peek(self) -> str:
        """The next character that is no blank. Raises TornError at the end."""
        while True:
            while self.at < len(self.buffer) and self.buffer[self.at].isspace():
                self.at += 1
            if self.at < len(self.buffer):
                return self.buffer[self.at]
            if not self._more():
                raise TornError

    def expect(self, sign: str) -> None:
        """Steps over a sign. Raises TornError when another stands there."""
        if self.peek() != sign:
            raise TornError
        self.at += 1

    def value(self) -> object:
        """The next JSON value. Raises TornError when there is none."""
        self.peek()
        while True:
            try:
                value, end = DECODER.raw_decode(self.buffer, self.at)
            except RecursionError as error:
                raise TornError from error
            except ValueError as error:
                if not self._more():
                    raise TornError from error
                continue
            if end == len(self.buffer) and not isinstance(value, str | list | dict) and self._more():
                continue
            self.at = end
            return value

    def _more(self) -> bool:
        """Reads at least as much again as is held, so that a long value is not tried too often."""
        data = self.stream.read(max(CHUNK, len(self.buffer) - self.at))
        self.buffer = self.buffer[self.at :] + self.decoder.decode(data, not data)
        self.at = 0
        return bool(data)
