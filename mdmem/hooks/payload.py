"""What an agent tells a hook: one JSON object on standard input, which need never end."""

from __future__ import annotations

import json
import os
import select
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS: Final = 1.0
"""An object that is not there by then does not come."""
PIECE: Final = 1 << 16
SIZE_MOST: Final = 8 << 20
CODEX: Final = "codex"
CLAUDE: Final = "claude-code"


@dataclass(frozen=True, slots=True)
class Payload:
    """What Claude Code and Codex say alike; '' for what was left out.

    `source` says why a session starts, `permission_mode` what the agent may do, `subagent` which helper of the
    session it is. `size` is how much there is of a session in an agent's own store, which has no file to measure.
    """

    session: str = ""
    transcript: str = ""
    cwd: str = ""
    source: str = ""
    prompt: str = ""
    permission_mode: str = ""
    subagent: str = ""
    size: int = 0

    @property
    def agent(self) -> str:
        """Which agent calls, told by how it names transcripts."""
        path = Path(self.transcript)
        return CODEX if path.name.startswith("rollout-") or ".codex" in path.parts else CLAUDE

    @property
    def is_planning(self) -> bool:
        """Whether the agent may only plan: then nothing is written."""
        return self.permission_mode == "plan"

    def folder(self, environ: Mapping[str, str]) -> Path:
        """Where the session works, as far as that is still there."""
        named = (self.cwd, environ.get("CLAUDE_PROJECT_DIR", ""))
        return next((Path(name) for name in named if name and Path(name).is_dir()), Path.cwd())


@cache
def read_payload(descriptor: int = 0) -> Payload | None:
    """The first JSON object that arrives, read once; None when none does, or what comes is something else."""
    until = time.monotonic() + SECONDS
    data = b""
    while len(data) <= SIZE_MOST and _is_ready(descriptor, until - time.monotonic()):
        try:
            piece = os.read(descriptor, PIECE)
        except OSError:
            break
        data += piece
        if not piece:
            break
        if piece.rstrip().endswith(b"}") and (found := parse(data)):
            return found
    return parse(data)


def parse(data: bytes) -> Payload | None:
    """The payload that these bytes begin with."""
    if len(data) > SIZE_MOST:
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(data.decode("utf-8-sig", "replace").lstrip())
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None

    def text(key: str) -> str:
        given = value.get(key)
        return given.replace("\0", "") if isinstance(given, str) else ""

    return Payload(
        session=text("session_id"),
        transcript=text("transcript_path"),
        cwd=text("cwd") or _first(value.get("workspace_roots")),
        source=text("source"),
        prompt=text("prompt"),
        permission_mode=text("permission_mode"),
        subagent=text("agent_id"),
        size=size if isinstance(size := value.get("transcript_size"), int) else 0,
    )


def _first(folders: object) -> str:
    """The first folder of a workspace, as Cursor names them."""
    first = folders[0] if isinstance(folders, list) and folders else ""
    return first.replace("\0", "") if isinstance(first, str) else ""


def _is_ready(descriptor: int, seconds: float) -> bool:
    if os.name == "nt":  # pipes can't be waited for there: reading waits, and an agent always writes
        return True
    try:
        return bool(select.select([descriptor], [], [], max(0.0, seconds))[0])
    except (OSError, ValueError):
        return False
