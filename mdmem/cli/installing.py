"""Commands that set agents up: install, uninstall."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from mdmem import git
from mdmem.agents.applying import INSTALL, apply_changes, kept_before, read_parts
from mdmem.agents.place import Place, Scope, Wanted
from mdmem.agents.plan import (
    AGENTS,
    LEARNED_FROM,
    notes_of,
    parts_of,
    plan_install,
    plan_uninstall,
    scope_of,
    text_of,
)
from mdmem.cli.output import echo_json, echo_text, json_option, note, warn
from mdmem.cli.steps import dry_run_option
from mdmem.config import user_config_file, user_state_folder
from mdmem.config_file import set_in_file
from mdmem.errors import ConfigError, NoStoreError
from mdmem.search.candidates import Request
from mdmem.store.ledger import TURN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mdmem.agents.place import Part
    from mdmem.agents.plan import Change
    from mdmem.cli.app import App

LEARNING: Final = {
    "extract": "Learn from its finished runs?",
    "consolidate": "Tidy up what was learned, after some days and runs?",
}
"""The two switches that learn, with the question each is asked for by."""


def target_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say where: what `install` and `uninstall` share."""
    for option in (
        json_option,
        click.option("-y", "--yes", is_flag=True, help="Do it without asking."),
        dry_run_option,
        click.option("--user", "scope", flag_value="user", help="For you, in every project."),
        click.option("--project", "scope", flag_value="project", help="For everybody in this project."),
        click.argument("agent", type=click.Choice(list(AGENTS)), metavar="AGENT"),
    ):
        command = option(command)
    return command


@click.command()
@target_options
@click.option("--native-memory", is_flag=True, help="Let Claude Code keep its own memory in the store, too.")
@click.option("--extract/--no-extract", default=None, help="Learn from its finished runs; off unless you say so.")
@click.option("--consolidate/--no-consolidate", default=None, help="Tidy up what was learned; off unless you say so.")
@click.pass_obj
def install(app: App, /, agent: str, scope: str | None, native_memory: bool, **options: Any) -> None:
    """Set AGENT up to use this memory: claude-code, codex, opencode, cursor, gemini or agents-md.

    Without --project or --user it goes where AGENT looks first: for claude-code the project's settings that are yours
    alone, for codex your own, for the others the project's. What is there is kept. The change is shown as a diff; on a
    terminal you are asked before it is written, and whether AGENT's runs are learned from. Without a terminal nothing
    is asked: the change is written, and switches that are not named stay as they are. `--dry-run` only shows it.
    `mdmem uninstall` gives the files back as they were.

    \b
    Examples:
      mdmem install claude-code --extract
      mdmem install claude-code --project --dry-run
      mdmem install codex --yes
      mdmem install agents-md
    """
    task = Task(app, agent, scope_of(agent, Scope(scope) if scope else None), Options(**options))
    task.install(native=native_memory)


@click.command()
@target_options
@click.pass_obj
def uninstall(app: App, /, agent: str, scope: str | None, **options: Any) -> None:
    """Take back what `install` wrote for AGENT, and nothing else. Memories and settings of mdmem stay.

    A file that is still as `install` left it becomes again what it was, byte for byte.

    \b
    Examples:
      mdmem uninstall claude-code
      mdmem uninstall codex --user --dry-run
    """
    Task(app, agent, scope_of(agent, Scope(scope) if scope else None), Options(**options)).uninstall()


@dataclass(frozen=True)
class Options:
    """How to go about it; the two switches are None when nothing was said."""

    dry_run: bool
    yes: bool
    as_json: bool
    extract: bool | None = None
    consolidate: bool | None = None


@dataclass(frozen=True)
class Task:
    """One agent to be set up, or to be left alone again, in one scope."""

    app: App
    agent: str
    scope: Scope
    options: Options

    def install(self, *, native: bool) -> None:
        """Plan, show, ask, write. Raises ConfigError for settings that can't be read; then nothing is written."""
        if native and self.agent != "claude-code":
            raise ConfigError(f"{self.agent} has no memory of its own that can be moved", "leave out --native-memory")
        wanted = replace(self._wanted, native=self.app.project.root.resolve() if native else None)
        switches = self._named_switches()
        parts = parts_of(self.agent, self.place, wanted)
        changes = plan_install(parts, read_parts(parts, self.place.root))
        self._show(changes)
        if self._may_write(changes, switches):
            switches |= self._asked_switches()
            apply_changes(changes, self._roots, user_state_folder(), f"{INSTALL} {self.agent}", self.app.now)
            for key, value in switches.items():
                set_in_file(user_config_file(), key, str(value).lower(), is_project=False)
        self._tell(changes, switches, "installed in")
        if not self.options.as_json:
            self._advise(wanted)

    def uninstall(self) -> None:
        """Plan, show, ask, write. Raises ConfigError as `install` does."""
        parts = parts_of(self.agent, self.place, replace(self._wanted, native=self._store))
        files = read_parts(parts, self.place.root)
        others = [part for scope in self._other_scopes for part in self._parts(scope)]
        changes = plan_uninstall(parts, files, kept_before(parts, others, user_state_folder()))
        self._show(changes)
        if self._may_write(changes, {}):
            apply_changes(changes, self._roots, user_state_folder(), f"uninstall {self.agent}", self.app.now)
        self._tell(changes, {}, "taken out of")
        if self.options.as_json:
            return
        for path in self._elsewhere():
            note(f"still installed in {path}")
        if self.app.settings.config.allows(self.agent, "extract"):
            note(f"its runs are still learned from: mdmem config agents.{self.agent}.extract --unset")

    @cached_property
    def place(self) -> Place:
        """Where the agent's files are: the project is the repository, else the folder that holds the store."""
        repository = git.find(Path.cwd())
        root = repository.root if repository else self._store.parent if self._store else Path.cwd()
        return Place(root.resolve(), Path.home(), os.environ, self.scope)

    @property
    def _roots(self) -> tuple[Path, Path]:
        return self.place.root, self.place.home

    @cached_property
    def _store(self) -> Path | None:
        try:
            return self.app.project.root.resolve()
        except NoStoreError:
            return None

    @property
    def _wanted(self) -> Wanted:
        store = self._store
        return Wanted(
            command=program(self.scope),
            per_turn=self.app.settings.config.extraction_when == TURN,
            brief=self._brief() if self.agent == "agents-md" and store else "",
            store=os.path.relpath(store, self.place.root).replace(os.sep, "/") if store else "memory",
        )

    def _brief(self) -> str:
        """The project's own memories as an agent is told them: nothing personal, and nothing of this machine's runs."""
        project = self.app.project
        stores = tuple(store for store in project.readers if store.name != "personal")
        config = project.config
        asked = Request(config.brief_budget, reviewed_only=config.memory_trust == "reviewed")
        made = replace(project.brief, stores=stores)(asked)._replace(threads=())
        return made.as_markdown()

    def _named_switches(self) -> dict[str, bool]:
        """The switches that were named, as settings. Raises ConfigError where an agent's runs can't be read."""
        named = {name: value for name in LEARNING if (value := getattr(self.options, name)) is not None}
        if any(named.values()) and self.agent not in LEARNED_FROM:
            raise ConfigError(f"runs of {self.agent} can't be read, so nothing can be learned from them")
        return {f"agents.{self.agent}.{name}": value for name, value in named.items()}

    def _asked_switches(self) -> dict[str, bool]:
        """What the user answers about the switches that were not named, on a terminal."""
        options = self.options
        if not self._asks or self.agent not in LEARNED_FROM:
            return {}
        left = {name: question for name, question in LEARNING.items() if getattr(options, name) is None}
        config = self.app.settings.config
        return {
            f"agents.{self.agent}.{name}": click.confirm(question, config.allows(self.agent, name), err=True)
            for name, question in left.items()
        }

    @property
    def _asks(self) -> bool:
        return _is_terminal() and not (self.options.yes or self.options.as_json)

    def _show(self, changes: Sequence[Change]) -> None:
        if not self.options.as_json and (self.options.dry_run or self._asks):
            for change in changes:
                echo_text(change.diff.rstrip("\n"))

    def _may_write(self, changes: Sequence[Change], switches: Mapping[str, bool]) -> bool:
        """Whether to go on: not with --dry-run, and on a terminal only when the user says so."""
        if self.options.dry_run:
            return False
        if self._asks and changes:
            click.confirm("Write this?", default=True, abort=True, err=True)
        return bool(changes or switches) or self._asks

    def _tell(self, changes: Sequence[Change], switches: Mapping[str, bool], done: str) -> None:
        if self.options.as_json:
            shown = [change.as_json() for change in changes]
            return echo_json({"agent": self.agent, "scope": self.scope.value, "written": not self.options.dry_run,
                              "changes": shown, "settings": dict(switches)})  # fmt: skip
        if not changes:
            note("nothing to do")
        would = "would be " if self.options.dry_run else ""
        for change in changes:
            click.echo(f"{self.agent} {would}{done} {change.path}")
        for key, value in switches.items():
            click.echo(f"{key} {'would be ' * self.options.dry_run}set to {str(value).lower()}")

    def _advise(self, wanted: Wanted) -> None:
        """What the user should know once it is installed."""
        for line in notes_of(self.agent, wanted):
            note(line)
        repository = git.find(self.place.root)
        if repository and self.scope is Scope.LOCAL:
            shown = [part.path for part in self._parts(self.scope) if not git.is_ignored(repository, str(part.path))]
            for path in shown:
                note(f"{path.name} is yours alone: keep it out of git")
        if self._store is None:
            warn("there is no memory folder here yet, so hooks have nothing to tell", "mdmem init")
        if wanted.command == "mdmem" and shutil.which("mdmem") is None:
            warn("mdmem is not on PATH, where the agent will look for it")
        for path in self._elsewhere():
            warn(f"also installed in {path}: its hooks run twice", f"mdmem uninstall {self.agent} there")

    def _elsewhere(self) -> list[Path]:
        """The files of the agent's other scopes that hold something of ours."""
        own = {part.path for part in self._parts(self.scope)}
        return [
            part.path
            for scope in self._other_scopes
            for part in self._parts(scope)
            if part.path not in own and part.path.is_file() and part.has_ours(_text(part))
        ]

    @property
    def _other_scopes(self) -> list[Scope]:
        return [scope for scope in AGENTS[self.agent].SCOPES if scope is not self.scope]

    def _parts(self, scope: Scope) -> tuple[Part, ...]:
        return parts_of(self.agent, replace(self.place, scope=scope), Wanted())


def program(scope: Scope) -> str:
    """A shell command that runs mdmem: by its name where that can be relied on or is shared, else by its path.

    A virtual environment is on PATH only as long as it is active, so what is found in one does not count.
    """
    found = shutil.which("mdmem")
    is_lasting = found is not None and not (
        sys.prefix != sys.base_prefix and Path(found).absolute().is_relative_to(sys.prefix)
    )
    if scope is Scope.PROJECT or is_lasting:
        return "mdmem"
    called = Path(sys.argv[0]).absolute()
    if called.stem == "mdmem" and called.is_file():
        return shlex.quote(str(called))
    return shlex.quote(found) if found else f"{shlex.quote(sys.executable)} -m mdmem"


def _is_terminal() -> bool:
    return sys.stdin.isatty()


def _text(part: Part) -> str:
    try:
        return text_of(part.path.read_bytes(), part.path) or ""
    except (ConfigError, OSError):
        return ""
