"""`jobs`: what waits to be learned from, what runs, and what came of the rest."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mdmem import disk
from mdmem.cli.output import echo_json, echo_rows, echo_text, json_option, note
from mdmem.cli.registry import door
from mdmem.cli.runs import NEW, Wanted, find_runs
from mdmem.clock import clock
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.cli.app import App
    from mdmem.store.ledger import Job

LISTED: Final = 20
"""How many of those that are over are listed unless all are asked for."""
LOG_LINES: Final = 40

names_argument = click.argument("names", nargs=-1, metavar="ID…")


@click.group(invoke_without_command=True)
@click.pass_context
def jobs(ctx: click.Context) -> None:
    """See to the jobs of learning from runs. Without a command: `mdmem jobs list`.

    Hooks and sweeps ask for them, workers in the background do them; `mdmem extract FILE` needs none.

    \b
    Examples:
      mdmem jobs
      mdmem jobs retry
      mdmem jobs log
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@jobs.command("list")
@click.option("-a", "--all", "everything", is_flag=True, help=f"Not only what is open and the last {LISTED}.")
@json_option
@click.pass_obj
def list_(app: App, everything: bool = False, as_json: bool = False) -> None:
    """List jobs, the newest last: state, id, when it changed, transcript, and what came of it.

    \b
    Examples:
      mdmem jobs list
      mdmem jobs list --all --json
    """
    found = app.project.jobs.all()
    shown = found if everything else [job for at, job in enumerate(found) if job.is_open or at >= len(found) - LISTED]
    if as_json:
        return echo_json([job.as_json() for job in shown])
    echo_rows(("STATE", "ID", "CHANGED", "TRANSCRIPT", "WHAT"), [_row(job) for job in shown])
    if not shown:
        note("no jobs: hooks and sweeps ask for them once learning is on (mdmem config agents.claude-code.extract on)")


@jobs.command()
@names_argument
@click.pass_obj
def retry(app: App, names: tuple[str, ...]) -> None:
    """Do jobs again that are over: those named, else all that failed.

    \b
    Examples:
      mdmem jobs retry
      mdmem jobs retry 3f2a9c41d0
    """
    again = app.project.jobs.retry(names)
    _tell("queued", again)
    if again:
        detach = door("mdmem.hooks.detach")
        detach.start(detach.WORK, Path.cwd(), app.folder)


@jobs.command()
@names_argument
@click.pass_obj
def cancel(app: App, names: tuple[str, ...]) -> None:
    """Take back jobs that wait or run: those named, else all. One that runs stops before it saves anything.

    \b
    Examples:
      mdmem jobs cancel
      mdmem jobs cancel 3f2a9c41d0
    """
    _tell("cancelled", app.project.jobs.cancel(names))


@jobs.command()
@click.option("-n", "--lines", type=click.IntRange(1), default=LOG_LINES, show_default=True, help="So many lines.")
def log(lines: int) -> None:
    """Print the end of the log of hooks and workers.

    \b
    Examples:
      mdmem jobs log
      mdmem jobs log --lines 200
    """
    path: Path = door("mdmem.hooks.detach").log_file()
    data = disk.read_if_exists(path)
    if data is None:
        return note(f"nothing was logged yet in {path}")
    echo_text("\n".join(data.decode("utf-8", "replace").splitlines()[-lines:]))


@jobs.command(hidden=True)
@click.pass_obj
def work(app: App) -> None:
    """Do what waits; what hooks start in the background."""
    app.project.jobs.work(_say)


def sweep(app: App) -> None:
    """Ask for the runs whose end no hook has told of, and do what waits."""
    runs = find_runs(app, Wanted(all_runs=True))
    asked = app.project.jobs.sweep(run.found for run in runs if run.standing == NEW)
    _say(f"sweep: {counted(len(asked), 'run')} to be read, of {len(runs)}")
    app.project.jobs.work(_say)


def _say(line: str) -> None:
    note(f"{clock(os.environ).isoformat(timespec='seconds')} [{os.getpid()}] {line}")


def _tell(word: str, changed: Sequence[Job]) -> None:
    for job in changed:
        click.echo(f"{word}\t{job.id}\t{job.transcript}")
    if not changed:
        note("nothing to do")


def _row(job: Job) -> tuple[str, ...]:
    given = job.result
    counts = f"{given.learned} learned, {given.confirmed} confirmed, {counted(given.episodes, 'episode')}"
    spent = f", {counted(given.calls, 'call')}, ${given.cost:.2f}" if given.calls else ""
    what = job.reason or (counts + spent if job.state == "done" else "")
    return job.state, job.id, job.changed_at[:16], job.transcript, what
