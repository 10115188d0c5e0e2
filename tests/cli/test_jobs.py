"""`mdmem jobs` as a user meets it: what waits, what came of the rest, and how to change it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mdmem import disk
from mdmem.cli.registry import door
from mdmem.store.ledger import Job, JobState, append_event, append_queued, read_jobs
from support.runs import worked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.store.store import Store
    from support.machine import Answer

AT = "2026-03-10T12:00:00+00:00"


@pytest.fixture
def job(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    """A job that waits, in a store that learns from Claude Code."""
    monkeypatch.setenv("MDMEM_AGENTS_CLAUDE_CODE_EXTRACT", "true")
    path = worked().user("No, crane ids are always strings").edit().agent("Strings.").write(tmp_path)
    asked = Job(str(path), path.stat().st_size, "claude-code", "run-1", queued_at=AT, cause="session-end")
    append_queued(disk.make_folder(store.state_folder), asked)
    return asked


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What is started in the background, instead of starting it."""
    calls: list[tuple[str, ...]] = []
    detach = door("mdmem.hooks.detach")
    monkeypatch.setattr(detach, "start", lambda args, folder, store=None: calls.append(tuple(args)))
    return calls


def test_what_waits_and_what_became_of_it(cli: Callable[..., Answer], job: Job) -> None:
    assert cli("jobs").out == f"queued\t{job.id}\t2026-03-10T12:00\t{job.transcript}\t\n"
    assert "jobs: 1 queued: mdmem jobs" in cli("status").out
    worker = cli("jobs", "work")
    assert (worker.code, worker.out) == (0, "")
    assert f"done: {job.id} {job.transcript}: 1 learned, 0 confirmed, 1 episode" in worker.err
    assert cli("jobs", "list").out.endswith("\t1 learned, 0 confirmed, 1 episode\n")
    (shown,) = json.loads(cli("jobs", "list", "--json").out)
    assert (shown["state"], shown["learned"], shown["cause"]) == ("done", 1, "session-end")
    assert "jobs:" not in cli("status").out
    assert json.loads(cli("status", "--json").out)["jobs"] == {"queued": 0, "running": 0, "failed": 0}


def test_the_list_is_bounded_unless_all_are_asked_for(cli: Callable[..., Answer], store: Store, job: Job) -> None:
    for offset in range(30):
        append_queued(store.state_folder, Job("/old.jsonl", offset, "codex", state=JobState.DONE, queued_at=AT))
    assert len(cli("jobs").out.splitlines()) == 21
    assert len(cli("jobs", "list", "--all").out.splitlines()) == 31


def test_a_failed_job_is_retried_by_hand(
    cli: Callable[..., Answer], store: Store, job: Job, started: list[tuple[str, ...]]
) -> None:
    append_event(store.state_folder, Job(job.transcript, job.offset, job.agent, state=JobState.FAILED, reason="no"), AT)
    assert "1 failed" in cli("status").out
    assert cli("jobs", "retry").out == f"queued\t{job.id}\t{job.transcript}\n"
    assert started == [("jobs", "work")]
    assert cli("jobs", "retry").err == "nothing to do\n"
    assert cli("jobs", "retry", "nothing").code == 1


def test_what_waits_is_taken_back(cli: Callable[..., Answer], store: Store, job: Job) -> None:
    assert cli("jobs", "cancel", job.id[:4]).out == f"cancelled\t{job.id}\t{job.transcript}\n"
    assert [one.state for one in read_jobs(store.state_folder)] == [JobState.CANCELLED]
    assert cli("jobs", "work").err == ""
    assert cli("jobs", "cancel").err == "nothing to do\n"


def test_the_log_shows_its_end(cli: Callable[..., Answer], store: Store) -> None:
    assert "nothing was logged yet" in cli("jobs", "log").err
    detach = door("mdmem.hooks.detach")
    for number in range(5):
        detach.say(f"line {number}", AT)
    assert [line.rpartition("] ")[2] for line in cli("jobs", "log", "--lines", "2").out.splitlines()] == [
        "line 3",
        "line 4",
    ]


def test_without_jobs_it_says_how_there_come_to_be_some(cli: Callable[..., Answer], store: Store) -> None:
    done = cli("jobs")
    assert (done.code, done.out) == (0, "")
    assert "mdmem config agents.claude-code.extract on" in done.err


def test_a_sweep_reads_what_lies_in_the_agents_folders(
    cli: Callable[..., Answer], store: Store, hermetic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_NOW", "2099-01-01T00:00:00Z")
    repo = store.root.parent
    folder = hermetic / ".claude/projects" / "".join(c if c.isalnum() else "-" for c in str(repo))
    folder.mkdir(parents=True)
    run = worked().user("No, tug ids are always strings").edit().agent("Strings.")
    for record in run.records:
        record["cwd"] = str(repo)
    run.write(folder)
    assert "0 runs to be read, of 1" in cli("extract", "--sweep").err
    monkeypatch.setenv("MDMEM_AGENTS_CLAUDE_CODE_EXTRACT", "true")
    assert "1 run to be read, of 1" in cli("extract", "--sweep").err
    assert [one.memory.title for one in store.load()] == ["Tug ids are always strings"]
    assert "0 runs to be read, of 1" in cli("extract", "--sweep").err
