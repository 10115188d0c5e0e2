"""A draft of a memory from elsewhere: what it says, where it stood, and a mark by which it is known again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.markdown.schema import leaves_repository
from mdmem.memory import FILES_COUNT, TITLE_LENGTH, Memory, MemoryType, Source, Status, first_sentence, normal_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdmem.memory import When

ORIGIN: Final = "import/"
FROM: Final = "imported_from"
"""The key that says where a memory was imported from: the file, and a hash of what it said there."""
HASH_LENGTH: Final = 8
LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
MARKUP: Final = re.compile(r"\*\*|__|^#{1,6} +|^[-*+] +|^\d+[.)] +", re.MULTILINE)
TAG: Final = re.compile(r"[^\w]+")


class SourceFile(NamedTuple):
    """A file to import from: its path as it is to be remembered, with forward slashes, and its text."""

    path: str
    text: str


class Draft(NamedTuple):
    """A memory that may be imported, and the line of its source; of one of ours its file and where it stood before."""

    memory: Memory
    line: int
    file: str = ""
    path: str = ""

    @property
    def source(self) -> str:
        """Where it was imported from, as the memory will say."""
        return str(dict(self.memory.extra)[FROM])

    @property
    def place(self) -> str:
        """The file and line, for a person."""
        return f"{self.file or self.source.rpartition('#')[0]}:{self.line}"


def draft(
    kind: str,
    file: SourceFile,
    line: int,
    text: str,
    *,
    type: MemoryType,  # noqa: A002
    title: str = "",
    context: str = "",
    description: str = "",
    files: Iterable[str] = (),
    tags: Iterable[str] = (),
    created: When | None = None,
) -> Draft | None:
    """A draft from a text: its title is the first sentence where none is given, `context` its body where none is left.

    None for a text without a word.
    """
    title = plain(title or first_sentence(text))
    if not any(char.isalnum() for char in title):
        return None
    title = shortened(title)
    body = text.strip()
    if normal_text(plain(body)).rstrip(".") == title.rstrip("."):
        body = context
    mark = f"{file.path}#{disk.content_hash(f'{title}{body}')[:HASH_LENGTH]}"
    memory = Memory(
        type=type,
        title=title,
        body=body,
        description=" ".join(description.split()),
        status=Status.PENDING,
        source=Source.AGENT,
        origin=(ORIGIN + kind,),
        files=tuple(path for path in dict.fromkeys(files) if path and not leaves_repository(path))[:FILES_COUNT],
        tags=tuple(dict.fromkeys(tag for name in tags if (tag := tagged(name)))),
        created=created,
        extra=((FROM, mark),),
    )
    return Draft(memory, line)


def plain(text: str) -> str:
    """A text on one line, without the marks of lists, headings, emphasis and links."""
    return " ".join(MARKUP.sub("", LINK.sub(r"\1", text)).split())


def shortened(title: str) -> str:
    """A title of at most 120 characters, cut at a word."""
    if len(title) <= TITLE_LENGTH:
        return title.removesuffix(".") if not title.endswith("..") else title
    return title[: TITLE_LENGTH - 1].rpartition(" ")[0].rstrip(",;:") + "…" if " " in title else title[:TITLE_LENGTH]


def tagged(name: str) -> str:
    """A heading as a tag: lower case, words joined by hyphens."""
    return TAG.sub("-", plain(name).casefold()).strip("-")[:40]
