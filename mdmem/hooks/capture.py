"""The end of a turn or a session: ask for a job, start a worker, return. Nothing is printed, and little imported.

Agents give these hooks a second or two, and take any exit code but 0 for an objection.
"""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from mdmem import config
from mdmem.clock import clock
from mdmem.errors import MdmemError, NoStoreError
from mdmem.hooks import detach
from mdmem.hooks.payload import Payload, read_payload
from mdmem.llm.environment import EXTRACTING
from mdmem.store.ledger import RUN, TURN, Job, JobState, append_queued, refusal
from mdmem.store.own import make_own
from mdmem.store.place import store_folder
from mdmem.store.scan import OWN_FOLDER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

EVENTS: Final = frozenset({"stop", "session-end", "pre-compact"})
PLANNING: Final = "the agent was only planning (permission_mode)"


def main(args: Sequence[str]) -> int:
    """The quick way into a hook that only asks for a job: `hook EVENT [--agent NAME]`; always 0."""
    sys.excepthook = _log_bug
    event, agent = args[0], args[2] if len(args) > 2 else ""
    if not os.environ.get(EXTRACTING):
        named = os.environ.get("MDMEM_DIR")
        capture(event, read_payload(), agent, Path(named) if named else None)
    return 0


def is_quick(args: Sequence[str]) -> bool:
    """Whether `hook` was called with these arguments as agents call it for such an event."""
    return bool(args) and args[0] in EVENTS and (len(args) == 1 or (len(args) == 3 and args[1] == "--agent"))


def capture(event: str, payload: Payload | None, agent: str = "", folder: Path | None = None) -> None:
    """Ask for a job on behalf of an agent, and start a worker. What stands in the way goes to the log."""
    try:
        if payload is None:
            return note(event, "what came is no JSON object")
        _capture(event, payload, agent or payload.agent, folder)
    except NoStoreError:
        return
    except (MdmemError, OSError, ValueError) as error:
        note(event, str(error))


def note(event: str, line: str) -> None:
    """Say something in the log; where that can't be written there is nobody to tell."""
    with suppress(MdmemError, OSError):
        detach.say(f"hook {event}: {line}", clock(os.environ).isoformat())


def _capture(event: str, payload: Payload, agent: str, folder: Path | None) -> None:
    here = payload.folder(os.environ)
    loaded = config.load(os.environ, config.user_config_file(), config.find_project_file(here))
    is_turn = event == "stop"
    if refusal(agent, loaded.config) or (is_turn and (loaded.config.extraction_when != TURN or payload.subagent)):
        return
    root = store_folder(here, loaded, folder)
    transcript = Path(payload.transcript)
    size = _size(transcript, payload)
    if not payload.transcript or size is None:
        return note(event, f"no transcript at {payload.transcript!r}")
    job = Job(
        str(transcript.absolute()), size, agent, payload.session, TURN if is_turn else RUN,
        event, clock(os.environ).isoformat(),
        JobState.SKIPPED if payload.is_planning else JobState.QUEUED, reason=PLANNING if payload.is_planning else "",
    )  # fmt: skip
    append_queued(make_own(root / OWN_FOLDER / "state"), job)
    if not payload.is_planning:
        detach.start(detach.WORK, Path.cwd() if folder else here, folder)


def _size(transcript: Path, payload: Payload) -> int | None:
    """How much there is of a transcript: the bytes of a file, or what the agent says of a session in its store."""
    if transcript.is_file():
        return transcript.stat().st_size
    store, mark, _ = payload.transcript.rpartition("#")
    return payload.size if mark and Path(store).exists() else None


def _log_bug(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> NoReturn:
    """The last word on an error that nobody foresaw: the log gets it, the agent gets 0."""
    note("bug", "".join(traceback.format_exception(kind, error, where)))
    os._exit(0)
