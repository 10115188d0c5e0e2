"""Claude Code's JSONL, 1.0 to 2.1.332, as a Session.

Only `user`, `assistant` and `queue-operation` records, attachments that hold a queued prompt, and titles are read;
the rest is machinery or injected.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final

from mdmem.extract.transcripts.gathering import Gathering, Result, moment
from mdmem.extract.transcripts.injected import answers_given, own_words, reason_given
from mdmem.extract.transcripts.records import Record, Tally, child, children, iter_records, text
from mdmem.extract.transcripts.session import Session, ToolCall, Voice

if TYPE_CHECKING:
    from mdmem.extract.transcripts.records import Json

AGENT: Final = "claude-code"
READ: Final = frozenset({"user", "assistant", "queue-operation", "attachment", "custom-title", "ai-title"})
NOISE: Final = frozenset(
    {
        *("progress", "file-history-snapshot", "system", "summary", "last-prompt", "cost-state", "tools-used", "mode"),
        *("api-request", "api-request-shape", "api-request-blob", "atis-latch", "pr-link", "agent-name"),
    }
)
"""What Claude Code writes for itself."""
NOT_SAID: Final = ("isMeta", "isCompactSummary", "planContent")
"""What marks a user record whose text is not the user's."""
SYNTHETIC: Final = "<synthetic>"
"""The model of what Claude Code itself puts where an answer is due, such as "No response requested." at a resume."""
PATH_KEYS: Final = ("file_path", "notebook_path", "path")
INJECTED: Final = "text that was injected, not typed"


def read(stream: BinaryIO) -> Session:
    """The session of a transcript, read as a stream.

    Raises TranscriptError when the file holds no JSONL.
    """
    reading = _Reading()
    for record in iter_records(stream, reading.run.tally, NOISE):
        reading.take(record)
    return reading.run.session(READ, NOISE)


@dataclass(slots=True)
class _Reading:
    """What has been read so far."""

    run: Gathering = field(default_factory=lambda: Gathering(AGENT))

    @property
    def tally(self) -> Tally:
        return self.run.tally

    def take(self, record: Record) -> None:
        """Adds one record; one that was replayed, or is a sub-agent's, changes nothing."""
        value = record.value
        kind = text(value, "type")
        self.tally.count(kind or "(no type)")
        if not kind:
            self.tally.name("W_SHAPE", record.line, "a record without a type")
        if value.get("isSidechain") is True:
            self.tally.passed["records of sub-agents"] += 1
            return
        if self.run.is_replayed(text(value, "uuid")):
            self.tally.passed["records seen before"] += 1
            return
        self.run.set_time(moment(text(value, "timestamp")))
        if kind == "user":
            self._user(record)
        elif kind == "assistant":
            self._assistant(record)
        elif kind == "queue-operation":
            self._queued(record, text(value, "content"))
        elif kind == "attachment":
            self._attachment(record)
        elif kind in ("custom-title", "ai-title"):
            self.run.title = (
                text(value, "customTitle") or text(value, "aiTitle") or text(value, "title") or self.run.title
            )

    def _user(self, record: Record) -> None:
        value = record.value
        self._place(value)
        message = child(value, "message")
        content = message.get("content")
        if not isinstance(content, str | list):
            self.tally.name("W_SHAPE", record.line, "a user record without content")
            return
        if any(value.get(flag) for flag in NOT_SAID) or text(child(value, "origin"), "kind") not in ("", "human"):
            self.tally.passed[INJECTED] += 1
            return
        if isinstance(content, str):
            self._prompt(record, text(message, "content"))
            return
        for block in children(content):
            if text(block, "type") == "text":
                self._prompt(record, text(block, "text"))
            elif text(block, "type") == "tool_result":
                self._result(record, block)

    def _place(self, value: Json) -> None:
        """The run's id, folder and version, as the first record of a speaker has them."""
        self.run.id = self.run.id or text(value, "sessionId")
        self.run.cwd = self.run.cwd or text(value, "cwd")
        self.run.version = self.run.version or text(value, "version")

    def _prompt(self, record: Record, words: str) -> None:
        """Adds what the user typed; older versions write a refusal like that."""
        self.run.recall(words)
        reason = reason_given(words)
        said = own_words(words) if reason is None else reason
        self.tally.passed[INJECTED] += not said
        self._say(record, said, Voice.PROMPT if reason is None else Voice.REJECTION)

    def _say(self, record: Record, words: str, voice: Voice) -> None:
        self.run.say(words, record.line, voice, text(record.value, "uuid"))

    def _queued(self, record: Record, content: str) -> None:
        words = own_words(content)
        if not words.startswith("/") and text(record.value, "operation") != "popAll":
            self.run.id = self.run.id or text(record.value, "sessionId")
            self._say(record, words, Voice.QUEUED)

    def _attachment(self, record: Record) -> None:
        attachment = child(record.value, "attachment")
        self.run.recall(_joined(attachment.get("content")))
        kinds = text(attachment, "commandMode"), text(child(attachment, "origin"), "kind")
        if text(attachment, "type") != "queued_command" or "task-notification" in kinds:
            self.tally.passed["attachments"] += 1
            return
        parts = [text(block, "text") for block in children(attachment.get("prompt"))]
        self._queued(record, "\n".join(parts) or text(attachment, "prompt"))

    def _assistant(self, record: Record) -> None:
        message = child(record.value, "message")
        content = message.get("content")
        self._place(record.value)
        if not isinstance(content, str | list):
            self.tally.name("W_SHAPE", record.line, "an assistant record without content")
            return
        name = text(message, "id") or f"line {record.line}"
        if record.value.get("isApiErrorMessage") is True:
            self.tally.passed["errors of the agent's service"] += 1
            return
        if text(message, "model") == SYNTHETIC:
            self.tally.passed["answers that no model gave"] += 1
            return
        self.run.messages.add(hash(name))
        self.run.model = text(message, "model") or self.run.model
        whole = {"type": "text", "text": text(message, "content")}
        blocks = (whole,) if isinstance(content, str) else children(content)
        for block in blocks:
            if text(block, "type") == "text":
                self.run.reply(name, text(block, "text"), record.line)
            elif text(block, "type") == "tool_use":
                self._call(record.line, name, block)

    def _call(self, line: int, message: str, block: Json) -> None:
        given, name = child(block, "input"), text(block, "id") or f"call {line}"
        path = next((text(given, key) for key in PATH_KEYS if text(given, key)), "")
        self.run.call(name, ToolCall(text(block, "name"), line, text(given, "command"), path, message=message))

    def _result(self, record: Record, block: Json) -> None:
        """Attaches a tool's result to its call, and hears what the user said in it."""
        name, output = text(block, "tool_use_id"), _output(block)
        reason, is_error = reason_given(output), block.get("is_error") is True
        if reason is not None:
            reason = own_words(text(record.value, "userFeedback")) or reason
        self.run.result(name, Result(record.line, output, is_error, reason is not None))
        call = self.run.known_call(name)
        asks = call is not None and call.asks
        if reason:
            self._say(record, reason, Voice.ANSWER if asks else Voice.REJECTION)
        elif asks:
            self._say(record, answers_given(output), Voice.ANSWER)


def _output(block: Json) -> str:
    """A result's text; images and other blocks leave nothing."""
    parts = [text(part, "text") for part in children(block.get("content")) if text(part, "type") == "text"]
    return "\n".join(parts) or text(block, "content")


def _joined(content: object) -> str:
    """The texts of an attachment, which holds one or a list of them."""
    parts = content if isinstance(content, list) else [content]
    return "\n".join(part for part in parts if isinstance(part, str))
