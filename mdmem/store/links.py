"""Links between memories: `[[name]]` and relative markdown links, and whether they lead anywhere."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from mdmem.markdown.fences import outside_code
from mdmem.memory import Status
from mdmem.pattern import pattern
from mdmem.store.scan import name_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mdmem.memory import Memory

_LINK: Final = pattern(
    r"(?P<code>`+)(?:.*?)(?P=code)|\[\[(?P<wiki>[^\[\]|#\n]+)(?:[#|][^\[\]\n]*)?\]\]"
    r"|(?<!!)\[[^\]\n]*\]\((?:<(?P<angled>[^>\n]*)>|(?P<plain>[^)\s]+))[^)\n]*\)"
)
_ELSEWHERE: Final = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:|/|#")


@dataclass(frozen=True, slots=True)
class Link:
    """One link in a body: the line it stands on (from 1), and what it names; `is_wiki` for `[[name]]`."""

    line: int
    target: str
    is_wiki: bool


def iter_links(body: str, first_line: int = 1) -> Iterator[Link]:
    """Links that could lead to a memory: not in code, not to the web, not to an anchor; relative ones only to `.md`."""
    for number, line in outside_code(body.split("\n"), first_line):
        if "](" not in line and "[[" not in line:
            continue
        for found in _LINK.finditer(line):
            if found["wiki"]:
                yield Link(number, found["wiki"].strip(), is_wiki=True)
            elif not found["code"]:
                target = unquote(found["angled"] or found["plain"]).partition("#")[0]
                if target.endswith(".md") and not _ELSEWHERE.match(target):
                    yield Link(number, target, is_wiki=False)


def names_of(memories: Mapping[str, Memory]) -> Mapping[str, str]:
    """What a `[[name]]` may say of each memory (id, title, file stem, path, an agent's `name`), to its path."""
    names: dict[str, str] = {}
    for path, memory in memories.items():
        extra = next((value for key, value in memory.extra if key == "name" and isinstance(value, str)), "")
        for name in (memory.id, memory.title, PurePosixPath(path).stem, path.removesuffix(".md"), path, extra):
            if name:
                names.setdefault(name_key(name), path)
    return names


def moved_to(link: Link, memories: Mapping[str, Memory]) -> str | None:
    """Where a dangling link most likely leads now: the one memory whose file has the same name."""
    stem = name_key(PurePosixPath(link.target).stem)
    found = [path for path in memories if name_key(PurePosixPath(path).stem) == stem]
    return found[0] if len(found) == 1 else None


def successor_of(path: str, memories: Mapping[str, Memory]) -> str | None:
    """The path of the memory that supersedes the one at `path`, None when it is in use or names none that is here."""
    memory = memories[path]
    named = memory.superseded_by if memory.status is Status.SUPERSEDED else ""
    return next((other for other, one in memories.items() if named and one.id == named), None)


def resolve(link: Link, path: str, names: Mapping[str, str]) -> str | None:
    """The path of the memory that a link in the file `path` leads to, None when it dangles."""
    if link.is_wiki:
        return names.get(name_key(link.target)) or names.get(name_key(link.target.replace(" ", "-")))
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), link.target))
    return names.get(name_key(wanted))


def followed(path: str, memories: Mapping[str, Memory]) -> dict[str, str | None]:
    """What each link in the memory at `path` leads to: target → path, None for one that dangles."""
    names = names_of(memories)
    return {link.target: resolve(link, path, names) for link in iter_links(memories[path].body)}
