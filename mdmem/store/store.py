"""The store: a folder of memory files. Every write is planned from what was read, logged, and done under one lock.

Terminology: a *ref* names a memory (its id, its path, or a path relative to the store or the working folder). Saving
is two steps, the file first and then its line in MEMORY.md; whoever is killed in between leaves a store that the next
command mends.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from difflib import unified_diff
from typing import TYPE_CHECKING

from mdmem import disk
from mdmem.errors import ConflictError, NotFoundError, OwnershipError, UnreadableError, VetoedError
from mdmem.markdown.parse import Document, parse
from mdmem.markdown.render import render
from mdmem.store.caller import Caller, may_change
from mdmem.store.catalog_file import SyncReport, as_error, plan_catalog, write_catalog
from mdmem.store.journal import Action, carry_out, empty_trash
from mdmem.store.naming import free_path, names_in, new_id
from mdmem.store.own import make_own
from mdmem.store.reader import Reader
from mdmem.store.refs import find_ref, find_unreadable, relative
from mdmem.store.rules import as_file, patched, refuse_agent, refuse_errors, refuse_twin
from mdmem.store.saving import Create, Outcome, Update, decide, superseded
from mdmem.store.scan import name_key
from mdmem.store.table import StoredMemory
from mdmem.store.vetoes import Veto, is_vetoed, plan_vetoes, read_vetoes, veto_of, vetoes_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from mdmem.markdown.render import Plain
    from mdmem.memory import Memory, MemoryType
    from mdmem.store.watched import Mark

    Taken = Mapping[MemoryType, set[str]]


@dataclass(frozen=True, slots=True)
class Saved:
    """A memory that was saved, and what saving meant."""

    stored: StoredMemory
    outcome: Outcome

    def as_json(self) -> dict[str, object]:
        """The shape of `add --json`; `"confirmed": true` when the memory was there already."""
        confirmed = {"confirmed": True} if self.outcome is Outcome.CONFIRMED else {}
        return self.stored.as_json() | {"outcome": self.outcome.value} | confirmed


class Store(Reader):
    """One folder of memories, and every way to change it. See `Reader` for `last_good` and `mark`."""

    def __init__(
        self,
        root: Path,
        *,
        name: str = "project",
        last_good: Callable[[str], bytes | None] | None = None,
        mark: Mark | None = None,
    ) -> None:
        super().__init__(root, parse, name=name, last_good=last_good, mark=mark)

    def vetoes(self) -> tuple[Veto, ...]:
        """What must not be learned again. Raises UnreadableError when vetoes.md can't be read."""
        return read_vetoes(vetoes_text(self.root)[0])

    def find(self, ref: str) -> StoredMemory:
        """The memory that `ref` names.

        Raises NotFoundError with what is near, AmbiguousError, or UnreadableError.
        """
        return find_ref(self.sweep(), ref, self.relative(ref))

    def relative(self, ref: str) -> str:
        """A ref as a path relative to the store: as given, or found from the working folder."""
        return relative(self.root, ref)

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
        data = disk.read_if_exists(self.root / one.path) if one.is_readable else None
        return render(one.memory) if data is None else data.decode("utf-8-sig", "replace")

    def preview(self, path: str, changes: Mapping[str, Plain | None], body: str | None = None) -> str:
        """What `change` would change, as a unified diff. Raises UnreadableError."""
        document = self.document(path)
        assert document.layout is not None
        old, new = document.layout.encoded().decode("utf-8-sig"), patched(document, changes, body).decode("utf-8-sig")
        lines = unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), path, path)
        return "".join(lines)

    def add(self, draft: Memory, *, caller: Caller, now: datetime) -> Saved:
        """Save one memory: see `add_all`."""
        return self.add_all([draft], caller=caller, now=now)[0]

    def add_all(
        self, drafts: Sequence[Memory], *, caller: Caller, now: datetime, what: str = "add"
    ) -> tuple[Saved, ...]:
        """Save memories in one step: each is created, confirms its duplicate, or replaces its topic's.

        A memory that is created puts out of force those that it supersedes; they follow it in the answer.
        Secrets are redacted. Raises InvalidMemoryError before anything is written, and VetoedError when an agent
        would bring back what was forgotten on purpose.
        """
        with self.lock():
            stored = list(self.load())
            vetoes = self.vetoes() if caller is Caller.AGENT else ()
            taken = {kind: names_in(self.root, kind) for kind in {draft.type for draft in drafts}}
            saved: list[Saved] = []
            actions: dict[str, Action] = {}
            for draft in drafts:
                if is_vetoed(draft, vetoes):
                    raise VetoedError(draft.title)
                waiting: list[Create | Update] = [decide(draft, stored, caller, now.date())]
                while waiting:
                    decision = waiting.pop(0)
                    one, action = self._planned(decision, stored, taken, actions)
                    stored = [*(other for other in stored if other.path != one.path), one]
                    saved.append(Saved(one, decision.outcome))
                    if isinstance(decision, Create):
                        waiting += superseded(one, draft, stored, caller)
                    if action:
                        before = actions.get(action.path, action)
                        actions[action.path] = action._replace(expect=before.expect)
            self._apply(list(actions.values()), what, caller, now)
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
        """Set fields of one memory (None removes one), and its body when one is given: see `revise`."""
        return self.revise(ref, lambda _memory: (changes, body), caller=caller, now=now, what=what)

    def revise(
        self,
        ref: str,
        revision: Callable[[Memory], tuple[Mapping[str, Plain | None], str | None]],
        *,
        caller: Caller,
        now: datetime,
        what: str = "set",
    ) -> StoredMemory:
        """Change one memory to what `revision` makes of it as it is now, (fields, body or None); nothing else changes.

        Raises what `revision` raises, OwnershipError when an agent would change what a person said,
        InvalidMemoryError when the new value breaks a rule, UnreadableError, ConflictError.
        """
        with self.lock():
            sweep = self.sweep()
            found = find_ref(sweep, ref, self.relative(ref))
            changed, actions = self.planned_change(found, *revision(found.memory))
            refuse_agent(found.path, found.memory, changed.memory, caller)
            refuse_twin(changed, found.memory, sweep.memories)
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
        if disk.etag(document.layout.encoded()) != one.etag:
            raise ConflictError(self.root / one.path)
        changed, action = _changed(one, document, changes, body)
        return changed, [action] if action else []

    def forget(self, refs: Sequence[str], *, caller: Caller, now: datetime) -> tuple[StoredMemory, ...]:
        """Remove memories, veto them, and keep their bytes in the trash for 30 days.

        Raises OwnershipError, NotFoundError or UnreadableError before anything is removed.
        """
        with self.lock():
            sweep = self.sweep()
            found = list({one.path: one for one in (find_ref(sweep, ref, self.relative(ref)) for ref in refs)}.values())
            for one in found:
                if not may_change(one.memory, caller):
                    raise OwnershipError(one.path)
                if not one.is_readable:
                    raise as_error(sweep.unreadable[one.path])
            vetoes = self.veto_action([veto_of(one.memory) for one in found])
            self._apply([vetoes, *(Action(one.path, None, one.etag) for one in found)], "forget", caller, now)
            empty_trash(self.state_folder, now)
        return tuple(found)

    def sync(self) -> SyncReport:
        """Bring MEMORY.md and its overflow pages in line with the files.

        Raises UnreadableError, nothing written, when the markers of MEMORY.md can't be read.
        """
        with self.lock():
            return write_catalog(self.root, self.sweep())

    def planned_sync(self) -> str:
        """MEMORY.md as `sync` would write it, nothing written. Raises UnreadableError."""
        return plan_catalog(self.root, self.sweep()).pages.index

    def lock(self) -> AbstractContextManager[None]:
        """The store's one lock; it is held over read, decide and write."""
        return disk.lock(make_own(self.state_folder) / "lock")

    def _planned(
        self, decision: Create | Update, stored: Sequence[StoredMemory], taken: Taken, planned: Mapping[str, Action]
    ) -> tuple[StoredMemory, Action | None]:
        """The memory as it will stand, and the action that makes it so; `planned` are those of the same step."""
        if isinstance(decision, Create):
            names = taken[decision.memory.type]
            path = free_path(decision.memory.type, decision.memory.title, names)
            names.add(name_key(path))
            memory = replace(decision.memory, id=decision.memory.id or new_id({one.memory.id for one in stored}))
            data = as_file(memory)
            document = parse(data, path)
            refuse_errors(document.problems)
            assert document.memory is not None
            one = StoredMemory(path, document.memory, disk.etag(data), document.problems, self.name)
            return one, Action(path, data, None)
        old = decision.stored
        if not decision.changes and decision.body is None:
            return old, None
        waiting = planned.get(old.path)
        document = parse(waiting.data or b"", old.path) if waiting else self.document(old.path)
        return _changed(old, document, decision.changes, decision.body)

    def _apply(self, actions: Sequence[Action], what: str, caller: Caller, now: datetime) -> None:
        if actions:
            carry_out(self.root, self.state_folder, actions, what=what, caller=caller, now=now)
        self._sync_quietly()

    def _sync_quietly(self) -> None:
        """MEMORY.md after a write. Markers that can't be read are `check`'s business: the memory itself is saved."""
        with contextlib.suppress(UnreadableError):
            write_catalog(self.root, self.sweep())

    def veto_action(self, vetoes: Sequence[Veto]) -> Action:
        """The write that adds these vetoes to vetoes.md. Raises UnreadableError when that can't be read."""
        return plan_vetoes(self.root, vetoes)


def find_in(stores: Sequence[Store], ref: str) -> tuple[Store, StoredMemory]:
    """The store that has the memory, and the memory. Raises as `Store.find` does for the first store."""
    try:
        return stores[0], stores[0].find(ref)
    except NotFoundError:
        for store in stores[1:]:
            with contextlib.suppress(NotFoundError):
                return store, store.find(ref)
        raise


def locate(stores: Sequence[Store], ref: str) -> tuple[Store, str]:
    """The store and path of a memory, also of one that can't be read now. Raises as `find_in` does."""
    for store in stores:
        path = find_unreadable(store.sweep(), store.relative(ref))
        if path:
            return store, path
    store, found = find_in(stores, ref)
    return store, found.path


def _changed(
    one: StoredMemory, document: Document, changes: Mapping[str, Plain | None], body: str | None
) -> tuple[StoredMemory, Action | None]:
    """The memory with these changes, and the action for its file, None when nothing would change."""
    data = patched(document, changes, body)
    again = parse(data, one.path)
    refuse_errors(again.problems, document.problems)
    assert again.memory is not None
    changed = one._replace(memory=again.memory, etag=disk.etag(data), problems=again.problems)
    return changed, Action(one.path, data, one.etag) if changed.etag != one.etag else None
