"""Memories of our own that come back: as they were, in files of their own; what is there already is confirmed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.agents.importing.plan import KNOWN, TWICE, Planned, flags_of, redacted, refusal
from mdmem.errors import InvalidMemoryError
from mdmem.markdown.parse import parse
from mdmem.markdown.render import as_plain
from mdmem.memory import FILES_COUNT, ORIGIN_COUNT, Source, Status, latest, statement_of
from mdmem.store.caller import Caller, may_change
from mdmem.store.journal import Action
from mdmem.store.naming import free_path, names_in, new_id
from mdmem.store.rules import as_file, refuse_errors
from mdmem.store.scan import is_memory_path, name_key
from mdmem.store.table import StoredMemory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdmem.agents.importing.draft import Draft
    from mdmem.markdown.render import Plain
    from mdmem.memory import Memory
    from mdmem.store.store import Store
    from mdmem.store.vetoes import Veto

OTHER_VERSION: Final = "{path} is another version of it"
TOPIC_TAKEN: Final = "topic taken"
"""What is told of a memory that waits, since another one is active under its topic."""


@dataclass(frozen=True, slots=True)
class Restoring:
    """What becomes of each draft, and what has to be written for it."""

    planned: tuple[Planned, ...]
    actions: tuple[Action, ...]


def plan_restore(store: Store, stored: Sequence[StoredMemory], drafts: Iterable[Draft], caller: Caller) -> Restoring:
    """Every draft as a file of its own, with its id, dates and status, at its path where that is free.

    A duplicate raises what its twin knows less of: evidence, date of confirmation, files, tags, runs. What an agent
    brings waits, and never speaks for the user. Raises UnreadableError where vetoes.md can't be read.
    """
    work = _Work(store, caller, store.vetoes(), _Known(stored))
    planned = tuple(work.plan(draft) for draft in drafts)
    return Restoring(planned, tuple(work.actions.values()))


class _Known:
    """The memories of a store, by each thing that a draft may have in common with one."""

    def __init__(self, stored: Iterable[StoredMemory]) -> None:
        self.twins: dict[tuple[str, ...], StoredMemory] = {}
        self.paths: dict[str, str] = {}
        self.topics: set[tuple[str, str]] = set()
        self.names: set[str] = set()
        for one in stored:
            self.add(one)

    def add(self, one: StoredMemory) -> None:
        """One more; of several with the same text or id the first counts."""
        self.twins.setdefault(statement_of(one.memory), one)
        self.paths.setdefault(one.memory.id, one.path)
        self.names.add(name_key(one.path))
        if one.memory.is_active and one.memory.topic:
            self.topics.add((one.memory.topic, one.memory.scope))


@dataclass
class _Work:
    """The store as it will be after the drafts that were planned so far."""

    store: Store
    caller: Caller
    vetoes: Sequence[Veto]
    known: _Known
    actions: dict[str, Action] = field(default_factory=dict)

    def plan(self, draft: Draft) -> Planned:
        """What becomes of one draft."""
        clean = redacted(draft.memory)
        memory = _of_caller(clean, self.caller)
        done = Planned(draft._replace(memory=memory), "", flags_of(draft.memory, clean))
        twin = self.known.twins.get(statement_of(memory))
        if twin:
            reason, confirms = self._confirmed(twin, memory)
            return replace(done, reason=reason, confirms=confirms)
        version = self.known.paths.get(memory.id) if memory.id else None
        reason = OTHER_VERSION.format(path=version) if version else ""
        reason = reason or refusal(memory, self.vetoes, is_agent=self.caller is Caller.AGENT, is_ours=True)
        return replace(done, reason=reason) if reason else self._created(done, draft.path)

    def _confirmed(self, twin: StoredMemory, memory: Memory) -> tuple[str, str]:
        """Reason and confirmed path for a memory that is there, its file raised to what the other one knows."""
        if twin.path in self.actions:
            return TWICE, ""
        changes = _raised(twin.memory, memory)
        if not changes or not twin.is_readable or not may_change(twin.memory, self.caller):
            return KNOWN, ""
        self.actions |= {action.path: action for action in self.store.planned_change(twin, changes)[1]}
        return "", twin.path

    def _created(self, done: Planned, path: str) -> Planned:
        """The memory in a new file; it waits where its topic is taken."""
        memory, flags = done.draft.memory, done.flags
        if memory.is_active and (memory.topic, memory.scope) in self.known.topics:
            memory, flags = replace(memory, status=Status.PENDING), (*flags, TOPIC_TAKEN)
        memory = replace(memory, id=memory.id or new_id(self.known.paths))
        path = self._free(path, memory)
        try:
            data = as_file(memory)
            document = parse(data, path)
            refuse_errors(document.problems)
        except InvalidMemoryError as error:
            return replace(done, reason=error.message)
        self.known.add(StoredMemory(path, memory, disk.etag(data), document.problems, self.store.name))
        self.actions[path] = Action(path, data, None)
        return replace(done, draft=done.draft._replace(memory=memory), flags=flags)

    def _free(self, path: str, memory: Memory) -> str:
        """The path where the memory stood, if nothing is there, else a new one in the folder of its type."""
        parts = path.split("/")
        is_plain = all(part not in {"", ".", ".."} and "\\" not in part and ":" not in part for part in parts)
        is_free = name_key(path) not in self.known.names and not (self.store.root / path).exists()
        if is_plain and is_memory_path(path) and is_free:
            return path
        return free_path(memory.type, memory.title, self.known.names | names_in(self.store.root, memory.type))


def _of_caller(memory: Memory, caller: Caller) -> Memory:
    if caller is Caller.USER:
        return memory
    status = Status.PENDING if memory.is_active else memory.status
    return replace(memory, status=status, source=Source.AGENT if memory.source is Source.USER else memory.source)


def _raised(old: Memory, new: Memory) -> dict[str, Plain | None]:
    """What a memory has to be changed by, to know all that its duplicate knows."""
    wanted: dict[str, Plain | None] = {
        "evidence": str(max(old.evidence, new.evidence)),
        "files": tuple(dict.fromkeys((*old.files, *new.files)))[:FILES_COUNT],
        "tags": tuple(dict.fromkeys((*old.tags, *new.tags))),
        "origin": tuple(dict.fromkeys((*old.origin, *new.origin)))[-ORIGIN_COUNT:],
    }
    if new.confirmed:
        wanted["confirmed"] = as_plain(latest(new.confirmed, old.confirmed))
    own = {name: as_plain(value) for name in wanted if (value := getattr(old, name))}
    return {name: value for name, value in wanted.items() if value and value != own.get(name)}
