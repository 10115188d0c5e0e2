"""`hook`: what agents call at their own events."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from mdmem.cli.registry import door
from mdmem.errors import MdmemError, NoStoreError
from mdmem.llm.environment import EXTRACTING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.cli.app import App

SECONDS: Final = 10.0
"""No prompt waits longer for memory."""


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("event", default="")
@click.option("--agent", default="", metavar="NAME", help="Who calls; by default told from the transcript's name.")
@click.pass_obj
def hook(app: App, event: str, agent: str) -> None:
    """Answer an agent's hook: session-start, user-prompt-submit, stop, session-end or pre-compact.

    The agent gives one JSON object on standard input. The first two events print what belongs into the prompt, the
    others only ask for a job. Whatever happens, nothing else is printed and the exit code is 0; `mdmem jobs log`
    tells what went wrong.

    \b
    Examples:
      mdmem hook session-start <event.json
      mdmem hook session-end --agent codex <event.json
    """
    if not os.environ.get(EXTRACTING):
        with _within(SECONDS, event):
            told = answer(app, event, agent)
        click.echo(told, nl=False)


def answer(app: App, event: str, agent: str) -> str:
    """What an agent is told; what stands in the way goes to the log."""
    capture = door("mdmem.hooks.capture")
    payload = door("mdmem.hooks.payload").read_payload()
    if event in capture.EVENTS:
        capture.capture(event, payload, agent, app.folder)
    elif payload is None or event not in ("session-start", "user-prompt-submit"):
        capture.note(event, "no such event" if payload else "what came is no JSON object")
    else:
        try:
            told: str = door("mdmem.hooks.recall").recall(event, payload, lambda: app.project, agent, app.folder)
        except NoStoreError:
            return ""
        except (MdmemError, OSError) as error:
            capture.note(event, str(error))
        else:
            return str(door("mdmem.hooks.shape").shaped(told, agent, event))
    return ""


@contextmanager
def _within(seconds: float, event: str) -> Iterator[None]:
    """End the process, in silence, when the work takes longer than that."""

    def give_up() -> None:
        door("mdmem.hooks.capture").note(event, f"took longer than {seconds:g} s")
        os._exit(0)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
