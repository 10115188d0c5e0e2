"""Commands that hold the store to its rules: check, sync."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_text, json_option, note, progress, warn
from mdmem.errors import ModelError
from mdmem.store.check import check_paths, check_staged
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.cli.app import App
    from mdmem.index.index import View


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True), metavar="PATH…")
@click.option("--staged", is_flag=True, help="Check what the next commit will hold, not what lies on disk.")
@json_option
@click.pass_obj
@click.pass_context
def check(ctx: click.Context, app: App, paths: tuple[Path, ...], staged: bool, as_json: bool) -> None:
    """Report every problem of the memory files and of MEMORY.md, as `path:line: code message (hint)`.

    With PATHs, only what concerns these files. Exit 1 when there is an error, 0 for warnings alone.

    \b
    Examples:
      mdmem check
      mdmem check memory/lesson/pool.md --json
      mdmem check --staged                              as a git hook
    """
    bar = progress("checking")
    if staged:
        report = check_staged(app.project.root, app.now, bar)
    else:
        report = check_paths(app.root_for(paths), paths, app.now, bar)
    if as_json:
        echo_json([problem.as_json() for problem in report.problems])
    else:
        echo_text("\n".join(map(str, report.problems))) if report.problems else None
        note(report.summary)
    ctx.exit(1 if report.has_errors else 0)


@click.command()
@click.option("-n", "--dry-run", is_flag=True, help="Print what MEMORY.md would be, write nothing.")
@json_option
@click.pass_obj
def sync(app: App, dry_run: bool, as_json: bool) -> None:
    """Bring MEMORY.md and the search index in line with the files, and embed what is new.

    Commands that write do this by themselves, but for embedding many memories; use it after editing files by hand,
    or after a merge.

    \b
    Examples:
      mdmem sync
      mdmem sync --dry-run | diff memory/MEMORY.md -
    """
    store = app.project.store
    if dry_run:
        planned = store.planned_sync()
        return echo_json({"index": planned}) if as_json else click.echo(planned, nl=False)
    report = store.sync()
    views = [index.refresh() for index in app.project.indexes]
    stats, embedded = views[0].stats, _embed(app, views)
    if as_json:
        shown = {"written": list(report.written), "moved": list(report.moved), "index": str(stats)}
        return echo_json(shown | {"embedded": embedded})
    for line in report.moved:
        note(f"moved into the index: {line}")
    texts = f"; embedded {counted(embedded, 'text')}" if app.project.meaning else ""
    click.echo(f"wrote {', '.join(report.written) or 'nothing'}; index {stats}{texts}")


def _embed(app: App, views: Sequence[View]) -> int:
    """Embed what is new, if there is a model; how many texts that were."""
    if app.project.meaning is None:
        return 0
    try:
        return app.project.meaning.embed_all(views, progress("embedding", least=50))
    except ModelError as error:
        warn(error.message, error.hint)
        return 0
