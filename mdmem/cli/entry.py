"""What commands ask a person for: a body, a confirmation. Never without a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mdmem.cli.editor import edit_text
from mdmem.errors import MdmemError
from mdmem.wording import counted

if TYPE_CHECKING:
    from mdmem.store.store import Store

TEMPLATE = "\n# {title}\n# Write the memory above; lines that begin with # are dropped. An empty text saves nothing.\n"


def read_body(body: str | None, title: str) -> str:
    """The body as given; `-` or nothing means standard input, on a terminal the editor.

    Raises click.Abort when the editor was left without a text, MdmemError when no editor can be had.
    """
    if body is not None and body != "-":
        return body
    if not sys.stdin.isatty():
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    typed = edit_text(TEMPLATE.format(title=title))
    lines = [line for line in (typed or "").splitlines() if not line.startswith("#")]
    if not "".join(lines).strip():
        raise click.Abort
    return "\n".join(lines).strip()


def refs_of_all(store: Store, *, asks: bool) -> tuple[str, ...]:
    """The paths of every memory, once the user has typed the store's name.

    Raises MdmemError when another name was typed, or when there is nobody to ask.
    """
    paths = tuple(one.path for one in store.load())
    if asks and paths:
        name = store.root.parent.name
        if not sys.stdin.isatty():
            raise MdmemError("--all asks for the store's name, and there is no terminal", "name the memories instead")
        question = f"Forget {counted(len(paths), 'memory', 'memories')}, which is all? Type {name!r}"
        if click.prompt(question, err=True) != name:
            raise MdmemError("another name was typed; nothing was forgotten")
    return paths
