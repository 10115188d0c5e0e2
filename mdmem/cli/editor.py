"""A file in the user's editor, checked when it closes."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mdmem import disk
from mdmem.cli.output import note
from mdmem.errors import MdmemError
from mdmem.markdown.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def edit_file(path: Path, name: str) -> None:
    """Open the file in place, so that what was typed is on disk whatever happens; offer to open it again on errors.

    Raises MdmemError when no editor can be run, or when errors are left.
    """
    if not sys.stdin.isatty():
        raise MdmemError("edit needs a terminal", f"change {path} with your own tools, then `mdmem check`")
    while True:
        with _naming_the_trouble():
            click.edit(filename=str(path))
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


def edit_text(text: str) -> str | None:
    """What the user makes of a text, None when it was not saved. Raises MdmemError when that can't be had."""
    with _naming_the_trouble():
        return click.edit(text, extension=".md")


@contextmanager
def _naming_the_trouble() -> Iterator[None]:
    """Raises MdmemError when the editor can't be run, says that it failed, or leaves what is no text."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise MdmemError("what the editor saved is not UTF-8; nothing was done", "let it save as UTF-8") from error
    except ValueError as error:  # from shlex, which click splits $EDITOR with
        raise MdmemError(f"$VISUAL or $EDITOR can't be read: {error}", "close the quotes in it") from error
    except FileNotFoundError as error:
        raise MdmemError("the editor has left no file; nothing was done", "save it under its own name") from error
    except click.ClickException as error:
        raise MdmemError(error.message, "name an editor with $VISUAL or $EDITOR") from error
