"""Whose transcript a file is, told by what stands in it; and reading that skips what it need not decode."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import DiskError, TranscriptError
from mdmem.extract.transcripts.reader import detect, read
from mdmem.extract.transcripts.records import KINDS, PROBLEMS, Tally, iter_records
from support.opencode_runs import built, write_database, write_folder
from support.rollouts import ERAS, Rollout, patched
from support.runs import Transcript, worked

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("era", ERAS)
def test_a_rollout_is_told_whatever_its_name(tmp_path: Path, era: str) -> None:
    assert detect(patched(era).write(tmp_path / "run.txt")).agent == "codex"


def test_other_transcripts_are_told_too(tmp_path: Path) -> None:
    (tmp_path / "export").write_bytes(built().data(indent=None))
    assert detect(tmp_path / "export").agent == "opencode"
    assert detect(write_database(tmp_path / "run.jsonl", [built()])).agent == "opencode"
    assert detect(write_folder(tmp_path / "storage", [built()])).agent == "opencode"
    assert detect(worked().write(tmp_path)).agent == "claude-code"


@pytest.mark.parametrize(
    "first",
    [
        {"type": "summary", "summary": "A crane", "leafUuid": "x"},
        {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
        {"type": "of-tomorrow", "sessionId": "x"},
    ],
)
def test_any_record_of_claude_code_will_do(tmp_path: Path, first: dict[str, object]) -> None:
    (tmp_path / "run").write_text(json.dumps(first) + "\n", encoding="utf-8")
    assert detect(tmp_path / "run").agent == "claude-code"


def test_a_first_record_that_is_very_long_will_do(tmp_path: Path) -> None:
    run = Rollout().begin(base_instructions={"text": "x" * 400_000}).user("Hello.")
    assert detect(run.write(tmp_path / "run")).agent == "codex"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"role": "user", "content": "hello"}\n{"role": "assistant"}\n', "line 1: no record of an agent"),
        ("[]", "line 1: a transcript holds one JSON record a line"),
        ('{\n  "sessionId": "x"\n}\n', "line 1: a transcript holds one JSON record a line"),
        ("hello\nworld\n", "line 1: a transcript holds one JSON record a line"),
    ],
)
def test_what_nobody_wrote_is_an_error_that_names_what_is_read(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "run").write_text(text, encoding="utf-8")
    with pytest.raises(TranscriptError, match=message) as caught:
        read(tmp_path / "run")
    assert caught.value.code == "E_NOT_JSONL"
    assert "Codex" in caught.value.hint
    assert "opencode export" in caught.value.hint


def test_a_folder_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="none of OpenCode's"):
        detect(tmp_path)
    with pytest.raises(DiskError, match="No such file") as caught:
        detect(tmp_path / "gone.jsonl")
    assert "check the name" in caught.value.hint


def test_an_empty_file_is_an_empty_session(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes(b"\n")
    session, _ = read(tmp_path / "run.jsonl")
    assert (session.id, session.said) == ("run", ())


@given(st.binary(max_size=200))
def test_no_bytes_are_worse_than_an_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "run"
    path.write_bytes(data)
    try:
        read(path)
    except (TranscriptError, DiskError):
        return


NOISE = frozenset({"progress", "event_msg/token_count"})


def kinds(data: bytes) -> tuple[list[int], dict[str, int], list[str]]:
    """The lines of the records that were given out, what was skipped, and the problems."""
    tally = Tally()
    lines = [record.line for record in iter_records(io.BytesIO(data), tally, NOISE)]
    return lines, dict(tally.kinds), [problem.code for problem in tally.problems]


def test_noise_is_counted_without_being_decoded() -> None:
    assert kinds(b'{"a": "x", "type": "progress", "data": [}\n{"type": "user"}\n') == ([2], {"progress": 1}, [])
    counted = b'{"timestamp": "x", "ordinal": 3, "type": "event_msg", "payload": {"type": "token_count", "n": 1}}\n'
    assert kinds(counted) == ([], {"event_msg/token_count": 1}, [])


@pytest.mark.parametrize(
    "line",
    [
        b'{"message": {"type": "progress"}, "type": "user"}\n',
        b'{"message": "\\"type\\": \\"progress\\"", "type": "user"}\n',
        b'{"a\\"type": "progress", "type": "user"}\n',
        b'{"type": "event_msg", "payload": {"item": {"type": "token_count"}}}\n',
        b'{"type": "progressing"}\n',
    ],
)
def test_only_a_records_own_type_makes_it_noise(line: bytes) -> None:
    assert kinds(line) == ([1], {}, [])


def test_a_record_glued_to_noise_is_not_lost() -> None:
    assert kinds(b'{"type": "progress"}{"type": "user"}\n') == ([1, 1], {}, ["W_GLUED_LINE"])


def test_noise_that_is_torn_is_named() -> None:
    assert kinds(b'{"type": "user"}\n{"type": "progress", "da') == ([1], {}, ["W_BAD_LINE"])


def test_a_broken_file_does_not_fill_the_memory() -> None:
    tally = Tally()
    made_up = b"".join(json.dumps({"type": f"kind-{n}"}).encode() + b"\n" for n in range(KINDS + 50))
    for record in iter_records(io.BytesIO(made_up + b"{\n" * (PROBLEMS + 5)), tally):
        tally.count(str(record.value["type"]))
    assert (len(tally.problems), tally.skipped) == (PROBLEMS, PROBLEMS + 5)
    assert len(tally.kinds) == KINDS + 1
    assert sum(tally.kinds.values()) == KINDS + 50


def test_what_was_passed_over_is_counted_by_why() -> None:
    run = worked().user("<system-reminder>x</system-reminder>").user("sub", isSidechain=True)
    run.records.append(run.records[0])
    assert dict(run.read().passed) == {
        "records of sub-agents": 1, "records seen before": 1, "text that was injected, not typed": 1}  # fmt: skip
    assert Transcript().read().passed == ()
