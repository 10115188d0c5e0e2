"""What an agent is told: `brief`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, json_option, note
from mdmem.search.candidates import BUDGET_MOST, SELECTION_MOST, Request
from mdmem.wording import counted

if TYPE_CHECKING:
    from mdmem.cli.app import App
    from mdmem.search.brief import Brief
    from mdmem.search.briefing import Briefing
    from mdmem.search.select import Selection


@click.command()
@click.option("-b", "--budget", type=click.IntRange(1), metavar="CHARACTERS",
              help=f"At most so many characters; never more than {BUDGET_MOST}.")  # fmt: skip
@click.option(
    "-f", "--files", multiple=True, metavar="PATHS", help="First what is known about these (a,b or repeated)."
)
@click.option("-c", "--changed", is_flag=True, help="First what is known about the files that differ from HEAD.")
@click.option("--agent", default="", metavar="NAME", help="With what is meant for this agent alone.")
@click.option("-q", "--query", default="", metavar="TEXT", help="Instead the few memories that answer this, in full.")
@click.option("--session", default="", metavar="ID", help="With --query: without what this session was shown before.")
@click.option("--reviewed-only", is_flag=True, help="Without what nobody here wrote, committed or accepted.")
@click.option("--format", "form", type=click.Choice(["md", "json"]), default="md", help="Markdown, or JSON.")
@json_option
@click.pass_obj
def brief(
    app: App, budget: int | None, files: tuple[str, ...], changed: bool, agent: str, query: str, session: str,
    reviewed_only: bool, form: str, as_json: bool,
) -> None:  # fmt: skip
    """Print what an agent should know at its start: the few memories that matter, within a budget.

    Each line gives a title, its age, who said it and what is known. Invalid and flagged memories are never in it. An
    empty store prints nothing.

    \b
    Examples:
      mdmem brief
      mdmem brief --budget 2000 --files src/db/pool.py,src/db/worker.py
      mdmem brief --changed --agent claude-code
      mdmem brief --query "why does the pool test hang?"
      mdmem brief --reviewed-only --json
    """
    config = app.project.config
    if not config.memory_enabled:
        return None if session else note("memory is off (memory.enabled): nothing is briefed")
    make, only = app.project.brief, reviewed_only or config.memory_trust == "reviewed"
    if query:
        asked = Request(budget or SELECTION_MOST, agent=agent, reviewed_only=only)
        return _show_selection(_selected(app, query, asked, session), as_json or form == "json", hints=not session)
    request = Request(budget or config.brief_budget, _files(make, files, changed), agent, only)
    _show(make(request), as_json or form == "json")


def _files(make: Briefing, named: tuple[str, ...], changed: bool) -> tuple[str, ...]:
    """The named files, then the changed ones, relative to the repository's top."""
    paths = [part.strip() for text in named for part in text.split(",") if part.strip()]
    given = [make.in_repository(path, Path.cwd()) for path in paths]
    return tuple(dict.fromkeys([*given, *(make.changed_files() if changed else ())]))


def _selected(app: App, query: str, asked: Request, session: str) -> Selection | None:
    """What answers the query; a session is an agent's, and gets None where that agent is not to be told."""
    if not session:
        return app.project.select(query, asked)
    is_told = app.project.config.allows(asked.agent, "memory")
    return app.project.select.for_session(query, asked, session) if is_told else None


def _show_selection(made: Selection | None, as_json: bool, *, hints: bool) -> None:
    if as_json:
        return echo_json([one.as_json() for one in made.chosen] if made else [])
    click.echo(made.as_markdown() if made else "", nl=False)
    if hints and not (made and made.chosen):
        note("no memory answers that")


def _show(made: Brief, as_json: bool) -> None:
    text = made.as_markdown()
    if as_json:
        echo_json(made.as_json())
    elif text:
        click.echo(text, nl=False)
    elif made.lines or made.not_shown or made.pending or made.unreadable:
        note(f"nothing fits into {counted(made.budget, 'character')}")
