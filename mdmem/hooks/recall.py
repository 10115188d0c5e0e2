"""The beginning of a session or a turn: what the agent is told, as text on standard output."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.hooks import detach
from mdmem.hooks.capture import note
from mdmem.hooks.question import question
from mdmem.search.candidates import BUDGET_MOST, Request
from mdmem.search.lines import one_line, without_title
from mdmem.store.ledger import refusal
from mdmem.store.own import make_own
from mdmem.store.shown import append_shown, forget_shown, remove_old, version

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.hooks.payload import Payload
    from mdmem.project import Project
    from mdmem.search.brief import Brief

SESSION_START: Final = "session-start"
PROMPT: Final = "user-prompt-submit"
EVENTS: Final = frozenset({SESSION_START, PROMPT})
EMPTY_CONTEXT: Final = frozenset({"startup", "clear", "compact", ""})
"""Sources of a session whose context holds nothing of what was shown before."""
SWEPT: Final = "swept"
SWEEP_MINUTES: Final = 10
"""A sweep is not begun again within so many minutes."""


def recall(event: str, payload: Payload, open_project: Callable[[], Project], agent: str, folder: Path | None) -> str:
    """What an agent is told at an event, '' for nothing; `folder` is the store named by hand, if any.

    Raises the errors of the project: NoStoreError, ConfigError, DiskError.
    """
    if folder is None:
        os.chdir(payload.folder(os.environ))
    project = open_project()
    agent = agent or payload.agent
    if not project.config.memory_enabled:
        return ""
    told = ""
    if project.config.allows(agent, "memory"):
        tell = session_start if event == SESSION_START else user_prompt
        told = tell(project, payload, agent)
    if event == SESSION_START:
        try:
            _sweep(project, agent, folder)
        except (MdmemError, OSError) as error:  # the brief is worth more
            note(event, str(error))
    return told


def session_start(project: Project, payload: Payload, agent: str) -> str:
    """The brief; what it shows in full is not shown again in this session."""
    made = project.brief(_request(project, agent, project.config.brief_budget))
    text = made.as_markdown()
    with suppress(MdmemError):  # where nothing can be noted, the brief is as good
        state = make_own(project.store.state_folder)
        if payload.source in EMPTY_CONTEXT:
            forget_shown(state, payload.session)
        append_shown(state, payload.session, _in_full(made) if text else [])
        remove_old(state, project.now)
    return text


def user_prompt(project: Project, payload: Payload, agent: str) -> str:
    """The few memories that answer the prompt and were not shown in this session yet.

    Opening a model takes longer than a prompt should wait: only the watcher, which holds one open, compares meaning.
    """
    asked = question(payload)
    if not asked:
        return ""
    request, is_watched = _request(project, agent, BUDGET_MOST), project.kept.mark_of(project.root) is not None
    return project.select.for_session(asked, request, payload.session, lexical=not is_watched).as_markdown()


def _request(project: Project, agent: str, budget: int) -> Request:
    return Request(budget, agent=agent, reviewed_only=project.config.memory_trust == "reviewed")


def _in_full(made: Brief) -> list[str]:
    """The versions of the memories whose whole body the brief shows."""
    found = [(line.found.stored, line.text) for line in made.lines]
    return [version(one) for one, text in found if text == without_title(one_line(one.memory.body), one.memory.title)]


def _sweep(project: Project, agent: str, folder: Path | None) -> None:
    """Look for runs whose hook never came, in the background and not too often."""
    if refusal(agent, project.config):
        return
    path, now = make_own(project.store.state_folder) / SWEPT, project.now
    if not _is_recent((disk.read_if_exists(path) or b"").decode("ascii", "replace"), now):
        disk.write(path, now.isoformat().encode())
        detach.start(detach.SWEEP, Path.cwd(), folder)


def _is_recent(text: str, now: datetime) -> bool:
    try:
        return timedelta() <= now - datetime.fromisoformat(text) < timedelta(minutes=SWEEP_MINUTES)
    except (ValueError, TypeError):
        return False
