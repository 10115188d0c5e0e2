"""Commands about this machine and its stores: status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_text, json_option
from mdmem.store.overview import overview

if TYPE_CHECKING:
    from mdmem.cli.app import App


@click.command()
@json_option
@click.pass_obj
def status(app: App, as_json: bool = False) -> None:
    """Show what the stores hold, what waits, and what is broken.

    \b
    Examples:
      mdmem status
      mdmem status --json
    """
    views = [overview(store.root, store.name, store.sweep()) for store in app.project.stores]
    if as_json:
        return echo_json({"stores": [view.as_json() for view in views]})
    echo_text("\n".join(line for view in views for line in view.lines()))
