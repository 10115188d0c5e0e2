"""Codex rollouts as a Session: from the bare lines of 2025 to 0.171.

A line is `{timestamp, type, payload}`; before September 2025 the first line was a bare `{id, timestamp,
instructions}` and the others bare response items. What the user said is a `response_item` message of role user without
what Codex puts there itself. Its event twins are taken only from a file that holds no such message.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from mdmem.extract.transcripts.codex_calls import CALLS, OUTPUTS, answers, called, output_of, questions, returned
from mdmem.extract.transcripts.gathering import REPLY_LENGTH, STEPS, Gathering, Result, head_and_tail, moment
from mdmem.extract.transcripts.injected import own_words
from mdmem.extract.transcripts.records import Record, Tally, child, children, iter_records, text
from mdmem.extract.transcripts.session import Session, Voice

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.extract.transcripts.records import Json

AGENT: Final = "codex"
META: Final = "session_meta"
ITEM: Final = "response_item"
CONTEXT: Final = "turn_context"
MESSAGE: Final = f"{ITEM}/message"
COMPLETED: Final = "event_msg/item_completed"
TWINS: Final = {"event_msg/user_message": "user", "event_msg/agent_message": "assistant"}
ITEM_TWINS: Final = {"UserMessage": "user", "AgentMessage": "assistant"}
ENDS: Final = frozenset({"event_msg/exec_command_end", "event_msg/patch_apply_end"})
READ: Final = frozenset(
    {META, CONTEXT, MESSAGE, COMPLETED, *TWINS, *ENDS, *(f"{ITEM}/{kind}" for kind in CALLS | OUTPUTS)}
)
NOISE: Final = frozenset(
    {
        *("compacted", "world_state", "token_usage_record", "inter_agent_communication_metadata", "state"),
        *("response_item/reasoning", "response_item/ghost_snapshot", "response_item/compaction"),
        *("response_item/web_search_call", "response_item/tool_search_call", "response_item/tool_search_output"),
        *("response_item/image_generation_call", "response_item/agent_message", "response_item/other"),
        *("event_msg/agent_reasoning", "event_msg/agent_reasoning_raw_content", "event_msg/token_count"),
        *("event_msg/agent_reasoning_section_break", "event_msg/agent_message_delta", "event_msg/item_started"),
        *("event_msg/task_started", "event_msg/task_complete", "event_msg/turn_aborted", "event_msg/turn_diff"),
        *("event_msg/exec_command_begin", "event_msg/exec_command_output_delta", "event_msg/patch_apply_begin"),
        *("event_msg/mcp_tool_call_begin", "event_msg/mcp_tool_call_end", "event_msg/web_search_begin"),
        *("event_msg/web_search_end", "event_msg/plan_update", "event_msg/background_event", "event_msg/error"),
        *("event_msg/stream_error", "event_msg/context_compacted", "event_msg/thread_settings_applied"),
        *("event_msg/entered_review_mode", "event_msg/exited_review_mode", "event_msg/thread_name_updated"),
        *("event_msg/view_image_tool_call", "event_msg/thread_rolled_back", "event_msg/warning"),
    }
)
"""What Codex writes for itself: compacted histories, counts, thoughts, the beginnings of what is read at its end."""
EDITOR: Final = "# Context from my IDE setup:"
REQUEST: Final = "## My request for Codex:"
"""What editors write before the user's own words."""
ADDED: Final = re.compile(r"(?:agents_md|environments?|(?:host_)?skills?|permissions|tools?|hooks?|memor(?:y|ies))\.")
"""Kinds of a message's entries that Codex put there; a kind that is not known may be the user's."""
INJECTED: Final = "text that was injected, not typed"


def read(stream: BinaryIO) -> Session:
    """The session of a rollout, read as a stream. A sub-agent's rollout says so.

    Raises TranscriptError when the file holds no JSONL.
    """
    reading = _Reading()
    for record in iter_records(stream, reading.run.tally, NOISE):
        reading.take(record)
    reading.close()
    return reading.run.session(READ, NOISE)


def is_subagent(meta: Json) -> bool:
    """Whether a run's first record says that another run began it."""
    sources = text(meta, "source"), text(meta, "thread_source")
    return "subagent" in sources or "subagent" in child(meta, "source")


class _Twin(NamedTuple):
    """An event that repeats a message, as a rule."""

    role: str
    words: str
    line: int
    at: datetime | None


@dataclass(slots=True)
class _Reading:
    """What has been read so far.

    `batch` names the calls that were made before any of them came back, `running` the commands that go on in the
    background, `ended` the results that events told of calls whose output has not come, `has_refused` that the user
    refused the last call without a word.
    """

    run: Gathering = field(default_factory=lambda: Gathering(AGENT))
    batch: str = ""
    has_refused: bool = False
    running: dict[str, str] = field(default_factory=dict)
    asked: dict[str, dict[str, str]] = field(default_factory=dict)
    ended: dict[str, Result] = field(default_factory=dict)
    heard: set[str] = field(default_factory=set)
    said_twice: list[_Twin] = field(default_factory=list)
    replied_twice: deque[_Twin] = field(default_factory=lambda: deque(maxlen=STEPS))

    @property
    def tally(self) -> Tally:
        return self.run.tally

    def take(self, record: Record) -> None:
        """Adds one record; a kind that is not known changes nothing."""
        kind, item = _opened(record.value)
        self.tally.count(kind or "(no type)")
        self.run.set_time(moment(text(record.value, "timestamp")))
        name = kind.partition("/")[2]
        if kind == META:
            self._meta(item)
        elif kind == CONTEXT:
            self.run.model = text(item, "model") or self.run.model
            self.run.cwd = self.run.cwd or text(item, "cwd")
        elif kind == MESSAGE:
            self._message(record.line, item)
        elif kind == COMPLETED:
            self._completed(record.line, child(item, "item"))
        elif kind in TWINS:
            self._twin(TWINS[kind], text(item, "message"), record.line)
        elif kind in ENDS:
            self._ended(record.line, text(item, "call_id"), item)
        elif kind.startswith(ITEM) and name in CALLS:
            self._call(record.line, item)
        elif kind.startswith(ITEM) and name in OUTPUTS:
            self._output(record.line, item)

    def close(self) -> None:
        """Takes from events what no other record told: messages of either side, and results."""
        for role, twins in (("user", self.said_twice), ("assistant", self.replied_twice)):
            for twin in twins if role not in self.heard else ():
                self.run.set_time(twin.at)
                self._hear(role, "", twin.words, twin.line)
        for name, result in self.ended.items():
            call = self.run.known_call(name)
            if call and call.is_open:
                self._attach(name, result)

    def _meta(self, item: Json) -> None:
        """Who runs: the first such record counts, a fork repeats that of the run it came from."""
        if self.run.id:
            return
        self.run.id, self.run.cwd = text(item, "id"), text(item, "cwd")
        self.run.version = text(item, "cli_version")
        self.run.is_subagent = is_subagent(item)

    def _message(self, line: int, item: Json) -> None:
        role, name = text(item, "role"), text(item, "id")
        if role != "assistant":
            self.run.recall("\n".join(_texts(item)))
        if role not in ("user", "assistant"):
            self.tally.passed[f"messages to the agent ({role or 'no role'})"] += 1
            return
        if self.run.is_replayed(name):
            self.tally.passed["records seen before"] += 1
            return
        words = _typed(item) if role == "user" else "\n".join(_texts(item))
        if words:
            self.heard.add(role)
        self._hear(role, name, words, line)

    def _hear(self, role: str, name: str, words: str, line: int) -> None:
        """Adds a message of either side. What the user says first after a refusal is why they refused."""
        if role == "assistant":
            self.run.messages.add(hash(name or f"line {line}"))
            self.run.reply(name or f"line {line}", words, line)
        elif words:
            self.run.say(words, line, Voice.REJECTION if self.has_refused else Voice.PROMPT, name)
        else:
            self.tally.passed[INJECTED] += 1
            return
        self.has_refused = False

    def _completed(self, line: int, item: Json) -> None:
        kind = text(item, "type")
        if kind in ITEM_TWINS:
            self._twin(ITEM_TWINS[kind], "\n".join(_texts(item)), line)
        elif kind in ("CommandExecution", "FileChange"):
            self._ended(line, text(item, "id"), item)

    def _twin(self, role: str, words: str, line: int) -> None:
        if role in self.heard:
            return
        if role == "user":
            self.said_twice.append(_Twin(role, _request(words), line, self.run.at))
        else:
            self.replied_twice.append(_Twin(role, words[:REPLY_LENGTH], line, self.run.at))

    def _ended(self, line: int, name: str, item: Json) -> None:
        """Remembers what an event tells of a call's end: its output may carry no exit code, or never come."""
        if name and len(self.ended) < STEPS:
            result = returned(line, item, output_of(item))
            self.ended[name] = result._replace(output=head_and_tail(result.output))

    def _call(self, line: int, item: Json) -> None:
        name = text(item, "call_id") or text(item, "id") or f"call {line}"
        self.batch = self.batch or name
        self.has_refused = False
        for number, call in enumerate(called(line, item, self.batch, self.running)):
            self.run.call(_key(name, number), call)
            if call.asks and len(self.asked) < STEPS:
                self.asked[name] = questions(item)

    def _output(self, line: int, item: Json) -> None:
        """Attaches an output to its call, and hears what the user said in it."""
        name = text(item, "call_id") or text(item, "id")
        self.batch = ""
        output, end = output_of(item), self.ended.pop(name, None)
        result = returned(line, item, output)
        call = self.run.known_call(name)
        if output.session and call:
            self.running[output.session] = call.command
        self._attach(name, result._replace(is_error=True) if end and end.is_error else result)
        self.has_refused = result.is_rejected
        if name in self.asked:
            self.run.say(answers(output, self.asked.pop(name)), line, Voice.ANSWER, text(item, "id"))
        elif result.reason:
            self.run.say(own_words(result.reason), line, Voice.REJECTION, text(item, "id"))
            self.has_refused = False

    def _attach(self, name: str, result: Result) -> None:
        """Gives a result to its call; one patch is a call for each of its files, and one error at most."""
        self.run.result(name, result)
        number = 1
        while self.run.known_call(key := _key(name, number)):
            self.run.attach(key, result)
            number += 1


def _key(name: str, number: int) -> str:
    return f"{name} {number}" if number else name


def _opened(value: Json) -> tuple[str, Json]:
    """A record's kind, `type` or `type/payload type`, and what it holds; bare lines of 2025 as if they had a frame."""
    kind, item = text(value, "type"), child(value, "payload")
    if "payload" not in value:
        if "id" in value and "timestamp" in value and not kind:
            return META, value
        if text(value, "record_type"):
            return text(value, "record_type"), value
        return (f"{ITEM}/{kind}" if kind else "", value)
    inner = text(item, "type")
    return (f"{kind}/{inner}" if inner and kind in (ITEM, "event_msg") else kind), item


def _texts(item: Json) -> list[str]:
    """The texts of a message's content; images and files leave nothing."""
    content = item.get("content")
    return [text(item, "content")] if isinstance(content, str) else [text(part, "text") for part in children(content)]


def _typed(item: Json) -> str:
    """What the user typed of a message: entries that Codex put there say so, or begin as such entries do."""
    entries = _texts(item)
    kinds = child(item, "internal_chat_message_metadata_passthrough").get("content_item_kinds")
    if isinstance(kinds, list) and len(kinds) == len(entries):
        entries = [entry for entry, kind in zip(entries, kinds, strict=True) if not ADDED.match(str(kind))]
    return "\n".join(filter(None, map(_request, entries)))


def _request(entry: str) -> str:
    """The user's own words of an entry."""
    if entry.startswith(EDITOR):
        entry = entry.partition(REQUEST)[2]
    return own_words(entry)
