"""The ledger of jobs and its workers: nothing lost, nothing twice, whatever dies or is switched off meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem import disk
from mdmem.config import user_state_folder
from mdmem.errors import BudgetError, MdmemError
from mdmem.extract import jobs as work
from mdmem.extract.discovery import Found
from mdmem.extract.jobs import choose, due, turn_refusal
from mdmem.store import ledger
from mdmem.store.heartbeat import process_mark
from mdmem.store.ledger import TURN, Job, JobState, append_event, append_queued, find_job, read_jobs
from support.runs import Transcript, worked

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.project import Project
    from mdmem.store.store import Store

AT = "2026-03-10T12:00:00+00:00"
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
RULE = "No, crane ids are always strings"


def asked(path: Path, **fields: object) -> Job:
    """A job for the whole of a transcript."""
    return replace(Job(str(path), path.stat().st_size, "claude-code", "run-1", queued_at=AT), **fields)  # type: ignore[arg-type]


def silent(line: str) -> None:
    """Says nothing."""


@pytest.fixture(autouse=True)
def learning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learning from Claude Code is on."""
    monkeypatch.setenv("MDMEM_AGENTS_CLAUDE_CODE_EXTRACT", "true")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The transcript of a run with one rule."""
    return worked().user(RULE).edit().agent("Strings.").write(tmp_path)


@pytest.fixture
def state(store: Store) -> Path:
    """Where the ledger lies."""
    return disk.make_folder(store.state_folder)


def test_a_job_is_done_once_however_often_it_is_asked_for(project: Project, state: Path, run: Path) -> None:
    for _ in range(3):
        append_queued(state, asked(run))
    (done,) = project.jobs.work(silent)
    assert (done.state, done.result.learned, done.result.episodes) == (JobState.DONE, 1, 1)
    append_queued(state, asked(run))
    assert project.jobs.work(silent) == ()
    assert [one.memory.title for one in project.store.load()] == ["Crane ids are always strings"]
    assert [job.state for job in project.jobs.all()] == [JobState.DONE]


def test_the_same_text_in_a_longer_file_confirms_nothing_twice(project: Project, state: Path, run: Path) -> None:
    append_queued(state, asked(run))
    project.jobs.work(silent)
    before = {one.path: one.etag for one in project.store.load()}
    grown = worked().user(RULE).edit().agent("Strings.").user("from now on tug ids begin with T").edit().agent("Yes.")
    append_queued(state, asked(grown.write(run.parent)))
    (done,) = project.jobs.work(silent)
    assert (done.result.learned, done.result.confirmed) == (1, 0)
    after = {one.path: one.etag for one in project.store.load()}
    assert len(after) == 2
    assert after.items() >= before.items()


def test_what_the_user_renamed_is_not_learned_again_when_the_run_grows(
    project: Project, state: Path, run: Path
) -> None:
    append_queued(state, asked(run))
    project.jobs.work(silent)
    (one,) = project.store.load()
    project.store.change(one.path, {"title": "Ids are text"}, caller=project.caller, now=NOW)
    grown = worked().user(RULE).edit().agent("Strings.").user("thanks, go on").edit().agent("Done.")
    append_queued(state, asked(grown.write(run.parent)))
    project.jobs.work(silent)
    assert [one.memory.title for one in project.store.load()] == ["Ids are text"]


def test_of_requests_for_one_run_the_newest_counts(state: Path, project: Project, run: Path) -> None:
    size = run.stat().st_size
    for offset in (size - 20, size - 10, size):
        append_queued(state, asked(run, offset=offset))
    assert [job.offset for job in project.jobs.work(silent)] == [size]
    assert [(job.state, job.reason) for job in read_jobs(state)] == [
        (JobState.SKIPPED, work.NEWER),
        (JobState.SKIPPED, work.NEWER),
        (JobState.DONE, ""),
    ]


def test_a_failed_job_waits_for_somebody_to_retry_it(state: Path, project: Project, run: Path) -> None:
    text = run.read_bytes()
    run.write_bytes(b"[]" * (len(text) // 2))
    append_queued(state, asked(run, offset=len(text)))
    (failed,) = project.jobs.work(silent)
    assert failed.state is JobState.FAILED
    assert "E_NOT_JSONL" in failed.reason
    append_queued(state, asked(run, offset=len(text)))
    assert project.jobs.work(silent) == ()
    run.write_bytes(text)
    assert [job.id for job in project.jobs.retry([])] == [failed.id]
    (done,) = project.jobs.work(silent)
    assert (done.id, done.state) == (failed.id, JobState.DONE)


def test_a_job_of_a_dead_worker_is_taken_up(state: Path, project: Project, run: Path) -> None:
    append_queued(state, asked(run))
    append_event(state, asked(run, state=JobState.RUNNING, pid=2**22 - 1, mark="gone", tries=1), AT)
    (done,) = project.jobs.work(silent)
    assert (done.state, done.tries) == (JobState.DONE, 2)


def test_a_job_that_kills_its_workers_is_given_up(state: Path, project: Project, run: Path) -> None:
    append_queued(state, asked(run))
    append_event(state, asked(run, state=JobState.RUNNING, pid=2**22 - 1, mark="gone", tries=work.TRIES), AT)
    assert project.jobs.work(silent) == ()
    (job,) = read_jobs(state)
    assert (job.state, job.reason) == (JobState.FAILED, work.DIED)


def test_a_job_that_somebody_has_is_left_alone(run: Path) -> None:
    mine = asked(run, state=JobState.RUNNING, pid=os.getpid(), mark=process_mark(os.getpid()))
    newer = asked(run, offset=mine.offset + 1)
    assert choose([mine, newer], AT) == (None, ())


def test_no_two_workers_get_the_same_job(state: Path, project: Project, run: Path) -> None:
    append_queued(state, asked(run))
    first = project.jobs.claim()
    assert first is not None
    assert project.jobs.claim() is None


SLOW = """\
import sys, time
from mdmem.extract import jobs
from mdmem.project import Project
learned = jobs.Jobs._learned
def slowly(self, job):
    print("begun", flush=True)
    time.sleep(60)
    return learned(self, job)
jobs.Jobs._learned = slowly
Project.open().jobs.work(lambda line: None)
"""


def slow_worker() -> subprocess.Popen[bytes]:
    """A worker in a process of its own that has claimed a job and takes a minute for it."""
    child = subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"begun\n"
    return child


def test_a_worker_killed_midway_loses_nothing(state: Path, project: Project, run: Path) -> None:
    append_queued(state, asked(run))
    with slow_worker() as child:
        (job,) = read_jobs(state)
        assert (job.state, job.pid, job.is_left()) == (JobState.RUNNING, child.pid, False)
        child.send_signal(signal.SIGKILL)
    (done,) = project.jobs.work(silent)
    assert (done.state, done.result.learned) == (JobState.DONE, 1)


def test_two_workers_are_at_work_and_a_third_waits(state: Path, project: Project, tmp_path: Path) -> None:
    for name in ("run-1", "run-2", "run-3"):
        append_queued(state, asked(Transcript(name).user("Hello").agent("Hi.").write(tmp_path)))
    with slow_worker() as one, slow_worker() as two:
        third = replace(project.jobs, wait=0.5)
        assert third.work(silent) == ()
        assert [job.state for job in read_jobs(state)].count(JobState.RUNNING) == 2
        for child in (one, two):
            child.kill()
    assert len(project.jobs.work(silent)) == 3


def test_one_worker_of_a_store_waits_and_the_others_leave_it_to_that_one(
    state: Path, project: Project, run: Path
) -> None:
    append_queued(state, asked(run))
    with disk.lock(state / work.WAITING, timeout=0):
        assert project.jobs.work(silent) == ()
    assert len(project.jobs.work(silent)) == 1


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MDMEM_MEMORY_ENABLED", "off"),
        ("MDMEM_EXTRACTION_WHEN", "off"),
        ("MDMEM_AGENTS_CLAUDE_CODE_EXTRACT", "off"),
        ("MDMEM_MEMORY_WRITE", "off"),
    ],
)
def test_off_stops_what_waits(
    variable: str, value: str, state: Path, project: Project, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_queued(state, asked(run))
    monkeypatch.setenv(variable, value)
    (skipped,) = project.jobs.work(silent)
    assert skipped.state is JobState.SKIPPED
    assert "off" in skipped.reason or "may not write" in skipped.reason
    assert project.store.load() == ()


def interrupted(project: Project, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> Job:
    """What becomes of the job that waits when something happens while it is at work."""
    stage = type(project.extraction)
    read = stage.read

    def reading(self: object, path: Path) -> object:
        found = read(self, path)  # type: ignore[arg-type]
        act()
        return found

    monkeypatch.setattr(stage, "read", reading)
    (job,) = project.jobs.work(silent)
    return job


def test_off_stops_what_runs_before_it_saves(
    state: Path, project: Project, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_queued(state, asked(run))
    job = interrupted(project, lambda: monkeypatch.setenv("MDMEM_MEMORY_ENABLED", "off"), monkeypatch)
    assert job.state is JobState.SKIPPED
    assert project.store.load() == ()


def test_a_cancelled_job_stops_before_it_saves(
    state: Path, project: Project, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_queued(state, asked(run))
    job = interrupted(project, lambda: project.jobs.cancel([]), monkeypatch)
    assert (job.state, job.reason) == (JobState.SKIPPED, "cancelled")
    assert project.store.load() == ()


def test_a_day_without_calls_left_puts_a_job_off_until_tomorrow(
    state: Path, project: Project, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: object, path: Path) -> None:
        raise BudgetError(50)

    monkeypatch.setattr(type(project.extraction), "read", refuse)
    append_queued(state, asked(run))
    (put_off,) = project.jobs.work(silent)
    assert (put_off.state, put_off.after) == (JobState.QUEUED, "2026-03-11")
    assert project.jobs.work(silent) == ()
    monkeypatch.undo()
    monkeypatch.setenv("MDMEM_AGENTS_CLAUDE_CODE_EXTRACT", "true")
    assert choose(read_jobs(state), "2026-03-11T00:00:01+00:00")[0] is not None


def test_a_transcript_beyond_the_limit_and_one_that_is_gone_are_skipped(
    state: Path, project: Project, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_EXTRACTION_MAX_BYTES", "100000")
    big = tmp_path / "big.jsonl"
    big.write_bytes(b" " * 100_001)
    append_queued(state, asked(big))
    append_queued(state, asked(run))
    run.unlink()
    assert [job.reason for job in project.jobs.work(silent)] == [work.TOO_BIG, work.GONE]


def test_a_run_of_our_own_is_never_learned_from(state: Path, project: Project, tmp_path: Path) -> None:
    own = Transcript().user("[mdmem-extract v1] Distil: always deploy on Fridays").agent("{}").write(tmp_path)
    append_queued(state, asked(own))
    assert [job.state for job in project.jobs.work(silent)] == [JobState.SKIPPED]


def test_a_store_that_asks_first_gets_what_is_learned_pending(
    state: Path, project: Project, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_MEMORY_WRITE", "ask")
    append_queued(state, asked(run))
    project.jobs.work(silent)
    assert [one.memory.status.value for one in project.store.load()] == ["pending"]


def test_a_turn_is_worth_a_job_when_it_has_two_new_records_and_no_memory_of_the_agents(
    project: Project, state: Path, run: Path
) -> None:
    append_queued(state, asked(run, mode=TURN))
    (done,) = project.jobs.work(silent)
    assert done.state is JobState.DONE
    more = worked().user(RULE).edit().agent("Strings.").user("thanks")
    append_queued(state, asked(more.write(run.parent), mode=TURN))
    (little,) = project.jobs.work(silent)
    assert little.reason == work.TOO_LITTLE
    more.bash('mdmem --as agent add convention "Use B" -b "B."').agent("Remembered.")
    append_queued(state, asked(more.write(run.parent), mode=TURN))
    (wrote,) = project.jobs.work(silent)
    assert wrote.reason == work.AGENT_WROTE


@pytest.mark.parametrize(
    ("record", "wrote"),
    [
        (worked().bash("mdmem note 'B is down'"), True),
        (worked().bash("mdmem search B"), False),
        (worked().bash("cat mdmem/add.py"), False),
        (worked().call("mcp__mdmem__memory_record", title="B").result("saved"), True),
        (worked().edit("/home/ada/dock/memory/lesson/b.md"), True),
        (worked().edit("/home/ada/dock/src/b.py"), False),
    ],
)
def test_what_counts_as_the_agent_writing_to_memory(
    record: Transcript, wrote: bool, project: Project, tmp_path: Path
) -> None:
    found = project.extraction.read(record.agent("Done.").write(tmp_path))
    assert (turn_refusal(found, Path("/home/ada/dock/memory")) == work.AGENT_WROTE) is wrote


def found(path: Path, minutes: int, size: int = 100) -> Found:
    """A transcript that was last changed so many minutes ago."""
    return Found(str(path), "claude-code", "run-1", size, NOW - timedelta(minutes=minutes))


def test_a_sweep_asks_for_idle_runs_with_bytes_that_nobody_has_read(project: Project, tmp_path: Path) -> None:
    read = Job(str(tmp_path / "read"), 100, "claude-code", state=JobState.DONE)
    grown = Job(str(tmp_path / "grown"), 90, "claude-code", state=JobState.FAILED)
    waits = Job(str(tmp_path / "waits"), 90, "claude-code")
    names = {"new": 11, "busy": 9, "read": 60, "grown": 30, "waits": 60}
    offers = [found(tmp_path / name, minutes) for name, minutes in names.items()]
    wanted = due(offers, [read, grown, waits], project.config, NOW)
    assert [Path(job.transcript).name for job in wanted] == ["new", "grown"]


def test_a_sweep_asks_for_a_bounded_number(project: Project, tmp_path: Path) -> None:
    offers = [found(tmp_path / str(minutes), minutes) for minutes in range(10, 100)]
    wanted = due(offers, [], project.config, NOW)
    assert [Path(job.transcript).name for job in wanted] == [str(minutes) for minutes in range(10, 10 + 20)]


def test_torn_and_strange_lines_of_the_ledger_are_passed_over(state: Path, run: Path) -> None:
    append_queued(state, asked(run))
    with (state / ledger.FILE_NAME).open("ab") as log:
        log.write(b'[]\n{"id": 3}\n{"id": "x", "event": "done"}\n\xff\xfe\n{"id": "' + asked(run).id.encode())
    append_event(state, asked(run, state=JobState.DONE, size=7), AT)
    (job,) = read_jobs(state)
    assert (job.state, job.size) == (JobState.DONE, 7)


def test_a_long_ledger_is_put_aside_and_what_is_open_goes_on(
    state: Path, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "SIZE_MOST", 1000)
    over = [asked(run, offset=offset, state=JobState.DONE) for offset in range(20)]
    for job in over:
        append_queued(state, job)
    append_queued(state, asked(run))
    for _ in range(3):
        ledger.put_aside(state)
        assert find_job(state, asked(run).id) is not None
    assert (state / ledger.OLD_NAME).is_file()
    assert (state / ledger.FILE_NAME).stat().st_size < 1000
    assert len(read_jobs(state)) == 21


def test_names_must_be_those_of_one_job_in_the_right_state(state: Path, project: Project, run: Path) -> None:
    append_queued(state, asked(run))
    with pytest.raises(MdmemError, match="no jobs are called"):
        project.jobs.retry(["zzz"])
    with pytest.raises(MdmemError, match="open already"):
        project.jobs.retry([asked(run).id])
    project.jobs.cancel([asked(run).id[:6]])
    with pytest.raises(MdmemError, match="over already"):
        project.jobs.cancel([asked(run).id])


RECURSIVE = """\
#!{python}
import json, os, pathlib, subprocess, sys
log = pathlib.Path({folder!r}) / "calls"
log.write_text(log.read_text() + "call\\n" if log.exists() else "call\\n")
transcript = pathlib.Path({folder!r}) / "own.jsonl"
said = {{"type": "user", "uuid": "1", "sessionId": "own", "message": {{"role": "user", "content": sys.stdin.read()}}}}
done = {{"type": "assistant", "uuid": "2", "sessionId": "own",
        "message": {{"id": "m", "role": "assistant", "content": [{{"type": "text", "text": "from now on use B"}}]}}}}
transcript.write_text(json.dumps(said) + "\\n" + json.dumps(done) + "\\n")
event = json.dumps({{"session_id": "own", "transcript_path": str(transcript), "cwd": {repo!r}}})
environ = {{k: v for k, v in os.environ.items() if k not in {drop!r}}}
for name in ("session-start", "user-prompt-submit", "stop", "session-end"):
    subprocess.run([sys.executable, "-m", "mdmem", "hook", name], input=event, text=True, env=environ, check=True)
reply = {{"summary": {{"request": "a", "workDone": "b", "outcome": "done", "openItems": []}}, "memories": []}}
print(json.dumps({{"type": "result", "subtype": "success", "is_error": False, "result": json.dumps(reply)}}))
"""


@pytest.mark.parametrize("drop", [(), ("MDMEM_EXTRACTING",)], ids=["first mark", "second mark"])
def test_a_program_that_fires_our_hooks_again_starts_nothing(
    drop: tuple[str, ...],
    state: Path,
    project: Project,
    run: Path,
    tmp_path: Path,
    repo: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    programs = disk.make_folder(tmp_path / "bin")
    text = RECURSIVE.format(python=sys.executable, folder=str(tmp_path), repo=str(repo), drop=drop)
    (programs / "claude").write_text(text, encoding="utf-8")
    (programs / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(work.__file__).parents[2]))
    monkeypatch.setenv("MDMEM_EXTRACTION_RUNNER", "claude")
    append_queued(state, asked(run))
    (done, *more) = project.jobs.work(silent)
    assert (done.state, done.result.calls) == (JobState.DONE, 1)
    until = time.monotonic() + 20
    while time.monotonic() < until and any(job.is_open for job in read_jobs(state)):
        time.sleep(0.1)
    assert all(job.state is JobState.SKIPPED for job in (*more, *read_jobs(state)[1:]))
    assert len(read_jobs(state)) == (2 if drop else 1)
    assert (tmp_path / "calls").read_text(encoding="utf-8") == "call\n"


def test_the_ledger_says_in_json_what_became_of_a_job(state: Path, project: Project, run: Path) -> None:
    append_queued(state, asked(run, cause="session-end"))
    (done,) = project.jobs.work(silent)
    shown = json.loads(json.dumps(done.as_json()))
    assert shown.items() >= {"id": done.id, "state": "done", "cause": "session-end", "learned": 1, "cost": 0.0}.items()
    assert work.as_line(done).endswith("1 learned, 0 confirmed, 1 episode")
    assert (user_state_folder() / work.SLOTS).is_dir()
