"""MEMORY.md, the index that people and agents read: a pure function of the files, between two markers.

The text outside the markers is the user's and survives byte for byte, save lines that link to a memory (an agent's
own memory appends such): these move inside. No date and no machine stands in it, so that the same tree gives the same
bytes and a confirmation moves no line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from mdmem.markdown.fences import BOM, NotAMemory, conflict_line, looks_like_utf16, split_lines
from mdmem.markdown.problems import Problem
from mdmem.memory import TYPES
from mdmem.store.scan import INDEX_NAME, OVERFLOW_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mdmem.memory import MemoryType
    from mdmem.store.table import StoredMemory

BEGIN: Final = "<!-- mdmem:index begin -->"
END: Final = "<!-- mdmem:index end -->"
LINE_LENGTH: Final = 150
MAX_LINES: Final = 200
MAX_BYTES: Final = 25_000
MIN_LINES: Final = 20
NEW_FILE: Final = "# Memory\n"
OVERFLOW_NOTE: Final = "<!-- written by mdmem: more memories than fit into MEMORY.md -->"
_LINK: Final = re.compile(r"\s*[-*+] \[(?P<title>(?:\\.|[^\]\\])*)\]\((?:<(?P<angled>[^>]*)>|(?P<plain>[^)\s]*))\)"
                          r"(?:\s*(?:—|–|-|:)\s*(?P<hook>.*))?\s*$")  # fmt: skip


@dataclass(frozen=True, slots=True)
class IndexFile:
    """MEMORY.md taken apart. `section` are the lines between the markers, None when there are no markers yet."""

    before: tuple[str, ...]
    section: tuple[str, ...] | None
    after: tuple[str, ...]
    eol: str
    has_bom: bool

    @property
    def begin_line(self) -> int:
        """The line (from 1) of the first marker."""
        return len(self.before) + 1


@dataclass(frozen=True, slots=True)
class IndexLine:
    """One line that links to a memory: the path as the link says it, relative to the store."""

    line: int
    path: str
    title: str
    hook: str


@dataclass(frozen=True, slots=True)
class Pages:
    """What the index should be: MEMORY.md's text, one overflow page a type that needs it, the lines moved inside."""

    index: str
    overflow: Mapping[str, str]
    moved: tuple[str, ...]


def read_index(data: bytes) -> IndexFile:
    """Take MEMORY.md apart.

    Raises NotAMemory, with the problem, when its markers or its text can't be read: then it is never written.
    """
    text = _decoded(data)
    lines = split_lines(text.removeprefix(BOM))
    eol = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    begins = [i for i, line in enumerate(lines) if line.strip() == BEGIN]
    ends = [i for i, line in enumerate(lines) if line.strip() == END]
    if not begins and not ends:
        index = IndexFile(lines, None, (), eol, text.startswith(BOM))
    elif len(begins) == len(ends) == 1 and begins[0] < ends[0]:
        before, section, after = lines[: begins[0]], lines[begins[0] + 1 : ends[0]], lines[ends[0] + 1 :]
        index = IndexFile(before, section, after, eol, text.startswith(BOM))
    else:
        line = (begins + ends)[0] + 1
        raise NotAMemory(
            Problem(
                "E_MARKERS",
                line,
                f"{len(begins)} begin and {len(ends)} end markers of the index",
                hint=f"keep one {BEGIN} and, below it, one {END}; mdmem writes nothing until then",
            )
        )
    for first, part in ((1, index.before), (len(lines) - len(index.after) + 1, index.after)):
        found = conflict_line(part, first)
        if found is not None:
            raise NotAMemory(
                Problem(
                    "E_CONFLICT",
                    found,
                    "merge-conflict markers outside of the generated section",
                    hint="choose one side; then `mdmem sync` rebuilds the section",
                )
            )
    return index


def render_pages(index: IndexFile, stored: Sequence[StoredMemory]) -> Pages:
    """MEMORY.md and its overflow pages for the active ones of these memories."""
    active = [one for one in stored if one.memory.is_active]
    paths = {one.path for one in active}
    before, moved_before = _without_links(index.before, paths)
    after, moved_after = _without_links(index.after, paths)
    if index.section is None:
        before, after = _placed(index, before, moved_before)
    room = MAX_LINES - len(before) - len(after) - 2
    weight = MAX_BYTES - sum(len(line.encode("utf-8", "replace")) for line in (*before, *after)) - len(BEGIN + END) - 4
    section, overflow = _section(active, max(room, MIN_LINES), max(weight, MIN_LINES * LINE_LENGTH))
    lines = (
        *_ended(before, index.eol),
        f"{BEGIN}{index.eol}",
        *(line + index.eol for line in section),
        f"{END}{index.eol}",
        *after,
    )
    text = (BOM if index.has_bom else "") + "".join(lines)
    moved = tuple(line.strip() for line in (*moved_before, *moved_after)) if index.section is not None else ()
    return Pages(text, overflow, moved)


def check_index(index: IndexFile, stored: Sequence[StoredMemory]) -> Iterable[Problem]:
    """What `sync` would mend in MEMORY.md, each with its line; and what only the user can."""
    active = {one.path: one for one in stored if one.memory.is_active}
    if index.section is None:
        yield Problem("W_NO_MARKERS", 1, "no markers for the generated index", hint="`mdmem sync` adds them")
        return
    first = index.begin_line + 1
    if conflict_line(index.section, first) is not None:
        yield Problem(
            "W_CONFLICT",
            conflict_line(index.section, first) or first,
            "merge-conflict markers in the index",
            hint="`mdmem sync` rebuilds the section from the files",
        )
        return
    listed = {path for page in _overflow_paths(index, stored) for path in page}
    yield from _line_problems(list(iter_lines(index.section, first)), active, listed, index)
    room = MAX_LINES - len(index.before) - len(index.after) - 2
    if room < MIN_LINES:
        yield Problem(
            "W_LENGTH",
            1,
            f"your own text leaves {max(room, 0)} of {MAX_LINES} lines to the index",
            hint="shorten it: agents load 200 lines",
        )


def iter_lines(lines: Iterable[str], first: int = 1) -> Iterable[IndexLine]:
    """The lines that link somewhere, with their numbers."""
    for number, line in enumerate(lines, first):
        found = _LINK.match(line.rstrip("\r\n"))
        if found:
            path = unquote(found["angled"] if found["angled"] is not None else found["plain"])
            yield IndexLine(number, path.removeprefix("./"), found["title"], found["hook"] or "")


def entry_line(stored: StoredMemory, base: str = "") -> str:
    """`- [Title](path) — hook`, at most 150 characters; `base` is the folder of the page, '' for the store's root.

    The hook of a memory that is kept out of prompts is left out.
    """
    link = f"]({_target(stored.path, base)})"
    title = _escaped(stored.memory.title)
    if len(f"- [{title}{link}") > LINE_LENGTH:
        title = _cut(title, max(20, LINE_LENGTH - len(link) - 3))
    line = f"- [{title}{link}"
    hook = "" if stored.is_kept_out else _hook(stored)
    room = LINE_LENGTH - len(line) - 3
    return f"{line} — {_cut(hook, room)}" if hook and room >= min(len(hook), 12) else line


def _decoded(data: bytes) -> str:
    if not looks_like_utf16(data):
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise NotAMemory(Problem("E_ENCODING", line, "MEMORY.md is not UTF-8", hint="save it as UTF-8")) from error
    raise NotAMemory(Problem("E_ENCODING", 1, "MEMORY.md is UTF-16", hint="save it as UTF-8"))


def _section(active: Sequence[StoredMemory], lines: int, weight: int) -> tuple[list[str], dict[str, str]]:
    """The generated lines that fit, and the overflow pages for what does not."""
    kept = set(active)
    ranked = sorted(active, key=lambda one: (one.memory.evidence * one.memory.confidence, _order(one)))
    section = _lines(active, kept)
    while ranked and not _fits(section, lines, weight):
        over = max(1, len(section) - lines)
        kept.difference_update(ranked[:over])
        ranked = ranked[over:]
        section = _lines(active, kept)
    pages = {}
    for kind, members in _by_type(active).items():
        rest = [one for one in members if one not in kept]
        if rest:
            heading = f"# {TYPES[kind].heading}, continued from [{INDEX_NAME}](../{INDEX_NAME})"
            rows = [OVERFLOW_NOTE, "", heading, "", *(entry_line(one, kind) for one in rest)]
            pages[f"{kind}/{OVERFLOW_NAME}"] = "\n".join(rows) + "\n"
    return section, pages


def _fits(section: list[str], lines: int, weight: int) -> bool:
    return len(section) <= lines and sum(len(line.encode()) + 1 for line in section) <= weight


def _lines(active: Sequence[StoredMemory], kept: set[StoredMemory]) -> list[str]:
    lines: list[str] = []
    for kind, members in _by_type(active).items():
        shown = [entry_line(one) for one in members if one in kept]
        rest = len(members) - len(shown)
        more = [f"- [{rest} more]({kind}/{OVERFLOW_NAME})"] if rest else []
        lines += ["", f"## {TYPES[kind].heading}", "", *shown, *more]
    return [*lines, ""] if lines else []


def _by_type(active: Iterable[StoredMemory]) -> dict[MemoryType, list[StoredMemory]]:
    groups: defaultdict[MemoryType, list[StoredMemory]] = defaultdict(list)
    for one in sorted(active, key=_order):
        groups[one.memory.type].append(one)
    return {kind: groups[kind] for kind in TYPES if kind in groups}


def _order(one: StoredMemory) -> tuple[str, str]:
    return one.memory.title.casefold(), one.path


def _without_links(lines: Sequence[str], paths: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the user's lines, the lines that link to a memory)."""
    links = {found.line for found in iter_lines(lines, 0) if found.path in paths}
    kept = tuple(line for i, line in enumerate(lines) if i not in links)
    return kept, tuple(lines[i] for i in sorted(links))


def _placed(index: IndexFile, kept: tuple[str, ...], moved: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where the section goes in a file without markers: where its links stood, else at the end."""
    if moved:
        at = index.before.index(moved[0])
        return kept[:at], kept[at:]
    ended = _ended(kept, index.eol)
    return ((*ended, index.eol) if ended and ended[-1].strip() else ended), ()


def _ended(lines: Sequence[str], eol: str) -> tuple[str, ...]:
    if lines and not lines[-1].endswith("\n"):
        return (*lines[:-1], lines[-1] + eol)
    return tuple(lines)


def _overflow_paths(index: IndexFile, stored: Sequence[StoredMemory]) -> Iterable[set[str]]:
    """The paths that stand on overflow pages, by rendering them again."""
    pages = render_pages(index, stored).overflow
    for page, text in pages.items():
        folder = page.rpartition("/")[0]
        for found in iter_lines(text.splitlines()):
            yield {found.path.removeprefix("../") if found.path.startswith("../") else f"{folder}/{found.path}"}


def _line_problems(
    lines: Sequence[IndexLine], active: Mapping[str, StoredMemory], listed: set[str], index: IndexFile
) -> Iterable[Problem]:
    seen: dict[str, int] = {}
    for line in lines:
        one = active.get(line.path)
        if line.path.endswith(f"/{OVERFLOW_NAME}"):
            continue
        if line.path in seen:
            yield Problem(
                "W_DUP_ENTRY",
                line.line,
                f"{line.path} stands on line {seen[line.path]} already",
                hint="`mdmem sync` removes it",
            )
        elif one is None:
            yield Problem(
                "W_ORPHAN", line.line, f"{line.path} is no active memory", hint="`mdmem sync` removes the line"
            )
        elif not _is_current(line, one):
            yield Problem(
                "W_STALE_LINE",
                line.line,
                f"the line of {line.path} differs from the file",
                hint="`mdmem sync` renews it",
            )
        seen.setdefault(line.path, line.line)
    for path in active.keys() - seen.keys() - listed:
        yield Problem("W_ORPHAN", index.begin_line, f"{path} has no line", hint="`mdmem sync` adds it")


def _is_current(line: IndexLine, one: StoredMemory) -> bool:
    """Whether a line says what the file says, in whatever case and punctuation."""
    wanted = _LINK.match(entry_line(one))
    return wanted is not None and all(
        _words(a) == _words(b or "") for a, b in ((line.title, wanted["title"]), (line.hook, wanted["hook"]))
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _target(path: str, base: str) -> str:
    if base:
        path = path[len(base) + 1 :] if path.startswith(f"{base}/") else f"../{path}"
    if re.fullmatch(r"[^\s()<>%\\]+", path):
        return path
    return "<" + path.replace("%", "%25").replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C") + ">"


def _hook(stored: StoredMemory) -> str:
    return " ".join(stored.memory.hook.split()).replace("<", "\\<").replace("](", "]\\(")


def _escaped(title: str) -> str:
    return re.sub(r"([\\\[\]<])", r"\\\1", " ".join(title.split()))


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    cut = text[: length - 1].rstrip()
    space = cut.rfind(" ")
    cut = cut[:space] if space > length // 2 else cut
    return cut.rstrip("\\ ,;:") + "…"
