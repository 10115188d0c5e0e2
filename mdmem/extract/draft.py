"""From a finding to a draft: a memory that a colleague understands who has not seen the run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mdmem.extract import phrasing
from mdmem.extract.digest import shortened
from mdmem.extract.failure import Way
from mdmem.extract.ruling import RULE_SCORE
from mdmem.extract.speech import sentences, with_dates
from mdmem.memory import (
    BODY_LENGTH_AGENT,
    FILES_COUNT,
    ORIGIN_COUNT,
    TITLE_LENGTH,
    Memory,
    MemoryType,
    Source,
    Status,
)
from mdmem.redact import redact

if TYPE_CHECKING:
    from datetime import date

    from mdmem.extract.corrections import Heard
    from mdmem.extract.failure import Failure
    from mdmem.extract.transcripts.session import Session, ToolCall

QUOTE_LENGTH: Final = 320
CAUSE_LENGTH: Final = 60
COMMAND_LENGTH: Final = 60
ACTIVE_FROM: Final = 0.6
"""Drafts of at least this confidence are active at once; the others wait for a person."""

CONFIDENCES: Final = ((2.0, 0.8), (1.0, 0.7), (0.0, 0.6))
"""How far the score lies above RULE_SCORE, and the confidence that gives."""
WEAK_CUES: Final = frozenset({"defect", "whole"})
STRONG_CUES: Final = frozenset({"standing", "reminder", "decision", "obligation", "bound"})
"""People imply a rule by a weak cue, and state it by a strong one: what rests on weak ones alone waits for a person."""
WEAK_CONFIDENCE: Final = 0.5

PATH: Final = re.compile(
    r"(?<![\w/:.-])(?:[\w.-]+/)+[\w.-]*\w(?:\.\w+)?|\b[\w-]+\.(?:py|go|ts|tsx|js|rs|toml|ya?ml|json|sql|md|sh|cfg)\b"
)
FILE_NAME: Final = re.compile(r"\.[A-Za-z]\w{0,9}$")
EXCEPTION: Final = re.compile(r"^(?:[\w.]+\.)?\w+(?:Error|Exception|Invalid|Warning|Detected|Table)?: ")
DEICTIC: Final = re.compile(
    r"^(?:they|it|that|this|those|these)\b|\b(?:that|this|these|those) ones?\b|\bdo (?:it|that)\b", re.IGNORECASE
)
AGENT_TOOLS: Final = re.compile(
    r"\bthe (?:Read|Edit|Write|Bash|Grep|Glob|Task|MultiEdit|WebFetch|TodoWrite) tool\b|\bapply_patch\b"
)
TOPIC_WORD: Final = re.compile(r"[a-z][a-z_.]*[a-z]")


def from_words(heard: Heard, session: Session, day: date) -> Memory | None:
    """The rule that somebody stated, as a draft; None when there is none, or its words make no title."""
    if not heard.ruling.sentence:
        return None
    said = with_dates(redact(heard.ruling.sentence).text, day, heard.language)
    title = phrasing.title(said, heard.language)
    if not phrasing.has_matter(title):
        return None
    confidence = _confidence(heard)
    return Memory(
        type=_type(heard),
        title=title,
        body=_rule_body(heard, session, day, title),
        status=Status.ACTIVE if confidence >= ACTIVE_FROM else Status.PENDING,
        confidence=confidence,
        files=_files(heard, session),
        scope=f"agent:{session.agent}" if AGENT_TOOLS.search(heard.text) else "project",
        source=Source.EXTRACTION,
        origin=(f"{session.agent}/{session.id}",),
        created=day,
        confirmed=day,
        extra=_position(session, heard.said.line),
    )


def from_failure(failure: Failure, session: Session, day: date) -> Memory:
    """The lesson of a failure that came back, as a draft."""
    call, remedy = failure.calls[-1], failure.remedy
    is_seen_before = bool(failure.earlier)
    return Memory(
        type=MemoryType.LESSON,
        title=shortened(redact(_failure_title(failure)).text, TITLE_LENGTH),
        body=_failure_body(failure),
        confidence=0.7 if is_seen_before and remedy.way is not Way.NONE else 0.6,
        evidence=len(failure.earlier) + 1,
        topic=_topic(failure.cause),
        files=tuple(path for path in (session.relative(call.path),) if path),
        source=Source.EXTRACTION,
        origin=_origins(failure, session),
        created=day,
        confirmed=day,
        extra=_position(session, *(call.line for call in failure.calls)),
    )


def _origins(failure: Failure, session: Session) -> tuple[str, ...]:
    """The runs in which a cause struck: this one, and the newest of those before."""
    earlier = dict.fromkeys(episode.origin for episode in failure.earlier if episode.origin)
    return (*list(earlier)[1 - ORIGIN_COUNT :], f"{session.agent}/{session.id}")


def _position(session: Session, *lines: int) -> tuple[tuple[str, object], ...]:
    """Where the evidence stands, in a key of its own: numbers in a body would be read as part of the rule."""
    return (("quoted", f"{session.agent}/{session.id}:{','.join(map(str, lines))}"),)


def _confidence(heard: Heard) -> float:
    if heard.ruling.cues & WEAK_CUES and not heard.ruling.cues & STRONG_CUES:
        return WEAK_CONFIDENCE
    return next(value for above, value in CONFIDENCES if heard.ruling.score >= RULE_SCORE + above)


def _type(heard: Heard) -> MemoryType:
    """The first kind whose pattern the words hold; a choice is a decision, everything else a convention."""
    if "fact" in heard.ruling.cues:
        return MemoryType.LESSON
    if heard.kind == "decision":
        return MemoryType.DECISION
    kind = next((kind for pattern, kind in heard.language.kinds if pattern.search(heard.text)), "convention")
    return MemoryType(kind)


def _rule_body(heard: Heard, session: Session, day: date, title: str) -> str:
    """The rule in full, the reason where one was given, and the words it rests on."""
    text = with_dates(redact(heard.text).text, day, heard.language)
    rule = phrasing.statement(with_dates(redact(heard.ruling.sentence).text, day, heard.language), heard.language)
    rule, reason = phrasing.split_reason(rule, heard.language)
    parts = [] if rule.casefold() == title.casefold() else [f"{shortened(rule, QUOTE_LENGTH)}."]
    if DEICTIC.search(title) and heard.setting.before:
        parts.append(f"**Context:** asked was “{shortened(redact(heard.setting.before).text, 160)}”")
    if reason:
        parts.append(f"**Why:** {shortened(reason, 200)}.")
    act = f"while refusing {_act(heard.setting.call, session)}" if heard.setting.call else "in the run"
    parts.append(f"**Evidence:** said {act}: “{shortened(' '.join(text.split()), QUOTE_LENGTH)}”")
    return shortened("\n\n".join(parts), BODY_LENGTH_AGENT)


def _act(call: ToolCall, session: Session) -> str:
    """A refused call in words."""
    if call.command:
        return f"`{shortened(' '.join(redact(call.command).text.split()), COMMAND_LENGTH)}`"
    path = session.relative(call.path)
    return f"{call.name} of `{path}`" if path else f"a call of {call.name}"


def _files(heard: Heard, session: Session) -> tuple[str, ...]:
    """The files that the words name; for a refused edit that named none, the file that was to be edited."""
    touched = {session.relative(call.path) for call in session.iter_calls() if call.path}
    named = [
        path
        for path in map(session.relative, PATH.findall(heard.text))
        if FILE_NAME.search(path) or any(known.startswith(f"{path}/") for known in touched)
    ]
    call = heard.setting.call
    edited = [session.relative(call.path)] if call and call.writes and not named else []
    return tuple(dict.fromkeys(path for path in (*named, *edited) if path))[:FILES_COUNT]


def _failure_title(failure: Failure) -> str:
    call, remedy = failure.calls[-1], failure.remedy
    cause = shortened(EXCEPTION.sub("", failure.cause).strip(" .:"), CAUSE_LENGTH)
    command = shortened(" ".join(call.command.split()), COMMAND_LENGTH)
    part = shortened(" ".join(remedy.part.split()), COMMAND_LENGTH)
    match remedy.way:
        case Way.BEFORE:
            return f"Run `{part}` before `{command}`"
        case Way.PREPARED:
            return f"Run `{part}` when “{cause}” comes up"
        case Way.SETTING:
            return f"Set `{part}` for `{command}`"
        case Way.SWITCH:
            return f"Pass `{part}` to `{_program(call.command)}`"
        case Way.OTHER | Way.NONE:
            return f"{_advice(failure)} (“{cause}”)"


def _failure_body(failure: Failure) -> str:
    call, remedy = failure.calls[-1], failure.remedy
    command = shortened(" ".join(call.command.split()), 160)
    parts = [f"`{command}` fails with: {shortened(failure.cause, 200)}."]
    if remedy.command:
        parts.append(f"**How to apply:** `{shortened(' '.join(remedy.command.split()), 160)}` worked.")
    if remedy.advice:
        parts.append(f"**Why:** {shortened(' '.join(remedy.advice.split()), 200)}")
    return shortened(redact("\n\n".join(parts)).text, BODY_LENGTH_AGENT)


def _advice(failure: Failure) -> str:
    """The first sentence of what was said about a failure."""
    first = next(iter(sentences(failure.remedy.advice)), failure.remedy.command)
    return shortened(phrasing.CLAUSE.split(first)[0], CAUSE_LENGTH - 10).strip(" .")


def _program(command: str) -> str:
    """The words of a command up to its first switch, without variables."""
    words = command.split()
    plain = words[: next((n for n, word in enumerate(words) if n and word.startswith("--")), len(words))]
    return shortened(" ".join(plain), COMMAND_LENGTH)


def _topic(cause: str) -> str:
    """A key under which the same cause meets itself again, in another run or with other numbers and paths."""
    return "error/" + "-".join(TOPIC_WORD.findall(cause.lower())[:8])[:70].strip("-_.")
