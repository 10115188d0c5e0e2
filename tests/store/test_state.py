"""History on this machine: one line a run, and no damage that stops reading."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from mdmem.store import state
from mdmem.store.state import Episode, Run, Summary, Usage

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 5, 4, tzinfo=UTC)
RUN = Run(
    origin="claude-code/a",
    content="00ff",
    at="2026-05-04T10:00:00+00:00",
    ended="2026-05-04T09:00:00+00:00",
    summary=Summary("Add a crane", "It is in.", "done", ("the gantry cranes",)),
    episodes=(
        Episode("error", "no table", "claude-code/a", (3, 5), "2026-05-04", ("a.py",), "pytest", "no table", "make db"),
        Episode("correction", "not that", "claude-code/a", (7,), memory="Use this"),
    ),
)


def other(name: str, ended: str) -> Run:
    return Run(origin=f"claude-code/{name}", ended=ended, summary=Summary(request=name))


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    state.append_run(tmp_path, RUN)
    assert state.read_runs(tmp_path) == (RUN,)
    assert state.read_episodes(tmp_path) == RUN.episodes
    assert state.read_episodes(tmp_path, without=RUN.origin) == ()


def test_no_history_is_no_runs(tmp_path: Path) -> None:
    assert state.read_runs(tmp_path) == ()
    assert state.recent_summaries(tmp_path, 5) == ()
    assert state.read_usage(tmp_path) == {}


def test_the_last_reading_of_a_run_counts(tmp_path: Path) -> None:
    state.append_run(tmp_path, Run(origin="claude-code/a"))
    state.append_run(tmp_path, other("b", ""))
    state.append_run(tmp_path, RUN)
    assert [run.origin for run in state.read_runs(tmp_path)] == ["claude-code/b", "claude-code/a"]
    assert state.read_runs(tmp_path)[-1] == RUN


def test_recent_summaries_are_those_of_the_runs_that_ended_last(tmp_path: Path) -> None:
    for name, ended in (("late", "2026-05-03"), ("early", "2026-05-01"), ("middle", "2026-05-02")):
        state.append_run(tmp_path, other(name, ended))
    assert [summary.request for summary in state.recent_summaries(tmp_path, 2)] == ["late", "middle"]


def test_a_torn_line_swallows_neither_the_one_before_nor_the_one_after(tmp_path: Path) -> None:
    state.append_run(tmp_path, RUN)
    log = tmp_path / state.RUNS
    log.write_bytes(log.read_bytes() + b'{"origin": "claude-code/torn", "summ')
    assert state.read_runs(tmp_path) == (RUN,)
    state.append_run(tmp_path, other("b", ""))
    assert [run.origin for run in state.read_runs(tmp_path)] == ["claude-code/a", "claude-code/b"]


@given(st.integers(0, 700), st.binary(max_size=8), st.integers(0, 9))
def test_no_damage_stops_reading(tmp_path: Path, at: int, put: bytes, cut: int) -> None:
    log = tmp_path / state.RUNS
    log.unlink(missing_ok=True)
    state.append_run(tmp_path, RUN)
    data = log.read_bytes()
    log.write_bytes(data[:at] + put + data[at + cut :])
    assert len(state.read_runs(tmp_path)) <= 2
    state.recent_summaries(tmp_path, 3)


def test_fields_of_the_wrong_kind_are_empty(tmp_path: Path) -> None:
    line = '{"origin": "x", "at": 3, "summary": [1], "episodes": [{"kind": 1, "lines": ["a", 2], "files": "f"}, 5]}\n'
    (tmp_path / state.RUNS).write_text(line, encoding="utf-8")
    assert state.read_runs(tmp_path) == (Run(origin="x", episodes=(Episode("", "", lines=(2,)),)),)


def test_recalls_are_counted(tmp_path: Path) -> None:
    later = NOW.replace(day=9)
    state.append_recalls(tmp_path, ["a", "b"], later)
    state.append_recalls(tmp_path, ["a"], NOW)
    state.append_recalls(tmp_path, [], NOW)
    assert state.read_usage(tmp_path) == {"a": Usage(2, later), "b": Usage(1, later)}
