"""This machine's own history, in append-only JSONL below `.mdmem/state/`.

`runs.jsonl` holds one line for every extracted run: which text of the transcript was read, the run's summary and
its episodes. That one line is at once ledger, summary and raw material, so that a kill leaves all of it or none.
`usage.jsonl` counts recalls, `transcripts.jsonl` says which transcripts were read and how they looked then. Losing
these files loses no memory; a line that can't be read is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

RUNS: Final = "runs.jsonl"
USAGE: Final = "usage.jsonl"
REVIEWED: Final = "reviewed.jsonl"
TRANSCRIPTS: Final = "transcripts.jsonl"
OUTCOMES: Final = ("done", "partial", "failed", "unknown")

Json = Mapping[str, object]


class Summary(NamedTuple):
    """What one run was about. `outcome` is one of OUTCOMES, `open_items` what it left undone."""

    request: str = ""
    work_done: str = ""
    outcome: str = "unknown"
    open_items: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The shape of a model's reply, which `extract --json` prints too."""
        return {
            "request": self.request,
            "workDone": self.work_done,
            "outcome": self.outcome,
            "openItems": list(self.open_items),
        }


class Episode(NamedTuple):
    """Something that happened in a run: raw material of memories, never committed.

    `kind` is correction, rejection, decision, revocation, error or note. `lines` are where it stands in the
    transcript of run `origin`. Of an error `cause` is what tells it from others, `remedy` what worked afterwards
    and `context` the command that failed. `memory` is the title of the memory made of it, '' when none was.
    """

    kind: str
    text: str
    origin: str = ""
    lines: tuple[int, ...] = ()
    at: str = ""
    files: tuple[str, ...] = ()
    context: str = ""
    cause: str = ""
    remedy: str = ""
    memory: str = ""

    def as_json(self) -> dict[str, object]:
        """Every field that says something, lists as lists."""
        said = {key: value for key, value in self._asdict().items() if value}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in said.items()}


class Run(NamedTuple):
    """One extraction: of which run (`<agent>/<session>`), of which text (`content`, a hash), when, what it gave.

    `line` is the last one of the transcript that something stood in: what is learned later stands below it. `heard`
    are the ids of the records in which the user spoke: a fork of the run repeats them.
    """

    origin: str
    content: str = ""
    at: str = ""
    ended: str = ""
    summary: Summary = Summary()
    episodes: tuple[Episode, ...] = ()
    line: int = 0
    heard: tuple[str, ...] = ()


class Usage(NamedTuple):
    """How often a memory was recalled, and when last."""

    recalls: int = 0
    last_used: datetime | None = None


def read_runs(folder: Path) -> tuple[Run, ...]:
    """Every extracted run of a state folder, oldest first; of a run read more than once only the last reading."""
    runs: dict[str, Run] = {}
    for line in iter_objects(folder / RUNS):
        origin = line.get("origin")
        if isinstance(origin, str) and origin:
            runs.pop(origin, None)
            runs[origin] = _run(line, origin)
    return tuple(runs.values())


def append_run(folder: Path, run: Run) -> None:
    """Records an extraction in one line. Raises ReadOnlyError or DiskError."""
    line = run._asdict() | {"summary": run.summary._asdict(), "episodes": [e.as_json() for e in run.episodes]}
    disk.append(folder / RUNS, json.dumps(line, ensure_ascii=False))


def read_episodes(folder: Path, *, without: str = "") -> tuple[Episode, ...]:
    """Every episode of every run, oldest first; those of the run `without` are left out."""
    return tuple(episode for run in read_runs(folder) if run.origin != without for episode in run.episodes)


def recent_summaries(folder: Path, n: int, shared: Iterable[Run] = ()) -> tuple[Summary, ...]:
    """The summaries of the `n` runs that ended last, newest first; a note by hand has none.

    `shared` are runs that others told of; of a run that both know this machine's own reading counts.
    """
    runs_by_origin = {run.origin: run for run in (*shared, *read_runs(folder))}
    told = (run for run in runs_by_origin.values() if run.summary != Summary())
    runs = sorted(told, key=lambda run: run.ended or run.at, reverse=True)
    return tuple(run.summary for run in runs[: max(0, n)])


def append_reading(folder: Path, transcript: str, stamp: str) -> None:
    """Records that a transcript was read when it looked like `stamp`. Raises ReadOnlyError or DiskError."""
    disk.append(folder / TRANSCRIPTS, json.dumps({"transcript": transcript, "stamp": stamp}, ensure_ascii=False))


def read_readings(folder: Path) -> dict[str, str]:
    """How each transcript looked when it was read last, by its path."""
    lines = iter_objects(folder / TRANSCRIPTS)
    return {_string(line.get("transcript")): _string(line.get("stamp")) for line in lines}


def append_reviewed(folder: Path, etag: str, now: datetime) -> None:
    """Records that the user has accepted this version of a memory. Raises ReadOnlyError or DiskError."""
    disk.append(folder / REVIEWED, json.dumps({"at": now.isoformat(), "etag": etag}))


def read_reviewed(folder: Path) -> frozenset[str]:
    """The etags of the versions that the user has accepted."""
    return frozenset(filter(None, (_string(line.get("etag")) for line in iter_objects(folder / REVIEWED))))


def append_recalls(folder: Path, ids: Collection[str], now: datetime) -> None:
    """Counts one recall of each memory. Raises ReadOnlyError or DiskError."""
    if ids:
        disk.append(folder / USAGE, json.dumps({"at": now.isoformat(), "ids": sorted(ids)}))


def read_usage(folder: Path) -> dict[str, Usage]:
    """How often each memory was recalled, by id."""
    usage: dict[str, Usage] = {}
    for line in iter_objects(folder / USAGE):
        at = _moment(line.get("at"))
        for name in _strings(line.get("ids")):
            known = usage.get(name, Usage())
            last = max(filter(None, (at, known.last_used)), default=None)
            usage[name] = Usage(known.recalls + 1, last)
    return usage


def iter_objects(path: Path) -> Iterator[Json]:
    """The JSON objects of a log, line by line; a damaged or torn line gives none."""
    for line in (disk.read_if_exists(path) or b"").split(b"\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _run(line: Json, origin: str) -> Run:
    return Run(
        origin=origin,
        content=_string(line.get("content")),
        at=_string(line.get("at")),
        ended=_string(line.get("ended")),
        summary=_summary(line.get("summary")),
        episodes=tuple(map(_episode, _objects(line.get("episodes")))),
        line=last if isinstance(last := line.get("line"), int) else 0,
        heard=_strings(line.get("heard")),
    )


def _summary(given: object) -> Summary:
    line = given if isinstance(given, dict) else {}
    return Summary(
        request=_string(line.get("request")),
        work_done=_string(line.get("work_done")),
        outcome=_string(line.get("outcome")) or "unknown",
        open_items=_strings(line.get("open_items")),
    )


def _episode(line: Json) -> Episode:
    lines = line.get("lines")
    return Episode(
        kind=_string(line.get("kind")),
        text=_string(line.get("text")),
        origin=_string(line.get("origin")),
        lines=tuple(n for n in lines if isinstance(n, int)) if isinstance(lines, list) else (),
        at=_string(line.get("at")),
        files=_strings(line.get("files")),
        context=_string(line.get("context")),
        cause=_string(line.get("cause")),
        remedy=_string(line.get("remedy")),
        memory=_string(line.get("memory")),
    )


def _objects(value: object) -> tuple[Json, ...]:
    return tuple(item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(_string(value))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
