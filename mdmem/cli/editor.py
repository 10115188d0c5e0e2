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
        click.edit(filename=str(path))
        problems = parse(disk.read(path), name).problems
        for problem in problems:
            note(str(problem))
        if not any(problem.is_error for problem in problems):
            return
        if not click.confirm("The file has errors. Open it again?", default=True, err=True):
            raise MdmemError(f"{name} has errors; your text was kept as you left it", f"mdmem edit {name}")
