"""vetoes.md: what must not be learned again, one sorted line each, mergeable by git."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.memory import Memory, normal_text

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE_NAME: Final = "vetoes.md"
HEADER: Final = (
    "# Vetoes\n\nWhat was forgotten on purpose; mdmem does not learn it again. Delete a line to allow it.\n\n"
)
HASH_LENGTH: Final = 16
_LINE: Final = re.compile(r"\s*- (?P<hash>[0-9a-f]{16})(?: `(?P<topic>[^`]*)`)?(?: (?P<title>.*))?$")


@dataclass(frozen=True, slots=True, order=True)
class Veto:
    """One memory that must not come back: the hash of its text, its topic and title."""

    hash: str
    topic: str
    title: str

    def __str__(self) -> str:
        topic = f" `{self.topic}`" if self.topic else ""
        return f"- {self.hash}{topic} {self.title}"


def veto_of(memory: Memory) -> Veto:
    """The veto that keeps this memory from being learned again."""
    return Veto(text_hash(memory), memory.topic, " ".join(memory.title.split()))


def text_hash(memory: Memory) -> str:
    """16 hex digits over what `is_duplicate` compares: type, scope, title and body, white space folded."""
    text = "\n".join((memory.type, memory.scope, normal_text(memory.title), normal_text(memory.body)))
    return disk.content_hash(text)[:HASH_LENGTH]


def read_vetoes(text: str) -> tuple[Veto, ...]:
    """The vetoes in the file's text; other lines are the user's."""
    found = (_LINE.match(line) for line in text.splitlines())
    return tuple(Veto(m["hash"], m["topic"] or "", m["title"] or "") for m in found if m)


def is_vetoed(memory: Memory, vetoes: Iterable[Veto]) -> bool:
    """Whether the same text, or an unowned memory of the same topic and title, was forgotten on purpose."""
    own, title = text_hash(memory), normal_text(memory.title).casefold()
    return any(
        veto.hash == own or (normal_text(veto.title).casefold() == title and veto.topic == memory.topic)
        for veto in vetoes
    )


def with_vetoes(text: str, new: Iterable[Veto]) -> str:
    """The file's text with these vetoes among its sorted lines; the user's own lines stay on top."""
    text = text or HEADER
    eol = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    kept = [line for line in lines if not _LINE.match(line)]
    while kept and not kept[-1].strip():
        kept.pop()
    vetoes = sorted({*read_vetoes(text), *new})
    return eol.join([*kept, "", *map(str, vetoes), ""])
