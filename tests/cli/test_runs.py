"""`mdmem extract` over the agents' own folders, and what it says of a transcript."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from mdmem.clock import clock
from support.opencode_runs import Conversation, bash, write_database
from support.rollouts import Rollout, patched
from support.runs import worked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.store.store import Store
    from support.machine import Answer


@pytest.fixture
def now() -> datetime:
    """The time that counts as now."""
    return clock(os.environ)


@pytest.fixture
def rollout(hermetic: Path, repo: Path, now: datetime) -> Path:
    """A finished run of Codex in this repository, an hour old, that holds one rule."""
    run = patched()
    run.lines[0]["payload"]["cwd"] = str(repo)  # type: ignore[index]
    run.user("No, crane ids are always strings").patch("a.py").result("Success.").agent("Strings.")
    return aged(run.write(hermetic / ".codex/sessions/2026/05/04/rollout-1.jsonl"), now - timedelta(hours=1))


def aged(path: Path, at: datetime) -> Path:
    """A file as if it had been changed at that time."""
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def test_all_runs_of_the_project_are_read_once(
    cli: Callable[..., Answer], rollout: Path, store: Store, now: datetime
) -> None:
    done = cli("extract", "--all")
    assert done.code == 0
    assert "added: convention/crane-ids-are-always-strings.md" in done.out
    assert done.err == "1 run read, 0 read before, 0 still going on\n"
    again = cli("extract", "--all")
    assert (again.out, again.err) == ("", "0 runs read, 1 read before, 0 still going on\n")
    aged(rollout, now - timedelta(minutes=30))
    assert cli("extract", "--all").err.startswith("1 run read")
    assert len(list((store.root / "convention").iterdir())) == 1


def test_a_run_that_goes_on_is_left_until_it_is_over(
    cli: Callable[..., Answer], rollout: Path, store: Store, now: datetime
) -> None:
    aged(rollout, now - timedelta(minutes=2))
    assert cli("extract", "--all").err == "0 runs read, 0 read before, 1 still going on\n"
    assert "added" in cli("extract", rollout).out


def test_a_dry_run_lists_what_there_is(cli: Callable[..., Answer], rollout: Path, store: Store, repo: Path) -> None:
    rows = [line.split("\t") for line in cli("extract", "--all", "--dry-run").out.splitlines()]
    assert [row[1:] for row in rows] == [["codex", "new", str(repo), str(rollout)]]
    (one,) = json.loads(cli("extract", "--all", "--dry-run", "--json").out)
    assert (one["agent"], one["standing"], one["transcript"]) == ("codex", "new", str(rollout))
    assert not (store.state_folder / "transcripts.jsonl").exists()


@pytest.mark.parametrize("args", [("--agent", "claude-code"), ("--since", "2099-01-01")])
def test_runs_may_be_narrowed(cli: Callable[..., Answer], rollout: Path, store: Store, args: tuple[str, ...]) -> None:
    assert cli("extract", "--all", "--dry-run", *args).out == ""


def test_json_is_one_object_a_run(cli: Callable[..., Answer], rollout: Path, store: Store) -> None:
    (line,) = cli("extract", "--all", "--json").out.splitlines()
    assert (json.loads(line)["agent"], json.loads(line)["new"]) == ("codex", True)


def test_every_project_gets_its_own_runs(
    cli: Callable[..., Answer], rollout: Path, store: Store, hermetic: Path, tmp_path: Path, now: datetime
) -> None:
    assert cli("list").code == 0
    run = worked().user("No, tide tables are always in UTC").edit().agent("UTC.")
    run.records = [{**record, "cwd": str(tmp_path / "elsewhere")} for record in run.records]
    folder = hermetic / ".claude/projects/x"
    folder.mkdir(parents=True)
    aged(run.write(folder), now - timedelta(hours=1))
    done = cli("extract", "--every-project")
    assert done.err.startswith("1 run read")
    assert [path.name for path in (store.root / "convention").iterdir()] == ["crane-ids-are-always-strings.md"]


def test_a_session_of_opencode_is_named_by_its_id(cli: Callable[..., Answer], hermetic: Path, store: Store) -> None:
    run = Conversation().user("Run the tests.").agent("It fails.", bash("make", "no rule", 1))
    write_database(hermetic / ".local/share/opencode/opencode.db", [run])
    assert cli("extract", "opencode:ses_1", "--digest").out.startswith("## User asked\n- Run the tests.")
    missing = cli("extract", "opencode:ses_9")
    assert (missing.code, "ses_9" in missing.err) == (1, True)


def test_it_explains_what_was_read_and_what_not(cli: Callable[..., Answer], repo: Path, store: Store) -> None:
    run = patched().add("wormhole", {}).event("token_count", info={}).user("No, crane ids are always strings")
    run.patch("a.py").result("Success.").agent("Strings.")
    path = run.write(repo / "run.jsonl")
    done = cli("extract", path, "--explain")
    assert done.code == 0
    for line in (
        "run.jsonl: run 11111111-1111-7111-8111-111111111111 of codex 0.101.0 gpt-test in /home/ada/dock",
        "  learned from: yes",
        "  the user spoke 2 times, the agent 2 times, 0 tool calls failed",
        "          1  wormhole  (unknown kind, ignored)",
        "          1  event_msg/token_count  (not for us)",
        "          1  messages to the agent (developer)",
    ):
        assert line in done.out.splitlines()
    assert "correction: No, crane ids are always strings → Crane ids are always strings" in done.out
    assert not (store.root / "convention").exists()
    found = json.loads(cli("extract", path, "--explain", "--json").out)
    assert {"kind": "wormhole", "count": 1, "use": "unknown"} in found["kinds"]


def test_a_fork_teaches_only_what_is_new_in_it(cli: Callable[..., Answer], repo: Path, store: Store) -> None:
    first = worked().user("No, crane ids are always strings").edit().agent("Strings.")
    assert "added" in cli("extract", first.write(repo)).out
    first.session = "run-2"
    first.records = [{**record, "sessionId": "run-2"} for record in first.records]
    assert "skipped: a fork in which nothing is new" in cli("extract", first.write(repo)).out
    done = cli("extract", first.user("No, tide tables are always in UTC").edit().agent("UTC.").write(repo)).out
    assert "added: convention/tide-tables-are-always-in-utc.md" in done
    assert "crane-ids" not in done


def test_a_subagents_run_is_skipped(cli: Callable[..., Answer], repo: Path, store: Store) -> None:
    run = Rollout().begin(source={"subagent": "review"}).user("Look around.").agent("Seen.")
    assert "skipped: a sub-agent's part of another run" in cli("extract", run.write(repo / "run.jsonl")).out


@pytest.mark.parametrize(
    "args", [(), ("--all", "run.jsonl"), ("run.jsonl", "--since", "2026-05-01"), ("run.jsonl", "--agent", "codex")]
)
def test_it_must_be_clear_what_is_meant(cli: Callable[..., Answer], store: Store, args: tuple[str, ...]) -> None:
    assert cli("extract", *args).code == 2
