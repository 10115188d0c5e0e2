"""The life of a memory after it was saved: feedback, review, retirement, return. Plans only; the store carries out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from mdmem.errors import MdmemError, OwnershipError
from mdmem.markdown.render import as_plain
from mdmem.memory import Status, latest, rounded
from mdmem.store.caller import Caller, may_change
from mdmem.store.journal import Action
from mdmem.store.saving import CONFIDENCE_STEP
from mdmem.store.vetoes import veto_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mdmem.markdown.render import Plain
    from mdmem.memory import Memory, When
    from mdmem.store.store import Store
    from mdmem.store.table import StoredMemory

RETIRED: Final = frozenset({Status.STALE, Status.RETRACTED, Status.SUPERSEDED, Status.ARCHIVED})


class Verdict(StrEnum):
    """What someone says of a memory they have used."""

    HELPFUL = "helpful"
    WRONG = "wrong"
    STALE = "stale"


def feedback_changes(memory: Memory, verdict: Verdict, today: When) -> Mapping[str, Plain | None]:
    """Helpful: confidence +0.1, confirmed today. Wrong: retracted. Stale: stale."""
    if verdict is Verdict.HELPFUL:
        step = as_plain(rounded(memory.confidence + CONFIDENCE_STEP))
        return {"confidence": step, "confirmed": _confirmed(memory, today)}
    return {"status": Status.RETRACTED if verdict is Verdict.WRONG else Status.STALE}


def plan_promote(store: Store, refs: Iterable[str], caller: Caller, today: When) -> list[Action]:
    """Pending memories become active; an active one of the same topic is superseded and keeps its file.

    Raises MdmemError when one is not pending, or when an agent asks: people review.
    """
    _need_person(caller, "promote a memory")
    actions: list[Action] = []
    for one in _found(store, refs, {Status.PENDING}, "pending"):
        for old in _rivals(store.load(), one):
            superseded = {"status": Status.SUPERSEDED, "superseded_by": one.memory.id}
            actions += store.planned_change(old, superseded)[1]
        changes: dict[str, Plain | None] = {"status": None, "confirmed": _confirmed(one.memory, today)}
        actions += store.planned_change(one, _with_id(one, changes))[1]
    return actions


def plan_reject(store: Store, refs: Iterable[str], caller: Caller) -> list[Action]:
    """Pending memories are removed, and vetoed. Raises MdmemError when one is not pending, or an agent asks."""
    _need_person(caller, "reject a memory")
    found = _found(store, refs, {Status.PENDING}, "pending")
    return [store.veto_action([veto_of(one.memory) for one in found]), *(Action(o.path, None, o.etag) for o in found)]


def plan_deprecate(store: Store, refs: Iterable[str], caller: Caller, superseded_by: str | None = None) -> list[Action]:
    """Memories become stale, or superseded by the one that `superseded_by` names; their files stay.

    Raises OwnershipError when an agent would retire what a person said, MdmemError for what is retired already.
    """
    actions: list[Action] = []
    newer = store.find(superseded_by) if superseded_by else None
    if newer:
        actions += store.planned_change(newer, _with_id(newer, {}))[1]
    for one in _found(store, refs, {Status.ACTIVE, Status.PENDING, Status.STALE}, "in use"):
        if not may_change(one.memory, caller):
            raise OwnershipError(one.path)
        if newer and newer.path == one.path:
            raise MdmemError(f"{one.path} can't supersede itself", "name the memory that replaces it")
        changes: dict[str, Plain | None] = {"status": Status.STALE}
        if newer:
            changes = {"status": Status.SUPERSEDED, "superseded_by": newer.memory.id}
        actions += store.planned_change(one, changes)[1]
    return actions


def plan_reactivate(store: Store, refs: Iterable[str], caller: Caller, today: When) -> list[Action]:
    """Retired memories become active again, confirmed today.

    Raises OwnershipError, and MdmemError when one is not retired or another one is active under its topic.
    """
    actions: list[Action] = []
    for one in _found(store, refs, RETIRED, "retired"):
        if not may_change(one.memory, caller):
            raise OwnershipError(one.path)
        rival = next(iter(_rivals(store.load(), one)), None)
        if rival:
            raise MdmemError(
                f"{rival.path} is active under the topic `{one.memory.topic}`", f"first deprecate {rival.path}"
            )
        confirmed = _confirmed(one.memory, today)
        actions += store.planned_change(one, {"status": None, "superseded_by": None, "confirmed": confirmed})[1]
    return actions


def _confirmed(memory: Memory, today: When) -> Plain:
    """Today, or what the memory says already when the clock was set back."""
    return as_plain(latest(today, memory.confirmed))


def _found(store: Store, refs: Iterable[str], statuses: Iterable[Status], word: str) -> list[StoredMemory]:
    found = list({one.path: one for one in map(store.find, refs)}.values())
    for one in found:
        if one.memory.status not in statuses:
            raise MdmemError(f"{one.path} is {one.memory.status}, not {word}", "`mdmem list --status all` shows them")
    return found


def _rivals(stored: Sequence[StoredMemory], one: StoredMemory) -> list[StoredMemory]:
    """The other active memories of its topic and scope."""
    topic, scope = one.memory.topic, one.memory.scope
    return [other for other in stored if topic and other.path != one.path and other.memory.is_active
            and (other.memory.topic, other.memory.scope) == (topic, scope)]  # fmt: skip


def _with_id(one: StoredMemory, changes: Mapping[str, Plain | None]) -> dict[str, Plain | None]:
    """The changes, and the id written out, since another file is about to name it."""
    return {"id": one.memory.id, **changes}


def _need_person(caller: Caller, what: str) -> None:
    if caller is not Caller.USER:
        raise MdmemError(f"only a person can {what}", "leave it for review")
