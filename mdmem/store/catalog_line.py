"""One line of an index: `- [Title](path) — hook`, written so that it stays one link whatever the title holds."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from mdmem.memory import TITLE_LENGTH, Memory, MemoryType, as_type
from mdmem.pattern import pattern
from mdmem.store.table import StoredMemory

if TYPE_CHECKING:
    from collections.abc import Iterable

LINE_LENGTH: Final = 150
_TITLE_LEAST: Final = 20
_HOOK_LEAST: Final = 12
_LINK: Final = pattern(r"\s*[-*+] \[(?P<title>(?:\\.|[^\]\\])*)\]\((?:<(?P<angled>[^>]*)>|(?P<plain>[^)\s]*))\)"
                          r"(?:\s*(?:—|–|-|:)\s*(?P<hook>.*))?\s*$")  # fmt: skip
_PLAIN: Final = pattern(r"[A-Za-z0-9_./-]+")
_ENCODED: Final = frozenset('%#?\\<>"')
"""What would end a link, or mean something else in it."""


@dataclass(frozen=True, slots=True)
class IndexLine:
    """One line that links to a memory: its path relative to the store, its title and hook as written."""

    line: int
    path: str
    title: str
    hook: str


def iter_lines(lines: Iterable[str], first: int = 1, base: str = "") -> Iterable[IndexLine]:
    """The lines that link somewhere, with their numbers; `base` is the folder of the page, '' for the store's root."""
    for number, line in enumerate(lines, first):
        found = _LINK.match(line.rstrip("\r\n"))
        if found:
            path = unquote(found["angled"] if found["angled"] is not None else found["plain"])
            path = posixpath.normpath(posixpath.join(base, path)) if path else path
            yield IndexLine(number, path, found["title"], found["hook"] or "")


def entry_line(one: StoredMemory, base: str = "") -> str:
    """The line of a memory, at most 150 characters as far as its path allows.

    The hook of a memory that is kept out of prompts is left out.
    """
    link = f"]({_target(one.path, base)})"
    title = _escaped(one.memory.title)
    if len(f"- [{title}{link}") > LINE_LENGTH:
        title = _cut(title, max(_TITLE_LEAST, LINE_LENGTH - len(link) - 3))
    line = f"- [{_balanced(title)}{link}"
    hook = "" if one.is_kept_out else _hook(one)
    room = LINE_LENGTH - len(line) - 3
    if not hook or room < min(len(hook), _HOOK_LEAST):
        return line
    return f"{line} — {_balanced(_cut(hook, room))}"


def is_current(line: IndexLine, one: StoredMemory) -> bool:
    """Whether a line says what the file says, in whatever case and punctuation."""
    wanted = _LINK.match(entry_line(one))
    return wanted is not None and all(
        _words(a) == _words(b or "") for a, b in ((line.title, wanted["title"]), (line.hook, wanted["hook"]))
    )


def remembered(line: IndexLine) -> StoredMemory:
    """What a line still says of a memory whose file can't be read now; it gives the same line again."""
    kind = as_type(line.path.split("/")[0]) or MemoryType.LESSON
    title = re.sub(r"\\(.)", r"\1", line.title).strip()[:TITLE_LENGTH] or line.path
    hook = line.hook.replace("\\<", "<").replace("]\\(", "](").replace("\\`", "`").strip()
    return StoredMemory(line.path, Memory(type=kind, title=title, description=hook), "", is_readable=False)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _target(path: str, base: str) -> str:
    if base:
        path = path.removeprefix(f"{base}/") if path.startswith(f"{base}/") else f"../{path}"
    if _PLAIN.fullmatch(path):
        return path
    path = "".join(quote(c) if c in _ENCODED or not c.isprintable() else c for c in path)
    return f"<{path}>" if re.search(r"[\s()]", path) else path


def _hook(one: StoredMemory) -> str:
    return " ".join(one.memory.hook.split()).replace("<", "\\<").replace("](", "]\\(")


def _escaped(title: str) -> str:
    return re.sub(r"([\\\[\]<])", r"\\\1", " ".join(title.split()))


def _balanced(text: str) -> str:
    """A lone backtick would open a code span that swallows the rest of the line."""
    return text if text.count("`") % 2 == 0 else text.replace("`", "\\`")


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    cut = text[: length - 1].rstrip()
    space = cut.rfind(" ")
    cut = cut[:space] if space > length // 2 else cut
    return cut.rstrip("\\ ,;:") + "…"
