"""Summaries of runs that a team shares: `sessions/<date>-<slug>.md`, one run a file.

With the setting `sessions.commit` extraction writes a run's summary here as well, so that whoever pulls knows what was
left undone. The file is for people and git; what one machine needs of a run stays in its state.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.markdown.problems import KEPT_OUT, UNREADABLE
from mdmem.pattern import pattern
from mdmem.store.state import Run, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mdmem.store.table import Parse

FOLDER: Final = "sessions"
_PART: Final = pattern(r"^## (Asked|Done|Open)[ \t]*$", re.MULTILINE)
_ITEM: Final = pattern(r"^[-*] +", re.MULTILINE)


def read_sessions(root: Path, parse: Parse) -> tuple[Run, ...]:
    """The runs that files in `sessions/` tell of; one that can't be read or is kept out of prompts is left out."""
    return tuple(run for _, run in iter_sessions(root, parse))


def iter_sessions(root: Path, parse: Parse) -> Iterator[tuple[str, Run]]:
    """(path, run) of each file in `sessions/` that can be read."""
    folder = root / FOLDER
    for path in sorted(folder.glob("*.md")) if folder.is_dir() and not folder.is_symlink() else ():
        if not path.is_file() or path.is_symlink() or path.name.startswith("."):
            continue
        name = f"{FOLDER}/{path.name}"
        document = parse(disk.read(path), name)
        if document.layout and not any(one.code in UNREADABLE | KEPT_OUT for one in document.problems):
            told = _summary(document.layout.body, document.text("outcome") or "unknown")
            yield name, Run(document.text("origin") or name, ended=document.text("ended") or "", summary=told)


def _summary(body: str, outcome: str) -> Summary:
    pieces = _PART.split(body)
    parts = {name: text.strip() for name, text in zip(pieces[1::2], pieces[2::2], strict=True)}
    items = (" ".join(item.split()) for item in _ITEM.split(parts.get("Open", "")))
    return Summary(parts.get("Asked", ""), parts.get("Done", ""), outcome, tuple(item for item in items if item))
