"""A language model's answer, read leniently: what can be used is, and every departure is named.

Models wrap their JSON in prose and fences, show an example first, leave fields out, invent types and paths, and
quote what they should not. Nothing of that fails a run; only an answer that holds no JSON where there should be
some does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mdmem.errors import LlmError
from mdmem.extract.digest import shortened
from mdmem.extract.draft import ACTIVE_FROM
from mdmem.extract.gist import DONE_LENGTH, ITEM_LENGTH, REQUEST_LENGTH
from mdmem.extract.languages.english import ENGLISH
from mdmem.extract.scanning import scan
from mdmem.extract.shape import CONFIDENCE_MISSING, CONFIDENCE_RANGE, LIMITS, MEMORIES, OPEN_ITEMS
from mdmem.extract.speech import with_dates
from mdmem.llm.envelope import opened
from mdmem.markdown.escape import strip_control
from mdmem.markdown.problems import Problem
from mdmem.markdown.schema import leaves_repository
from mdmem.memory import (
    FILES_COUNT,
    PERSONAL_TYPES,
    TOPIC,
    Memory,
    MemoryType,
    Source,
    Status,
    as_type,
    normal_text,
    rounded,
)
from mdmem.redact import redact
from mdmem.store.state import OUTCOMES, Summary

if TYPE_CHECKING:
    from datetime import date

    from mdmem.extract.scanning import Scan
    from mdmem.extract.transcripts.session import Session

Json = Mapping[str, object]

PATH: Final = "reply"
FENCES: Final = re.compile(r"^\s*(?:```|~~~)\w*\s*$", re.MULTILINE)
SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
REPLACED: Final = "\ufffd"
PROMPT_AGAIN: Final = "run it again, or `mdmem extract FILE --prompt` to ask a model by hand"


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer holds: the summary (None when it gives none), drafts of memories, and what was wrong with it."""

    summary: Summary | None = None
    memories: tuple[Memory, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def is_prose(self) -> bool:
        """Whether the model answered without JSON: it had nothing to save, or did not want to say."""
        return any(problem.code == "W_NO_JSON" for problem in self.problems)


def read(answer: str | bytes, session: Session, day: date) -> Reply:
    """What a model said about a session that ended on `day`. A program's envelope is opened first.

    Raises LlmError: E_LLM_CLI when the envelope says that there is no answer, E_LLM_EMPTY, E_LLM_JSON when JSON
    begins and is cut off, broken, or about something else. Prose is no error (W_NO_JSON).
    """
    reading = _Reading(session, day)
    text = reading.decoded(answer)
    envelope = opened(text)
    text = reading.whole(envelope.text if envelope else text)
    if not FENCES.sub("", text).strip():
        raise LlmError("E_LLM_EMPTY", "the model's answer is empty", PROMPT_AGAIN)
    value = _answer(text, reading)
    if value is None:
        reading.report("W_NO_JSON", "the model answered in prose: nothing to save")
        return Reply(problems=tuple(reading.problems))
    memories = _memories(value.get("memories"), reading)
    return Reply(_summary(value.get("summary"), reading), memories, tuple(reading.problems))


# --- From text to an object --------------------------------------------------------------------------------


def _answer(text: str, reading: _Reading) -> Json | None:
    """The object that is the answer; None for prose. Raises LlmError (E_LLM_JSON)."""
    found = scan(text)
    answer, end = _with_memories(found, reading)
    if any(start >= end and '"memories"' in text[start:] for start in found.broken):
        raise _not_json("is cut off, or no JSON")
    if answer is not None:
        return answer
    if found.broken:
        raise _not_json("is cut off, or no JSON")
    return _other_shape(found, text, reading)


def _with_memories(found: Scan, reading: _Reading) -> tuple[Json | None, int]:
    """The last object with `memories`, perhaps one level down in another or in lists, and where it ends."""
    answer, end = None, 0
    for one in found.found:
        values = one.value.values() if isinstance(one.value, Mapping) else _listed(one.value)
        inner = [value for value in values if isinstance(value, Mapping) and "memories" in value]
        if isinstance(one.value, Mapping) and "memories" in one.value:
            answer, end = one.value, one.end
        elif inner:
            answer, end = inner[-1], one.end
            reading.report("W_SHAPE", "the answer stands inside another value")
    return answer, end


def _listed(value: object) -> list[object]:
    """What stands in a list and in the lists within it."""
    items, waiting = list[object](), [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += reversed(item)
        else:
            items.append(item)
    return items


def _other_shape(found: Scan, text: str, reading: _Reading) -> Json | None:
    """An answer without the key `memories`: a bare list of memories, bare memories, a bare summary."""
    values = [one.value for one in found.found]
    lists = [value for value in values if isinstance(value, list) and all(isinstance(item, Mapping) for item in value)]
    objects = [value for value in values if isinstance(value, Mapping)]
    bare = [value for value in objects if "title" in value and "body" in value]
    named = [value for value in lists if value]
    if named or (lists and FENCES.sub("", text).strip() == "[]"):
        reading.report("W_SHAPE", "a list of memories without the object around it")
        return {"memories": named[-1] if named else []}
    if bare:
        reading.report("W_SHAPE", "memories without the object around them")
        return {"memories": bare}
    if objects and isinstance(objects[-1].get("summary"), Mapping):
        reading.report("W_SHAPE", "the answer has no `memories`")
        return {"summary": objects[-1]["summary"], "memories": []}
    if objects:
        raise _not_json("has no `memories`")
    return None


def _not_json(trouble: str) -> LlmError:
    return LlmError("E_LLM_JSON", f"the model's answer {trouble}; nothing was saved", PROMPT_AGAIN)


# --- From an object to values ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """The run that an answer is about, and what was wrong with it so far."""

    session: Session
    day: date
    problems: list[Problem] = field(default_factory=list)

    def report(self, code: str, message: str, key: str = "") -> None:
        """Names a departure, each once."""
        problem = Problem(code, 1, message, key, path=PATH)
        if problem not in self.problems:
            self.problems.append(problem)

    def decoded(self, answer: str | bytes) -> str:
        """The answer as text, bytes that are not UTF-8 replaced."""
        if isinstance(answer, str):
            return answer.removeprefix("\ufeff")
        try:
            return answer.decode("utf-8-sig")
        except UnicodeDecodeError:
            self.report("W_ENCODING", "bytes that are not UTF-8 were replaced")
            return answer.decode("utf-8-sig", "replace")

    def whole(self, text: str) -> str:
        """The text without halves of characters."""
        if SURROGATE.search(text):
            self.report("W_ENCODING", "halves of characters were replaced")
        return SURROGATE.sub(REPLACED, text)

    def text(self, value: object, key: str) -> str:
        """A field's words: without secrets and control characters, dates made absolute, ends trimmed."""
        if not isinstance(value, str):
            if value is not None:
                self.report("W_SHAPE", f"`{key}` is no text", key)
            return ""
        clean = redact(with_dates(strip_control(self.whole(value)), self.day, ENGLISH))
        if clean.kinds:
            self.report("W_REDACTED", f"a secret in `{key}` was redacted ({', '.join(clean.kinds)})", key)
        return clean.text.strip()

    def line(self, value: object, key: str, length: int) -> str:
        """A field's words on one line, cut to `length`."""
        return shortened(" ".join(self.text(value, key).split()), length)

    def items(self, value: object, key: str) -> tuple[object, ...]:
        """The items of a list; a bare text counts as a list of it."""
        if isinstance(value, list):
            return tuple(value)
        if value is not None:
            self.report("W_SHAPE", f"`{key}` is no list", key)
        return (value,) if isinstance(value, str) else ()


def _summary(value: object, reading: _Reading) -> Summary | None:
    """The summary; None when there is none, or it says nothing."""
    if not isinstance(value, Mapping):
        return None
    outcome = value.get("outcome")
    items = [
        reading.line(item, "openItems", ITEM_LENGTH) for item in reading.items(value.get("openItems"), "openItems")
    ]
    summary = Summary(
        request=reading.line(value.get("request"), "request", REQUEST_LENGTH),
        work_done=reading.line(value.get("workDone"), "workDone", DONE_LENGTH),
        outcome=outcome if isinstance(outcome, str) and outcome in OUTCOMES else "unknown",
        open_items=tuple(dict.fromkeys(filter(None, items)))[:OPEN_ITEMS],
    )
    return summary if summary != Summary(outcome=summary.outcome) else None


def _memories(value: object, reading: _Reading) -> tuple[Memory, ...]:
    """The drafts, each once, six at most; blank ones are dropped."""
    given = (value,) if isinstance(value, Mapping) else reading.items(value, "memories")
    if value is None or isinstance(value, Mapping):
        reading.report("W_SHAPE", "`memories` is no list", "memories")
    drafts: dict[tuple[str, ...], Memory] = {}
    for item in given:
        memory = _memory(item, reading) if isinstance(item, Mapping) else None
        if memory:
            drafts.setdefault((memory.type, *map(normal_text, (memory.title.casefold(), memory.body))), memory)
        elif not isinstance(item, Mapping):
            reading.report("W_SHAPE", "a memory is no object", "memories")
    if len(drafts) > MEMORIES:
        reading.report("W_TOO_MANY", f"{len(drafts)} memories; the first {MEMORIES} were read", "memories")
    return tuple(drafts.values())[:MEMORIES]


def _memory(item: Json, reading: _Reading) -> Memory | None:
    """One draft; None without title or body."""
    title = reading.line(item.get("title"), "title", LIMITS["title"])
    body = shortened(reading.text(item.get("body"), "body"), LIMITS["body"])
    kind = _type(item.get("type"), reading)
    confidence, topic = _confidence(item.get("confidence"), reading), _topic(item.get("topicKey"), reading)
    files, session = _files(item.get("files"), reading), reading.session
    if not title or not body:
        return None
    waits = kind in PERSONAL_TYPES or confidence < ACTIVE_FROM
    return Memory(
        type=kind,
        title=title,
        body=body,
        status=Status.PENDING if waits else Status.ACTIVE,
        confidence=confidence,
        topic=topic,
        files=files,
        source=Source.EXTRACTION,
        origin=(f"{session.agent}/{session.id}",),
        created=reading.day,
        confirmed=reading.day,
    )


def _type(value: object, reading: _Reading) -> MemoryType:
    name = "_".join(value.lower().replace("-", " ").split()) if isinstance(value, str) else ""
    kind = as_type(name)
    if kind is None:
        reading.report("W_SHAPE", "a type that is none counts as lesson", "type")
    return kind or MemoryType.LESSON


def _confidence(value: object, reading: _Reading) -> float:
    """The number in its range, CONFIDENCE_MISSING where there is none."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (isinstance(value, float) and math.isnan(value))
    ):
        if value is not None:
            reading.report("W_SHAPE", "`confidence` is no number", "confidence")
        return CONFIDENCE_MISSING
    low, high = CONFIDENCE_RANGE
    return rounded(float(min(high, max(low, value))))


def _topic(value: object, reading: _Reading) -> str:
    """The topic key, '' when there is none or it could pass for a path that climbs."""
    key = value.strip().lower() if isinstance(value, str) else ""
    is_good = bool(TOPIC.fullmatch(key)) and not any(part.strip(".") == "" or part[0] == "." for part in key.split("/"))
    if not is_good and (key or not isinstance(value, str | None)):
        reading.report("W_SHAPE", "a topicKey that is none was left out", "topicKey")
    return key if is_good else ""


def _files(value: object, reading: _Reading) -> tuple[str, ...]:
    """The paths that lie in the repository, each once."""
    paths = []
    for item in reading.items(value, "files"):
        path = reading.line(item, "files", 1000)
        inside = reading.session.relative(path) if path else ""
        if inside and not leaves_repository(inside):
            paths.append(inside)
        elif path:
            reading.report("W_PATH", "a path outside of the repository was left out", "files")
    return tuple(dict.fromkeys(paths))[:FILES_COUNT]
