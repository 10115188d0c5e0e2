"""Finding memories: `search`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from mdmem.cli.output import echo_json, echo_rows, json_option, note, progress
from mdmem.config import KEYS
from mdmem.markdown.dates import as_when
from mdmem.memory import TYPE_NAMES, Source, Status
from mdmem.search import LIMIT
from mdmem.store.filters import Filters

if TYPE_CHECKING:
    from mdmem.cli.app import App
    from mdmem.memory import When
    from mdmem.search.search import Hit, Hits

PROFILES: Final[tuple[str, ...]] = KEYS["search.profile"].metadata["choices"]
COLUMNS: Final = ("SCORE", "DAYS", "TYPE", "TITLE", "PATH")
EXPLAINED: Final = ("parts", "matched")


def _since(_ctx: click.Context, _param: click.Parameter, value: str | None) -> When | None:
    when = as_when(value) if value else None
    if value and when is None:
        raise click.BadParameter(f"{value!r} is no date; write it as 2026-11-30")
    return when


@click.command()
@click.argument("query", nargs=-1)
@click.option("-k", "--limit", type=click.IntRange(1), default=LIMIT, show_default=True, help="At most so many.")
@click.option("-t", "--type", "types", multiple=True, type=click.Choice(TYPE_NAMES), help="Only this type.")
@click.option("-s", "--status", "statuses", multiple=True, type=click.Choice([*(s.value for s in Status), "all"]),
              help="Only this status; without it, active ones.")  # fmt: skip
@click.option("-a", "--all", "every_status", is_flag=True, help="The same as --status all.")
@click.option("--source", "sources", multiple=True, type=click.Choice([s.value for s in Source]), help="Who said it.")
@click.option("--scope", default="", help="Only this scope: project, global or agent:NAME.")
@click.option("-f", "--file", default="", help="Only about this path.")
@click.option("--tag", default="", help="Only with this tag.")
@click.option("--since", callback=_since, metavar="DATE", help="Only confirmed since this day.")
@click.option("--per-run", type=click.IntRange(1), help="At most so many from one run of an agent.")
@click.option("--relevant-only", is_flag=True, help="Only what answers the query, possibly nothing.")
@click.option("--explain", is_flag=True, help="Show every part of every score, and the words that matched.")
@click.option("--stdin", "from_stdin", is_flag=True, help="Take one query a line, answer with one JSON object a line.")
@click.option("--all-projects", is_flag=True, help="In every store that you have opened, not only this project's.")
@click.option("--lexical", is_flag=True, help="Compare words only, not meaning.")
@click.option("--episodes", is_flag=True, help="Search what happened in runs of agents too: their summaries, episodes.")
@click.option("--profile", type=click.Choice(PROFILES), help="How to rank; without it, the setting search.profile.")
@json_option
@click.pass_obj
def search(app: App, /, query: tuple[str, ...], statuses: tuple[str, ...], every_status: bool, explain: bool,
           from_stdin: bool, all_projects: bool, as_json: bool, limit: int, per_run: int | None, relevant_only: bool,
           lexical: bool, episodes: bool, profile: str | None, **wanted: Any) -> None:  # fmt: skip
    """Find memories by the words of a QUERY and by its meaning, best first.

    Names are found whole and in parts: src/db/pool.py:42, acks_late, std::vector, --no-verify. No word needs
    quoting or escaping; put -- before a query that begins with a hyphen.

    \b
    Examples:
      mdmem search pool hangs in tests
      mdmem search -k 3 --type lesson "migration lock"
      mdmem search --file src/db/pool.py timeout
      mdmem search --all --json "deploy"
      mdmem search --episodes "connection refused"
    """
    filters = Filters.of(statuses=("all",) if every_status else statuses or ("active",), **wanted)
    queries = (line.rstrip("\r\n") for line in sys.stdin) if from_stdin else [_query(query, may_be_empty=as_json)]
    project = app.everywhere if all_projects else app.project
    find = project.search_with_runs() if episodes else project.search
    said, waiting = "", progress("embedding", least=50) if from_stdin else None
    for text in queries:
        hits = find(text, limit=limit, filters=filters, per_run=per_run, relevant_only=relevant_only, lexical=lexical,
                    profile=profile, progress=waiting)  # fmt: skip
        if as_json or from_stdin:
            echo_json(hits.as_json(explain=explain), one_line=from_stdin)
        else:
            echo_rows(COLUMNS, [_row(hit, explain) for hit in hits.hits], EXPLAINED if explain else ())
        said = _comment(hits, said)


def _query(words: tuple[str, ...], *, may_be_empty: bool) -> str:
    """The query as one text. Raises UsageError for an empty one, save where a program asks: it gets no hits."""
    text = " ".join(words)
    if not (text.strip() or may_be_empty):
        raise click.UsageError("give a QUERY: words or a name to look for, as in `mdmem search pool hangs in tests`")
    return text


def _row(hit: Hit, explain: bool) -> list[str]:
    stored = hit.found.stored
    labels = [label for label in (hit.memory.status, stored.store) if label not in {"active", "project"}]
    title = hit.memory.title + "".join(f" [{label}]" for label in labels)
    days = "?" if hit.found.age_days is None else str(int(hit.found.age_days))
    row = [f"{hit.score:.3f}", days, hit.memory.type, title, hit.path]
    if explain:
        row += [" ".join(f"{name} {part:.3f}" for name, part in hit.explained().items()), " ".join(hit.matched)]
    return row


def _comment(hits: Hits, said: str) -> str:
    """What the answer itself does not say, on stderr; of several answers the same note once."""
    if hits.hint:
        note(f"hint: {hits.hint}")
    elif not (hits.hits or hits.hidden):
        note("no memory holds these words")
    if hits.hidden:
        note(f"{hits.hidden:,}{' more' if hits.hits else ''} not shown for their status; --all shows them")
    if hits.note and hits.note != said:
        note(hits.note)
    return hits.note
