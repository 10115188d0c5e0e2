"""Builds small transcripts record by record, as Claude Code writes them."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from mdmem.extract.transcripts import claude

if TYPE_CHECKING:
    from pathlib import Path

    from mdmem.extract.transcripts.session import Session

Json = dict[str, object]

START: Final = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
REFUSED: Final = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the"
    " new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


@dataclass
class Transcript:
    """A run that grows by one record a call; every method gives the transcript back."""

    session: str = "run-1"
    records: list[Json] = field(default_factory=list)

    def add(self, kind: str, **fields: object) -> Transcript:
        """One record of any type, with the fields that all records have."""
        number = len(self.records) + 1
        stamp = (START + timedelta(minutes=number)).isoformat().replace("+00:00", ".000Z")
        self.records.append(
            {"type": kind, "uuid": f"{self.session}-{number}", "sessionId": self.session, "timestamp": stamp,
             "cwd": "/home/ada/dock", "version": "2.1.40", "isSidechain": False, **fields}
        )  # fmt: skip
        return self

    def user(self, text: str, **fields: object) -> Transcript:
        """Something the user typed."""
        return self.add("user", message={"role": "user", "content": text}, **fields)

    def agent(self, text: str, *, message: str = "") -> Transcript:
        """A message of the agent."""
        return self._assistant({"type": "text", "text": text}, message)

    def call(self, tool: str, *, message: str = "", **given: object) -> Transcript:
        """A tool call; its result comes with `result` or `refuse`."""
        name = f"call-{len(self.records) + 1}"
        return self._assistant({"type": "tool_use", "id": name, "name": tool, "input": given}, message)

    def result(self, output: str, *, failed: bool = False, of: int = 0) -> Transcript:
        """The result of the newest call, or of the call in record `of`."""
        name = f"call-{of or self._last_call()}"
        block = {"type": "tool_result", "tool_use_id": name, "content": output, "is_error": failed}
        return self.add("user", message={"role": "user", "content": [block]})

    def refuse(self, reason: str) -> Transcript:
        """The user refuses the newest call and says why."""
        return self.result(REFUSED + reason, failed=True)

    def queue(self, text: str) -> Transcript:
        """Something the user typed while the agent worked."""
        return self.add("queue-operation", operation="enqueue", content=text)

    def bash(self, command: str, output: str = "ok", *, failed: bool = False) -> Transcript:
        """A shell command with its output."""
        return self.call("Bash", command=command).result(output, failed=failed)

    def edit(self, path: str = "/home/ada/dock/src/crane.py") -> Transcript:
        """An edit of a file that went well."""
        return self.call("Edit", file_path=path, old_string="a", new_string="b").result("The file was updated.")

    def data(self) -> bytes:
        """The transcript's bytes."""
        return b"".join(json.dumps(record).encode() + b"\n" for record in self.records)

    def read(self) -> Session:
        """The session that the reader makes of it."""
        return claude.read(io.BytesIO(self.data()))

    def write(self, folder: Path) -> Path:
        """The transcript as a file."""
        path = folder / f"{self.session}.jsonl"
        path.write_bytes(self.data())
        return path

    def _assistant(self, block: Json, message: str) -> Transcript:
        name = message or f"message-{len(self.records) + 1}"
        return self.add("assistant", message={"id": name, "role": "assistant", "content": [block]})

    def _last_call(self) -> int:
        kinds = [record["type"] for record in self.records]
        return len(kinds) - kinds[::-1].index("assistant")


def worked() -> Transcript:
    """A run in which the agent has written a file and reported it: corrections may follow."""
    return Transcript().user("Add a crane to the model.").edit().agent("The crane is in.")
