"""Working through the jobs of a store: claim one, read the run, save what it taught, put down what came of it.

Two workers of a user are at work at once, and one more of each store may wait for its turn. A worker that dies leaves
its job to the next one; saving is idempotent, so nothing is lost or learned twice. What the user switches off stops
what waits and, before it saves, what runs.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from mdmem import disk
from mdmem.errors import BudgetError, LockedError, MdmemError
from mdmem.extract.extraction import last_line
from mdmem.store import ledger
from mdmem.store.caller import Caller, under_switch
from mdmem.store.heartbeat import process_mark
from mdmem.store.ledger import TURN, Job, JobState, Result, append_event, append_queued, find_job, read_jobs, refusal
from mdmem.store.own import make_own
from mdmem.store.saving import Outcome
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mdmem.config import Config
    from mdmem.extract.asking import Asking
    from mdmem.extract.discovery import Found
    from mdmem.extract.extraction import Extraction, ExtractionStage, Saving
    from mdmem.extract.transcripts.session import Session, ToolCall
    from mdmem.llm.runner import Runner
    from mdmem.store.store import Store

WORKERS: Final = 2
TRIES: Final = 3
"""A job whose worker died so often is given up."""
WAIT_SECONDS: Final = 600.0
STEP_SECONDS: Final = 0.2
LOCK: Final = "jobs.lock"
WAITING: Final = "jobs.waiting"
SLOTS: Final = "workers"
SWEEP_MOST: Final = 20
"""A sweep asks for so many runs at most, the newest first: the others come with the next one."""
TURN_LEAST: Final = 2
"""A turn with fewer new records than this is not worth a job."""

NEWER: Final = "a newer request for the same run took its place"
GONE: Final = "the transcript is not there any more"
TOO_BIG: Final = "the transcript is larger than extraction.max_bytes"
TOO_LITTLE: Final = "hardly anything is new in it"
AGENT_WROTE: Final = "the agent wrote to memory itself"
KNOWN: Final = "nothing is new in it; `mdmem extract FILE --again` reads it anew"
DIED: Final = f"its worker died {TRIES} times"

REMEMBERS: Final = re.compile(r"\bmdmem\b(?:\s+-\S+(?:\s+[^\s-]\S*)??)*\s+(?:add|set|note|edit)\b")
"""A shell command by which an agent writes to memory."""
RECORDS: Final = "memory_record"
"""How the tool by which an agent writes to memory ends."""


class Stages(Protocol):
    """What a worker needs of an opened project."""

    @property
    def config(self) -> Config:
        """The settings in force."""

    @property
    def now(self) -> datetime:
        """The time that counts as now."""

    @property
    def extraction(self) -> ExtractionStage:
        """Reading and saving runs."""

    @property
    def asking(self) -> Asking:
        """Asking a model about a run."""

    def runner(self, agent: str, name: str = "", model: str = "") -> Runner | None:
        """What asks a model about a run of `agent`; None when no model is asked."""


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs of one store. `reopen` gives settings, time and stages as they are at that moment; `slots` is the
    user's folder of locks, so that workers of all stores are counted together."""

    store: Store
    reopen: Callable[[], Stages]
    slots: Path
    wait: float = WAIT_SECONDS

    @property
    def folder(self) -> Path:
        """Where the ledger lies. Raises UnreadableError for a symbolic link, ReadOnlyError or DiskError."""
        return make_own(self.store.state_folder)

    def all(self) -> tuple[Job, ...]:
        """Every job, in the order in which they were asked for."""
        return read_jobs(self.store.state_folder)

    def sweep(self, found: Iterable[Found]) -> tuple[Job, ...]:
        """Ask for the runs whose hook never came. Raises ReadOnlyError or DiskError."""
        stages = self.reopen()
        jobs = due(found, self.all(), stages.config, stages.now)
        for job in jobs:
            append_queued(self.folder, job)
        return jobs

    def retry(self, names: Sequence[str]) -> tuple[Job, ...]:
        """Ask again for jobs that have ended, by default for those that failed.

        Raises MdmemError for one that there is not, or that has not ended.
        """
        jobs = self._named(names, {JobState.FAILED}, "open already", set(JobState) - ledger.OPEN)
        for job in jobs:
            ledger.append_again(self.folder, job, self._at())
        return jobs

    def cancel(self, names: Sequence[str]) -> tuple[Job, ...]:
        """Take back jobs that wait or run, by default all of them; one that runs stops before it saves.

        Raises MdmemError for one that there is not, or that has ended.
        """
        jobs = self._named(names, ledger.OPEN, "over already", ledger.OPEN)
        for job in jobs:
            append_event(self.folder, replace(job, state=JobState.CANCELLED, reason="cancelled"), self._at())
        return jobs

    def work(self, say: Callable[[str], None]) -> tuple[Job, ...]:
        """Do what waits, one job after the other; what was done. Nothing, when others will do it."""
        done = []
        with contextlib.ExitStack() as stack:
            if self._has_slot(stack):
                while job := self.claim():
                    say(f"begun: {job.id} {job.transcript}")
                    done.append(self._worked(job))
                    say(as_line(done[-1]))
        return tuple(done)

    def claim(self) -> Job | None:
        """Take the next job that may be begun, and put down that it is ours. Raises LockedError, DiskError."""
        with disk.lock(self.folder / LOCK):
            ledger.put_aside(self.folder)
            at = self._at()
            chosen, over = choose(self.all(), at)
            for job in over:
                append_event(self.folder, job, at)
            if chosen is None:
                return None
            pid = os.getpid()
            mine = replace(
                chosen, state=JobState.RUNNING, pid=pid, mark=process_mark(pid), tries=chosen.tries + 1,
                reason="", after="",
            )  # fmt: skip
            append_event(self.folder, mine, at)
            return mine

    def _has_slot(self, stack: contextlib.ExitStack) -> bool:
        """Enter one of the places for workers; False when somebody of this store is waiting for one already."""
        with contextlib.ExitStack() as queue:
            if not _entered(queue, self.folder / WAITING):
                return False
            until = time.monotonic() + self.wait
            while True:
                if any(_entered(stack, self.slots / SLOTS / f"{number}.lock") for number in range(WORKERS)):
                    return True
                if time.monotonic() > until:
                    return False
                time.sleep(STEP_SECONDS)

    def _worked(self, job: Job) -> Job:
        """What became of a job, put down in the ledger."""
        try:
            ended = self._learned(job)
        except BudgetError as error:
            tomorrow = self.reopen().now.date() + timedelta(days=1)
            ended = replace(job, state=JobState.QUEUED, reason=error.message, after=tomorrow.isoformat())
        except MdmemError as error:
            ended = replace(job, state=JobState.FAILED, reason=error.message)
        append_event(self.folder, ended, self._at())
        return ended

    def _learned(self, job: Job) -> Job:
        """Read the run, ask a model where one is set up, and save. Raises MdmemError."""
        stages = self.reopen()
        size = _size(job)
        reason = self._stopped(job, stages.config) or _unreadable(size, stages.config)
        if reason:
            return _skipped(job, reason)
        job = replace(job, size=size or 0)
        found = stages.extraction.read(Path(job.transcript))
        reason = self._not_worth(job, found)
        if reason:
            return _skipped(job, reason)
        if stages.extraction.is_known(found):
            return replace(job, state=JobState.DONE, reason=KNOWN)
        runner = stages.runner(found.session.agent)
        found = stages.asking.ask(found, runner) if runner else found
        stages = self.reopen()  # a model takes its time, and the user may have changed their mind
        reason = self._stopped(job, stages.config)
        if reason:
            return _skipped(job, reason)
        write = stages.config.memory_write
        memories = tuple(under_switch(memory, Caller.AGENT, write) for memory in found.memories)
        saving = stages.extraction.save(replace(found, memories=memories))
        return replace(job, state=JobState.DONE, result=_result(found, saving))

    def _stopped(self, job: Job, config: Config) -> str:
        """Why the job must not go on, according to the settings and the ledger as they are now."""
        now = find_job(self.store.state_folder, job.id)
        return refusal(job.agent, config) or (now.reason if now and now.state is JobState.CANCELLED else "")

    def _not_worth(self, job: Job, found: Extraction) -> str:
        """Why a run that was read is not learned from."""
        if not found.extract:
            return found.reason
        return turn_refusal(found, self.store.root) if job.mode == TURN else ""

    def _at(self) -> str:
        return self.reopen().now.isoformat()

    def _named(
        self, names: Sequence[str], default: Iterable[JobState], word: str, states: Iterable[JobState]
    ) -> tuple[Job, ...]:
        jobs = self.all()
        if not names:
            return tuple(job for job in jobs if job.state in default)
        found = {name: [job for job in jobs if job.id.startswith(name)] for name in names}
        for name, some in found.items():
            if len(some) != 1:
                raise MdmemError(f"{len(some) or 'no'} jobs are called {name!r}", "`mdmem jobs` lists them")
            if some[0].state not in states:
                raise MdmemError(f"job {some[0].id} is {word}: {some[0].state}", "`mdmem jobs` shows how each stands")
        return tuple(some[0] for some in found.values())


def choose(jobs: Sequence[Job], at: str) -> tuple[Job | None, tuple[Job, ...]]:
    """The job to begin at a time, if any, and those that are over: for one transcript the newest request counts."""
    left = {job.id for job in jobs if job.is_left()}
    waiting = [job for job in jobs if job.state is JobState.QUEUED or job.id in left]
    newest = {job.transcript: job for job in waiting}
    over = [_skipped(job, NEWER) for job in waiting if newest[job.transcript] is not job]
    dead = [job for job in newest.values() if job.id in left and job.tries >= TRIES]
    over += [replace(job, state=JobState.FAILED, reason=DIED) for job in dead]
    busy = {job.transcript for job in jobs if job.state is JobState.RUNNING and job.id not in left}
    ready = [job for job in newest.values() if job not in dead and job.transcript not in busy and job.after <= at]
    return next(iter(ready), None), tuple(over)


def due(found: Iterable[Found], jobs: Sequence[Job], config: Config, now: datetime) -> tuple[Job, ...]:
    """The runs that a sweep asks for: idle long enough, and with bytes that no job has dealt with."""
    idle = timedelta(minutes=config.extraction_idle_minutes)
    read_to: dict[str, int] = {}
    for job in jobs:
        read_to[job.transcript] = max(read_to.get(job.transcript, 0), job.read_to)
    is_open = {job.transcript for job in jobs if job.is_open}
    new = [
        one
        for one in found
        if now - one.changed_at >= idle
        and one.size > read_to.get(one.transcript, 0)
        and one.transcript not in is_open
        and not refusal(one.agent, config)
    ]
    newest = sorted(new, key=lambda one: one.changed_at, reverse=True)[:SWEEP_MOST]
    at = now.isoformat()
    return tuple(Job(one.transcript, one.size, one.agent, one.session, cause="sweep", queued_at=at) for one in newest)


def turn_refusal(found: Extraction, root: Path) -> str:
    """Why the newest turns of a run are not learned from on their own; '' when they are."""
    turns = [turn for turn in found.session.turns if last_line([turn]) > found.after]
    lines = [part.line for turn in turns for part in (turn.said, *turn.steps) if part and part.line > found.after]
    if len(lines) < TURN_LEAST:
        return TOO_LITTLE
    wrote = any(writes_memory(call, found.session, root) for turn in turns for call in turn.calls)
    return AGENT_WROTE if wrote else ""


def writes_memory(call: ToolCall, session: Session, root: Path) -> bool:
    """Whether an agent wrote to the store of that root by this call: by our tool or command, or into a file of it."""
    if call.name.endswith(RECORDS) or REMEMBERS.search(call.command):
        return True
    target = os.path.normpath(Path(session.cwd) / call.path)
    return call.writes and bool(call.path) and Path(target).is_relative_to(root)


def as_line(job: Job) -> str:
    """What became of a job, for a log and for a person."""
    what = f"{job.state}: {job.id} {job.transcript}"
    given = job.result
    if job.state is JobState.DONE and not job.reason:
        spent = f", {counted(given.calls, 'call')}, ${given.cost:.4f}" if given.calls else ""
        what += f": {given.learned} learned, {given.confirmed} confirmed, {counted(given.episodes, 'episode')}{spent}"
    return what + (f": {job.reason}" if job.reason else "") + (f" (not before {job.after})" if job.after else "")


def _skipped(job: Job, reason: str) -> Job:
    return replace(job, state=JobState.SKIPPED, reason=reason)


def _size(job: Job) -> int | None:
    """The bytes of the transcript, None when it is gone; of a session in an agent's own store, what was asked for."""
    path = Path(job.transcript)
    if path.is_file():
        return path.stat().st_size
    store, mark, _ = job.transcript.rpartition("#")
    return job.offset if mark and Path(store).exists() else None


def _unreadable(size: int | None, config: Config) -> str:
    if size is None:
        return GONE
    return TOO_BIG if size > config.extraction_max_bytes else ""


def _result(found: Extraction, saving: Saving) -> Result:
    confirmed = sum(one.outcome is Outcome.CONFIRMED for one in saving.saved)
    return Result(
        learned=len(saving.saved) - confirmed,
        confirmed=confirmed,
        episodes=len(found.episodes),
        calls=len(found.asked),
        cost=round(sum(one.usage.cost or 0.0 for one in found.asked), 6),
    )


def _entered(stack: contextlib.ExitStack, path: Path) -> bool:
    try:
        stack.enter_context(disk.lock(path, timeout=0.0))
    except LockedError:
        return False
    return True
