"""Who is behind a command, and what they may change: what a person says only a person can take back."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from mdmem.errors import MdmemError
from mdmem.memory import Source, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.memory import Memory

AGENT_VARIABLES: Final = ("CLAUDECODE", "MDMEM_AGENT", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_SANDBOX")


class Caller(StrEnum):
    """Who is behind a command: a person, or an agent (extraction counts as one)."""

    USER = "user"
    AGENT = "agent"


def caller_of(environ: Mapping[str, str]) -> Caller:
    """Who runs the command: an agent when its session's variables are set, else the user."""
    return Caller.AGENT if any(environ.get(name) for name in AGENT_VARIABLES) else Caller.USER


def may_change(memory: Memory, caller: Caller) -> bool:
    """What a person said can only be changed by a person."""
    return caller is Caller.USER or memory.source is not Source.USER


def under_switch(draft: Memory, caller: Caller, write: str) -> Memory:
    """The draft as the setting `memory.write` lets an agent save it: as it is, or pending (`ask`).

    Raises MdmemError when agents may not write (`off`).
    """
    if caller is Caller.USER or write == "on":
        return draft
    if write == "off":
        raise MdmemError("agents may not write memories here (memory.write is off)", "ask the user to record it")
    return replace(draft, status=Status.PENDING)


def refuse_agents(caller: Caller, write: str) -> None:
    """Changing what is there can't wait for review: under `ask` an agent may only propose something new.

    Raises MdmemError when `caller` is an agent and the setting `memory.write` is not `on`.
    """
    if caller is Caller.AGENT and write != "on":
        raise MdmemError(f"agents may not change memories here (memory.write is {write})", "ask the user to do it")
