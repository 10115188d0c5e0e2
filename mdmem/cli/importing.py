"""Commands that bring memories in from elsewhere, and out: import, export."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem import disk, git
from mdmem.agents.exporting import claude_files
from mdmem.agents.importing.gathering import from_stream, gather
from mdmem.agents.importing.kinds import KINDS, kind_of, read_drafts
from mdmem.agents.importing.mdmem_export import KIND as RESTORED
from mdmem.agents.importing.plan import plan_import
from mdmem.agents.importing.restoring import plan_restore
from mdmem.cli.output import echo_json, echo_rows, json_option, note
from mdmem.cli.steps import dry_run_option
from mdmem.errors import MdmemError
from mdmem.memory import Status
from mdmem.store.caller import Caller, under_switch
from mdmem.store.filters import Filters, newest_first
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.agents.importing.draft import Draft, SourceFile
    from mdmem.agents.importing.plan import Planned
    from mdmem.agents.importing.restoring import Restoring
    from mdmem.cli.app import App
    from mdmem.store.journal import Action
    from mdmem.store.table import StoredMemory


@click.command("import")
@click.argument("source", metavar="SOURCE")
@click.option("--from", "kind", type=click.Choice(list(KINDS)), help="What SOURCE is; told from what stands in it.")
@dry_run_option
@json_option
@click.pass_obj
def import_(app: App, source: str, kind: str | None, dry_run: bool, as_json: bool) -> None:
    """Bring in what SOURCE knows: a file, a folder, or - for standard input.

    Read are Claude Code's memory folder, CLAUDE.md, AGENTS.md and GEMINI.md, Cursor's rules, folders of basic-memory
    and memsearch, mem0's JSON, and comments of code reviews. Only what states a rule is taken from the last and from
    files of rules. All of it waits as pending for `mdmem review`; what is there already, or was forgotten on purpose,
    is left, so that a second run imports nothing. Secrets are redacted. What `mdmem export` printed comes back as it
    was: ids, dates, status and all.

    \b
    Examples:
      mdmem import CLAUDE.md --dry-run
      mdmem import memories.jsonl
      mdmem import ~/.claude/projects/-home-ada-harbour/memory
      gh api --paginate repos/ada/harbour/pulls/comments | mdmem import -
    """
    files = _files(app, source)
    kind = kind or kind_of(files, source)
    drafts = read_drafts(kind, files)
    planned = (_restored if kind == RESTORED else _imported)(app, drafts, dry_run=dry_run)
    _tell(kind, planned, dry_run=dry_run, as_json=as_json)


@click.command()
@click.option("--claude", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Write a folder as Claude Code's own memory has it, instead of JSON lines.")  # fmt: skip
@click.option("-s", "--status", "statuses", multiple=True, type=click.Choice([*(s.value for s in Status), "all"]),
              default=("active",), show_default=True, help="Memories of this status.")  # fmt: skip
@click.pass_obj
def export(app: App, folder: Path | None, statuses: tuple[str, ...]) -> None:
    """Print the memories of the store as JSON, one a line; `mdmem import` takes them back.

    \b
    Examples:
      mdmem export --status all >memories.jsonl
      mdmem export | jq -r .title
      mdmem export --claude ~/backup/memory
    """
    filters = Filters.of(statuses=statuses)
    stored = app.project.store.load()
    found = newest_first(one for one in stored if filters.admits(one.memory))
    if len(found) < len(stored):
        left = counted(len(stored) - len(found), "memory", "memories")
        note(f"left out by status: {left}; --status all has every one")
    if folder is not None:
        return _write_folder(folder, found)
    for one in found:
        echo_json(one.as_json(), one_line=True)


def _files(app: App, source: str) -> Sequence[SourceFile]:
    """The files of SOURCE, told from the top of the repository where they lie in it."""
    if source == "-":
        return from_stream(sys.stdin.buffer.read())
    repository = git.find(Path.cwd())
    return gather(Path(source).expanduser(), repository.root if repository else Path.cwd(), app.project.root)


def _imported(app: App, drafts: Sequence[Draft], *, dry_run: bool) -> Sequence[Planned]:
    """Save what others know, for review; what became of each."""
    store, is_agent = app.project.store, app.caller is Caller.AGENT
    planned = plan_import(drafts, [one.memory for one in store.load()], store.vetoes(), is_agent=is_agent)
    if not dry_run:
        _save(app, planned)
    return planned


def _restored(app: App, drafts: Sequence[Draft], *, dry_run: bool) -> Sequence[Planned]:
    """Let memories of our own come back as they were; what became of each."""
    write, store = app.project.config.memory_write, app.project.store
    drafts = [draft._replace(memory=under_switch(draft.memory, app.caller, write)) for draft in drafts]
    made: list[Restoring] = []

    def plan(stored: Sequence[StoredMemory]) -> Sequence[Action]:
        made.append(plan_restore(store, stored, drafts, app.caller))
        return made[0].actions

    if dry_run:
        plan(store.load())
    else:
        store.execute(plan, what="import", caller=app.caller, now=app.project.now)
    return made[0].planned


def _save(app: App, planned: Sequence[Planned]) -> None:
    write = app.project.config.memory_write
    memories = [under_switch(one.draft.memory, app.caller, write) for one in planned if one.is_new]
    if memories:
        app.project.store.add_all(memories, caller=app.caller, now=app.project.now, what="import")


def _tell(kind: str, planned: Sequence[Planned], *, dry_run: bool, as_json: bool) -> None:
    """What was imported, or would be, and what was left and why."""
    if as_json:
        return echo_json({"kind": kind, "written": not dry_run, "memories": [one.as_json() for one in planned]})
    rows = [
        (
            _word(one, dry_run=dry_run),
            one.draft.memory.type.value,
            one.draft.place,
            one.draft.memory.title,
            ", ".join(filter(None, (one.reason or one.confirms, *one.flags))),
        )
        for one in planned
    ]
    echo_rows(("WHAT", "TYPE", "FROM", "TITLE", "NOTE"), rows)
    new = sum(one.is_new for one in planned)
    waits = "" if kind == RESTORED else ", pending" + _next(new, dry_run=dry_run)
    again = sum(bool(one.confirms) for one in planned)
    also = f", {again:,} confirmed" if again else ""
    note(f"{kind}: {new:,} of {len(planned):,} {'would be ' * dry_run}imported{also}{waits}")


def _word(one: Planned, *, dry_run: bool) -> str:
    word = "confirm" if one.confirms else "import" if one.is_new else ""
    return (f"would {word}" if dry_run else f"{word}ed") if word else "left"


def _next(new: int, *, dry_run: bool) -> str:
    return "; look at them with `mdmem review`" if new and not dry_run else ""


def _write_folder(folder: Path, found: Sequence[StoredMemory]) -> None:
    """Write an export's files, over none that differ. Raises MdmemError before anything is written."""
    files = {folder / name: text.encode("utf-8") for name, text in claude_files(found).items()}
    there = {path: disk.read_if_exists(path) for path in files}
    if other := next((path for path, data in there.items() if data not in (None, files[path])), None):
        raise MdmemError(f"{other} is there already, and differs", "export into an empty folder")
    disk.make_folder(folder)
    for path, data in files.items():
        if there[path] is None:
            disk.write(path, data, expect=None)
    note(f"{counted(len(files) - 1, 'memory', 'memories')} in {folder}")
