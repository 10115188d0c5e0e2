"""Commands over the life of a memory: feedback, promote, reject, deprecate, reactivate, undo."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, json_option, note
from mdmem.cli.picker import REF, chosen, interactive_option
from mdmem.cli.steps import dry_run_option, run_plan
from mdmem.memory import Status
from mdmem.store.caller import may_change
from mdmem.store.life import (
    Verdict,
    feedback_changes,
    plan_deprecate,
    plan_promote,
    plan_reactivate,
    plan_reject,
)
from mdmem.store.state import append_recalls
from mdmem.store.store import find_in
from mdmem.store.undo import WHAT, plan_undo

if TYPE_CHECKING:
    from mdmem.cli.app import App

refs_argument = click.argument("refs", nargs=-1, required=True, metavar="REF…", type=REF)
waiting_argument = click.argument("refs", nargs=-1, metavar="REF…", type=REF)
WAITING = {Status.PENDING}


@click.command()
@click.argument("ref", type=REF)
@click.argument("verdict", type=click.Choice([verdict.value for verdict in Verdict]))
@json_option
@click.pass_obj
def feedback(app: App, ref: str, verdict: str, as_json: bool) -> None:
    """Say what became of using a memory: helpful, wrong or stale.

    Helpful raises its confidence; wrong retracts it; stale takes it out of use. Agents may not mark what a person
    said as wrong or stale; their "helpful" is then only counted.

    \b
    Examples:
      mdmem feedback pin-the-linter helpful
      mdmem feedback 4k7q2m9x wrong
    """
    store, found = find_in(app.project.stores, ref)
    if verdict == Verdict.HELPFUL and not may_change(found.memory, app.caller):
        append_recalls(store.state_folder, [found.memory.id], app.project.now)
        changed = found
    else:
        judge = partial(feedback_changes, verdict=Verdict(verdict), today=app.project.now.date())
        changed = store.revise(
            found.path, lambda memory: (judge(memory), None), caller=app.caller, now=app.changing.now, what="feedback"
        )
    echo_json(changed.as_json()) if as_json else click.echo(f"{changed.path}: {changed.memory.status}, confidence "
                                                            f"{changed.memory.confidence:g}")  # fmt: skip


@click.command()
@waiting_argument
@interactive_option
@dry_run_option
@json_option
@click.pass_obj
def promote(app: App, refs: tuple[str, ...], interactive: bool, dry_run: bool, as_json: bool) -> None:
    """Make pending memories active. An active one of the same topic is superseded by it.

    \b
    Examples:
      mdmem promote prefer-tabs
      mdmem promote $(mdmem list --status pending | cut -f1)
    """
    store, today = app.changing.store, app.project.now.date()
    refs = chosen(app, refs, interactive=interactive, statuses=WAITING)
    run_plan(app, store, "promote", lambda: plan_promote(store, refs, app.caller, today), (dry_run, as_json))


@click.command()
@waiting_argument
@interactive_option
@dry_run_option
@json_option
@click.pass_obj
def reject(app: App, refs: tuple[str, ...], interactive: bool, dry_run: bool, as_json: bool) -> None:
    """Remove pending memories, and see to it that they are not learned again.

    \b
    Examples:
      mdmem reject prefer-tabs
    """
    store = app.changing.store
    refs = chosen(app, refs, interactive=interactive, statuses=WAITING)
    run_plan(app, store, "reject", lambda: plan_reject(store, refs, app.caller), (dry_run, as_json))


@click.command()
@refs_argument
@click.option("-b", "--superseded-by", metavar="REF", help="The memory that replaces them.")
@dry_run_option
@json_option
@click.pass_obj
def deprecate(app: App, refs: tuple[str, ...], superseded_by: str | None, dry_run: bool, as_json: bool) -> None:
    """Take memories out of use: stale, or superseded by another. Their files stay.

    \b
    Examples:
      mdmem deprecate use-black
      mdmem deprecate use-black --superseded-by use-ruff
    """
    store = app.changing.store
    run_plan(
        app, store, "deprecate", lambda: plan_deprecate(store, refs, app.caller, superseded_by), (dry_run, as_json)
    )


@click.command()
@refs_argument
@dry_run_option
@json_option
@click.pass_obj
def reactivate(app: App, refs: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Bring stale, retracted, superseded or archived memories back into use.

    \b
    Examples:
      mdmem reactivate use-black
    """
    store, today = app.changing.store, app.project.now.date()
    run_plan(app, store, "reactivate", lambda: plan_reactivate(store, refs, app.caller, today), (dry_run, as_json))


@click.command()
@dry_run_option
@json_option
@click.pass_obj
def undo(app: App, dry_run: bool, as_json: bool) -> None:
    """Take back the last step that wrote memories. A file that changed since is left alone.

    \b
    Examples:
      mdmem undo --dry-run
      mdmem undo
    """
    store = app.changing.store
    plan = plan_undo(store.root, store.state_folder)
    note(f"undoing: {plan.entry.what} by the {plan.entry.caller}, {plan.entry.at[:16]}")
    for path in plan.changed:
        note(f"left alone, since it changed: {path}")
    run_plan(app, store, WHAT, lambda: plan_undo(store.root, store.state_folder).actions, (dry_run, as_json))
