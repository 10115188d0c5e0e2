"""Failures: one cause once, what made it work, and when that is a lesson."""

from __future__ import annotations

import pytest

from mdmem.extract.failure import Way, cause_of, difference, failures
from mdmem.store.state import Episode
from support.runs import Transcript, worked

NO_DATABASE = "Exit code 1\nE   connection to server at 127.0.0.1, port 5433 failed: Connection refused"


def test_the_line_that_tells_most_is_the_cause() -> None:
    lint = "Exit code 1\n[lint] $ golint ./...\n[lint] ERROR task failed\n\na/b.go:9:2: cannot use x as y\n"
    assert cause_of(lint) == "cannot use x as y"
    assert cause_of('Traceback (most recent call last):\n  File "a.py", line 3\nValueError: bad depth') == (
        "ValueError: bad depth")  # fmt: skip
    assert cause_of("<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>") == (
        "String to replace not found in file.")  # fmt: skip
    assert cause_of("Exit code 3\n") == ""


@pytest.mark.parametrize(
    ("failed", "worked", "way", "part"),
    [
        ("pytest -q", "make db-up && pytest -q", Way.BEFORE, "make db-up"),
        ("mypy src", "MYPYPATH=stubs mypy src", Way.SETTING, "MYPYPATH=stubs"),
        ("load fees --parallel 4", "load fees --parallel 1", Way.SWITCH, "--parallel 1"),
        ("load fees", "load fees --tz-naive", Way.SWITCH, "--tz-naive"),
        ("pytest tests/a.py", "pytest tests/b.py", Way.NONE, ""),
        ("make test", "make test", Way.OTHER, ""),
        ("make test", "ls", Way.NONE, ""),
        ("", "ls", Way.NONE, ""),
    ],
)
def test_how_the_command_that_worked_differs(failed: str, worked: str, way: Way, part: str) -> None:
    assert difference(failed, worked) == (way, part)


def test_one_cause_is_counted_once_whatever_its_numbers() -> None:
    run = worked().bash("pytest tests/a", NO_DATABASE, failed=True)
    run.bash("pytest tests/b", NO_DATABASE.replace("5433", "6000"), failed=True)
    (failure,) = failures(run.read())
    assert failure.occurrences == 2
    assert [call.line for call in failure.calls] == [6, 8]


def test_parallel_calls_are_one_occurrence() -> None:
    run = worked().call("Edit", message="m", file_path="a").call("Edit", message="m", file_path="b")
    run.result("String to replace not found in file.", failed=True, of=5)
    run.result("String to replace not found in file.", failed=True, of=6)
    (failure,) = failures(run.read())
    assert (failure.occurrences, failure.has_repeated) == (1, False)


def test_refusals_and_guardrails_are_no_failures() -> None:
    run = worked().call("Bash", command="rm x").refuse("no").bash("rm y", "blocked by hook", failed=True)
    assert failures(run.read()) == ()


def test_a_failure_that_came_back_and_was_mended_from_outside_is_a_lesson() -> None:
    run = worked().bash("pytest -q", NO_DATABASE, failed=True).bash("pytest -q", NO_DATABASE, failed=True)
    (open_failure,) = failures(run.read())
    assert not open_failure.is_lesson
    (failure,) = failures(run.bash("make db-up && pytest -q").agent("The database was down.").read())
    assert failure.is_lesson
    assert (failure.remedy.way, failure.remedy.part) == (Way.BEFORE, "make db-up")
    assert failure.remedy.advice == "The database was down."


def test_mending_the_code_is_no_lesson() -> None:
    run = worked().bash("make lint", "a.py:3: undefined name x", failed=True).edit()
    run.bash("make lint", "a.py:9: undefined name x", failed=True).edit().bash("make lint")
    (failure,) = failures(run.read())
    assert failure.has_repeated
    assert not failure.is_lesson


def test_a_single_failure_is_none_until_another_run_saw_it() -> None:
    session = worked().bash("pytest -q", NO_DATABASE, failed=True).bash("make db-up && pytest -q").read()
    (alone,) = failures(session)
    assert not alone.is_lesson
    seen = Episode("error", "x", origin="claude-code/other", cause=cause_of(NO_DATABASE.replace("5433", "6000")))
    (again,) = failures(session, [seen, Episode("error", "y", cause="disk full")])
    assert again.earlier == (seen,)
    assert again.is_lesson


def test_what_prepared_the_same_command_is_its_remedy() -> None:
    run = Transcript().user("Run tides.").bash("run tides", "relation log does not exist", failed=True)
    run.bash("make bootstrap", "created 14 tables").agent("It wanted make bootstrap.")
    (failure,) = failures(run.read(), [Episode("error", "x", cause="relation log does not exist")])
    assert (failure.remedy.way, failure.remedy.part) == (Way.PREPARED, "make bootstrap")
    assert failure.is_lesson


def failed_and(retry: str, advice: str, *, edits: bool = False) -> Transcript:
    run = worked().bash("make image", "fatal error: proj.h: No such file or directory", failed=True)
    run = run.edit() if edits else run
    return run.bash(retry).agent(advice)


@pytest.mark.parametrize(
    ("run", "helped", "is_lesson"),
    [
        (failed_and("apt-get install libproj-dev", "The headers were missing."), "apt-get install libproj-dev", True),
        (failed_and("tar xf proj.tgz", "Unpacked."), "apt-get install libproj-dev — The headers were missing.", False),
        (failed_and("make image", "The include path was wrong.", edits=True), "make image — The header moved.", False),
        (failed_and("make image", "The include path was wrong.", edits=True), "x — wrong include path of proj", True),
        (failed_and("make image", "The include path again.", edits=True), "make image", True),
        (failed_and("make image", "It passed."), "make image — The disk was full.", False),
    ],
)
def test_a_cause_of_two_runs_teaches_only_what_helped_in_both(run: Transcript, helped: str, is_lesson: bool) -> None:
    seen = Episode("error", "x", cause="fatal error: proj.h: No such file or directory", remedy=helped)
    (failure,) = failures(run.read(), [seen])
    assert failure.earlier == (seen,)
    assert failure.is_lesson is is_lesson
