"""Claude Code's JSONL, 1.0 to 2.1.332, as a Session.

Only `user`, `assistant` and `queue-operation` records, and attachments that hold a queued prompt, are read; the
rest is machinery or injected. Memory stays bounded: the newest STEPS steps of the agent are kept, and every word
of the user.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from mdmem.extract.transcripts.injected import GUARDED, answers_given, own_words, reason_given
from mdmem.extract.transcripts.records import SKIPPED, Record, child, children, iter_records, text
from mdmem.extract.transcripts.session import Reply, Said, Session, ToolCall, Turn, Voice
from mdmem.markdown.problems import Problem
from mdmem.memory import normal_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.extract.transcripts.records import Json

AGENT: Final = "claude-code"
STEPS: Final = 5000
SAID_LENGTH: Final = 20_000
REPLY_LENGTH: Final = 4000
OUTPUT_HEAD: Final = 1200
OUTPUT_TAIL: Final = 800
RESULT_LENGTH: Final = 300
COMMAND_LENGTH: Final = 2000
NOT_SAID: Final = ("isMeta", "isCompactSummary", "planContent")
"""What marks a user record whose text is not the user's."""
PATH_KEYS: Final = ("file_path", "notebook_path", "path")

Step = Reply | ToolCall
Order = tuple[datetime, int]
"""Where a step stands in time: at its record's timestamp, then in the order of reading."""
EARLIEST: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""No agent wrote a transcript before; an older timestamp is none."""


def read(stream: BinaryIO) -> Session:
    """The session of a transcript, read as a stream.

    Raises TranscriptError when the file holds no JSONL.
    """
    reading = _Reading()
    for record in iter_records(stream, reading.problems):
        reading.take(record)
    return reading.session()


class _Result(NamedTuple):
    """What came back from a tool; it may stand before its call when records are out of order."""

    line: int
    output: str
    is_error: bool
    is_rejected: bool


@dataclass(slots=True)
class _Reading:
    """What has been read so far."""

    problems: list[Problem] = field(default_factory=list)
    said: list[tuple[Order, Said]] = field(default_factory=list)
    steps: OrderedDict[str, tuple[Order, Step]] = field(default_factory=OrderedDict)
    early: dict[str, _Result] = field(default_factory=dict)
    messages: set[int] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    id: str = ""
    cwd: str = ""
    title: str = ""
    at: datetime | None = None
    last: datetime = EARLIEST
    errors: int = 0
    serial: Iterator[int] = field(default_factory=count)

    def take(self, record: Record) -> None:
        """Adds one record; one that was replayed, or is a sub-agent's, changes nothing."""
        value = record.value
        kind = text(value, "type")
        if not kind:
            self._misshapen(record, "a record without a type")
        if value.get("isSidechain") is True or self._is_replayed(text(value, "uuid")):
            return
        self.at = _moment(text(value, "timestamp"))
        self.last = self.at or self.last
        if kind == "user":
            self._user(record)
        elif kind == "assistant":
            self._assistant(record)
        elif kind == "queue-operation":
            self._queued(record, text(value, "content"))
        elif kind == "attachment":
            self._attachment(record)
        elif kind in ("custom-title", "ai-title"):
            self.title = text(value, "customTitle") or text(value, "aiTitle") or text(value, "title") or self.title

    def session(self) -> Session:
        """Everything read, in order of time."""
        said = _without_echoes(self.said)
        events = sorted([*said, *self.steps.values()], key=lambda event: event[0])
        times = [at for (at, _), _ in events if at > EARLIEST]
        return Session(
            agent=AGENT,
            id=self.id,
            cwd=self.cwd,
            title=self.title,
            started_at=times[0] if times else None,
            ended_at=times[-1] if times else None,
            turns=tuple(_turns([event for _, event in events])),
            user_texts=len(said),
            assistant_messages=len(self.messages),
            tool_errors=self.errors,
            skipped=sum(problem.code in SKIPPED for problem in self.problems),
            problems=tuple(self.problems),
        )

    def _is_replayed(self, uuid: str) -> bool:
        if not uuid:
            return False
        key = hash(uuid)
        is_replayed = key in self.seen
        self.seen.add(key)
        return is_replayed

    def _misshapen(self, record: Record, message: str) -> None:
        self.problems.append(Problem("W_SHAPE", record.line, message))

    def _order(self) -> Order:
        return self.last, next(self.serial)

    def _user(self, record: Record) -> None:
        value = record.value
        self.id, self.cwd = self.id or text(value, "sessionId"), self.cwd or text(value, "cwd")
        message = child(value, "message")
        content = message.get("content")
        if not isinstance(content, str | list):
            self._misshapen(record, "a user record without content")
            return
        if any(value.get(flag) for flag in NOT_SAID) or text(child(value, "origin"), "kind") not in ("", "human"):
            return
        if isinstance(content, str):
            self._prompt(record, text(message, "content"))
            return
        for block in children(content):
            if text(block, "type") == "text":
                self._prompt(record, text(block, "text"))
            elif text(block, "type") == "tool_result":
                self._result(record, block)

    def _prompt(self, record: Record, words: str) -> None:
        """Adds what the user typed; older versions write a refusal like that."""
        reason = reason_given(words)
        self._say(
            record, own_words(words) if reason is None else reason, Voice.PROMPT if reason is None else Voice.REJECTION
        )

    def _say(self, record: Record, words: str, voice: Voice) -> None:
        if words:
            self.said.append((self._order(), Said(words[:SAID_LENGTH], record.line, self.at, voice)))

    def _queued(self, record: Record, content: str) -> None:
        words = own_words(content)
        if not words.startswith("/") and text(record.value, "operation") != "popAll":
            self.id = self.id or text(record.value, "sessionId")
            self._say(record, words, Voice.QUEUED)

    def _attachment(self, record: Record) -> None:
        attachment = child(record.value, "attachment")
        kinds = text(attachment, "commandMode"), text(child(attachment, "origin"), "kind")
        if text(attachment, "type") != "queued_command" or "task-notification" in kinds:
            return
        parts = [text(block, "text") for block in children(attachment.get("prompt"))]
        self._queued(record, "\n".join(parts) or text(attachment, "prompt"))

    def _assistant(self, record: Record) -> None:
        message = child(record.value, "message")
        content = message.get("content")
        self.id, self.cwd = self.id or text(record.value, "sessionId"), self.cwd or text(record.value, "cwd")
        if not isinstance(content, str | list):
            self._misshapen(record, "an assistant record without content")
            return
        name = text(message, "id") or f"line {record.line}"
        if record.value.get("isApiErrorMessage") is True:
            return
        self.messages.add(hash(name))
        whole = {"type": "text", "text": text(message, "content")}
        blocks = (whole,) if isinstance(content, str) else children(content)
        for block in blocks:
            if text(block, "type") == "text":
                self._reply(record.line, name, text(block, "text").strip())
            elif text(block, "type") == "tool_use":
                self._call(record.line, name, block)

    def _reply(self, line: int, message: str, words: str) -> None:
        """Adds text of a message; parts of one message are joined, a longer version of a part replaces it."""
        if not words:
            return
        key = f"reply {message}"
        order, known = self.steps.get(key, (self._order(), None))
        before = known.text if isinstance(known, Reply) else ""
        if words.startswith(before):
            merged = words
        else:
            merged = before if before.startswith(words) or before.endswith(words) else f"{before}\n{words}"
        self._keep(key, order, Reply(merged[:REPLY_LENGTH], line))

    def _call(self, line: int, message: str, block: Json) -> None:
        given, name = child(block, "input"), text(block, "id") or f"call {line}"
        path = next((text(given, key) for key in PATH_KEYS if text(given, key)), "")
        command = text(given, "command")[:COMMAND_LENGTH]
        call = ToolCall(text(block, "name"), line, command, path, message=message, is_open=True)
        if name in self.steps:
            return
        self._keep(name, self._order(), call)
        if name in self.early:
            self._attach(name, self.early.pop(name))

    def _result(self, record: Record, block: Json) -> None:
        """Attaches a tool's result to its call, and hears what the user said in it."""
        name, output = text(block, "tool_use_id"), _output(block)
        reason, is_error = reason_given(output), block.get("is_error") is True
        if reason is not None:
            reason = own_words(text(record.value, "userFeedback")) or reason
        self.errors += is_error and reason is None
        result = _Result(record.line, output, is_error, reason is not None)
        if name in self.steps:
            self._attach(name, result)
        elif len(self.early) < STEPS:
            self.early[name] = result._replace(output=_failure(output))
        call = self.steps[name][1] if name in self.steps else None
        asks = isinstance(call, ToolCall) and call.asks
        if reason:
            self._say(record, reason, Voice.ANSWER if asks else Voice.REJECTION)
        elif asks:
            self._say(record, answers_given(output), Voice.ANSWER)

    def _attach(self, name: str, result: _Result) -> None:
        order, call = self.steps[name]
        if not isinstance(call, ToolCall):
            return
        is_failed = result.is_error and not result.is_rejected and not GUARDED.search(result.output[:OUTPUT_HEAD])
        done = replace(
            call,
            line=result.line,
            output=_failure(result.output) if is_failed else result.output[:RESULT_LENGTH],
            is_failed=is_failed,
            is_rejected=result.is_rejected,
            is_open=False,
        )
        self.steps[name] = order, done

    def _keep(self, key: str, order: Order, step: Step) -> None:
        self.steps[key] = order, step
        if len(self.steps) > STEPS:
            self.steps.popitem(last=False)


def _without_echoes(said: list[tuple[Order, Said]]) -> list[tuple[Order, Said]]:
    """What the user said, each queued text once: as it was delivered, else as it was first queued."""
    heard = {normal_text(words.text) for _, words in said if words.voice is not Voice.QUEUED}
    kept = []
    for order, words in said:
        folded = normal_text(words.text)
        if words.voice is not Voice.QUEUED or folded not in heard:
            heard.add(folded)
            kept.append((order, words))
    return kept


def _output(block: Json) -> str:
    """A result's text; images and other blocks leave nothing."""
    parts = [text(part, "text") for part in children(block.get("content")) if text(part, "type") == "text"]
    return "\n".join(parts) or text(block, "content")


def _failure(output: str) -> str:
    """A failed call's output, its head and tail: compilers put the cause first, interpreters last."""
    if len(output) <= OUTPUT_HEAD + OUTPUT_TAIL:
        return output
    return f"{output[:OUTPUT_HEAD]}\n…\n{output[-OUTPUT_TAIL:]}"


def _turns(events: list[Said | Step]) -> Iterator[Turn]:
    """Events in order of time, cut where the user speaks."""
    said: Said | None = None
    steps: list[Step] = []
    for event in events:
        if isinstance(event, Said):
            if said or steps:
                yield Turn(said, tuple(steps))
            said, steps = event, []
        else:
            steps.append(event)
    if said or steps:
        yield Turn(said, tuple(steps))


def _moment(stamp: str) -> datetime | None:
    """An ISO timestamp as an aware UTC datetime; None for anything else, and for a time that can't be."""
    try:
        moment = datetime.fromisoformat(stamp)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return moment if moment > EARLIEST else None
