"""What saving a memory means for the files that are there: create, confirm, replace, or let the user decide.

Pure: memories in, decisions out. The store carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from mdmem.errors import InvalidMemoryError
from mdmem.markdown.render import as_plain
from mdmem.markdown.schema import leaves_repository
from mdmem.memory import (
    BODY_LENGTH_AGENT,
    FILE_SIZE,
    FILES_COUNT,
    ORIGIN_COUNT,
    PERSONAL_TYPES,
    Memory,
    MemoryType,
    Source,
    Status,
    When,
    as_type,
    is_duplicate,
    latest,
    normal_text,
    rounded,
)
from mdmem.redact import redact
from mdmem.store.caller import Caller, may_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mdmem.markdown.render import Plain
    from mdmem.store.table import StoredMemory

CONFIDENCE_STEP: Final = 0.1


class Outcome(StrEnum):
    """What became of a memory that was to be saved."""

    ADDED = "added"
    CONFIRMED = "confirmed"
    REPLACED = "replaced"
    PENDING = "pending"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Create:
    """A new file in the folder of the memory's type."""

    memory: Memory
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Update:
    """New fields (None removes one), and perhaps a new body, for the file that is there."""

    stored: StoredMemory
    changes: Mapping[str, Plain | None]
    body: str | None
    outcome: Outcome


def decide(draft: Memory, stored: Sequence[StoredMemory], caller: Caller, today: When) -> Create | Update:
    """What saving `draft` means next to the memories that are there. `today` dates it.

    Raises InvalidMemoryError when the draft is longer than its writer may write.
    """
    _check_length(draft, caller)
    draft = _cleaned(draft)
    twins = _twins(draft, stored)
    alive = next((one for one in twins if _is_alive(one.memory)), None)
    if alive:
        return _confirm(alive, draft, caller, today)
    if draft.type in PERSONAL_TYPES and draft.source is Source.AGENT:
        draft = replace(draft, status=Status.PENDING)
    same = _same_topic(draft, stored)
    if same and same.is_readable and may_change(same.memory, caller) and draft.status is Status.ACTIVE:
        return _replace(same, draft, today)
    # a topic that is taken, and what was called wrong and now comes back, are for a person to judge
    if caller is Caller.AGENT and (same or twins):
        draft = replace(draft, status=Status.PENDING)
    dated = replace(draft, created=draft.created or today, confirmed=draft.confirmed or draft.created or today)
    return Create(dated, Outcome.PENDING if draft.status is Status.PENDING else Outcome.ADDED)


def superseded(new: StoredMemory, draft: Memory, stored: Sequence[StoredMemory], caller: Caller) -> list[Update]:
    """What is put out of force by a memory that was saved as the draft asks: active ones that its writer may change."""
    if not new.memory.is_active or new.memory.supersedes != draft.supersedes:
        return []
    old = (one for one in stored if one.memory.id in draft.supersedes and one.memory.is_active and one.is_readable)
    changes: Mapping[str, Plain | None] = {"status": Status.SUPERSEDED, "superseded_by": new.memory.id}
    return [Update(one, changes, None, Outcome.SUPERSEDED) for one in old if may_change(one.memory, caller)]


def drafted(
    *,
    type: str,  # noqa: A002
    title: str,
    body: str,
    caller: Caller,
    pending: bool = False,
    files: Iterable[str] = (),
    tags: Iterable[str] = (),
    **fields: Any,
) -> Memory:
    """A memory as someone states it on the command line or over MCP; `type` may be an alias.

    Raises InvalidMemoryError when a field breaks its rule.
    """
    return Memory(
        type=as_type(type) or MemoryType.LESSON,
        title=" ".join(title.split()),
        body=body,
        files=_inside(files),
        tags=tuple(tags),
        source=Source.AGENT if caller is Caller.AGENT else Source.USER,
        status=Status.PENDING if pending else Status.ACTIVE,
        **fields,
    )


def _inside(files: Iterable[str]) -> tuple[str, ...]:
    paths = tuple(path.replace("\\", "/").removeprefix("./") for path in files)
    for path in paths:
        if leaves_repository(path):
            raise InvalidMemoryError(
                "E_PATH", "files", f"{path!r} is outside of the repository", "a path from its root"
            )
    return paths


def _is_alive(memory: Memory) -> bool:
    return memory.status in (Status.ACTIVE, Status.PENDING, Status.STALE)


def _twins(draft: Memory, stored: Sequence[StoredMemory]) -> list[StoredMemory]:
    """The memories that say exactly the same, whatever became of them; of a file that can't be read nobody knows."""
    title = normal_text(draft.title)
    same_type = (one for one in stored if one.memory.type is draft.type and one.is_readable)
    near = (one for one in same_type if normal_text(one.memory.title) == title)
    return [one for one in near if is_duplicate(one.memory, draft)]


def _same_topic(draft: Memory, stored: Sequence[StoredMemory]) -> StoredMemory | None:
    if not draft.topic:
        return None
    return next(
        (
            one
            for one in stored
            if one.memory.is_active and one.memory.topic == draft.topic and one.memory.scope == draft.scope
        ),
        None,
    )


def _confirm(twin: StoredMemory, draft: Memory, caller: Caller, today: When) -> Update:
    """An exact duplicate confirms; the same run again confirms nothing, and a person's file is left as it is."""
    memory = twin.memory
    is_known_run = bool(draft.origin) and set(draft.origin) <= set(memory.origin)
    if is_known_run or not may_change(memory, caller):
        return Update(twin, {}, None, Outcome.CONFIRMED)
    changes: dict[str, Plain | None] = {
        "confirmed": as_plain(latest(draft.confirmed or today, memory.confirmed)),  # an old run may be read late
        "evidence": str(memory.evidence + 1),
    }
    if draft.origin:
        changes["origin"] = _origins(memory, draft)
    waits = memory.status is not Status.ACTIVE and draft.status is Status.ACTIVE
    if waits and caller is Caller.USER:
        changes["status"] = None  # a person who says it again has reviewed it
    elif waits and memory.status is Status.STALE:
        changes["status"] = Status.PENDING
    return Update(twin, changes, None, Outcome.CONFIRMED)


def _replace(old: StoredMemory, draft: Memory, today: When) -> Update:
    """The same topic: new title and body, files united, confidence +0.1, one more piece of evidence."""
    memory = old.memory
    files = tuple(dict.fromkeys((*memory.files, *draft.files)))[:FILES_COUNT]
    changes: dict[str, Plain | None] = {
        "title": draft.title,
        "description": draft.description or None,
        "files": files,
        "tags": tuple(dict.fromkeys((*memory.tags, *draft.tags))),
        "expires": as_plain(draft.expires) if draft.expires else None,
        "confidence": as_plain(rounded(max(memory.confidence, draft.confidence) + CONFIDENCE_STEP)),
        "evidence": str(memory.evidence + 1),
        "confirmed": as_plain(draft.confirmed or today),
        "origin": _origins(memory, draft),
    }
    if draft.source is not memory.source:
        changes["source"] = draft.source if draft.source is not Source.USER else _user_source(old)
    stated = {key: value for key, value in changes.items() if value or getattr(memory, key)}
    return Update(old, stated, draft.body, Outcome.REPLACED)


def _user_source(old: StoredMemory) -> str | None:
    """A user takes the memory over; where an agent's own keys imply the agent, this must be said."""
    return "user" if any(key in ("name", "metadata") for key, _ in old.memory.extra) else None


def _origins(memory: Memory, draft: Memory) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*memory.origin, *draft.origin)))[-ORIGIN_COUNT:]


def _cleaned(draft: Memory) -> Memory:
    """The draft with its secrets redacted, its title on one line."""
    title = " ".join(redact(draft.title).text.split())
    return replace(
        draft,
        title=title,
        body=redact(draft.body).text.replace("\r\n", "\n").replace("\r", "\n").strip(),
        description=" ".join(redact(draft.description).text.split()),
    )


def _check_length(draft: Memory, caller: Caller) -> None:
    if caller is Caller.AGENT and len(draft.body) > BODY_LENGTH_AGENT:
        raise InvalidMemoryError(
            "E_LENGTH",
            "body",
            f"{len(draft.body)} characters; an agent writes at most {BODY_LENGTH_AGENT}",
            "say it in 400 characters, and link to the rest",
        )
    if len(draft.body.encode("utf-8", "replace")) > FILE_SIZE - 4096:
        raise InvalidMemoryError(
            "E_TOO_BIG", "body", "more than a memory can hold (60 KiB)", "keep the point, and link to the rest"
        )
