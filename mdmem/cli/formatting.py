"""The command that writes files in their normal form: fmt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_text, json_option, note, warn
from mdmem.cli.picker import REF
from mdmem.markdown.format import LINE_ENDS
from mdmem.store.formatting import plan_format
from mdmem.store.store import locate
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mdmem.cli.app import App
    from mdmem.store.formatting import Formatting
    from mdmem.store.journal import Action
    from mdmem.store.store import Store


@click.command()
@click.argument("refs", nargs=-1, metavar="[REF|PATH]…", type=REF)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a file is not in its normal form.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
@click.option("--eol", type=click.Choice(list(LINE_ENDS)), help="End all lines so, without a BOM; else they stay.")
@json_option
@click.pass_obj
@click.pass_context
def fmt(ctx: click.Context, app: App, /, refs: tuple[str, ...], eol: str | None, as_json: bool, **only: bool) -> None:
    """Write memories in their normal form: fields in order and plain, dates and lists normal, an id in each.

    Without REF or PATH, all memories. Comments and unknown keys stay, and so does the text, but for blanks at its end.

    \b
    Examples:
      mdmem fmt
      mdmem fmt memory/lesson --diff
      mdmem fmt --check
    """
    made = [_run(app, store, paths, eol, writes=not any(only.values())) for store, paths in _chosen(app, refs).items()]
    _report(made, as_json=as_json, **only)
    left = any(one.left for one in made)
    ctx.exit(1 if left or (only["check"] and any(one.actions for one in made)) else 0)


def _run(app: App, store: Store, paths: Sequence[str], eol: str | None, *, writes: bool) -> Formatting:
    made: list[Formatting] = []

    def plan(_stored: object) -> tuple[Action, ...]:
        made.append(plan_format(store.root, paths, app.caller, eol))
        return made[0].actions

    if writes:
        store.execute(plan, what="fmt", caller=app.caller, now=app.project.now)
    else:
        plan(None)
    return made[0]


def _chosen(app: App, refs: Sequence[str]) -> Mapping[Store, list[str]]:
    """The paths to format by store: those named, those below a folder that is named, or all of the first store."""
    chosen: dict[Store, list[str]] = {} if refs else {app.project.store: _below(app.project.store, "")}
    for ref in refs:
        folder = next(
            ((store, path) for store in app.project.stores if (path := _folder(store, ref)) is not None), None
        )
        store, paths = (folder[0], _below(*folder)) if folder else _one(app, ref)
        chosen.setdefault(store, []).extend(path for path in paths if path not in chosen.get(store, ()))
    return chosen


def _one(app: App, ref: str) -> tuple[Store, list[str]]:
    store, path = locate(app.project.stores, ref)
    return store, [path]


def _folder(store: Store, ref: str) -> str | None:
    """The folder that is meant, relative to the store's root, None when it is none."""
    root = store.root.resolve()
    for path in (root / ref, Path(ref).resolve()):
        if path.is_dir() and path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return None


def _below(store: Store, folder: str) -> list[str]:
    sweep = store.sweep()
    paths = sorted({one.path for one in sweep.memories} | set(sweep.unreadable))
    prefix = "" if folder in ("", ".") else f"{folder}/"
    return [path for path in paths if path.startswith(prefix)]


def _report(made: Sequence[Formatting], *, as_json: bool, check: bool, diff: bool) -> None:
    actions = [action for one in made for action in one.actions]
    if as_json:
        left = {path: reason for one in made for path, reason in one.left.items()}
        return echo_json({"changed": [action.path for action in actions], "left": left})
    if diff:
        echo_text("".join(text for one in made for text in one.diffs).rstrip("\n")) if actions else None
    else:
        for action in actions:
            click.echo(f"{'would format' if check else 'formatted'} {action.path}")
    for one in made:
        for path, reason in one.left.items():
            warn(f"{path} was left alone: {reason}", "`mdmem check` says how to mend it")
    note(f"{counted(len(actions), 'file')} {'to format' if check or diff else 'formatted'}")
