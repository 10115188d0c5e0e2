"""Every problem of a store at once: each file's own, those between files, and those of MEMORY.md.

It reads the files as they are and trusts no cache. It looks at the text alone: whether a cited source file still
exists is not its business.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk, git
from mdmem.errors import DiskError, MdmemError
from mdmem.markdown.decoding import NotAMemory
from mdmem.markdown.parse import Document, parse
from mdmem.markdown.problems import Problem
from mdmem.memory import Status, has_expired, moment
from mdmem.store.catalog import Tree, read_index
from mdmem.store.catalog_check import check_index
from mdmem.store.catalog_file import read_pages
from mdmem.store.links import iter_links, moved_to, names_of, resolve, successor_of
from mdmem.store.place import store_of
from mdmem.store.scan import INDEX_NAME, is_memory_path, name_key, scan
from mdmem.store.table import StoredMemory
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from mdmem.memory import Memory
    from mdmem.store.links import Link

NAMED_MOST: Final = 3
"""Other files that a finding names."""
PLACED: Final = ("id", "topic", "created", "confirmed", "expires", "superseded_by")
"""Fields whose lines a finding between files may name."""


class Checked(NamedTuple):
    """What is kept of a file once it was read: of a large store no more fits into memory than is needed.

    `memory` is None when it is unreadable. `lines` has the line of each of `PLACED` that the file states, `start` is
    the line of the opening fence, `body_line` that of the body's first text.
    """

    path: str
    memory: Memory | None
    problems: tuple[Problem, ...]
    lines: Mapping[str, int]
    start: int
    body_line: int


@dataclass(frozen=True, slots=True)
class Report:
    """The problems found, sorted by path and line, and how many files were looked at."""

    problems: tuple[Problem, ...]
    files: int

    @property
    def summary(self) -> str:
        """`12 files, 1 error, 3 warnings`."""
        errors = sum(problem.is_error for problem in self.problems)
        counts = ((self.files, "file"), (errors, "error"), (len(self.problems) - errors, "warning"))
        return ", ".join(counted(number, word) for number, word in counts)

    @property
    def has_errors(self) -> bool:
        """Whether the check fails."""
        return any(problem.is_error for problem in self.problems)


def check(
    root: Path, now: datetime, *, read: Callable[[str], bytes | None] | None = None,
    progress: Callable[[Iterable[str]], Iterable[str]] = iter, also: Iterable[str] = (),
) -> Report:  # fmt: skip
    """Check every memory file of a store and its index.

    `read` gives the bytes of a path relative to the store where they are not those on disk (staged blobs), and `also`
    names files that are not there; `progress` wraps the walk over the paths. Raises DiskError when the store can't be
    listed.
    """
    found = scan(root)
    read = _unlinked(read or (lambda path: disk.read_if_exists(root / path)), found.links)
    paths = sorted({*(file.path for file in found.files), *filter(is_memory_path, also)})
    documents = [_checked(one) for one in _documents(progress(paths), read)]
    problems = [*found.misnamed, *(problem for document in documents for problem in document.problems)]
    problems += _link_problems(found.links)
    problems += _time_problems(documents, now)
    problems += _between(documents)
    problems += _index_problems(read, found.links, documents)
    return Report(tuple(sorted(problems, key=lambda p: (p.path, p.line, p.code, p.message))), len(documents))


def check_paths(
    root: Path, paths: Sequence[Path], now: datetime, progress: Callable[[Iterable[str]], Iterable[str]]
) -> Report:
    """The report of the stores that hold `paths` (files or folders), for these paths only; without any, of `root`.

    The paths of the findings are relative to the working folder.
    """
    roots = dict.fromkeys(store_of(path) or root for path in paths) if paths else {root: None}
    reports = [(one, check(one, now, progress=progress)) for one in roots]
    wanted = [path.absolute() for path in paths]
    problems = [
        problem.at(_shown(folder / problem.path))
        for folder, report in reports
        for problem in report.problems
        if not wanted or any((folder / problem.path).absolute().is_relative_to(path) for path in wanted)
    ]
    return Report(tuple(problems), sum(report.files for _, report in reports))


def check_staged(root: Path, now: datetime, progress: Callable[[Iterable[str]], Iterable[str]]) -> Report:
    """The report of what the next commit will hold, for the files that it adds or changes.

    The text is that which is staged, whatever lies on disk. Raises MdmemError outside of a git repository, GitError.
    """
    repository = git.find(root)
    if repository is None:
        raise MdmemError(f"{root} is in no git repository", "leave --staged out")
    staged = git.staged(repository)
    held = git.staged_contents(repository, [*git.in_index(repository)])
    report = check(root, now, read=held.get, progress=progress, also=staged)
    problems = (_to_be_committed(problem) for problem in report.problems if problem.path in staged)
    return Report(tuple(problem.at(_shown(root / problem.path)) for problem in problems), len(staged))


def _to_be_committed(problem: Problem) -> Problem:
    """A conflict in the generated section mends itself on disk; in a commit it would stay for everybody."""
    if problem.code != "W_CONFLICT":
        return problem
    return problem._replace(code="E_CONFLICT", hint="`mdmem sync`, then `git add` MEMORY.md")


def _shown(path: Path) -> str:
    return Path(os.path.relpath(path)).as_posix()


def _unlinked(read: Callable[[str], bytes | None], links: Sequence[str]) -> Callable[[str], bytes | None]:
    """`read` for what is no symbolic link and lies behind none."""
    return lambda path: None if any(path == link or path.startswith(f"{link}/") for link in links) else read(path)


def _documents(paths: Iterable[str], read: Callable[[str], bytes | None]) -> Iterator[Document]:
    for path in paths:
        try:
            data = read(path)
        except DiskError as error:
            problem = Problem("E_ACCESS", 1, error.message, hint=error.hint, path=path)
            yield Document(path, None, (), None, (problem,))
        else:
            if data is not None:
                yield parse(data, path)


def _checked(document: Document) -> Checked:
    layout = document.layout
    lines = {key: field.line for key in PLACED if (field := document.field(key))}
    place = (layout.start + 1, layout.body_line) if layout else (1, 1)
    return Checked(document.path, document.memory, document.problems, lines, *place)


def _link_problems(links: Iterable[str]) -> Iterator[Problem]:
    for path in links:
        yield Problem("W_SYMLINK", 1, "a symbolic link, which is not read", hint="put the file itself here", path=path)


def _time_problems(documents: Iterable[Checked], now: datetime) -> Iterator[Problem]:
    """What depends on today: dates that lie ahead, memories that have run out."""
    for document in documents:
        memory = document.memory
        if memory is None:
            continue
        for key in ("created", "confirmed"):
            when = getattr(memory, key)
            if key in document.lines and when and moment(when).date() > now.date():
                yield _at(document, "W_FUTURE_DATE", key, f"`{key}` lies in the future", "mend the date")
        if memory.expires and has_expired(memory, now) and memory.is_active:
            hint = "renew it, or set `status: archived`"
            yield _at(document, "W_EXPIRED", "expires", f"expired on {memory.expires:%Y-%m-%d}", hint)


def _between(documents: Sequence[Checked]) -> Iterator[Problem]:
    """What is wrong only beside other files."""
    readable = [document for document in documents if document.memory is not None]
    yield from _twins(readable, "E_DUP_ID", "id", "id", lambda d: d.memory.id if d.memory and "id" in d.lines else None)
    yield from _twins(readable, "E_DUP_TOPIC", "topic", "topic", _active_topic)
    for group in _groups(documents, lambda d: name_key(d.path)).values():
        for document in group if len(group) > 1 else ():
            others = _others(document, group)
            yield Problem("E_NAME_CLASH", 1, f"the name equals {others} where case does not count",
                          hint="rename one of them", path=document.path)  # fmt: skip
    yield from _cycles(readable)
    yield from _dangling(readable)


def _active_topic(document: Checked) -> tuple[str, str] | None:
    memory = document.memory
    return (memory.topic, memory.scope) if memory and memory.is_active and memory.topic else None


def _twins(
    documents: Sequence[Checked], code: str, key: str, what: str, of: Callable[[Checked], object]
) -> Iterator[Problem]:
    for value, group in _groups(documents, of).items():
        if value is None or len(group) < 2:
            continue
        for document in group:
            others = _others(document, group)
            hint = "give one of them a new id" if key == "id" else "merge them, or supersede the older one"
            yield _at(document, code, key, f"the same {what} as {others}", hint)


def _others(document: Checked, group: Sequence[Checked]) -> str:
    """The first of the others of a group, and how many more there are: a thousand twins must not name each other."""
    first = [d.path for d in group[: NAMED_MOST + 1] if d is not document][:NAMED_MOST]
    left = len(group) - 1 - len(first)
    return ", ".join(first) + (f" and {left:,} more" if left else "")


def _groups(documents: Iterable[Checked], of: Callable[[Checked], object]) -> Mapping[object, list[Checked]]:
    groups: defaultdict[object, list[Checked]] = defaultdict(list)
    for document in documents:
        groups[of(document)].append(document)
    return groups


def _cycles(documents: Sequence[Checked]) -> Iterator[Problem]:
    """Memories that supersede each other in a ring."""
    by_id = {d.memory.id: d for d in documents if d.memory}
    follows = {d.memory.id: d.memory.superseded_by for d in documents if d.memory and d.memory.superseded_by}
    for start in follows:
        seen, at = {start: None}, follows[start]
        while at in follows and at not in seen:
            seen[at] = None
            at = follows[at]
        if at == start and len(seen) > 1:
            names = " → ".join(by_id[one].path for one in seen if one in by_id)
            yield _at(by_id[start], "E_CYCLE", "superseded_by", f"supersedes itself: {names}", "break the ring")


def _dangling(documents: Sequence[Checked]) -> Iterator[Problem]:
    """Links that lead nowhere, or to what is no longer in use."""
    memories = {d.path: d.memory for d in documents if d.memory}
    names = names_of(memories)
    for document in documents:
        if document.memory is None:
            continue
        for link in iter_links(document.memory.body, document.body_line) if "[" in document.memory.body else ():
            found = _link_state(link, document.path, names, memories)
            if found:
                yield Problem("W_LINK", link.line, found[0], hint=found[1], path=document.path)
        named = document.memory.superseded_by
        if named and document.memory.status is Status.SUPERSEDED and name_key(named) not in names:
            yield _at(document, "W_LINK", "superseded_by", f"{named!r} is no memory here", "mend the id")


def _link_state(
    link: Link, path: str, names: Mapping[str, str], memories: Mapping[str, Memory]
) -> tuple[str, str] | None:
    """(message, hint) of a link that is moved, superseded or gone; None for one that is good."""
    target = resolve(link, path, names)
    if target is None:
        moved = moved_to(link, memories)
        if moved:
            return f"{link.target!r} has moved to {moved}", "mend the link; `mdmem mv` does so by itself"
        return f"{link.target!r} leads to no memory", "mend the link, or write the memory"
    newer = successor_of(target, memories)
    if newer and newer != path:
        return f"{link.target!r} is superseded by {newer}", f"link to {newer}"
    return None


def _index_problems(
    read: Callable[[str], bytes | None], links: Sequence[str], documents: Sequence[Checked]
) -> Iterator[Problem]:
    data = read(INDEX_NAME)
    if data is None:
        if INDEX_NAME not in links:
            hint = "`mdmem sync` writes it"
            yield Problem("W_NO_MARKERS", 1, "there is no MEMORY.md", hint=hint, path=INDEX_NAME)
        return
    stored = [StoredMemory(d.path, d.memory, "", d.problems) for d in documents if d.memory]
    pages = read_pages(read)
    tree = Tree(stored, {d.path for d in documents if not d.memory}, pages)
    for path in (INDEX_NAME, *(path for path, page in pages.items() if page is None)):
        try:
            index = read_index(read(path) or b"")
        except NotAMemory as found:
            yield found.problem.at(path)
        else:
            yield from (problem.at(problem.path or path) for problem in check_index(index, tree))


def _at(document: Checked, code: str, key: str, message: str, hint: str) -> Problem:
    line = document.lines.get(key, document.start)
    return Problem(code, line, message, key=key, hint=hint, path=document.path)
