"""Commands about single memories: add, show, set, forget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.entry import read_body, refs_of_all
from mdmem.cli.output import echo_json, echo_text, json_option, note, warn
from mdmem.cli.picker import REF, chosen, interactive_option
from mdmem.markdown.render import render
from mdmem.memory import CONFIDENCE, TYPE_NAMES
from mdmem.redact import redact
from mdmem.store.assignment import read_assignments
from mdmem.store.caller import under_switch
from mdmem.store.links import followed
from mdmem.store.saving import Outcome, drafted
from mdmem.store.store import find_in

if TYPE_CHECKING:
    from mdmem.cli.app import App
    from mdmem.store.store import Saved, Store
    from mdmem.store.table import StoredMemory

NEAR = 3
"""How many memories that may say the same are named after `add`."""


@click.command()
@click.argument("type", type=click.Choice(TYPE_NAMES), metavar="TYPE")
@click.argument("title")
@click.option("-b", "--body", help="The text; without it, standard input or your editor.")
@click.option("--description", default="", help="One line that tells whether to read on.")
@click.option("-t", "--topic", default="", help="What it is about, as in db/pool; one active memory a topic.")
@click.option("-f", "--file", "files", multiple=True, help="A path or glob that it is about; may be repeated.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be repeated.")
@click.option("-c", "--confidence", type=float, default=CONFIDENCE, show_default=True, help="How sure, 0.1 to 1.")
@click.option("--scope", default="project", show_default=True, help="project, global or agent:NAME.")
@click.option("--pending", is_flag=True, help="Save it for review, not for use.")
@click.option("-n", "--dry-run", is_flag=True, help="Print the file, write nothing.")
@json_option
@click.pass_obj
def add(app: App, /, type: str, title: str, body: str | None, dry_run: bool, as_json: bool, **fields: Any) -> None:  # noqa: A002
    """Save a memory of TYPE with a one-line TITLE.

    The same memory again confirms it; another one of the same topic replaces it. Secrets are redacted.

    \b
    Examples:
      mdmem add command "Use make check before pushing" -b "The CI runs the same."
      git log -1 --format=%b | mdmem add decision "Use UUIDv7 for ids" --topic db/ids
      mdmem add lesson "Pin the linter" -b "0.5 breaks the plugin." -f tools/lint.toml
    """
    body = read_body(body, title)
    draft = drafted(type=type, title=title, body=body, caller=app.caller, **fields)
    draft = under_switch(draft, app.caller, app.project.config.memory_write)
    if dry_run:
        return click.echo(render(draft), nl=False)
    saved = app.project.store_for(draft.scope).add(draft, caller=app.caller, now=app.project.now)
    if as_json:
        return echo_json(saved.as_json())
    click.echo(f"{saved.outcome} {saved.stored.path}")
    _note_secrets(title, body, fields["description"])
    _note_near(app, saved)


def _note_secrets(*texts: str) -> None:
    """Say what was taken out of what the user wrote, since it looked like a secret."""
    kinds = dict.fromkeys(kind for text in texts for kind in redact(text).kinds)
    if kinds:
        warn(f"what looked like a secret was left out: {', '.join(kinds)}")


def _note_near(app: App, saved: Saved) -> None:
    """Name the memories that may say the same as a new one, for a person to merge."""
    if saved.outcome in (Outcome.ADDED, Outcome.PENDING):
        hits = app.project.search(saved.stored.memory.title, limit=NEAR + 1, relevant_only=True).hits
        for hit in [hit for hit in hits if hit.path != saved.stored.path][:NEAR]:
            note(f"near: {hit.path} — {hit.memory.title}")


@click.command()
@click.argument("refs", nargs=-1, metavar="REF…", type=REF)
@interactive_option
@json_option
@click.pass_obj
def show(app: App, refs: tuple[str, ...], interactive: bool, as_json: bool) -> None:
    """Print memories. REF is an id, a path, or a file's name.

    \b
    Examples:
      mdmem show pin-the-linter
      mdmem show lesson/pin-the-linter.md --json
    """
    for ref in chosen(app, refs, interactive=interactive):
        store, found = find_in(app.project.stores, ref)
        if as_json:
            echo_json(found.as_json(), one_line=len(refs) > 1)
        else:
            echo_text(store.text(found).rstrip("\n"))
            _note_links(store, found)


def _note_links(store: Store, one: StoredMemory) -> None:
    """Say on stderr where the links of a memory lead."""
    if "[" not in one.memory.body:
        return
    memories = {other.path: other.memory for other in store.load()}
    for target, path in followed(one.path, memories).items():
        status = f" ({memories[path].status})" if path and not memories[path].is_active else ""
        note(f"link: {target} → {path}{status}" if path else f"link: {target} leads to no memory")


@click.command("set")
@click.argument("ref", type=REF)
@click.argument("assignments", nargs=-1, required=True, metavar="KEY=VALUE…")
@click.option("-n", "--dry-run", is_flag=True, help="Print the changed lines, write nothing.")
@json_option
@click.pass_obj
def set_(app: App, ref: str, assignments: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Set fields of one memory, and nothing else in its file.

    `key=` removes a field; lists take commas, and `key+=value`, `key-=value`.

    \b
    Examples:
      mdmem set pin-the-linter confidence=0.9
      mdmem set 4k7q2m9x status=stale
      mdmem set lesson/pool.md files+=src/db/pool.py tags=db,tests
    """
    store, found = find_in(app.changing.stores, ref)
    if dry_run:
        return echo_text(store.preview(found.path, *read_assignments(assignments, found.memory)))
    changed = store.revise(found.path, partial(read_assignments, assignments), caller=app.caller, now=app.project.now)
    echo_json(changed.as_json()) if as_json else click.echo(f"set {changed.path}")
    _note_secrets(*assignments)
    for problem in changed.problems:
        if problem.is_error:
            note(f"still wrong: {problem}")


@click.command()
@click.argument("refs", nargs=-1, metavar="REF…", type=REF)
@interactive_option
@click.option("--all", "everything", is_flag=True, help="Forget every memory; asks for the store's name.")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would be forgotten.")
@json_option
@click.pass_obj
def forget(app: App, refs: tuple[str, ...], interactive: bool, everything: bool, dry_run: bool, as_json: bool) -> None:
    """Remove memories, and see to it that they are not learned again.

    The text stays 30 days in the store's trash; vetoes.md keeps a line a memory: delete it to allow it again.

    \b
    Examples:
      mdmem forget pin-the-linter
      mdmem forget 4k7q2m9x lesson/pool.md --dry-run
    """
    store = app.changing.store
    refs = refs_of_all(store, asks=not dry_run) if everything else chosen(app, refs, interactive=interactive)
    found = [store.find(ref) for ref in refs] if dry_run else store.forget(refs, caller=app.caller, now=app.project.now)
    if as_json:
        return echo_json([one.as_json() for one in found])
    for one in found:
        click.echo(f"{'would forget' if dry_run else 'forgot'} {one.path}")
