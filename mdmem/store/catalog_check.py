"""What `sync` would mend in MEMORY.md and its overflow pages, each with its line; and what only the user can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.markdown.fences import conflict_line
from mdmem.markdown.problems import Problem
from mdmem.store.catalog import MAX_LINES, MIN_BYTES, MIN_LINES, render_pages
from mdmem.store.catalog_line import is_current, iter_lines
from mdmem.store.scan import OVERFLOW_NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from mdmem.store.catalog import IndexFile, Pages, Tree
    from mdmem.store.catalog_line import IndexLine
    from mdmem.store.table import StoredMemory

SYNC_HINT: Final = "`mdmem sync` mends it"


def check_index(index: IndexFile, tree: Tree) -> Iterable[Problem]:
    """Every problem of MEMORY.md, with its line there, and of the overflow pages, with their path."""
    pages = render_pages(index, tree)
    yield from _page_problems(pages, tree)
    if index.section is None:
        yield Problem("W_NO_MARKERS", 1, "no markers for the generated index", hint="`mdmem sync` adds them")
        return
    first = index.begin_line + 1
    conflict = conflict_line(index.section, first)
    if conflict is not None:
        message = "merge-conflict markers in the index"
        yield Problem("W_CONFLICT", conflict, message, hint="`mdmem sync` rebuilds the section from the files")
        return
    active = {one.path: one for one in tree.stored if one.memory.is_active and one.is_readable}
    lines = [line for line in iter_lines(index.section, first) if not line.path.endswith(f"/{OVERFLOW_NAME}")]
    yield from _line_problems(lines, active, tree.unreadable)
    for path in sorted(active.keys() - {line.path for line in lines} - pages.listed):
        yield Problem("W_ORPHAN", index.begin_line, f"{path} has no line", hint="`mdmem sync` adds it")
    if pages.room < MIN_LINES or pages.weight < MIN_BYTES:
        message = f"your own text leaves {max(pages.room, 0)} of {MAX_LINES} lines to the index"
        yield Problem("W_LENGTH", 1, message, hint=f"shorten it: agents load {MAX_LINES} lines, 25,000 bytes")


def _page_problems(pages: Pages, tree: Tree) -> Iterable[Problem]:
    for path, text in pages.overflow.items():
        page = tree.pages.get(path)
        if text is None and page is not None:
            yield Problem("W_ORPHAN", 1, "nothing is left to list on this page", hint=SYNC_HINT, path=path)
        elif page is None or page.section is None or not _says(page, text or ""):
            yield Problem("W_STALE_LINE", 1, "the page differs from the files", hint=SYNC_HINT, path=path)


def _says(page: IndexFile, text: str) -> bool:
    return f"\n{''.join(page.section or ())}".replace("\r\n", "\n") in text.replace("\r\n", "\n")


def _line_problems(
    lines: Iterable[IndexLine], active: Mapping[str, StoredMemory], unreadable: Collection[str]
) -> Iterable[Problem]:
    seen: dict[str, int] = {}
    for line in lines:
        one = active.get(line.path)
        if line.path in seen:
            message = f"{line.path} stands on line {seen[line.path]} already"
            yield Problem("W_DUP_ENTRY", line.line, message, hint="`mdmem sync` removes it")
        elif one is None and line.path not in unreadable:
            message = f"{line.path} is no active memory"
            yield Problem("W_ORPHAN", line.line, message, hint="`mdmem sync` removes the line")
        elif one is not None and not is_current(line, one):
            message = f"the line of {line.path} differs from the file"
            yield Problem("W_STALE_LINE", line.line, message, hint="`mdmem sync` renews it")
        seen.setdefault(line.path, line.line)
