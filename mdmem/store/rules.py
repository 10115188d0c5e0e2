"""What a write may not do: make a file worse than it was, give two memories one name, or speak for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdmem.errors import InvalidMemoryError, OwnershipError
from mdmem.markdown.patch import patch
from mdmem.markdown.render import render
from mdmem.memory import PERSONAL_TYPES, Source, Status
from mdmem.store.caller import Caller, may_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mdmem.markdown.parse import Document
    from mdmem.markdown.problems import Problem
    from mdmem.markdown.render import Plain
    from mdmem.memory import Memory
    from mdmem.store.table import StoredMemory


def as_file(memory: Memory) -> bytes:
    """The bytes of a new file. Raises InvalidMemoryError for text that is no Unicode (half a surrogate pair)."""
    try:
        return render(memory).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidMemoryError("E_ENCODING", "", "the text is not UTF-8", "is it Windows-1252?") from error


def patched(document: Document, changes: Mapping[str, Plain | None], body: str | None) -> bytes:
    """The file's bytes with these changes. Raises InvalidMemoryError when the file can't hold them."""
    try:
        return patch(document, changes, body)
    except (AssertionError, UnicodeEncodeError) as error:
        key = next(iter(changes), "body") if body is None else "body"
        hint = "leave out control characters and merge-conflict markers"
        raise InvalidMemoryError("E_TYPE", key, "a memory file can't hold this text", hint) from error


def refuse_errors(after: Iterable[Problem], before: Iterable[Problem] = ()) -> None:
    """A write may mend a file or leave it as bad as it was, never make it worse. Raises InvalidMemoryError."""
    known = {(problem.code, problem.key) for problem in before}
    for problem in after:
        if problem.is_error and (problem.code, problem.key) not in known:
            raise InvalidMemoryError(problem.code, problem.key, problem.message, problem.hint)


def refuse_twin(one: StoredMemory, before: Memory, stored: Sequence[StoredMemory]) -> None:
    """A change may not give a memory another's id, nor the topic of another active one. Raises InvalidMemoryError."""
    memory = one.memory
    others = [other for other in stored if other.path != one.path]
    twin = next((o.path for o in others if memory.id != before.id and o.memory.id == memory.id), None)
    if twin:
        raise InvalidMemoryError("E_DUP_ID", "id", f"{twin} has it already", "choose another id")
    takes_topic = memory.is_active and memory.topic and _claim(memory) != _claim(before)
    rival = next((o.path for o in others if takes_topic and _claim(o.memory) == _claim(memory)), None)
    if rival:
        hint = f"change that one, or set it to stale first: mdmem set {rival} status=stale"
        raise InvalidMemoryError("E_DUP_TOPIC", "topic", f"{rival} is active under `{memory.topic}`", hint)


def refuse_agent(path: str, before: Memory, after: Memory, caller: Caller) -> None:
    """An agent may neither change what a person said, nor pass for one, nor review its own words.

    Raises OwnershipError or InvalidMemoryError.
    """
    if caller is not Caller.AGENT:
        return
    if not may_change(before, caller):
        raise OwnershipError(path)
    if after.source is Source.USER:
        raise InvalidMemoryError("E_ENUM", "source", "an agent can't speak for the user", "leave it as it is")
    held = before.status is Status.PENDING or (after.type in PERSONAL_TYPES and before.type not in PERSONAL_TYPES)
    if held and after.is_active:
        raise InvalidMemoryError("E_ENUM", "status", "only a person promotes what waits for review", "leave it pending")


def _claim(memory: Memory) -> tuple[str, str] | None:
    return (memory.topic, memory.scope) if memory.is_active and memory.topic else None
