"""Commands that work on a file as a whole: edit, mv."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mdmem.cli.editor import edit_file
from mdmem.cli.output import json_option
from mdmem.cli.picker import REF, chosen, interactive_option
from mdmem.cli.steps import dry_run_option, run_plan
from mdmem.store.moving import plan_move
from mdmem.store.store import find_in, locate

if TYPE_CHECKING:
    from mdmem.cli.app import App


@click.command()
@click.argument("refs", nargs=-1, metavar="REF…", type=REF)
@interactive_option
@click.pass_obj
def edit(app: App, refs: tuple[str, ...], interactive: bool) -> None:
    """Open memories in your editor ($VISUAL, $EDITOR) and check each when you close it.

    With errors you are asked whether to open it again; what you typed is never thrown away.

    \b
    Examples:
      mdmem edit pin-the-linter
      mdmem edit -i
    """
    for ref in chosen(app, refs, interactive=interactive):
        store, path = locate(app.project.stores, ref)
        edit_file(store.root / path, path)
        store.sync()


@click.command()
@click.argument("ref", type=REF)
@click.argument("target", default="")
@dry_run_option
@json_option
@click.pass_obj
def mv(app: App, ref: str, target: str, dry_run: bool, as_json: bool) -> None:
    """Rename a memory's file to TARGET, and rewrite the links that lead to it.

    TARGET is a path in the store or a folder; without it, the folder of the memory's type.

    \b
    Examples:
      mdmem mv pin-the-linter lesson/pin-ruff.md
      mdmem mv decision/old-place.md
    """
    store, found = find_in(app.changing.stores, ref)
    run_plan(app, store, "mv", lambda: plan_move(store, found, target), (dry_run, as_json))
