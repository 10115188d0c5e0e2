"""Commands that failed, why, and what made them work: one finding a cause, however often it struck.

Parallel calls of one message count as one occurrence; guardrails and refusals are no failures (the reader says so).
A cause has *repeated* when it struck twice in a run, or once here and in an earlier run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from mdmem.extract.languages.table import LANGUAGES
from mdmem.extract.transcripts.session import Said, ToolCall
from mdmem.index.similar import statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdmem.extract.transcripts.session import Reply, Session
    from mdmem.store.state import Episode

SAME_CAUSE: Final = 0.7
"""The share of words that two failures have in common when their cause is one."""
CAUSE_LENGTH: Final = 200
ALIKE_LEAST: Final = 2.0
ALIKE_SHARE: Final = 0.4
"""From this weight of common words on, and this share of the shorter one's, two remedies are one."""
REMEDY_STEPS: Final = 12
"""How many steps after a failure its remedy is looked for."""

NOISE: Final = re.compile(
    r"^(?:\W*$|exit code \d+|\[[\w:-]+\] (?:\$|ERROR)|traceback \(most|file \"|\s*at |ok\s|\?\s|PASS\b|=+|-+ captured"
    r"|warning:"
    r"|npm (?:err!|error) (?:code|errno|a complete log)|make(?:\[\d+\])?: (?:\*\*\*|entering|leaving)|\^+|e\s+$"
    r"|\w+ error task failed)",
    re.IGNORECASE,
)
TELLING: Final = re.compile(
    r"error|exception|fatal|fail|cannot|can't|not found|no such|denied|refused|undefined|unable|invalid|missing"
    r"|timed? ?out|timeout|unknown|unexpected|does not|doesn't|unreachable|expired|unreadable|conflict|already|would"
    r"|panic|abort|too many|deadlock|unresolved|not installed|required|: command not|\b[45]\d\d\b",
    re.IGNORECASE,
)
PLACE: Final = re.compile(r"^(?:[\w./\\@-]+:\d+(?::\d+)?:?\s*|E\s{2,}|>\s+|\s+)+")
TAG: Final = re.compile(r"</?tool_use_error>")
VARIABLE: Final = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+|/(?:[\w.@-]+/)+")
WORD: Final = re.compile(r"[a-z_][\w.-]*|\b0\b")
LOOKERS: Final = frozenset(
    ["ls", "cat", "grep", "rg", "find", "head", "tail", "echo", "git", "which", "wc", "sed", "awk", "pwd", "cd", "rm"]
)
"""Programs that only look, or that prepare nothing."""
ASSIGNMENT: Final = re.compile(r"[A-Z_][A-Z0-9_]*=\S+")


class Way(StrEnum):
    """How a remedy relates to the command that failed."""

    BEFORE = "before"
    """Another command, run first in the same breath."""
    SETTING = "setting"
    """The same command with a variable set."""
    SWITCH = "switch"
    """The same command with other switches."""
    OTHER = "other"
    """The same program with other arguments, or the same command again."""
    PREPARED = "prepared"
    """Another command, run on its own in between."""
    NONE = "none"


OUTSIDE: Final = frozenset({Way.BEFORE, Way.SETTING, Way.SWITCH})
"""Remedies that hold whatever the code at hand: they are worth a rule as soon as the cause struck twice."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """What worked after a failure: the whole command, its part that made the difference, what was said about it.

    `advice` is the agent's, `told` what the user said meanwhile.
    """

    way: Way = Way.NONE
    command: str = ""
    part: str = ""
    advice: str = ""
    told: str = ""
    has_edited: bool = False

    @property
    def text(self) -> str:
        """The remedy as episodes keep it."""
        return " — ".join(filter(None, (self.part or self.command, self.advice)))


@dataclass(frozen=True, slots=True)
class Failure:
    """One cause in one run; `calls` are its occurrences, `earlier` the episodes of other runs with that cause."""

    cause: str
    calls: tuple[ToolCall, ...]
    remedy: Remedy = Remedy()
    earlier: tuple[Episode, ...] = ()

    @property
    def occurrences(self) -> int:
        """How often the cause struck in this run, parallel calls once."""
        return len({call.message or str(call.line) for call in self.calls})

    @property
    def has_repeated(self) -> bool:
        """Whether it struck before, in this run or an earlier one."""
        return self.occurrences > 1 or bool(self.earlier)

    @property
    def is_lesson(self) -> bool:
        """Whether a rule can be made of it: a command's failure that came back, and something lasting that helps.

        Fixing the code is no lesson, save when the same cause came back in another run and the same helped there: one
        message may have many reasons.
        """
        if not (self.has_repeated and self.calls[-1].command):
            return False
        if self.remedy.way in OUTSIDE and not self.remedy.has_edited:
            return True
        helped = [episode.remedy for episode in self.earlier if episode.remedy]
        if helped:
            return any(map(self._helps_like, helped))
        return bool(self.earlier) and self.remedy.way is Way.PREPARED and not self.remedy.has_edited

    def _helps_like(self, other: str) -> bool:
        """Whether what helped elsewhere is what helped here. Where code was changed or the command just tried again,
        what was said of it must be alike, or speak of the other time."""
        is_retried = self.remedy.has_edited or self.remedy.way is Way.OTHER
        if is_retried and any(language.as_before.search(self.remedy.advice) for language in LANGUAGES):
            return True
        own, theirs = statement(self.remedy.advice if is_retried else self.remedy.text), statement(other)
        tried = statement(self.calls[-1].command).weights.keys() if is_retried else frozenset()
        common = own.weights.keys() & theirs.weights.keys() - tried
        shorter = min(sum(own.weights.values()), sum(theirs.weights.values()))
        return sum(own.weights[stem] for stem in common) >= max(ALIKE_LEAST, ALIKE_SHARE * shorter)


@dataclass(slots=True)
class _Group:
    words: frozenset[str]
    cause: str
    calls: list[ToolCall] = field(default_factory=list)


def failures(session: Session, earlier: Sequence[Episode] = ()) -> tuple[Failure, ...]:
    """Every cause for which calls failed, in order of its first occurrence.

    `earlier` are episodes of other runs; those of the same cause are attached.
    """
    steps = [step for turn in session.turns for step in (*((turn.said,) if turn.said else ()), *turn.steps)]
    return tuple(_failure(group, steps, earlier) for group in _grouped(session.iter_calls()))


def cause_of(output: str) -> str:
    """The line of a failed call's output that tells most, without its place; '' when there is none."""
    lines = [TAG.sub("", line).strip() for line in output.splitlines()]
    lines = [line for line in lines if line and not NOISE.match(line)]
    telling = [line for line in lines if TELLING.search(line)] or lines
    return PLACE.sub("", telling[0])[:CAUSE_LENGTH].strip() if telling else ""


def fingerprint(cause: str) -> frozenset[str]:
    """The words of a cause that stay the same when it strikes again elsewhere."""
    return frozenset(WORD.findall(VARIABLE.sub("0", cause).lower()))


def _grouped(calls: Iterable[ToolCall]) -> list[_Group]:
    groups: list[_Group] = []
    for call in calls:
        cause = cause_of(call.output) if call.is_failed else ""
        if not cause:
            continue
        words = fingerprint(cause) | {f"tool {call.name}"}
        group = next((known for known in groups if _is_same(known.words, words)), None)
        if group is None:
            group = _Group(words, cause)
            groups.append(group)
        group.calls.append(call)
    return groups


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= SAME_CAUSE * len(one | other)


def _failure(group: _Group, steps: Sequence[Said | Reply | ToolCall], earlier: Sequence[Episode]) -> Failure:
    last = group.calls[-1]
    start = next(index for index, step in enumerate(steps) if step is last)
    known = tuple(
        episode
        for episode in earlier
        if episode.kind == "error" and _is_same(fingerprint(episode.cause), fingerprint(group.cause))
    )
    remedy = _remedy(last, steps[start + 1 : start + 1 + REMEDY_STEPS])
    return Failure(group.cause, tuple(group.calls), remedy, known)


def _remedy(failed: ToolCall, after: Sequence[Said | Reply | ToolCall]) -> Remedy:
    """What worked among the steps after a failure: the failed command changed, else what prepared it."""
    prepared, told, has_edited = "", "", False
    for at, step in enumerate(after):
        if isinstance(step, Said):
            told = told or step.text
        if not isinstance(step, ToolCall):
            continue
        has_edited = has_edited or step.writes
        if not step.command or step.is_failed or step.is_rejected:
            continue
        way, part = difference(failed.command, step.command)
        if way is Way.OTHER and prepared:
            return Remedy(Way.PREPARED, prepared, prepared, _advice(after, at), told, has_edited)
        if way is not Way.NONE:
            return Remedy(way, step.command, part, _advice(after, at), told, has_edited)
        if not told:
            prepared = prepared or (step.command if step.command.split()[0] not in LOOKERS else "")
    way = Way.PREPARED if prepared else Way.NONE
    return Remedy(way, prepared, prepared, _advice(after, len(after)), told, has_edited)


def _advice(steps: Sequence[Said | Reply | ToolCall], at: int) -> str:
    """What the agent said about a failure until its remedy at `at` worked, else right after that."""
    words = [step.text for step in (*steps[:at], *steps[at + 1 : at + 2]) if not isinstance(step, Said | ToolCall)]
    return next(iter(words), "")


def difference(failed: str, worked: str) -> tuple[Way, str]:
    """How the command that worked differs from the one that failed, and the part that made the difference."""
    if not failed:
        return Way.NONE, ""
    if worked != failed and worked.endswith(failed):
        part = worked[: -len(failed)].strip(" \n;&")
        if not part:
            return Way.OTHER, ""
        return (Way.SETTING if ASSIGNMENT.fullmatch(part.split()[-1]) else Way.BEFORE), part
    old, new = failed.split(), worked.split()
    if ASSIGNMENT.fullmatch(new[0]) and old[0] in new and new[0] not in old:
        return Way.SETTING, new[0]
    if old[0] != new[0] or (len(old) > 1 and len(new) > 1 and not set(old[1:]) & set(new[1:])):
        return Way.NONE, ""
    added = _added(old, new)
    return (Way.SWITCH, added) if added.startswith("-") and set(_arguments(old)) <= set(new) else (Way.OTHER, added)


def _arguments(words: Sequence[str]) -> list[str]:
    """The words of a command that are no switches and no values of switches."""
    return [word for before, word in pairwise(words) if not word.startswith("-") and not before.startswith("-")]


def _added(old: Sequence[str], new: Sequence[str]) -> str:
    """The words of the new command that the old one lacks, a switch together with its changed value."""
    added = [index for index, word in enumerate(new) if word not in old]
    with_switch = {index - 1 for index in added if new[index - 1].startswith("-") and not new[index].startswith("-")}
    return " ".join(new[index] for index in sorted({*added, *with_switch}))
