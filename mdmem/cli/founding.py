"""The command that starts a store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, json_option, note
from mdmem.config import personal_folder
from mdmem.errors import MdmemError
from mdmem.store.founding import found_store
from mdmem.store.place import surrounding_store

if TYPE_CHECKING:
    from mdmem.cli.app import App

NEXT = """Next:
  mdmem add lesson "…" -b "…"     write the first memory (or write the file yourself)
  mdmem extract TRANSCRIPT        learn from an agent's finished run
  git add {name}                  share it with your team"""


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--private", is_flag=True, help="Keep the whole store out of git, in this clone.")
@json_option
@click.pass_obj
def init(app: App, folder: Path | None, private: bool, as_json: bool) -> None:
    """Start a memory in FOLDER (default: memory/ here). What is there is kept.

    Inside of a memory folder another one is only made where FOLDER says so.

    \b
    Examples:
      mdmem init
      mdmem init .memory --private
      mdmem --personal init
    """
    chosen = folder or app.folder or (personal_folder() if app.personal else Path("memory"))
    inside = surrounding_store(chosen)
    if inside and not (folder or app.folder or app.personal):
        raise MdmemError(
            f"you are in the memory folder {inside}", f"name a folder to start another: mdmem init {chosen}"
        )
    founded = found_store(chosen, private=private)
    if as_json:
        return echo_json(founded.as_json())
    if founded.existed:
        return click.echo(f"{'completed the' if founded.written else 'there is a'} memory in {founded.root}")
    click.echo(f"started a memory in {founded.root}")
    note(NEXT.format(name=chosen))
