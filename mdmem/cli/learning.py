"""Commands that learn: extract."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mdmem.cli.output import echo_json, echo_text, json_option, note
from mdmem.errors import MdmemError
from mdmem.store.saving import under_switch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.cli.app import App
    from mdmem.extract.extraction import Extraction, Saving

FILE: Final = click.Path(path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE…")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would be learned, write nothing.")
@click.option("--digest", "as_digest", is_flag=True, help="Print the run's digest, write nothing.")
@json_option
@click.pass_context
def extract(ctx: click.Context, files: tuple[Path, ...], dry_run: bool, as_digest: bool, as_json: bool) -> None:
    """Learn from finished runs: corrections, decisions, failures that came back. No model is asked.

    FILE is a transcript of Claude Code; it is only read. The same run again changes nothing.

    \b
    Examples:
      mdmem extract ~/.claude/projects/…/run.jsonl
      mdmem extract run.jsonl --dry-run --json
      mdmem extract run.jsonl --digest
    """
    app: App = ctx.obj
    if not app.project.config.memory_enabled:
        return note("memory is off (memory.enabled): nothing is extracted")
    shown = [_extracted(app, file, keep=not (dry_run or as_digest), digest=as_digest, json=as_json) for file in files]
    ctx.exit(0 if all(shown) else 1)


def _extracted(app: App, file: Path, *, keep: bool, digest: bool, json: bool) -> bool:
    """Extract one file and print what it gave; False when that failed, which the next file does not mind."""
    try:
        found = app.project.extraction.read(file)
        saving = app.project.extraction.save(_switched(app, found)) if keep else None
    except MdmemError as error:
        note(f"error: {file}: {error.message}" + (f"\nhint: {error.hint}" if error.hint else ""))
        return False
    if json:
        echo_json(found.as_json() | (saving.as_json() if saving else {}), one_line=True)
    else:
        echo_text(found.digest if digest else "\n".join(_lines(file, found, saving)))
    return True


def _switched(app: App, found: Extraction) -> Extraction:
    """The extraction as `memory.write` lets whoever asks save it. Raises MdmemError when it does not."""
    write = app.project.config.memory_write
    return replace(found, memories=tuple(under_switch(memory, app.caller, write) for memory in found.memories))


def _lines(file: Path, found: Extraction, saving: Saving | None) -> Iterator[str]:
    """What a run gave, for a person: what was learned, where it was written, what was left and why."""
    yield f"{file.name}: {found.summary.request or found.reason}"
    if not found.extract:
        yield f"  skipped: {found.reason}"
        return
    if saving and not saving.is_new:
        yield "  extracted before: nothing changed"
        return
    if saving is None:
        yield from (f"  would learn ({memory.status}): {memory.type}: {memory.title}" for memory in found.memories)
    else:
        yield from (f"  {one.outcome}: {one.stored.path}: {one.stored.memory.title}" for one in saving.saved)
    yield from (f"  left: {one.memory.title} ({one.reason})" for one in (saving or found).left)
    yield from (f"  noted: {episode.kind}, line {episode.lines[0]}: {episode.text[:80]}"
                for episode in found.episodes if not episode.memory and episode.lines)  # fmt: skip
    if found.session.skipped:
        yield f"  {found.session.skipped} lines could not be read"
