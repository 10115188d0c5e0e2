"""The store: a folder of memory files. Every write is planned from what was read, logged, and done under one lock.

Terminology: a *ref* names a memory (its id, its path, or a path relative to the store or the working folder). Saving
is two steps, the file first and then its line in MEMORY.md; whoever is killed in between leaves a store that the next
command mends.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, replace
from difflib import get_close_matches, unified_diff
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mdmem import disk
from mdmem.errors import (
    AmbiguousError,
    InvalidMemoryError,
    NotFoundError,
    OwnershipError,
    UnreadableError,
)
from mdmem.markdown.parse import Document, parse
from mdmem.markdown.patch import patch
from mdmem.markdown.render import render
from mdmem.store.catalog_file import SyncReport, as_error, plan_catalog, write_catalog
from mdmem.store.journal import Action, carry_out
from mdmem.store.naming import free_path, new_id
from mdmem.store.saving import Caller, Create, Outcome, decide, may_change
from mdmem.store.scan import OWN_FOLDER, name_key
from mdmem.store.table import StoredMemory, Sweep, Table
from mdmem.store.vetoes import FILE_NAME as VETOES_NAME
from mdmem.store.vetoes import Veto, read_vetoes, veto_of, with_vetoes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from mdmem.markdown.render import Plain
    from mdmem.memory import Memory


@dataclass(frozen=True, slots=True)
class Saved:
    """A memory that was saved, and what saving meant."""

    stored: StoredMemory
    outcome: Outcome

    def as_json(self) -> dict[str, object]:
        """The shape of `add --json`; `"confirmed": true` when the memory was there already."""
        confirmed = {"confirmed": True} if self.outcome is Outcome.CONFIRMED else {}
        return self.stored.as_json() | {"outcome": self.outcome.value} | confirmed


class Store:
    """One folder of memories.

    `last_good` gives the last committed bytes of a path, for a file that can't be read now.
    """

    def __init__(
        self, root: Path, *, name: str = "project", last_good: Callable[[str], bytes | None] | None = None
    ) -> None:
        self.root = root
        self.name = name
        self.cache_folder = root / OWN_FOLDER / "cache"
        self.state_folder = root / OWN_FOLDER / "state"
        self._last_good = last_good

    @cached_property
    def _table(self) -> Table:
        table = Table(self.root, self.cache_folder, self.name)
        if self._last_good:
            table.fall_back_on(self._last_good)
        return table

    def sweep(self) -> Sweep:
        """Look at every file and read again what changed."""
        return self._table.sweep()

    def load(self) -> tuple[StoredMemory, ...]:
        """All memories, whatever their status, sorted by path."""
        return self.sweep().memories

    def etags(self) -> dict[str, str]:
        """Look at every file like `sweep`, and answer with path → etag of each memory, none of them built."""
        return self._table.etags()

    def pick(self, paths: Iterable[str]) -> dict[str, StoredMemory]:
        """The memories of these paths, as the last look found them; a path without one is left out."""
        return self._table.pick(paths)

    def vetoes(self) -> tuple[Veto, ...]:
        """What must not be learned again."""
        return read_vetoes((disk.read_if_exists(self.root / VETOES_NAME) or b"").decode("utf-8", "replace"))

    def find(self, ref: str) -> StoredMemory:
        """The memory that `ref` names.

        Raises NotFoundError with what is near, AmbiguousError, or UnreadableError.
        """
        sweep = self.sweep()
        path = self.relative(ref)
        if path in sweep.unreadable:
            raise as_error(sweep.unreadable[path])
        found = [one for one in sweep.memories if one.path == path or one.memory.id == ref]
        found = found or [one for one in sweep.memories if Path(one.path).stem == ref]
        if not found:
            names = {Path(one.path).stem: one.path for one in sweep.memories}
            raise NotFoundError(ref, tuple(names[n] for n in get_close_matches(Path(ref).stem, names, 3)))
        if len(found) > 1:
            raise AmbiguousError(ref, tuple(one.path for one in found))
        return found[0]

    def document(self, path: str) -> Document:
        """The file as it stands on disk now. Raises NotFoundError or UnreadableError."""
        try:
            document = parse(disk.read(self.root / path), path)
        except FileNotFoundError as error:
            raise NotFoundError(path) from error
        if document.memory is None:
            raise as_error(document.problems[0])
        return document

    def text(self, one: StoredMemory) -> str:
        """The file as it stands, or its last good version while it can't be read."""
        return disk.read(self.root / one.path).decode("utf-8-sig") if one.is_readable else render(one.memory)

    def preview(self, path: str, changes: Mapping[str, Plain | None], body: str | None = None) -> str:
        """What `change` would change, as a unified diff. Raises UnreadableError."""
        document = self.document(path)
        assert document.layout is not None
        old, new = document.layout.encoded().decode("utf-8-sig"), patch(document, changes, body).decode("utf-8-sig")
        lines = unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), path, path)
        return "".join(lines)

    def add(self, draft: Memory, *, caller: Caller, now: datetime) -> Saved:
        """Save one memory: see `add_all`."""
        return self.add_all([draft], caller=caller, now=now)[0]

    def add_all(
        self, drafts: Sequence[Memory], *, caller: Caller, now: datetime, what: str = "add"
    ) -> tuple[Saved, ...]:
        """Save memories in one step: each is created, confirms its duplicate, or replaces its topic's.

        Secrets are redacted. Raises InvalidMemoryError before anything is written.
        """
        with self.lock():
            stored = list(self.load())
            taken = self._taken_names()
            saved, actions = [], []
            for draft in drafts:
                one, action, outcome = self._planned(draft, stored, taken, caller, now)
                stored = [*(other for other in stored if other.path != one.path), one]
                saved.append(Saved(one, outcome))
                actions.extend(action)
            self._apply(actions, what, caller, now)
        return tuple(saved)

    def change(
        self,
        ref: str,
        changes: Mapping[str, Plain | None],
        body: str | None = None,
        *,
        caller: Caller,
        now: datetime,
        what: str = "set",
    ) -> StoredMemory:
        """Set fields of one memory (None removes one), and its body when one is given; nothing else changes.

        Raises OwnershipError when an agent would change what a person said, InvalidMemoryError when the new value
        breaks a rule, UnreadableError, ConflictError.
        """
        with self.lock():
            found = self.find(ref)
            if not may_change(found.memory, caller):
                raise OwnershipError(found.path)
            changed, actions = self.planned_change(found, changes, body)
            self._apply(actions, what, caller, now)
        return changed

    def execute(
        self, plan: Callable[[Sequence[StoredMemory]], Sequence[Action]], *, what: str, caller: Caller, now: datetime
    ) -> tuple[Action, ...]:
        """Plan from the memories as they are, and carry it out, both under the lock; the actions done.

        Raises what `plan` raises, before anything is written; ConflictError, ReadOnlyError or DiskError.
        """
        with self.lock():
            actions = tuple(plan(self.load()))
            self._apply(actions, what, caller, now)
        return actions

    def planned_change(
        self, one: StoredMemory, changes: Mapping[str, Plain | None], body: str | None = None
    ) -> tuple[StoredMemory, list[Action]]:
        """The memory with these fields, and the action that makes it so (none when nothing would change).

        Raises InvalidMemoryError when a new value breaks a rule, UnreadableError.
        """
        document = self.document(one.path)
        assert document.layout is not None
        before, data = disk.etag(document.layout.encoded()), patch(document, changes, body)
        again = parse(data, one.path)
        _refuse_new_errors(document, again)
        assert again.memory is not None
        changed = replace(one, memory=again.memory, etag=disk.etag(data), problems=again.problems)
        return changed, [Action(one.path, data, before)] if changed.etag != before else []

    def forget(self, refs: Sequence[str], *, caller: Caller, now: datetime) -> tuple[StoredMemory, ...]:
        """Remove memories, veto them, and keep their bytes in the trash for 30 days.

        Raises OwnershipError, NotFoundError or UnreadableError before anything is removed.
        """
        with self.lock():
            found = list({one.path: one for one in map(self.find, refs)}.values())
            for one in found:
                if not may_change(one.memory, caller):
                    raise OwnershipError(one.path)
            vetoes = self.veto_action([veto_of(one.memory) for one in found])
            self._apply([vetoes, *(Action(one.path, None, one.etag) for one in found)], "forget", caller, now)
        return tuple(found)

    def sync(self) -> SyncReport:
        """Bring MEMORY.md and its overflow pages in line with the files.

        Raises UnreadableError, nothing written, when the markers of MEMORY.md can't be read.
        """
        with self.lock():
            return write_catalog(self.root, self.load())

    def planned_sync(self) -> str:
        """MEMORY.md as `sync` would write it, nothing written. Raises UnreadableError."""
        return plan_catalog(self.root, self.load())[0].index

    def lock(self) -> AbstractContextManager[None]:
        """The store's one lock; it is held over read, decide and write."""
        return disk.lock(self.state_folder / "lock")

    def _planned(
        self, draft: Memory, stored: Sequence[StoredMemory], taken: set[str], caller: Caller, now: datetime
    ) -> tuple[StoredMemory, list[Action], Outcome]:
        """The memory as it will stand, the actions that make it so, and what that means."""
        decision = decide(draft, stored, caller, now.date())
        if isinstance(decision, Create):
            path = free_path(decision.memory.type, decision.memory.title, taken)
            taken.add(name_key(path))
            memory = replace(decision.memory, id=draft.id or new_id({one.memory.id for one in stored}))
            data = render(memory).encode("utf-8")
            one = StoredMemory(path, memory, disk.etag(data), parse(data, path).problems, self.name)
            return one, [Action(path, data, None)], decision.outcome
        if not decision.changes and decision.body is None:
            return decision.stored, [], decision.outcome
        one, actions = self.planned_change(decision.stored, decision.changes, decision.body)
        return one, actions, decision.outcome

    def _apply(self, actions: Sequence[Action], what: str, caller: Caller, now: datetime) -> None:
        if actions:
            carry_out(self.root, self.state_folder, actions, what=what, caller=caller, now=now)
        self._sync_quietly()

    def _sync_quietly(self) -> None:
        """MEMORY.md after a write. Markers that can't be read are `check`'s business: the memory itself is saved."""
        with contextlib.suppress(UnreadableError):
            write_catalog(self.root, self.load())

    def veto_action(self, vetoes: Sequence[Veto]) -> Action:
        """The write that adds these vetoes to vetoes.md."""
        data = disk.read_if_exists(self.root / VETOES_NAME)
        text = with_vetoes((data or b"").decode("utf-8"), vetoes)
        return Action(VETOES_NAME, text.encode("utf-8"), disk.etag(data) if data is not None else None)

    def _taken_names(self) -> set[str]:
        """The name keys of everything that lies in the store, memory or not."""
        names: set[str] = set()
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if name != OWN_FOLDER]
            prefix = Path(folder).relative_to(self.root).as_posix()
            names.update(name_key(f"{prefix}/{name}" if prefix != "." else name) for name in (*folders, *files))
        return names

    def relative(self, ref: str) -> str:
        """A ref as a path relative to the store: as given, or found from the working folder."""
        if not (self.root / ref).is_file() and Path(ref).is_file():
            resolved = Path(ref).resolve()
            if resolved.is_relative_to(self.root.resolve()):
                return resolved.relative_to(self.root.resolve()).as_posix()
        return Path(ref).as_posix() if ref else ref


def find_in(stores: Sequence[Store], ref: str) -> tuple[Store, StoredMemory]:
    """The store that has the memory, and the memory. Raises as `Store.find` does for the first store."""
    for store in stores[1:]:
        try:
            stores[0].find(ref)
        except NotFoundError:
            with contextlib.suppress(NotFoundError):
                return store, store.find(ref)
    return stores[0], stores[0].find(ref)


def _refuse_new_errors(before: Document, after: Document) -> None:
    """A write may mend a file or leave it as bad as it was, never make it worse."""
    known = {(problem.code, problem.key) for problem in before.problems}
    for problem in after.problems:
        if problem.is_error and (problem.code, problem.key) not in known:
            raise InvalidMemoryError(problem.code, problem.key, problem.message, problem.hint)
