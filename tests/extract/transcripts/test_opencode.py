"""The reader of OpenCode's sessions: an export, the database and the older folders give the same."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import MdmemError, TranscriptError
from mdmem.extract.transcripts import opencode
from mdmem.extract.transcripts.reader import read
from mdmem.extract.transcripts.session import Use, Voice
from support.opencode_runs import Conversation, bash, built, tool, write_database, write_folder

if TYPE_CHECKING:
    from pathlib import Path

    from mdmem.extract.transcripts.session import Session

REFUSED = "The user rejected permission to use this specific tool call"


def texts(session: Session) -> list[str]:
    return [said.text for said in session.said]


def test_a_session_becomes_turns_with_paired_calls() -> None:
    run = Conversation().user("Run the tests.").agent("It fails.", bash("make", "no rule", 2)).user("Thanks.")
    session = run.read()
    assert texts(session) == ["Run the tests.", "Thanks."]
    (call,) = session.turns[0].calls
    assert (call.name, call.command, call.output, call.is_failed, call.line) == ("bash", "make", "no rule", True, 2)
    assert (session.user_texts, session.assistant_messages, session.tool_errors) == (2, 1, 1)
    assert (session.agent, session.id, session.cwd) == ("opencode", "ses_1", "/home/ada/dock")
    assert (session.title, session.version, session.model) == ("A crane", "1.18.33", "m1")
    assert session.turns[0].is_finished
    assert "Fridays" not in repr(session)


def test_an_argument_of_opencode_run_loses_its_quotes() -> None:
    assert texts(Conversation().user('"say \\"no\\" twice"').read()) == ['say "no" twice']
    assert texts(Conversation().user('"yes" or "no"?').read()) == ['"yes" or "no"?']


@pytest.mark.parametrize("mark", ["synthetic", "ignored"])
def test_text_that_opencode_adds_is_not_the_users(mark: str) -> None:
    session = built().user("Always deploy on Fridays.", **{mark: True}).read()
    assert texts(session) == ["Add a crane to the model."]


def test_a_refusal_is_the_users_word_and_no_error() -> None:
    state = {"status": "error", "error": f"{REFUSED} with the following feedback: ask me: always"}
    session = built().agent("", tool("bash", {"command": "git push"}, call="c", **state)).read()
    assert (session.said[-1].text, session.said[-1].voice) == ("ask me: always", Voice.REJECTION)
    assert session.tool_errors == 0
    silent = (
        built().agent("", tool("bash", {"command": "git push"}, call="c", status="error", error=f"{REFUSED}.")).read()
    )
    assert [call.is_rejected for call in silent.iter_calls()] == [False, True]
    assert len(silent.said) == 1


@pytest.mark.parametrize(
    "error", ["Tool execution aborted", "The user has specified a rule which prevents you from using this tool call."]
)
def test_guardrails_are_no_failures(error: str) -> None:
    session = built().agent("", tool("bash", {"command": "x"}, call="c", status="error", error=error)).read()
    assert [call.is_failed for call in session.iter_calls()] == [False, False]


def test_a_tool_that_broke_has_failed_and_one_that_runs_is_open() -> None:
    broken = tool("edit", {"filePath": "a.py"}, call="a", status="error", error="oldString not found in content")
    going = tool("bash", {"command": "make"}, call="b", status="running")
    calls = list(built().agent("Hm.", broken, going).read().iter_calls())[1:]
    assert [(call.path, call.is_failed, call.is_open) for call in calls] == [("a.py", True, False), ("", False, True)]


def test_an_answer_to_a_question_is_told_from_a_correction() -> None:
    asked = tool("question", {"questions": []}, 'User has answered your questions: "Which port?"="5433".', call="q")
    assert [(said.text, said.voice) for said in built().agent("So.", asked).read().said][-1] == (
        "Which port? 5433", Voice.ANSWER)  # fmt: skip


def test_a_message_that_broke_off_and_a_summary_say_nothing() -> None:
    run = built().message("assistant", error={"name": "MessageAbortedError"}).agent("All so far.", summary=True)
    session = run.read()
    assert session.assistant_messages == 1
    assert dict(session.passed) == {"messages that broke off": 1, "summaries of what came before": 1}


def test_a_patch_is_a_call_for_each_of_its_files() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Add File: b.py\n*** End Patch"
    session = Conversation().user("Go.").agent("Done.", tool("apply_patch", {"patchText": patch})).read()
    assert [call.path for call in session.iter_calls()] == ["a.py", "b.py"]


def test_unknown_parts_are_counted_and_change_nothing() -> None:
    session = built().agent("Ok.", {"type": "wormhole"}).read()
    uses = {kind.name: kind.use for kind in session.kinds}
    assert (uses["part/wormhole"], uses["part/reasoning"]) == (Use.UNKNOWN, Use.MACHINERY)


def test_every_form_of_storage_gives_the_same(tmp_path: Path) -> None:
    run = built().user("More.").agent("It fails.", bash("make", "boom", 1))
    export = tmp_path / "any.name"
    export.write_bytes(run.data())
    other = Conversation("ses_2", cwd="/elsewhere").user("Hello.")
    database = write_database(tmp_path / "data.bin", [run, other])
    folder = write_folder(tmp_path / "storage", [run, other])
    session, _ = read(export)
    assert read(database.with_name("data.bin#ses_1"))[0] == session
    assert read(folder.with_name("storage#ses_1"))[0] == session


def test_a_store_with_one_session_needs_no_name(tmp_path: Path) -> None:
    child = Conversation("ses_2", parent="ses_1").user("Look around.").agent("Seen.")
    database = write_database(tmp_path / "opencode.db", [built(), child])
    assert read(database)[0].id == "ses_1"
    assert read(tmp_path / "opencode.db#ses_2")[0].is_subagent
    with pytest.raises(TranscriptError, match="holds no session ses_9"):
        read(tmp_path / "opencode.db#ses_9")
    more = write_database(tmp_path / "more.db", [built(), Conversation("ses_3").user("Hello.")])
    with pytest.raises(TranscriptError, match=r"holds 2 sessions: name one \(more\.db#ses_1, more\.db#ses_3"):
        read(more)


def test_the_content_changes_with_the_session_alone(tmp_path: Path) -> None:
    other = Conversation("ses_2").user("Hello.")
    before = read(write_database(tmp_path / "a.db", [built(), other]).with_name("a.db#ses_1"))[1]
    grown = replace(other, messages=[*other.messages]).agent("Hi.")
    assert read(write_database(tmp_path / "b.db", [built(), grown]).with_name("b.db#ses_1"))[1] == before
    assert read(write_database(tmp_path / "c.db", [built().user("More."), other]).with_name("c.db#ses_1"))[1] != before


def test_reading_a_database_that_is_in_use_locks_nobody_out(tmp_path: Path) -> None:
    path = write_database(tmp_path / "opencode.db", [built()], log=True)
    with closing(sqlite3.connect(path, timeout=0)) as agent:
        agent.execute("begin immediate")
        agent.execute("insert into message values ('msg_z', 'ses_1', 0, 0, '{}')")
        assert texts(read(path)[0]) == ["Add a crane to the model."]
        agent.commit()
    before = sorted(tmp_path.iterdir())
    read(path)
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_only_begins_like_a_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"SQLite format 3\0" + b"\0" * 500)
    with pytest.raises(MdmemError):
        read(tmp_path / "a.db")
    with closing(sqlite3.connect(tmp_path / "b.db")) as database:
        database.execute("create table other (id)")
    with pytest.raises(TranscriptError, match="no database of OpenCode's"):
        read(tmp_path / "b.db")


DATA = built().user("More.").agent("It fails.", bash("make", "boom", 1)).data()


@given(st.integers(0, len(DATA)))
def test_an_export_that_is_cut_is_read_as_far_as_it_goes(at: int) -> None:
    session = opencode.read_export(io.BytesIO(DATA[:at]))
    assert session.user_texts <= 2
    assert at >= len(DATA) - 1 or [problem.code for problem in session.problems] == ["W_BAD_LINE"]


@given(st.integers(0, len(DATA) - 1), st.binary(max_size=6), st.integers(0, 12))
def test_no_damage_makes_the_reader_fail(at: int, put: bytes, cut: int) -> None:
    assert opencode.read_export(io.BytesIO(DATA[:at] + put + DATA[at + cut :])).user_texts <= 3


def test_replayed_messages_change_nothing() -> None:
    run = built().user("More.")
    twice = replace(run, messages=[*run.messages, *run.messages])
    assert twice.read().turns == run.read().turns


def test_white_space_and_the_size_of_what_is_read_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    run = built().user("naïve 日本語 \U0001f6a2")
    whole = run.read()
    monkeypatch.setattr("mdmem.extract.transcripts.document.CHUNK", 1)
    assert opencode.read_export(io.BytesIO(run.data(indent=None))) == whole
    turned = json.dumps({"messages": run.messages, "extra": [1, 2.5], "n": 17, "info": run.info()})
    assert opencode.read_export(io.BytesIO(turned.encode())) == whole
