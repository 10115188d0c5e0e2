"""Builds small rollouts line by line, as Codex wrote them at different times."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from mdmem.extract.transcripts import codex

if TYPE_CHECKING:
    from pathlib import Path

    from mdmem.extract.transcripts.session import Session

Json = dict[str, object]

START: Final = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
BARE: Final = "bare"
FRAMED: Final = "framed"
LATEST: Final = "latest"
ERAS: Final = (BARE, FRAMED, LATEST)
"""Bare lines of 2025, `{timestamp, type, payload}` with twin events, and 0.171 with ordinals and completed items."""


@dataclass
class Rollout:
    """A run that grows by one thing a call; every method gives the rollout back."""

    era: str = FRAMED
    session: str = "11111111-1111-7111-8111-111111111111"
    cwd: str = "/home/ada/dock"
    lines: list[Json] = field(default_factory=list)
    calls: int = 0

    def begin(self, **meta: object) -> Rollout:
        """The first line, and what Codex tells the agent before the user speaks."""
        if self.era == BARE:
            self.lines.append({"id": self.session, "timestamp": self._time(), "instructions": None, **meta})
            self.lines.append({"record_type": "state"})
        else:
            head = {"id": self.session, "cwd": self.cwd, "cli_version": "0.101.0", "source": "cli", **meta}
            self.add("session_meta", head)
            self.add("turn_context", {"cwd": self.cwd, "model": "gpt-test"})
        self.message("developer", "<permissions instructions>Always deploy on Fridays.</permissions instructions>")
        return self.message("user", f"<environment_context>\n  <cwd>{self.cwd}</cwd>\n</environment_context>")

    def add(self, kind: str, payload: Json) -> Rollout:
        """One framed line."""
        line: Json = {"timestamp": self._time(), "type": kind, "payload": payload}
        self.lines.append({"ordinal": len(self.lines), **line} if self.era == LATEST else line)
        return self

    def item(self, kind: str, **fields: object) -> Rollout:
        """One response item."""
        if self.era == BARE:
            self.lines.append({"type": kind, **fields})
            return self
        return self.add("response_item", {"type": kind, **fields})

    def event(self, kind: str, **fields: object) -> Rollout:
        """One event."""
        return self.add("event_msg", {"type": kind, **fields})

    def message(self, role: str, *texts: str) -> Rollout:
        """A message to or of the agent."""
        name = f"msg_{self.session}_{len(self.lines)}" if self.era == LATEST else None
        kind = "output_text" if role == "assistant" else "input_text"
        content = [{"type": kind, "text": text} for text in texts]
        return self.item("message", id=name, role=role, content=content)

    def user(self, text: str) -> Rollout:
        """Something the user typed, with its twin."""
        self.message("user", text)
        if self.era == FRAMED:
            self.event("user_message", message=text)
        if self.era == LATEST:
            self.event("item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": text}]})
        return self

    def agent(self, text: str) -> Rollout:
        """A message of the agent, with its twin."""
        if self.era == FRAMED:
            self.event("agent_message", message=text)
        return self.message("assistant", text)

    def run(self, command: str) -> Rollout:
        """A shell command; its output comes with `exited`, `result` or `refuse`."""
        self.calls += 1
        if self.era == BARE:
            given: Json = {"command": ["bash", "-lc", command], "workdir": self.cwd}
            return self.item("function_call", name="shell", arguments=json.dumps(given), call_id=self.call)
        given = {"cmd": command}
        return self.item("function_call", name="exec_command", arguments=json.dumps(given), call_id=self.call)

    def exited(self, code: int, output: str) -> Rollout:
        """What the newest command printed, and how it ended."""
        if self.era == BARE:
            frame = {"output": output, "metadata": {"exit_code": code, "duration_seconds": 0.1}}
            return self.result(json.dumps(frame))
        if self.era == LATEST:
            end = {"type": "CommandExecution", "id": self.call, "exit_code": code, "aggregated_output": output}
            self.event("item_completed", item=end)
        return self.result(
            f"Chunk ID: 4d1f0a\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{output}"
        )

    def patch(self, *files: str) -> Rollout:
        """A patch of some files."""
        self.calls += 1
        text = "\n".join(
            ["*** Begin Patch", *(f"*** Update File: {file}\n@@\n-a\n+b" for file in files), "*** End Patch"]
        )
        return self.item("custom_tool_call", name="apply_patch", input=text, call_id=self.call)

    def result(self, output: object, kind: str = "function_call_output") -> Rollout:
        """The output of the newest call."""
        return self.item(kind, call_id=self.call, output=output)

    @property
    def call(self) -> str:
        """The id of the newest call."""
        return f"call-{self.calls}"

    def data(self) -> bytes:
        """The rollout's bytes."""
        return b"".join(json.dumps(line).encode() + b"\n" for line in self.lines)

    def read(self) -> Session:
        """The session that the reader makes of it."""
        return codex.read(io.BytesIO(self.data()))

    def write(self, path: Path) -> Path:
        """The rollout as a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        return path

    def _time(self) -> str:
        return (START + timedelta(minutes=len(self.lines))).isoformat().replace("+00:00", ".000Z")


def patched(era: str = FRAMED) -> Rollout:
    """A run in which the agent has changed a file and reported it: corrections may follow."""
    run = Rollout(era).begin().user("Add a crane to the model.").patch("src/crane.py")
    return run.result("Success. Updated the following files:\nM src/crane.py").agent("The crane is in.")
