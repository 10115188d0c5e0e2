"""What a finished run looks like, whichever agent made it: Session → Turn → ToolCall.

A turn is one thing the user said and what the agent did about it until the user spoke again. Readers turn an
agent's files into these values; everything after them knows no agent's format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from mdmem.markdown.problems import Problem

EXTRACT_MARK: Final = "[mdmem-extract v1]"
"""How every extraction prompt of ours begins; a run that holds it is never learned from."""

WRITERS: Final = frozenset(
    {"Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "edit", "write", "patch", "multiedit"}
)
RUNNERS: Final = frozenset({"Bash", "shell", "exec_command", "local_shell_call", "bash", "shell_command"})
ASKERS: Final = frozenset({"AskUserQuestion", "ExitPlanMode", "request_user_input", "question"})


class Use(StrEnum):
    """What a reader makes of records of a kind."""

    READ = "read"
    MACHINERY = "machinery"
    """Known, and nothing for us: progress, token counts, prompts of the agent itself."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Kind:
    """Records of one kind in a transcript: how many there are, and what is made of them."""

    name: str
    count: int
    use: Use


class Voice(StrEnum):
    """How the user's words came in."""

    PROMPT = "prompt"
    QUEUED = "queued"
    """Typed while the agent was working."""
    REJECTION = "rejection"
    """Given as the reason for refusing a tool call."""
    ANSWER = "answer"
    """Given to a question that the agent asked through a tool."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the user, free of everything injected.

    `line` is where they stand in the transcript, `record` the id of the record, '' where records have none.
    """

    text: str
    line: int
    at: datetime | None = None
    voice: Voice = Voice.PROMPT
    record: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """Words of the agent: one message, its streamed parts joined."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One use of a tool with its result.

    `command` is what a shell tool ran, `path` the file the tool was given. `output` is cut; a failed call keeps
    head and tail. `line` is the result's, else the call's. Calls of one `message` were made in parallel.
    """

    name: str
    line: int
    command: str = ""
    path: str = ""
    output: str = ""
    message: str = ""
    is_failed: bool = False
    is_rejected: bool = False
    is_open: bool = False

    @property
    def acts(self) -> bool:
        """Whether it changes or runs something, or was about to."""
        return self.writes or self.name in RUNNERS

    @property
    def writes(self) -> bool:
        """Whether it changes a file."""
        return self.name in WRITERS

    @property
    def asks(self) -> bool:
        """Whether it puts a question to the user."""
        return self.name in ASKERS


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said (None before the first word) and the agent's steps until the user spoke again."""

    said: Said | None
    steps: tuple[Reply | ToolCall, ...] = ()

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls, in order."""
        return tuple(step for step in self.steps if isinstance(step, ToolCall))

    @property
    def replies(self) -> tuple[Reply, ...]:
        """The agent's messages, in order."""
        return tuple(step for step in self.steps if isinstance(step, Reply))

    @property
    def is_finished(self) -> bool:
        """User text, then agent text, no tool call left open."""
        return self.said is not None and bool(self.replies) and not any(call.is_open for call in self.calls)


@dataclass(frozen=True, slots=True)
class Session:
    """One run as its transcript tells it. Counts cover the whole file, turns may leave out its oldest steps.

    `kinds` counts the records by kind, `passed` what was passed over by why; `recalled` are
    the titles of the memories that a brief of ours put before the agent.
    """

    agent: str
    id: str
    cwd: str = ""
    title: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    turns: tuple[Turn, ...] = ()
    user_texts: int = 0
    assistant_messages: int = 0
    tool_errors: int = 0
    skipped: int = 0
    problems: tuple[Problem, ...] = ()
    version: str = ""
    model: str = ""
    is_subagent: bool = False
    kinds: tuple[Kind, ...] = ()
    passed: tuple[tuple[str, int], ...] = ()
    recalled: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[Said, ...]:
        """Everything the user said, in order."""
        return tuple(turn.said for turn in self.turns if turn.said)

    def iter_calls(self) -> Iterator[ToolCall]:
        """Every tool call, in order."""
        for turn in self.turns:
            yield from turn.calls

    def iter_replies(self) -> Iterator[Reply]:
        """Every message of the agent, in order."""
        for turn in self.turns:
            yield from turn.replies

    def repeated(self, records: Collection[str]) -> tuple[Turn, ...]:
        """The turns that began with one of these records: they are those of another run, of which this is a fork."""
        return tuple(turn for turn in self.turns if turn.said and turn.said.record in records)

    @property
    def is_own(self) -> bool:
        """Whether the run is one of our own extractions."""
        return any(said.text.startswith(EXTRACT_MARK) for said in self.said)

    @property
    def is_discussion(self) -> bool:
        """Whether nothing was written, run or rejected."""
        return not any(call.acts or call.is_rejected for call in self.iter_calls())

    def relative(self, path: str) -> str:
        """A path as the repository knows it: below the working folder, with forward slashes; '' for one outside."""
        path, root = path.replace("\\", "/"), self.cwd.replace("\\", "/").rstrip("/")
        if root and path.startswith(f"{root}/"):
            return path[len(root) + 1 :]
        is_outside = path.startswith(("/", "~", "../")) or re.match(r"[A-Za-z]:/", path)
        return "" if is_outside else path.removeprefix("./")
