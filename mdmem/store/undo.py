"""Take back the last step: the journal knows what was there before, the trash still has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.store.journal import Action, kept_bytes, read_log

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mdmem.store.journal import Change, Entry

WHAT = "undo"


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What taking back one step would do, and the files that are left alone since they changed meanwhile."""

    entry: Entry
    actions: tuple[Action, ...]
    changed: tuple[str, ...]


def plan_undo(root: Path, state: Path) -> UndoPlan:
    """The plan for the last step that was not taken back yet, by undo, by hand or by git.

    Raises MdmemError when there is none, or when every file of it changed since or left the trash.
    """
    for entry in _iter_open(read_log(state)):
        actions, changed = _plan(root, state, entry)
        if actions:
            return UndoPlan(entry, actions, changed)
        if changed:
            raise MdmemError(f"{', '.join(changed)} changed since; nothing was undone", "git has the older version")
    raise MdmemError("nothing to undo", "git has older versions: git log -- " + root.name)


def _plan(root: Path, state: Path, entry: Entry) -> tuple[tuple[Action, ...], tuple[str, ...]]:
    """What takes a step back, and the files of it that changed meanwhile; neither when all is as it was before."""
    actions: list[Action] = []
    changed: list[str] = []
    for change in entry.changes:
        data = disk.read_if_exists(root / change.path)
        now = disk.etag(data) if data is not None else None
        old = kept_bytes(state, change.before) if change.before else None
        if now == change.before:
            continue
        if now != change.after or (change.before and old is None):
            changed.append(change.path)
        else:
            actions.append(Action(change.path, old, now))
    return tuple(actions), tuple(changed)


def _iter_open(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The steps that count, newest first: an undo cancels itself and the step before it that it took back."""
    undone: list[tuple[Change, ...]] = []
    for entry in reversed(entries):
        if entry.what == WHAT:
            undone.append(entry.changes)
        elif not _is_taken_back(entry, undone):
            yield entry


def _is_taken_back(entry: Entry, undone: list[tuple[Change, ...]]) -> bool:
    own = {(change.path, change.before, change.after) for change in entry.changes}
    for changes in undone:
        if {(change.path, change.after, change.before) for change in changes} <= own:
            undone.remove(changes)
            return True
    return False
