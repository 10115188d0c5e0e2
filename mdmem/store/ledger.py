"""The jobs of learning from runs: an append-only ledger below `.mdmem/state/`, one event a line.

A job is keyed by transcript and byte offset: asking twice for the same bytes is one job, and what has ended is not
begun again by asking. The state of a job is that of its last event. Whoever asks only appends a line, without a lock;
a worker claims under one. Times are ISO 8601 in UTC.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.store.heartbeat import lives
from mdmem.store.state import Json, iter_objects

if TYPE_CHECKING:
    from pathlib import Path

    from mdmem.config import Config

FILE_NAME: Final = "jobs.jsonl"
OLD_NAME: Final = "jobs.old.jsonl"
SIZE_MOST: Final = 1 << 20
"""A ledger that has grown beyond so many bytes is put aside once; what is open goes on in the new one."""
RUN: Final = "run"
TURN: Final = "turn"


class JobState(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"


OPEN: Final = frozenset({JobState.QUEUED, JobState.RUNNING})


@dataclass(frozen=True, slots=True)
class Result:
    """What a job gave: memories new and confirmed, episodes, calls of a model and their cost in US dollars."""

    learned: int = 0
    confirmed: int = 0
    episodes: int = 0
    calls: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """One transcript to learn from, up to a byte offset.

    `mode` is RUN or TURN, `cause` the hook or command that asked. `reason` says why it was skipped, failed or waits;
    `after` is the time before which it is not begun. `pid` and `mark` tell which process has it, `tries` how often it
    was begun. `size` is up to where the transcript was read in the end.
    """

    transcript: str
    offset: int
    agent: str
    session: str = ""
    mode: str = RUN
    cause: str = ""
    queued_at: str = ""
    state: JobState = JobState.QUEUED
    changed_at: str = ""
    reason: str = ""
    after: str = ""
    pid: int = 0
    mark: str = ""
    tries: int = 0
    size: int = 0
    result: Result = field(default=Result())

    @property
    def id(self) -> str:
        """Ten hex digits made of transcript and offset."""
        return disk.etag(f"{self.transcript}\0{self.offset}".encode("utf-8", "surrogateescape"))[:10]

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.state in OPEN

    @property
    def read_to(self) -> int:
        """Up to where the transcript counts as dealt with."""
        return 0 if self.is_open else max(self.offset, self.size)

    def is_left(self) -> bool:
        """Whether a worker that has died since had begun it."""
        return self.state is JobState.RUNNING and not lives(self.pid, self.mark)

    def as_json(self) -> dict[str, object]:
        """The shape of `jobs list --json`: what is empty is null."""
        shown = {name: value or None for name, value in asdict(self).items() if name not in {"mark", "result"}}
        return {"id": self.id, **shown, "offset": self.offset, "state": self.state.value, **asdict(self.result)}


def read_jobs(folder: Path) -> tuple[Job, ...]:
    """All jobs of a state folder, in the order in which they were asked for."""
    jobs: dict[str, Job] = {}
    for line in (*iter_objects(folder / OLD_NAME), *iter_objects(folder / FILE_NAME)):
        name = line.get("id")
        if isinstance(name, str):
            _take(jobs, name, line)
    return tuple(jobs.values())


def find_job(folder: Path, name: str) -> Job | None:
    """The job of that id as it stands now."""
    return next((job for job in read_jobs(folder) if job.id == name), None)


def count_open(folder: Path) -> dict[str, int]:
    """How many jobs there are in each state that asks for somebody: waiting, at work, failed."""
    states = [job.state for job in read_jobs(folder)]
    return {state.value: states.count(state) for state in (JobState.QUEUED, JobState.RUNNING, JobState.FAILED)}


def append_queued(folder: Path, job: Job) -> None:
    """Ask for a job; asking again for the same bytes changes nothing. Raises ReadOnlyError or DiskError."""
    _append(folder, job, {"event": job.state.value, "at": job.queued_at, **_request(job), "reason": job.reason})


def append_again(folder: Path, job: Job, at: str) -> None:
    """Ask again for one that has ended. Raises ReadOnlyError or DiskError."""
    _append(folder, job, {"event": "retry", "at": at})


def append_event(folder: Path, job: Job, at: str) -> None:
    """Put down where a job stands now. Raises ReadOnlyError or DiskError."""
    changed = {"state", "reason", "after", "pid", "mark", "tries", "size"}
    values = {name: value for name, value in asdict(job).items() if name in changed and value}
    result = {"result": asdict(job.result)} if job.result != Result() else {}
    _append(folder, job, {"event": job.state.value, "at": at, **values, **result})


def put_aside(folder: Path) -> None:
    """Begin a new ledger when this one has grown too long. The caller holds the lock of the ledger.

    Lines that are appended meanwhile land in the one or the other, and both are read.
    """
    path = folder / FILE_NAME
    if not path.is_file() or path.stat().st_size <= SIZE_MOST:
        return
    left = [job for job in read_jobs(folder) if job.is_open]
    disk.remove(folder / OLD_NAME)
    disk.move(path, folder / OLD_NAME)
    for job in left:
        append_queued(folder, replace(job, state=JobState.QUEUED, reason=""))
        append_event(folder, job, job.changed_at)


def refusal(agent: str, config: Config) -> str:
    """Why nothing is learned from an agent's runs by itself; '' when something is."""
    if not config.memory_enabled:
        return "memory is off (memory.enabled)"
    if config.extraction_when == "off":
        return "learning is off (extraction.when)"
    if not config.allows(agent, "extract"):
        return f"learning from {agent} is off (agents.{agent}.extract)"
    return "agents may not write memories here (memory.write)" if config.memory_write == "off" else ""


def _take(jobs: dict[str, Job], name: str, line: Json) -> None:
    """Bring one job up to an event."""
    event, at = line.get("event"), _text(line, "at")
    known = jobs.get(name)
    if known is None:
        asked = _asked(line)
        if asked is not None and asked.id == name:
            jobs[name] = asked
    elif event == "retry" and not known.is_open:
        jobs.pop(name)
        jobs[name] = replace(known, state=JobState.QUEUED, changed_at=at, reason="", after="", tries=0)
    elif event in set(JobState) and "transcript" not in line:
        jobs[name] = _changed(known, line, at)


def _asked(line: Json) -> Job | None:
    transcript, offset, event = line.get("transcript"), line.get("offset"), line.get("event")
    if not isinstance(transcript, str) or not isinstance(offset, int) or event not in set(JobState):
        return None
    at = _text(line, "at")
    return Job(
        transcript,
        offset,
        agent=_text(line, "agent"),
        session=_text(line, "session"),
        mode=_text(line, "mode"),
        cause=_text(line, "cause"),
        queued_at=at,
        state=JobState(str(event)),
        changed_at=at,
        reason=_text(line, "reason"),
    )


def _changed(job: Job, line: Json, at: str) -> Job:
    given = line.get("result")
    numbers = given if isinstance(given, dict) else {}
    counts = {one.name: value for one in fields(Result) if isinstance(value := numbers.get(one.name), int | float)}
    return replace(
        job,
        state=JobState(str(line["event"])),
        changed_at=at,
        reason=_text(line, "reason"),
        after=_text(line, "after"),
        pid=_count(line, "pid"),
        mark=_text(line, "mark"),
        tries=_count(line, "tries") or job.tries,
        size=_count(line, "size"),
        result=Result(**counts),  # type: ignore[arg-type]
    )


def _request(job: Job) -> dict[str, object]:
    names = ("transcript", "offset", "agent", "session", "mode", "cause")
    return {name: getattr(job, name) for name in names}


def _append(folder: Path, job: Job, line: Json) -> None:
    disk.append(folder / FILE_NAME, json.dumps({"id": job.id, **line}))


def _text(line: Json, key: str) -> str:
    value = line.get(key)
    return value if isinstance(value, str) else ""


def _count(line: Json, key: str) -> int:
    value = line.get(key)
    return value if isinstance(value, int) else 0
