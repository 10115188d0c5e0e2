"""Summaries of runs as files that a team shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from mdmem.extract.sharing import render_session, write_session
from mdmem.markdown.parse import parse
from mdmem.store.sessions import read_sessions
from mdmem.store.state import Run, Summary, append_run, recent_summaries

if TYPE_CHECKING:
    from pathlib import Path

RUN = Run(
    "claude-code/0b1f",
    at="2026-03-02T10:00:00+00:00",
    ended="2026-03-01T17:30:00+00:00",
    summary=Summary("Port the importer", "Ported; tests pass.", "partial", ("Remove the old flag", "Tell ops")),
)


def test_a_run_becomes_a_file_that_reads_the_same(tmp_path: Path) -> None:
    assert write_session(tmp_path, RUN, parse) == "sessions/2026-03-01-port-the-importer.md"
    (again,) = read_sessions(tmp_path, parse)
    assert (again.origin, again.ended, again.summary) == (RUN.origin, RUN.ended, RUN.summary)
    assert (tmp_path / "sessions/2026-03-01-port-the-importer.md").read_text() == (
        "---\norigin: claude-code/0b1f\nagent: claude-code\nended: '2026-03-01T17:30:00+00:00'\noutcome: partial\n---\n"
        "## Asked\n\nPort the importer\n\n## Done\n\nPorted; tests pass.\n\n"
        "## Open\n\n- Remove the old flag\n- Tell ops\n"
    )


def test_the_same_run_keeps_its_file_and_another_gets_its_own(tmp_path: Path) -> None:
    first = write_session(tmp_path, RUN, parse)
    assert write_session(tmp_path, Run(RUN.origin, ended=RUN.ended, summary=Summary("Something else")), parse) == first
    assert write_session(tmp_path, Run("codex/1", ended=RUN.ended, summary=Summary("Something else")), parse) != first
    assert len(read_sessions(tmp_path, parse)) == 2


def test_no_secret_is_shared(tmp_path: Path) -> None:
    token = "ghp_" + "FAKEfake" * 4 + "0000"
    assert token not in render_session(Run("a/1", summary=Summary(f"Use {token}")))


def test_what_a_team_left_undone_is_joined_with_ones_own(tmp_path: Path) -> None:
    append_run(tmp_path, Run("a/own", ended="2026-03-03", summary=Summary("Own", open_items=("mine",))))
    shared = [
        Run("a/own", ended="2026-03-03", summary=Summary("Theirs")),
        Run("b/2", ended="2026-03-04", summary=Summary("B")),
    ]
    assert [one.request for one in recent_summaries(tmp_path, 5, shared)] == ["B", "Own"]


@given(st.binary(max_size=200))
def test_any_file_is_read_without_a_fault(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "sessions").mkdir(exist_ok=True)
    (tmp_path / "sessions/x.md").write_bytes(data)
    read_sessions(tmp_path, parse)
