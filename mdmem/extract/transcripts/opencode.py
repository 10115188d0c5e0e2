"""OpenCode's sessions: what `opencode export` prints, its SQLite file, and the folders of JSON it kept before.

All three hold messages with parts. They have no lines that a reader could look up, so what is found stands "at line N"
where N is the number of the message, from 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final

from mdmem.extract.transcripts.document import TornError, iter_members
from mdmem.extract.transcripts.gathering import Gathering, Result, moment_of
from mdmem.extract.transcripts.injected import answers_given, own_words
from mdmem.extract.transcripts.patches import patched_files
from mdmem.extract.transcripts.records import child, children, text
from mdmem.extract.transcripts.session import Session, ToolCall, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdmem.extract.transcripts.records import Json

AGENT: Final = "opencode"
READ: Final = frozenset({"message/user", "message/assistant", "part/text", "part/tool"})
NOISE: Final = frozenset(
    {
        *("part/step-start", "part/step-finish", "part/reasoning", "part/snapshot", "part/patch", "part/file"),
        *("part/agent", "part/subtask", "part/retry", "part/compaction"),
    }
)
PATH_KEYS: Final = ("filePath", "file_path", "path")
ASKER: Final = "question"

QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
"""How `opencode run` hands over its argument."""
REFUSED: Final = re.compile(
    r"\s*(?:Error: )?The user (?:rejected permission to use|dismissed) [^:]*?"
    r"(?:with the following feedback:\s*(?P<reason>.*))?\Z",
    re.DOTALL,
)


def read_export(stream: BinaryIO) -> Session:
    """The session of an export; one that is cut short is read as far as it goes."""
    reading = Reading()
    try:
        for key, value in iter_members(stream, "messages"):
            if key == "info" and isinstance(value, dict):
                reading.take_info(value)
            elif key == "messages" and isinstance(value, dict):
                reading.take(child(value, "info"), children(value.get("parts")))
    except TornError:
        reading.run.tally.name("W_BAD_LINE", reading.number + 1, "the export ends in the middle of a message")
    return reading.session()


@dataclass(slots=True)
class Reading:
    """What has been read so far; `number` is that of the newest message."""

    run: Gathering = field(default_factory=lambda: Gathering(AGENT))
    number: int = 0

    def session(self) -> Session:
        """Everything read."""
        return self.run.session(READ, NOISE)

    def take_info(self, info: Json) -> None:
        """What is known of the session itself. One with a parent is a sub-agent's."""
        self.run.id, self.run.cwd = text(info, "id"), text(info, "directory")
        self.run.title, self.run.version = text(info, "title"), text(info, "version")
        self.run.is_subagent = bool(text(info, "parentID"))

    def take(self, info: Json, parts: Iterable[Json]) -> None:
        """Adds one message with its parts; one that was read before changes nothing."""
        self.number += 1
        role = text(info, "role")
        self.run.tally.count(f"message/{role or '(no role)'}")
        if self.run.is_replayed(text(info, "id")):
            self.run.tally.passed["messages seen before"] += 1
            return
        self.run.set_time(moment_of(child(info, "time").get("created")))
        if role == "user":
            self._user(text(info, "id"), parts)
        elif role == "assistant":
            self._assistant(info, parts)
        else:
            self.run.tally.name("W_SHAPE", self.number, "a message of neither side")

    def _user(self, name: str, parts: Iterable[Json]) -> None:
        parts = tuple(parts)
        self.run.recall("\n".join(text(part, "text") for part in parts))
        typed = [
            own_words(_unquoted(text(part, "text")))
            for part in self._counted(parts)
            if text(part, "type") == "text" and part.get("synthetic") is not True and part.get("ignored") is not True
        ]
        said = "\n".join(filter(None, typed))
        self.run.tally.passed["text that was injected, not typed"] += not said
        self.run.say(said, self.number, Voice.PROMPT, name)

    def _assistant(self, info: Json, parts: Iterable[Json]) -> None:
        name = text(info, "id") or f"message {self.number}"
        if info.get("summary") is True:
            self.run.tally.passed["summaries of what came before"] += 1
            return
        self.run.cwd = self.run.cwd or text(child(info, "path"), "cwd")
        self.run.model = text(info, "modelID") or self.run.model
        has_failed = isinstance(info.get("error"), dict)
        self.run.tally.passed["messages that broke off"] += has_failed
        is_empty = True
        for part in self._counted(parts):
            if text(part, "type") == "text" and part.get("synthetic") is not True:
                self.run.reply(name, text(part, "text"), self.number)
                is_empty = False
            elif text(part, "type") == "tool":
                self._tool(name, part)
                is_empty = False
        if not (has_failed and is_empty):
            self.run.messages.add(hash(name))

    def _counted(self, parts: Iterable[Json]) -> Iterable[Json]:
        for part in parts:
            self.run.tally.count(f"part/{text(part, 'type') or '(no type)'}")
            yield part

    def _tool(self, message: str, part: Json) -> None:
        """Adds a call, closed by its result when it has one, and hears what the user said in it."""
        state = child(part, "state")
        given, tool = child(state, "input"), text(part, "tool")
        name = text(part, "callID") or text(part, "id") or f"call {self.number}"
        path = next((text(given, key) for key in PATH_KEYS if text(given, key)), "")
        for number, file in enumerate(patched_files(text(given, "patchText")) or (path,)):
            key = f"{name} {number}" if number else name
            self.run.call(key, ToolCall(tool, self.number, text(given, "command"), file, message=message))
            if text(state, "status") in ("completed", "error"):
                self._close(key, state, is_first=not number)
        if tool == ASKER and text(state, "status") == "completed":
            self.run.say(answers_given(text(state, "output")), self.number, Voice.ANSWER)

    def _close(self, key: str, state: Json, *, is_first: bool) -> None:
        result = _result(self.number, state)
        close = self.run.result if is_first else self.run.attach
        close(key, result)
        if is_first:
            self.run.say(own_words(result.reason), self.number, Voice.REJECTION)


def _result(line: int, state: Json) -> Result:
    """A closed call's result. A shell command that failed is `completed`, its exit code stands in the metadata."""
    if text(state, "status") == "error":
        output = text(state, "error")
        refusal = REFUSED.match(output)
        reason = (refusal["reason"] or "").strip() if refusal else ""
        return Result(line, output, is_error=True, is_rejected=bool(refusal), reason=reason)
    code = child(state, "metadata").get("exit")
    return Result(line, text(state, "output"), is_error=isinstance(code, int) and code != 0)


def _unquoted(words: str) -> str:
    """What was typed: a text that is quoted as a whole loses its quotes."""
    quoted = QUOTED.fullmatch(words.strip())
    return re.sub(r'\\(["\\])', r"\1", quoted[1]) if quoted else words
