"""`note`: keep what happened, by hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_text, json_option, note

if TYPE_CHECKING:
    from mdmem.cli.app import App


@click.command("note")
@click.argument("text")
@json_option
@click.pass_obj
def note_(app: App, text: str, as_json: bool) -> None:
    """Keep what happened as an episode; when it states a rule, also as a memory. - reads TEXT from standard input.

    Episodes stay on this machine. What comes back in several of them becomes a lesson later.

    \b
    Examples:
      mdmem note "The staging database was down again."
      mdmem note "From now on crane ids are strings, since the port sends letters"
    """
    given = sys.stdin.read() if text == "-" else text
    noted = app.project.notes.take(given, app.caller, app.project.config.memory_write)
    if as_json:
        return echo_json(noted.as_json())
    echo_text(f"noted: {noted.episode.text.splitlines()[0][:80]}")
    if noted.saved:
        echo_text(f"  {noted.saved.outcome}: {noted.saved.stored.path}: {noted.saved.stored.memory.title}")
    elif noted.left:
        note(f"no memory of it: {noted.left.reason}")
