"""MEMORY.md, the index that people and agents read: a pure function of the files, between two markers.

The text outside the markers is the user's and survives byte for byte, save lines that link to a memory (an agent's
own memory appends such): these move inside. No date and no machine stands in it, so that the same tree gives the same
bytes and a confirmation moves no line. A file that can't be read now keeps the line it has.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Final

from mdmem.markdown.decoding import BOM, NotAMemory, looks_like_utf16, split_lines
from mdmem.markdown.fences import conflict_line, outside_code
from mdmem.markdown.problems import Problem
from mdmem.memory import TYPES, moment
from mdmem.store.catalog_line import LINE_LENGTH, entry_line, iter_lines, remembered
from mdmem.store.scan import INDEX_BEGIN, INDEX_NAME, OVERFLOW_NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from mdmem.memory import MemoryType
    from mdmem.store.table import StoredMemory

BEGIN: Final = INDEX_BEGIN
END: Final = "<!-- mdmem:index end -->"
MAX_LINES: Final = 200
MAX_BYTES: Final = 25_000
MIN_LINES: Final = 20
MIN_BYTES: Final = MIN_LINES * LINE_LENGTH
NEW_FILE: Final = "# Memory\n"
PAGE_PATHS: Final = tuple(f"{kind}/{OVERFLOW_NAME}" for kind in TYPES)
"""Where the memories go that don't fit into MEMORY.md, a page a type."""


@dataclass(frozen=True, slots=True)
class IndexFile:
    """MEMORY.md or an overflow page taken apart.

    `section` are the lines between the markers, None when there are no markers yet.
    """

    before: tuple[str, ...] = ()
    section: tuple[str, ...] | None = None
    after: tuple[str, ...] = ()
    eol: str = "\n"
    has_bom: bool = False

    @property
    def begin_line(self) -> int:
        """The line (from 1) of the first marker."""
        return len(self.before) + 1


@dataclass(frozen=True, slots=True)
class Pages:
    """What the index should be.

    `index` is MEMORY.md's text; `overflow` maps the path of each overflow page to its text, None for one to remove;
    `listed` are the memories on these pages; `moved` the user's lines that moved inside. `room` and `weight` are the
    lines and bytes that the user's text leaves to the section.
    """

    index: str
    overflow: Mapping[str, str | None]
    listed: frozenset[str]
    moved: tuple[str, ...]
    room: int
    weight: int


@dataclass(frozen=True, slots=True)
class Tree:
    """What the index is made of, beside MEMORY.md itself.

    `stored` are the memories, `unreadable` the paths of files that can't be read now. `pages` maps the path of each
    overflow page that exists to what stands in it, None when that can't be read: then it is never written.
    """

    stored: Sequence[StoredMemory]
    unreadable: Collection[str] = ()
    pages: Mapping[str, IndexFile | None] = field(default_factory=dict)


def read_index(data: bytes) -> IndexFile:
    """Take MEMORY.md (or an overflow page) apart.

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
        raise NotAMemory(_marker_problem(begins, ends))
    for first, part in ((1, index.before), (len(lines) - len(index.after) + 1, index.after)):
        found = conflict_line(part, first)
        if found is not None:
            message = "merge-conflict markers outside of the generated section"
            hint = "choose one side; then `mdmem sync` rebuilds the section"
            raise NotAMemory(Problem("E_CONFLICT", found, message, hint=hint))
    return index


def render_pages(index: IndexFile, tree: Tree) -> Pages:
    """MEMORY.md and its overflow pages for the active ones of these memories."""
    active = [one for one in tree.stored if one.is_readable and one.memory.is_active]
    active += _remembered(index, tree)
    paths = {one.path for one in active}
    before, moved_before = _without_links(index.before, paths)
    after, moved_after = _without_links(index.after, paths)
    if index.section is None:
        before, after = _placed(index, before, moved_before)
    room = MAX_LINES - len(before) - len(after) - 2
    own = _assembled(index, before, (), after)
    weight = MAX_BYTES - len(own.encode("utf-8"))
    shown, section = _section(active, max(room, MIN_LINES), max(weight, MIN_BYTES), len(index.eol))
    rest = [one for one in active if one.path not in shown]
    moved = tuple(index.before[i].strip() for i in moved_before) + tuple(index.after[i].strip() for i in moved_after)
    text = _assembled(index, before, section, after)
    return Pages(text, _overflow(rest, tree.pages), frozenset(one.path for one in rest), moved, room, weight)


def _marker_problem(begins: Sequence[int], ends: Sequence[int]) -> Problem:
    message = f"{len(begins)} begin and {len(ends)} end markers of the index"
    hint = f"keep one {BEGIN} and, below it, one {END}; mdmem writes nothing until then"
    return Problem("E_MARKERS", [*begins, *ends][0] + 1, message, hint=hint)


def _decoded(data: bytes) -> str:
    if looks_like_utf16(data):
        raise NotAMemory(Problem("E_ENCODING", 1, "the index is UTF-16", hint="save it as UTF-8"))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotAMemory(Problem("E_ENCODING", line, "the index is not UTF-8", hint="save it as UTF-8")) from error


def _remembered(index: IndexFile, tree: Tree) -> list[StoredMemory]:
    """What the lines of today say of the files that can't be read."""
    if not tree.unreadable:
        return []
    found = {line.path: line for page, path in ((page, path) for path, page in tree.pages.items() if page)
             for line in iter_lines(page.section or (), base=path.split("/")[0])}  # fmt: skip
    for part in (index.before, index.after, index.section or ()):
        found |= {line.path: line for line in iter_lines(part)}
    return [remembered(found[path]) for path in sorted(tree.unreadable) if path in found]


def _section(
    active: Sequence[StoredMemory], room: int, weight: int, eol: int
) -> tuple[frozenset[str], tuple[str, ...]]:
    """(paths of the memories that fit, the lines for them): the highest evidence × confidence stay, then the newest."""
    groups = _by_type(active)
    ranked = sorted(active, key=_weight)[:room]
    written = {one.path: entry_line(one) for one in ranked}
    while True:
        kept = frozenset(one.path for one in ranked)
        section = _lines(groups, ranked, written)
        over = len(section) - room
        if over <= 0:
            over = sum(len(line.encode("utf-8")) + eol for line in section) > weight
        if not over or not ranked:
            return kept, section
        ranked = ranked[: -int(over)]


def _lines(
    groups: Mapping[MemoryType, Sequence[StoredMemory]], kept: Iterable[StoredMemory], written: Mapping[str, str]
) -> tuple[str, ...]:
    lines: list[str] = []
    shown = _by_type(kept)
    for kind, members in groups.items():
        rows = [written[one.path] for one in shown.get(kind, ())]
        rest = len(members) - len(rows)
        more = [f"- [{rest} more]({kind}/{OVERFLOW_NAME})"] if rest else []
        lines += ["", f"## {TYPES[kind].heading}", "", *rows, *more]
    return (*lines, "") if lines else ()


def _overflow(rest: Sequence[StoredMemory], pages: Mapping[str, IndexFile | None]) -> dict[str, str | None]:
    """The pages for what did not fit; the user's text on them stays, an empty page goes."""
    texts: dict[str, str | None] = {}
    groups = _by_type(rest)
    for kind, path in zip(TYPES, PAGE_PATHS, strict=True):
        page = pages.get(path, IndexFile())
        if page is None:
            continue
        if kind in groups:
            heading = f"# {TYPES[kind].heading}, continued from [{INDEX_NAME}](../{INDEX_NAME})"
            rows = (heading, "", *(entry_line(one, kind) for one in groups[kind]))
            texts[path] = _assembled(page, page.before, rows, page.after)
        elif page.section is not None:
            own = "".join((*page.before, *page.after))
            texts[path] = (BOM if page.has_bom else "") + own if own.strip() else None
    return texts


def _by_type(memories: Iterable[StoredMemory]) -> dict[MemoryType, list[StoredMemory]]:
    groups: defaultdict[MemoryType, list[StoredMemory]] = defaultdict(list)
    for one in sorted(memories, key=_order):
        groups[one.memory.type].append(one)
    return {kind: groups[kind] for kind in TYPES if kind in groups}


def _weight(one: StoredMemory) -> tuple[float, float, tuple[str, str]]:
    """What is kept first: what is best known, and of that what is newest, which nobody has seen on a page yet."""
    created = one.memory.created
    age = -moment(created).timestamp() if created else inf
    return -one.memory.evidence * one.memory.confidence, age, _order(one)


def _order(one: StoredMemory) -> tuple[str, str]:
    return one.memory.title.casefold(), one.path


def _assembled(index: IndexFile, before: Sequence[str], section: Iterable[str], after: Sequence[str]) -> str:
    lines = (*_ended(before, index.eol), *(f"{line}{index.eol}" for line in (BEGIN, *section, END)), *after)
    return (BOM if index.has_bom else "") + "".join(lines)


def _without_links(lines: Sequence[str], paths: Collection[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """(the user's lines, the positions of those that link to a memory); examples in code blocks are the user's."""
    prose = dict(outside_code(lines, 0))
    links = tuple(found.line for found in iter_lines(lines, 0) if found.path in paths and found.line in prose)
    return tuple(line for i, line in enumerate(lines) if i not in links), links


def _placed(index: IndexFile, kept: tuple[str, ...], moved: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where the section goes in a file without markers: where its links stood, else at the end."""
    if moved:
        return kept[: moved[0]], kept[moved[0] :]
    ended = _ended(kept, index.eol)
    return ((*ended, index.eol) if ended and ended[-1].strip() else ended), ()


def _ended(lines: Sequence[str], eol: str) -> tuple[str, ...]:
    if lines and not lines[-1].endswith("\n"):
        return (*lines[:-1], lines[-1] + eol)
    return tuple(lines)
