"""Which drafts are imported, and which are left: known, imported before, forgotten on purpose, or saying nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mdmem.agents.importing.draft import FROM
from mdmem.markdown.problems import KEPT_OUT
from mdmem.markdown.screen import is_low_value, screen
from mdmem.memory import BODY_LENGTH_AGENT, FILE_SIZE, normal_text
from mdmem.redact import redact
from mdmem.store.vetoes import is_vetoed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdmem.agents.importing.draft import Draft
    from mdmem.memory import Memory
    from mdmem.store.vetoes import Veto

IMPORTED: Final = "imported before"
KNOWN: Final = "known already"
VETOED: Final = "forgotten on purpose"
TWICE: Final = "the source says it twice"
NOTHING: Final = "says nothing worth remembering"
TOO_LONG: Final = "longer than a memory may be"
OURS: Final = "a recalled brief"
REDACTED: Final = "redacted"
"""What is told of a draft that held a secret."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A draft, why it is left ('' when it is imported), what a reviewer should look at, and the path that it confirms
    where the same memory is there."""

    draft: Draft
    reason: str
    flags: tuple[str, ...]
    confirms: str = ""

    @property
    def is_new(self) -> bool:
        """Whether it is imported."""
        return not (self.reason or self.confirms)

    def as_json(self) -> dict[str, object]:
        """The memory with where it came from and what becomes of it."""
        word = "confirm" if self.confirms else "import" if self.is_new else "leave"
        action = {"action": word, "reason": self.reason or None}
        return action | {"from": self.draft.place, "flags": list(self.flags)} | self.draft.memory.as_json()


def plan_import(
    drafts: Iterable[Draft], stored: Sequence[Memory], vetoes: Sequence[Veto], *, is_agent: bool
) -> tuple[Planned, ...]:
    """What becomes of each draft; secrets are redacted already in what is planned."""
    before = {str(dict(memory.extra).get(FROM)) for memory in stored}
    known = {_text(memory) for memory in stored}
    taken: set[tuple[str, str]] = set()
    found = []
    for draft in drafts:
        memory = redacted(draft.memory)
        one = draft._replace(memory=memory)
        reason = IMPORTED if draft.source in before else KNOWN if _text(memory) in known else ""
        reason = reason or (TWICE if _text(memory) in taken else "") or refusal(memory, vetoes, is_agent=is_agent)
        taken.add(_text(memory))
        found.append(Planned(one, reason, flags_of(draft.memory, memory)))
    return tuple(found)


def refusal(memory: Memory, vetoes: Sequence[Veto], *, is_agent: bool, is_ours: bool = False) -> str:
    """Why a memory is not imported whatever is there; whether it says anything is asked of others' alone."""
    if is_vetoed(memory, vetoes):
        return VETOED
    if not is_ours and is_low_value(memory.title, memory.body):
        return NOTHING
    if any(one.code == "E_SELF_REFERENCE" for one in screen(memory.title, memory.body, 1, 1)):
        return OURS
    is_long = len(memory.body.encode("utf-8", "replace")) > FILE_SIZE - 4096
    return TOO_LONG if is_long or (is_agent and len(memory.body) > BODY_LENGTH_AGENT) else ""


def flags_of(draft: Memory, memory: Memory) -> tuple[str, ...]:
    """What a reviewer should look at in a memory: that a secret of the draft was taken out, and what it reads like."""
    changed = (draft.title, draft.body, draft.description) != (memory.title, memory.body, memory.description)
    codes = sorted({one.code for one in screen(memory.title, memory.body, 1, 1) if one.code in KEPT_OUT})
    return (*([REDACTED] if changed else []), *codes)


def redacted(memory: Memory) -> Memory:
    """The memory without secrets."""
    title, body, description = (redact(text).text for text in (memory.title, memory.body, memory.description))
    return replace(memory, title=title[:120], body=body, description=description)


def _text(memory: Memory) -> tuple[str, str]:
    return normal_text(memory.title).casefold(), normal_text(memory.body)
