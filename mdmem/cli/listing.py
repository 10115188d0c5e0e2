"""What there is: `list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_rows, json_option
from mdmem.memory import TYPE_NAMES, Source, Status
from mdmem.store.filters import Filters, newest_first

if TYPE_CHECKING:
    from mdmem.cli.app import App


@click.command("list")
@click.option("-t", "--type", "types", multiple=True, type=click.Choice(TYPE_NAMES), help="Only this type.")
@click.option("-s", "--status", "statuses", multiple=True, type=click.Choice([*(s.value for s in Status), "all"]),
              help="Only this status; without it, active and pending ones.")  # fmt: skip
@click.option("--source", "sources", multiple=True, type=click.Choice([s.value for s in Source]), help="Who said it.")
@click.option("--tag", default="", help="Only with this tag.")
@click.option("-f", "--file", "file", default="", help="Only about this path.")
@click.option("-k", "--limit", type=click.IntRange(1), help="At most so many.")
@json_option
@click.pass_obj
def list_(app: App, types: tuple[str, ...], statuses: tuple[str, ...], sources: tuple[str, ...], tag: str, file: str,
          limit: int | None, as_json: bool) -> None:  # fmt: skip
    """List memories, the most recently confirmed first.

    \b
    Examples:
      mdmem list
      mdmem list --type lesson --status all
      mdmem list --file src/db/pool.py --json
    """
    filters = Filters.of(types=types, statuses=statuses or ("active", "pending"), sources=sources, tag=tag, file=file)
    found = newest_first(one for store in app.project.readers for one in store.load() if filters.admits(one.memory))
    if as_json:
        return echo_json([{k: v for k, v in one.as_json().items() if k != "body"} for one in found[:limit]])
    rows = (
        (one.path, one.memory.status, str(one.memory.confirmed or "-")[:10], one.memory.title) for one in found[:limit]
    )
    echo_rows(("PATH", "STATUS", "CONFIRMED", "TITLE"), list(rows))
