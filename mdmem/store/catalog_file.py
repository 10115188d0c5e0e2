"""MEMORY.md and its overflow pages on disk: planned from the memories, written when they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import ConflictError, UnreadableError
from mdmem.markdown.decoding import NotAMemory
from mdmem.store.catalog import NEW_FILE, PAGE_PATHS, IndexFile, Pages, Tree, read_index, render_pages
from mdmem.store.scan import INDEX_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from mdmem.markdown.problems import Problem
    from mdmem.store.table import Sweep

ATTEMPTS: Final = 5
"""How often MEMORY.md is made again when an editor saves it in between."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What `sync` wrote: paths of pages, and the user's lines that moved inside the section."""

    written: tuple[str, ...]
    moved: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CatalogPlan:
    """The pages as they should be, and the bytes that each of them has now, by path; None where there is no file."""

    pages: Pages
    now: Mapping[str, bytes | None]

    @property
    def changes(self) -> dict[str, bytes | None]:
        """The new bytes of each page that differs, None for one to remove."""
        wanted = {INDEX_NAME: self.pages.index, **self.pages.overflow}
        new = {path: None if text is None else text.encode("utf-8") for path, text in wanted.items()}
        return {path: data for path, data in new.items() if data != self.now.get(path)}


def plan_catalog(root: Path, sweep: Sweep) -> CatalogPlan:
    """What MEMORY.md and its pages should be.

    Raises UnreadableError when MEMORY.md is a symbolic link, or its markers can't be read.
    """
    now = {path: disk.read_if_exists(disk.below(root, path)) for path in (INDEX_NAME, *_page_paths(root))}
    data = now[INDEX_NAME]
    tree = Tree(sweep.memories, sweep.unreadable, read_pages(now.get))
    try:
        return CatalogPlan(render_pages(read_index(NEW_FILE.encode() if data is None else data), tree), now)
    except NotAMemory as found:
        raise as_error(found.problem.at(INDEX_NAME)) from found


def write_catalog(root: Path, sweep: Sweep) -> SyncReport:
    """Write what differs. The caller holds the store's lock.

    Raises UnreadableError, ConflictError when MEMORY.md keeps changing, ReadOnlyError or DiskError.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return _write(root, plan_catalog(root, sweep))
        except ConflictError:
            continue
    return _write(root, plan_catalog(root, sweep))


def read_pages(read: Callable[[str], bytes | None]) -> dict[str, IndexFile | None]:
    """The overflow pages that exist, taken apart; None for one that can't be read."""
    return {path: _taken_apart(data) for path in PAGE_PATHS if (data := read(path)) is not None}


def as_error(problem: Problem) -> UnreadableError:
    """The error that says a file can't be read, and that it was left alone."""
    return UnreadableError(problem.path, problem.line, problem.code, problem.message, problem.hint)


def _page_paths(root: Path) -> list[str]:
    """The overflow pages that are there; one that is or lies behind a symbolic link is never looked at."""
    there = [path for path in PAGE_PATHS if (root / path).is_file()]
    return [path for path in there if not (root / path).is_symlink() and not (root / path).parent.is_symlink()]


def _taken_apart(data: bytes) -> IndexFile | None:
    try:
        return read_index(data)
    except NotAMemory:
        return None


def _write(root: Path, plan: CatalogPlan) -> SyncReport:
    for path, data in plan.changes.items():
        file, old = disk.below(root, path), plan.now.get(path)
        if data is not None:
            disk.make_folder(file.parent)
            disk.write(file, data, expect=disk.etag(old) if old is not None else None)
        elif old is not None:
            disk.remove(file, expect=disk.etag(old))
            disk.prune_empty(file.parent, root)
    return SyncReport(tuple(plan.changes), plan.pages.moved)
