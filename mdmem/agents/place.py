"""Where agents look for their settings, and what is to be installed there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Scope(StrEnum):
    """Whom a file of settings is for: you in this project, everybody in this project, you everywhere."""

    LOCAL = "local"
    PROJECT = "project"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Place:
    """Where to install: the project's root folder, the user's home, and what variables say of it."""

    root: Path
    home: Path
    environ: Mapping[str, str]
    scope: Scope

    def folder(self, variable: str, default: str) -> Path:
        """A folder of the user's that a variable may move, else the one of that name in the home."""
        named = self.environ.get(variable)
        return Path(named).expanduser() if named else self.home / default


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be installed.

    `command` begins a shell command that runs mdmem; `per_turn` asks for a hook after every turn. `native` is the
    store's absolute path where the agent's own memory is to live in it, else None. `brief` is what AGENTS.md mirrors,
    `store` the store's folder as seen from the project's root.
    """

    command: str = "mdmem"
    per_turn: bool = False
    native: Path | None = None
    brief: str = ""
    store: str = "memory"

    def hook(self, event: str, agent: str) -> str:
        """The command of a hook."""
        return f"{self.command} hook {event} --agent {agent}"


class Part(NamedTuple):
    """One file of an agent's: how its text changes when mdmem is installed, and when it is taken back.

    `install` gets None when there is no file; `uninstall` answers with None when nothing is left of one. Both raise
    ConfigError with file and line for what they can't read. `has_ours` tells whether something of ours is in a text.
    """

    path: Path
    install: Callable[[str | None], str]
    uninstall: Callable[[str], str | None]
    has_ours: Callable[[str], bool]
