"""Which runs `mdmem extract` is to learn from: those that are named, or those that lie in the agents' own folders."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from mdmem import git
from mdmem.config import user_state_folder
from mdmem.errors import NotFoundError
from mdmem.extract.discovery import AGENTS, discover, places, session_path
from mdmem.store.known import known_stores
from mdmem.store.ledger import read_jobs
from mdmem.store.state import read_readings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mdmem.cli.app import App
    from mdmem.extract.discovery import Found
    from mdmem.project import Project

SESSION: Final = "opencode:"
"""How a session of OpenCode's is named without its store."""
NEW: Final = "new"
READ: Final = "read before"
GOING_ON: Final = "still going on"
DATES: Final = ("%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M")


class Run(NamedTuple):
    """A run that was found: for which store, and whether it is to be read."""

    app: App
    found: Found
    standing: str


@dataclass(frozen=True)
class Wanted:
    """Which runs are asked for, beside those named."""

    all_runs: bool = False
    every_project: bool = False
    since: datetime | None = None
    agent: str = ""

    @property
    def looks(self) -> bool:
        """Whether the agents' folders are looked through."""
        return self.all_runs or self.every_project


def discovery_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that name runs by project, time and agent."""
    for option in (
        click.option("--agent", type=click.Choice(AGENTS), help="With --all: runs of one agent only."),
        click.option("--since", type=click.DateTime(DATES), help="With --all: runs that went on since that day."),
        click.option("--every-project", is_flag=True, help="As --all, for every store that you have opened."),
        click.option("--sweep", is_flag=True, help="As jobs: the runs whose end no hook has told of."),
        click.option("-a", "--all", "all_runs", is_flag=True, help="The runs of this project in the agents' folders."),
    ):
        command = option(command)
    return command


def wanted(files: Sequence[Path], given: Mapping[str, object]) -> Wanted:
    """What the options ask for. Raises UsageError when they contradict each other, or nothing is asked for."""
    since = given["since"]
    asked = Wanted(
        all_runs=bool(given["all_runs"]),
        every_project=bool(given["every_project"]),
        since=since.astimezone() if isinstance(since, datetime) else None,
        agent=str(given["agent"] or ""),
    )
    if asked.looks == bool(files):
        raise click.UsageError("name FILEs, or say --all")
    if given["again"] and not files:
        raise click.UsageError("--again goes with FILEs")
    if (asked.since or asked.agent) and not asked.looks:
        raise click.UsageError("--since and --agent go with --all")
    return asked


def named(files: Sequence[Path]) -> tuple[Path, ...]:
    """The files as they are read: `opencode:ID` is looked up. Raises NotFoundError when there is no such session."""
    return tuple(map(_named, files))


def find_runs(app: App, asked: Wanted) -> tuple[Run, ...]:
    """The runs in the agents' folders, for each store the one changed last first."""
    return tuple(run for own in (_apps(app) if asked.every_project else (app,)) for run in _iter_runs(own, asked))


def _named(file: Path) -> Path:
    name = str(file)
    if not name.startswith(SESSION):
        return file
    path = session_path(places(os.environ, Path.home()), name.removeprefix(SESSION))
    if path is None:
        raise NotFoundError(name)
    return path


def _apps(app: App) -> Iterator[App]:
    for store in known_stores(user_state_folder()):
        yield replace(app, folder=store)


def _iter_runs(app: App, asked: Wanted) -> Iterator[Run]:
    project = app.project
    where = places(os.environ, Path.home())
    readings = read_readings(project.store.state_folder)
    read_to = {job.transcript: job.read_to for job in read_jobs(project.store.state_folder)}
    idle = timedelta(minutes=project.config.extraction_idle_minutes)
    for found in discover(where, _folders(project), since=asked.since, agent=asked.agent):
        is_read = readings.get(found.transcript) == found.stamp or read_to.get(found.transcript, -1) >= found.size
        is_over = project.now - found.changed_at >= idle
        yield Run(app, found, READ if is_read else NEW if is_over else GOING_ON)


def _folders(project: Project) -> tuple[Path, ...]:
    """The folder that the store is for, in every working tree of its repository."""
    folder = project.root.parent
    repository = git.find(folder)
    if repository is None:
        return (folder,)
    below = folder.resolve().relative_to(repository.root.resolve())
    return (folder, *(tree.root / below for tree in git.worktrees(repository)))
