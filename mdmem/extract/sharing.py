"""A run's summary as a file of the store, for a team to share (`sessions.commit`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdmem import disk
from mdmem.markdown.render import entry
from mdmem.redact import redact
from mdmem.store.naming import slug
from mdmem.store.sessions import FOLDER, iter_sessions

if TYPE_CHECKING:
    from pathlib import Path

    from mdmem.store.state import Run
    from mdmem.store.table import Parse


def write_session(root: Path, run: Run, parse: Parse) -> str:
    """Write the file of a run, over the one that an earlier reading of it wrote; its path relative to the store.

    Secrets are redacted. Raises ReadOnlyError or DiskError.
    """
    known = {one.origin: path for path, one in iter_sessions(root, parse)}
    path = known.get(run.origin) or _free(root, run)
    disk.make_folder((root / path).parent)
    disk.write(root / path, render_session(run).encode("utf-8"))
    return path


def render_session(run: Run) -> str:
    """The text of a run's file."""
    told = run.summary
    fields = {"origin": run.origin, "agent": run.origin.partition("/")[0], "ended": run.ended, "outcome": told.outcome}
    head = "".join(entry(key, value) for key, value in fields.items() if value)
    parts = [("Asked", told.request), ("Done", told.work_done), ("Open", "\n".join(f"- {i}" for i in told.open_items))]
    body = "\n".join(f"## {name}\n\n{text}\n" for name, text in parts if text)
    return redact(f"---\n{head}---\n{body}").text


def _free(root: Path, run: Run) -> str:
    stem = f"{(run.ended or run.at)[:10] or 'undated'}-{slug(run.summary.request or run.origin)}"
    number, name = 1, stem
    while (root / FOLDER / f"{name}.md").exists():
        number += 1
        name = f"{stem}-{number}"
    return f"{FOLDER}/{name}.md"
