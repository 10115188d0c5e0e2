"""A file in the user's editor, checked when it closes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mdmem import disk
from mdmem.cli.output import note
from mdmem.errors import MdmemError
from mdmem.markdown.parse import parse

if TYPE_CHECKING:
    from pathlib import Path


def edit_file(path: Path, name: str) -> None:
    """Open the file in place, so that what was typed is on disk whatever happens; offer to open it again on errors.

    Raises MdmemError when no editor can be run, or when errors are left.
    """
    if not sys.stdin.isatty():
        raise MdmemError("edit needs a terminal", f"change {path} with your own tools, then `mdmem check`")
    while True:
        _open(path)
        data = disk.read_if_exists(path)
        if data is None:
            raise MdmemError(f"the editor has left no file {path}", "`mdmem forget` removes a memory; git has the text")
        problems = parse(data, name).problems
        for problem in problems:
            note(str(problem))
        if not any(problem.is_error for problem in problems):
            return
        if not click.confirm("The file has errors. Open it again?", default=True, err=True):
            raise MdmemError(f"{name} has errors; your text was kept as you left it", f"mdmem edit {name}")


def _open(path: Path) -> None:
    """Run the user's editor. Raises MdmemError when it can't be run or says that it failed."""
    try:
        click.edit(filename=str(path))
    except ValueError as error:  # from shlex, which click splits $EDITOR with
        raise MdmemError(f"$VISUAL or $EDITOR can't be read: {error}", "close the quotes in it") from error
    except click.ClickException as error:
        raise MdmemError(error.message, "name an editor with $VISUAL or $EDITOR") from error
