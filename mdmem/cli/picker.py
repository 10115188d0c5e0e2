"""Choosing memories: completion of a REF in the shell, and `-i` to pick from a list."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem

from mdmem.cli.app import App
from mdmem.errors import MdmemError
from mdmem.memory import Status
from mdmem.store.filters import newest_first

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mdmem.store.table import StoredMemory

LISTED: Final = 30
"""How many a numbered list shows where there is no fzf."""
PICKABLE: Final = frozenset({Status.ACTIVE, Status.PENDING, Status.STALE})

interactive_option = click.option("-i", "--interactive", is_flag=True, help="Pick from a list (with fzf, if there).")


class Ref(click.types.StringParamType):
    """A reference to a memory: its id, its path, or its file's name; completed from the store."""

    name = "ref"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Paths that begin with what was typed, and names that do, with their titles as help."""
        app: App = ctx.find_root().obj or _app_of(ctx.find_root())
        try:
            found = [one for store in app.project.readers for one in store.load()]
        except MdmemError:
            return []
        return [CompletionItem(text, help=one.memory.title) for one in found
                for text in (one.path, _stem(one)) if text.startswith(incomplete)]  # fmt: skip


REF: Final = Ref()


def chosen(
    app: App, refs: Sequence[str], *, interactive: bool, statuses: Collection[Status] = PICKABLE
) -> tuple[str, ...]:
    """The refs as given, or those picked. Raises UsageError when there are neither, Abort when nothing was picked."""
    if refs and not interactive:
        return tuple(refs)
    if not interactive:
        raise click.UsageError("name a memory (REF), or pick with -i")
    if not sys.stdin.isatty():
        raise MdmemError("-i needs a terminal", "name the memories instead")
    found = newest_first(one for one in app.project.readers[0].load() if one.memory.status in statuses)
    if not found:
        raise MdmemError("there is nothing to pick from", "`mdmem list --status all` shows what there is")
    lines = [f"{one.path}\t{one.memory.title}" for one in found]
    picked = _fzf(lines) if shutil.which("fzf") else _numbered(lines)
    if not picked:
        raise click.Abort
    return tuple(line.partition("\t")[0] for line in picked)


def _fzf(lines: Sequence[str]) -> list[str]:
    done = subprocess.run(["fzf", "--multi", "--delimiter=\t"], input="\n".join(lines), stdout=subprocess.PIPE,
                          encoding="utf-8", check=False)  # fmt: skip
    return done.stdout.splitlines() if done.returncode == 0 else []


def _numbered(lines: Sequence[str]) -> list[str]:
    for number, line in enumerate(lines[:LISTED], 1):
        click.echo(f"{number:3}  {line.partition(chr(9))[2]}", err=True)
    answer: str = click.prompt("Which? (numbers with blanks between)", err=True)
    words, known = answer.replace(",", " ").split(), {str(number) for number in range(1, min(LISTED, len(lines)) + 1)}
    strange = [word for word in words if word not in known]
    if strange:
        raise MdmemError(f"{strange[0]!r} is no number of the list; nothing was done")
    return [lines[int(word) - 1] for word in words]


def _stem(one: StoredMemory) -> str:
    return one.path.rsplit("/", 1)[-1].removesuffix(".md")


def _app_of(root: click.Context) -> App:
    """While completing, no command has run yet: the global options as far as they were typed."""
    return App(root.params.get("folder"), bool(root.params.get("personal")), root.params.get("as_caller"))
