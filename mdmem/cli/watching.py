"""`watch`: look again when files change, and answer from what is held open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_text, json_option, note
from mdmem.cli.registry import door
from mdmem.project import Project
from mdmem.store.heartbeat import read_heartbeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.cli.app import App
    from mdmem.store.heartbeat import Heartbeat
    from mdmem.store.kept import Kept


@dataclass(frozen=True)
class Commands:
    """What the watcher needs of the command line."""

    app: App

    def open_project(self, kept: Kept) -> Project:
        """The project that the watcher's own options name. Raises NoStoreError, ConfigError."""
        return Project.open(self.app.folder, personal=self.app.personal, caller=self.app.caller, kept=kept)

    def run(self, args: Sequence[str], kept: Kept) -> int:
        """Run a command line here; its exit code."""
        assert self.app.run is not None
        return self.app.run(args, kept)


@click.command()
@click.option("--daemon", "action", flag_value="daemon", help="Do it in the background, and return when it is ready.")
@click.option("--status", "action", flag_value="status", help="Say whether a watcher is at work, and how it is.")
@click.option("--stop", "action", flag_value="stop", help="Stop the watcher.")
@click.option("--print-unit", "unit", type=click.Choice(["systemd", "launchd"]), help="Print a unit that starts it.")
@json_option
@click.pass_obj
def watch(app: App, action: str | None, unit: str | None, as_json: bool) -> None:
    """Keep the index fresh while files change, and answer `search` and `brief` at once.

    No command needs it, and none trusts it: without it, or when it hangs, they do the same work themselves. It stops
    by itself when its folder stays away or mdmem is replaced by another version.

    \b
    Examples:
      mdmem watch
      mdmem watch --daemon
      mdmem watch --status
      mdmem watch --stop
      mdmem watch --print-unit systemd >~/.config/systemd/user/mdmem.service
    """
    life, store, options = door("mdmem.watch.life"), app.project.store, _options(app)
    if unit:
        click.echo(door("mdmem.watch.units").unit(unit, store.root, Path.cwd(), options), nl=False)
    elif action == "status":
        _show(read_heartbeat(store), as_json)
    elif action == "stop":
        note("stopped" if life.stop(store) else "no watcher was at work")
    elif action == "daemon":
        _show(life.start(store, options), as_json)
    else:
        life.watch(Commands(app), note)


def _options(app: App) -> list[str]:
    """The global options again, for a process of its own."""
    folder = ["--dir", str(app.folder.absolute())] if app.folder else []
    return [*folder, *(["--personal"] if app.personal else [])]


def _show(heartbeat: Heartbeat | None, as_json: bool) -> None:
    if as_json:
        echo_json(heartbeat.as_json() if heartbeat else {"alive": False})
    else:
        echo_text(f"watcher: {heartbeat or 'not running'}")
