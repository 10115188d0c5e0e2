"""vetoes.md: what must not be learned again, one sorted line each, mergeable by git."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import UnreadableError
from mdmem.markdown.decoding import looks_like_utf16, split_lines
from mdmem.memory import Memory, normal_text, statement_of
from mdmem.pattern import pattern
from mdmem.store.journal import Action

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE_NAME: Final = "vetoes.md"
HEADER: Final = (
    "# Vetoes\n\nWhat was forgotten on purpose; mdmem does not learn it again. Delete a line to allow it.\n\n"
)
HASH_LENGTH: Final = 16
_CONFLICT: Final = pattern(r"(?:<{7}|>{7}|\|{7}|={7})(?:\s|$)")
_LINE: Final = pattern(r"\s*- (?P<hash>[0-9a-f]{16})(?: `(?P<topic>[^`]*)`)?(?: (?P<title>.*))?$")


@dataclass(frozen=True, slots=True, order=True)
class Veto:
    """One memory that must not come back: the hash of its text, its topic and title."""

    hash: str
    topic: str
    title: str

    def __str__(self) -> str:
        # a title that begins with code would be read as a topic
        topic = f" `{self.topic}`" if self.topic or self.title.startswith("`") else ""
        return f"- {self.hash}{topic} {self.title}"


def veto_of(memory: Memory) -> Veto:
    """The veto that keeps this memory from being learned again."""
    return Veto(text_hash(memory), memory.topic, " ".join(memory.title.split()))


def text_hash(memory: Memory) -> str:
    """16 hex digits over what duplicates have in common."""
    return disk.content_hash("\n".join(statement_of(memory)))[:HASH_LENGTH]


def read_vetoes(text: str) -> tuple[Veto, ...]:
    """The vetoes in the file's text; other lines are the user's."""
    found = (_LINE.match(line.rstrip("\r\n")) for line in split_lines(text))
    return tuple(Veto(m["hash"], m["topic"] or "", (m["title"] or "").strip()) for m in found if m)


def is_vetoed(memory: Memory, vetoes: Iterable[Veto]) -> bool:
    """Whether the same text, or another one of the same topic and title, was forgotten on purpose."""
    own, title = text_hash(memory), normal_text(memory.title).casefold()
    return any(
        veto.hash == own or (normal_text(veto.title).casefold() == title and veto.topic == memory.topic)
        for veto in vetoes
    )


def vetoes_text(root: Path) -> tuple[str, bytes | None]:
    """(the text of a store's vetoes.md, its bytes or None): what is no UTF-8 in it survives as surrogates.

    Raises UnreadableError for UTF-16 and for a symbolic link.
    """
    data = disk.read_if_exists(disk.below(root, FILE_NAME))
    if data and looks_like_utf16(data):
        raise UnreadableError(FILE_NAME, 1, "E_ENCODING", "the file is UTF-16", "save it as UTF-8")
    return (data or b"").decode("utf-8", "surrogateescape"), data


def plan_vetoes(root: Path, new: Iterable[Veto]) -> Action:
    """The write that adds vetoes to a store's vetoes.md. Raises UnreadableError as `vetoes_text` does."""
    text, data = vetoes_text(root)
    bytes_ = with_vetoes(text, new).encode("utf-8", "surrogateescape")
    return Action(FILE_NAME, bytes_, disk.etag(data) if data is not None else None)


def with_vetoes(text: str, new: Iterable[Veto]) -> str:
    """The file's text with these vetoes among its sorted lines; the user's own lines stay on top.

    A merge conflict of vetoes is settled: both sides stand.
    """
    text = text or HEADER
    eol = "\r\n" if "\r\n" in text else "\n"
    kept = [line for line in split_lines(text) if not _LINE.match(line.rstrip("\r\n")) and not _CONFLICT.match(line)]
    while kept and not kept[-1].strip():
        kept.pop()
    if kept and not kept[-1].endswith("\n"):
        kept[-1] += eol
    vetoes = sorted({*read_vetoes(text), *new})
    return "".join([*kept, eol, *(f"{veto}{eol}" for veto in vetoes)])
