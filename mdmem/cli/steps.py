"""Commands that plan several files first: how a plan is shown and carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mdmem.cli.app import App
    from mdmem.store.journal import Action
    from mdmem.store.store import Store

dry_run_option = click.option("-n", "--dry-run", is_flag=True, help="Say what would be done, do nothing.")


def run_plan(app: App, store: Store, what: str, plan: Callable[[], Sequence[Action]], how: tuple[bool, bool]) -> None:
    """Carry a plan out under the store's lock and print a line a file; `how` is (--dry-run, --json)."""
    dry_run, as_json = how
    if dry_run:
        actions = tuple(plan())
    else:
        actions = store.execute(lambda _stored: plan(), what=what, caller=app.caller, now=app.project.now)
    if as_json:
        return echo_json([{"action": _verb(action), "path": action.path} for action in actions])
    if not actions:
        note("nothing to do")
    for action in actions:
        verb = _verb(action)
        click.echo(f"{f'would {verb}' if dry_run else f'{verb}d'} {action.path}")


def _verb(action: Action) -> str:
    return "remove" if action.data is None else "create" if action.expect is None else "change"
