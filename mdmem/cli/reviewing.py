"""`review`: walk through all that waits for a person."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import click

from mdmem.cli.editor import edit_file, edit_text
from mdmem.cli.output import echo_json, echo_rows, echo_text, json_option, note
from mdmem.cli.picker import REF
from mdmem.errors import MdmemError
from mdmem.history.review import Word, as_file, as_text, read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.cli.app import App
    from mdmem.history.review import Waiting
    from mdmem.memory import Memory

ASKED: Final = "[a]ccept, [e]dit, [r]eject, [s]kip, [q]uit"
NEAREST: Final = 3


@click.command()
@click.option("-a", "--accept", multiple=True, metavar="REF", type=REF, help="Accept this one, without a question.")
@click.option("-r", "--reject", multiple=True, metavar="REF", type=REF, help="Reject this one, without a question.")
@click.option("-e", "--editor", is_flag=True, help="The whole queue as one file in your editor.")
@json_option
@click.pass_obj
def review(app: App, accept: tuple[str, ...], reject: tuple[str, ...], editor: bool, as_json: bool) -> None:
    """Walk through what waits for you: pending memories, then those that nobody here has looked at.

    Each is shown beside the nearest one that is known, and checked again before anything is done. Accepting makes a
    pending memory active, and counts any other as reviewed; rejecting removes it for good. Without a terminal the
    queue is printed.

    \b
    Examples:
      mdmem review
      mdmem review --editor
      mdmem review --accept prefer-tabs --reject use-black
      mdmem review --json
    """
    queue = app.project.review.queue() if not (accept or reject) else ()
    if accept or reject:
        _decide_named(app, {Word.ACCEPT: accept, Word.REJECT: reject})
    elif as_json:
        echo_json([item.as_json() for item in queue])
    elif not queue:
        note("nothing waits for review")
    elif editor:
        _edit_queue(app, queue)
    else:
        (_walk if sys.stdin.isatty() else _list)(app, queue)


def _list(app: App, queue: Sequence[Waiting]) -> None:  # noqa: ARG001
    rows = [(item.why.value, item.stored.path, item.stored.memory.title, item.author) for item in queue]
    echo_rows(("WAITS", "PATH", "TITLE", "FROM"), rows)
    note("to act: mdmem review --accept PATH, --reject PATH, or mdmem review in a terminal")


def _walk(app: App, queue: Sequence[Waiting]) -> None:
    """Ask about each in turn, as it is when its turn comes."""
    done = 0
    for number, planned in enumerate(queue, 1):
        item = app.project.review.again(planned)
        if item is None:
            note(f"{planned.stored.path} is gone, or waits no longer: skipped")
            continue
        echo_text(f"\n{number} of {len(queue)}: {as_text(item, _nearest(app, item))}")
        answer = click.prompt(ASKED, type=click.Choice([*"aersq"]), show_choices=False, err=True)
        if answer == "q":
            break
        done += _answered(app, item, answer)
    note(f"{done} of {len(queue)} decided")


def _answered(app: App, item: Waiting, answer: str) -> bool:
    """Do what was answered; whether that was a decision."""
    if answer == "e":
        store = next(store for store in app.project.stores if store.name == item.stored.store)
        edit_file(store.root / item.stored.path, item.stored.path)
        store.sync()
        edited = app.project.review.again(item)
        return edited is not None and app.project.review.decide(edited, Word.ACCEPT, app.caller)
    return _decide(app, item, {"a": Word.ACCEPT, "r": Word.REJECT}.get(answer, Word.SKIP))


def _decide(app: App, item: Waiting, word: Word) -> bool:
    """Carry out one decision and say so; an error is told, and the next one is not kept from its turn."""
    try:
        done = app.project.review.decide(item, word, app.caller)
    except MdmemError as error:
        note(f"error: {item.stored.path}: {error.message}")
        return False
    if done:
        click.echo(f"{word.value}ed {item.stored.path}")
    elif word is not Word.SKIP:
        note(f"{item.stored.path} changed meanwhile: skipped")
    return done


def _decide_named(app: App, words: dict[Word, tuple[str, ...]]) -> None:
    planned = [(item, word) for word, refs in words.items() for item in app.project.review.named(refs)]
    for item, word in planned:
        if app.project.review.decide(item, word, app.caller):
            click.echo(f"{word.value}ed {item.stored.path}")


def _edit_queue(app: App, queue: Sequence[Waiting]) -> None:
    """Let the person decide in a file, read it back whole, then do it."""
    text = as_file(queue, [as_text(item, _nearest(app, item)) for item in queue])
    decisions = read_file(edit_text(text) or text, queue)
    done = sum(_decide(app, queue[at], word) for at, word in decisions.items() if word is not Word.SKIP)
    note(f"{done} of {len(queue)} decided")


def _nearest(app: App, item: Waiting) -> Memory | None:
    """The nearest other memory that is in use."""
    found = item.stored
    hits = app.project.search(f"{found.memory.title} {found.memory.hook}", limit=NEAREST, relevant_only=True).hits
    others = (hit for hit in hits if (hit.found.stored.store, hit.path) != (found.store, found.path))
    return next((hit.memory for hit in others), None)
