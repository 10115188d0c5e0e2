"""Open work: `tasks/<slug>.md`, one task a file, with a title, a status and what it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.markdown.dates import as_when
from mdmem.markdown.problems import KEPT_OUT, UNREADABLE

if TYPE_CHECKING:
    from pathlib import Path

    from mdmem.markdown.parse import Document
    from mdmem.memory import When
    from mdmem.store.table import Parse

FOLDER: Final = "tasks"
STATUSES: Final = ("in_progress", "review", "open", "done")
"""In the order of a hand-over: what is under way comes first."""


class Task(NamedTuple):
    """One piece of work. `status` is one of STATUSES, `path` relative to the store."""

    path: str
    title: str
    etag: str = ""
    status: str = "open"
    files: tuple[str, ...] = ()
    created: When | None = None
    body: str = ""

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to do something."""
        return self.status != "done"


def read_tasks(root: Path, parse: Parse) -> tuple[Task, ...]:
    """The tasks of a store by path; files that can't be read, or whose text is kept out of prompts, are left out."""
    found = []
    folder = root / FOLDER
    for path in sorted(folder.glob("*.md")) if folder.is_dir() and not folder.is_symlink() else ():
        if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
            data = disk.read(path)
            document = parse(data, f"{FOLDER}/{path.name}")
            if document.layout and not any(one.code in UNREADABLE | KEPT_OUT for one in document.problems):
                found.append(_task(document, document.layout.body, disk.etag(data)))
    return tuple(found)


def _task(document: Document, body: str, etag: str) -> Task:
    slug = document.path.rpartition("/")[2].removesuffix(".md")
    status = document.text("status")
    return Task(
        path=document.path,
        title=document.text("title") or slug.replace("-", " ").capitalize(),
        etag=etag,
        status=status if status in STATUSES else "open",
        files=document.list("files"),
        created=as_when(document.text("created")),
        body=body.strip(),
    )
