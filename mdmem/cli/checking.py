"""Commands that hold the store to its rules: check, sync."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_text, json_option, note, progress
from mdmem.store.check import check_paths

if TYPE_CHECKING:
    from mdmem.cli.app import App


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True), metavar="PATH…")
@json_option
@click.pass_obj
@click.pass_context
def check(ctx: click.Context, app: App, paths: tuple[Path, ...], as_json: bool) -> None:
    """Report every problem of the memory files and of MEMORY.md, as `path:line: code message (hint)`.

    With PATHs, only what concerns these files. Exit 1 when there is an error, 0 for warnings alone.

    \b
    Examples:
      mdmem check
      mdmem check memory/lesson/pool.md --json
    """
    report = check_paths(app.root_for(paths), paths, app.now, progress("checking"))
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
    """Bring MEMORY.md and the search index in line with the files.

    Every command that writes does this by itself; use it after editing files by hand, or after a merge.

    \b
    Examples:
      mdmem sync
      mdmem sync --dry-run | diff memory/MEMORY.md -
    """
    store = app.project.store
    if dry_run:
        return click.echo(store.planned_sync(), nl=False)
    report = store.sync()
    stats = app.project.indexes[0].refresh().stats
    if as_json:
        return echo_json({"written": list(report.written), "moved": list(report.moved), "index": str(stats)})
    for line in report.moved:
        note(f"moved into the index: {line}")
    click.echo(f"wrote {', '.join(report.written) or 'nothing'}; index {stats}")
