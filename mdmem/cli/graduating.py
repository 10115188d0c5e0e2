"""`graduate`: a memory becomes a rule for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mdmem import disk, git
from mdmem.agents.applying import apply_changes
from mdmem.agents.graduating import refuse_unfit, with_memory
from mdmem.agents.plan import Change, text_of
from mdmem.cli.output import echo_json, echo_text, json_option, note
from mdmem.cli.picker import REF
from mdmem.cli.steps import dry_run_option
from mdmem.config import user_state_folder
from mdmem.errors import MdmemError
from mdmem.store.caller import Caller
from mdmem.store.store import find_in

if TYPE_CHECKING:
    from mdmem.cli.app import App


@click.command()
@click.argument("ref", type=REF)
@click.option("--to", "name", metavar="FILE", help="The file, from the project's top: by default CLAUDE.md where there"
              " is one, else AGENTS.md.")  # fmt: skip
@dry_run_option
@json_option
@click.pass_obj
def graduate(app: App, ref: str, name: str | None, dry_run: bool, as_json: bool) -> None:
    """Copy a memory into CLAUDE.md or AGENTS.md, under the heading of its type. The memory stays.

    \b
    Examples:
      mdmem graduate pin-the-linter
      mdmem graduate 4k7q2m9x --to AGENTS.md --dry-run
    """
    change = _planned(app, ref, name)
    changes = [change] if change.before != change.after else []
    if not dry_run:
        apply_changes(changes, [change.path.parent], user_state_folder(), "graduate", app.now)
    if as_json:
        return echo_json({"written": not dry_run, "changes": [one.as_json() for one in changes]})
    if not changes:
        return note(f"{change.path} says so already")
    echo_text(change.diff.rstrip("\n")) if dry_run else click.echo(f"copied to {change.path}")


def _planned(app: App, ref: str, name: str | None) -> Change:
    """The file before and after.

    Raises MdmemError for an agent and for a memory that is not fit, UnreadableError for a file outside of the project.
    """
    if app.caller is Caller.AGENT:
        raise MdmemError("only a person can make a memory a rule for everybody", "ask the user")
    _, one = find_in(app.project.stores, ref)
    refuse_unfit(one)
    repository = git.find(app.project.root)
    root = (repository.root if repository else app.project.root.parent).resolve()
    path = disk.below(root, name or ("CLAUDE.md" if (root / "CLAUDE.md").is_file() else "AGENTS.md"))
    before = disk.read_if_exists(path)
    after = with_memory(text_of(before, path) if before is not None else None, one.memory)
    return Change(path, before, after.encode("utf-8"))
