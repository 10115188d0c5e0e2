"""Which commands there are and where they live. A command's module is imported only when it is called."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

SECTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "Memories": {
        "init": "mdmem.cli.founding:init",
        "add": "mdmem.cli.memories:add",
        "show": "mdmem.cli.memories:show",
        "list": "mdmem.cli.listing:list_",
        "set": "mdmem.cli.memories:set_",
        "edit": "mdmem.cli.editing:edit",
        "mv": "mdmem.cli.editing:mv",
        "forget": "mdmem.cli.memories:forget",
        "feedback": "mdmem.cli.life:feedback",
        "promote": "mdmem.cli.life:promote",
        "reject": "mdmem.cli.life:reject",
        "deprecate": "mdmem.cli.life:deprecate",
        "reactivate": "mdmem.cli.life:reactivate",
        "sync": "mdmem.cli.checking:sync",
        "check": "mdmem.cli.checking:check",
        "fmt": "mdmem.cli.formatting:fmt",
        "note": "mdmem.cli.noting:note_",
    },
    "Finding": {
        "search": "mdmem.cli.finding:search",
        "brief": "mdmem.cli.briefing:brief",
    },
    "Learning": {
        "extract": "mdmem.cli.learning:extract",
        "jobs": "mdmem.cli.jobs:jobs",
        "review": "mdmem.cli.reviewing:review",
        "undo": "mdmem.cli.life:undo",
    },
    "Agents": {
        "install": "mdmem.cli.installing:install",
        "uninstall": "mdmem.cli.installing:uninstall",
        "hook": "mdmem.cli.hooking:hook",
        "import": "mdmem.cli.importing:import_",
        "export": "mdmem.cli.importing:export",
        "graduate": "mdmem.cli.graduating:graduate",
    },
    "Machine": {
        "status": "mdmem.cli.machine:status",
        "doctor": "mdmem.cli.machine:doctor",
        "model": "mdmem.cli.model:model",
        "watch": "mdmem.cli.watching:watch",
        "config": "mdmem.cli.configuring:config",
        "paths": "mdmem.cli.machine:paths",
        "on": "mdmem.cli.configuring:on",
        "off": "mdmem.cli.configuring:off",
        "completion": "mdmem.cli.completing:completion",
        "demo": "mdmem.cli.demo:demo",
    },
}
HOMES: Final = {name: home for commands in SECTIONS.values() for name, home in commands.items()}
DOORS: Final = frozenset(
    {"mdmem.watch.life", "mdmem.watch.units"}
    | {f"mdmem.hooks.{name}" for name in ("capture", "detach", "payload", "recall", "shape")}
)
"""What commands call of the other doors, which the command line knows by name alone."""


def load(home: str) -> Any:
    """The thing of a home `module:name`, imported now."""
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)


def door(name: str) -> ModuleType:
    """A module of another door, one of `DOORS`."""
    assert name in DOORS
    return importlib.import_module(name)


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for, and lists commands by section."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All names, in the order of the sections."""
        return list(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command; None when there is none of that name."""
        home = HOMES.get(cmd_name)
        if home is None:
            return None
        command: click.Command = load(home)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but a wrong name is answered with what is near."""
        if args and args[0] not in HOMES and not args[0].startswith("-"):
            ctx.fail(_unknown(args[0]))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One list a section."""
        for section, commands in SECTIONS.items():
            rows = [(name, self._short(ctx, name)) for name in commands]
            with formatter.section(section):
                formatter.write_dl(rows)

    def _short(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        return command.get_short_help_str(limit=300) if command else ""


def _unknown(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, HOMES, 3)
    hint = f"did you mean {', '.join(near)}?" if near else "`mdmem --help` lists them"
    return f"no command {name!r}; {hint}"
