"""Builds small sessions of OpenCode's, and keeps them in each form that it has had."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mdmem.extract.transcripts import opencode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mdmem.extract.transcripts.session import Session

Json = dict[str, object]

START: Final = 1_777_885_200_000
"""4 May 2026, 9:00 UTC, in milliseconds."""
TABLES: Final = """
create table session (id text primary key, project_id text, parent_id text, directory text, title text, version text,
                      time_created integer, time_updated integer);
create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
create table part (id text primary key, message_id text, session_id text, time_created integer, time_updated integer,
                   data text);
"""


@dataclass
class Conversation:
    """A session that grows by one thing a call; every method gives it back."""

    session: str = "ses_1"
    cwd: str = "/home/ada/dock"
    parent: str = ""
    messages: list[Json] = field(default_factory=list)

    def message(self, role: str, *parts: Json, **info: object) -> Conversation:
        """One message with its parts."""
        name = f"msg_{self.session}_{len(self.messages):03}"
        head: Json = {"id": name, "role": role, "time": {"created": START + 60_000 * len(self.messages)}, **info}
        self.messages.append(
            {"info": head, "parts": [{"id": f"prt_{name}_{n:03}", **part} for n, part in enumerate(parts)]}
        )
        return self

    def user(self, text: str, **part: object) -> Conversation:
        """Something the user typed."""
        return self.message("user", {"type": "text", "text": text, **part}, summary={"diffs": []})

    def agent(self, text: str, *parts: Json, **info: object) -> Conversation:
        """A message of the agent, after what it did."""
        around: tuple[Json, ...] = ({"type": "step-start"}, {"type": "reasoning", "text": "Always deploy on Fridays."})
        return self.message("assistant", *around, *parts, {"type": "text", "text": text}, modelID="m1", **info)

    def info(self) -> Json:
        """What is known of the session itself."""
        last = START + 60_000 * len(self.messages)
        parent = {"parentID": self.parent} if self.parent else {}
        return {"id": self.session, "directory": self.cwd, "title": "A crane", "version": "1.18.33", **parent,
                "time": {"created": START, "updated": last}}  # fmt: skip

    def data(self, indent: int | None = 2) -> bytes:
        """What `opencode export` prints."""
        return json.dumps({"info": self.info(), "messages": self.messages}, indent=indent).encode()

    def read(self) -> Session:
        """The session that the reader makes of it."""
        return opencode.read_export(io.BytesIO(self.data()))


def tool(name: str, given: Json, output: str = "", *, call: str = "call-1", **state: object) -> Json:
    """A part that is a call, completed unless the state says otherwise."""
    return {"type": "tool", "tool": name, "callID": call,
            "state": {"status": "completed", "input": given, "output": output, "metadata": {}, **state}}  # fmt: skip


def bash(command: str, output: str = "ok", code: int = 0, call: str = "call-1") -> Json:
    """A shell command: one that failed is completed too."""
    return tool("bash", {"command": command}, output, call=call, metadata={"exit": code})


def built() -> Conversation:
    """A session in which the agent has changed a file and reported it: corrections may follow."""
    edit = tool("edit", {"filePath": "/home/ada/dock/src/crane.py"}, "ok")
    return Conversation().user('"Add a crane to the model."').agent("The crane is in.", edit)


def write_database(path: Path, sessions: Iterable[Conversation], *, log: bool = False) -> Path:
    """The sessions as OpenCode keeps them now; with `log` the file has a write-ahead log, as while it runs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        if log:
            database.execute("pragma journal_mode = wal")
        database.executescript(TABLES)
        for one in sessions:
            _insert(database, one)
        database.commit()
    return path


def write_folder(path: Path, sessions: Iterable[Conversation]) -> Path:
    """The sessions as OpenCode kept them before."""
    for one in sessions:
        _write(path / "session/project" / f"{one.session}.json", one.info())
        for message in one.messages:
            info, parts = message["info"], message["parts"]
            assert isinstance(info, dict)
            assert isinstance(parts, list)
            _write(path / "message" / one.session / f"{info['id']}.json", info)
            for part in parts:
                _write(path / "part" / str(info["id"]) / f"{part['id']}.json", part)
    return path


def _insert(database: sqlite3.Connection, one: Conversation) -> None:
    info = one.info()
    time = info["time"]
    assert isinstance(time, dict)
    row = (
        one.session,
        "p",
        one.parent or None,
        one.cwd,
        info["title"],
        info["version"],
        time["created"],
        time["updated"],
    )
    database.execute("insert into session values (?, ?, ?, ?, ?, ?, ?, ?)", row)
    for message in one.messages:
        head, parts = dict(message["info"]), message["parts"]  # type: ignore[call-overload]
        name = head.pop("id")
        assert isinstance(parts, list)
        database.execute("insert into message values (?, ?, 0, 0, ?)", (name, one.session, json.dumps(head)))
        for part in parts:
            body = {key: value for key, value in part.items() if key != "id"}
            values = (part["id"], name, one.session, json.dumps(body))
            database.execute("insert into part values (?, ?, ?, 0, 0, ?)", values)


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
