"""OpenCode: a plugin of one file, which it loads from its folder without any setting."""

from __future__ import annotations

import json
import shlex
from importlib import resources
from typing import TYPE_CHECKING, Final

from mdmem.agents import owned
from mdmem.agents.place import Part, Scope

if TYPE_CHECKING:
    from mdmem.agents.place import Place, Wanted

NAME: Final = "opencode"
SCOPES: Final = (Scope.PROJECT, Scope.USER)
COMMAND: Final = '["mdmem"]'
"""As it stands in the plugin's text."""


def parts(place: Place, wanted: Wanted) -> tuple[Part, ...]:
    """The plugin's file: the project's, or the user's."""
    if place.scope is Scope.PROJECT:
        file = place.root / ".opencode/plugin/mdmem.ts"
    else:
        file = place.folder("XDG_CONFIG_HOME", ".config") / "opencode/plugins/mdmem.ts"
    return (owned.part(file, plugin(wanted.command)),)


def plugin(command: str) -> str:
    """The plugin's text; `command` is a shell command that runs mdmem."""
    text = resources.files("mdmem").joinpath("data/opencode-plugin.ts").read_text(encoding="utf-8")
    mark = owned.MARK.format(agent=NAME)
    return f"// {mark}\n{text}".replace(COMMAND, json.dumps(shlex.split(command)), 1)


def notes(wanted: Wanted) -> tuple[str, ...]:  # noqa: ARG001
    """What the user should know besides."""
    return ("OpenCode loads the plugin at its next start",)
