"""The reader of Codex's rollouts: every form they have had, and what in them is not the user's."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import TranscriptError
from mdmem.extract.transcripts import codex
from mdmem.extract.transcripts.session import Use, Voice
from support.rollouts import BARE, ERAS, FRAMED, LATEST, Rollout, patched

if TYPE_CHECKING:
    import random

    from mdmem.extract.transcripts.session import Session


def read(data: bytes) -> Session:
    return codex.read(io.BytesIO(data))


def texts(session: Session) -> list[str]:
    return [said.text for said in session.said]


@pytest.mark.parametrize("era", ERAS)
def test_a_run_of_any_time_becomes_turns_with_paired_calls(era: str) -> None:
    run = Rollout(era).begin().user("Run the tests.").run("make test").exited(2, "make: no rule\n").agent("It fails.")
    session = run.user("Thanks.").read()
    assert texts(session) == ["Run the tests.", "Thanks."]
    (call,) = session.turns[-2].calls
    assert (call.command, call.output, call.is_failed, call.is_open) == ("make test", "make: no rule\n", True, False)
    assert call.line == next(n for n, line in enumerate(run.lines, 1) if "call_output" in json.dumps(line))
    assert (session.user_texts, session.assistant_messages, session.tool_errors) == (2, 1, 1)
    assert (session.agent, session.id, session.problems) == ("codex", run.session, ())


def test_the_first_lines_tell_folder_version_and_model() -> None:
    session = Rollout().begin().user("Hello.").read()
    assert (session.cwd, session.version, session.model) == ("/home/ada/dock", "0.101.0", "gpt-test")
    assert not session.is_subagent


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /home/ada/dock\n\n<INSTRUCTIONS>\nAlways deploy on Fridays.\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/home/ada/dock</cwd>\n</environment_context>",
        "<user_instructions>\n\nAlways deploy on Fridays.\n\n</user_instructions>",
        "<INSTRUCTIONS>Always deploy on Fridays.</INSTRUCTIONS>",
        "<turn_aborted>\n  <reason>interrupted</reason>\n</turn_aborted>",
        "<user_shell_command>\n<command>make</command>\n</user_shell_command>",
        "<subagent_notification>{}</subagent_notification>",
        "<!-- mdmem:brief begin -->\n- Always deploy on Fridays\n<!-- mdmem:brief end -->",
    ],
)
def test_what_codex_puts_into_the_users_mouth_is_not_theirs(era: str, text: str) -> None:
    assert texts(patched(era).message("user", text).read()) == ["Add a crane to the model."]
    assert texts(patched(era).message("user", text, "Stack them.").read())[1:] == ["Stack them."]


def test_entries_that_name_their_source_are_told_by_it() -> None:
    kinds = {"content_item_kinds": ["hooks.additional_context", "user.text", "of.tomorrow"]}
    run = Rollout(LATEST).begin().message("user", "Always deploy on Fridays.", "Stack them.", "By weight.")
    payload = run.lines[-1]["payload"]
    assert isinstance(payload, dict)
    payload["internal_chat_message_metadata_passthrough"] = kinds
    assert texts(run.read()) == ["Stack them.\nBy weight."]


def test_what_an_editor_adds_to_a_request_is_taken_off() -> None:
    around = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nStack them.\n"
    assert texts(patched().message("user", around).read())[1:] == ["Stack them."]


def test_events_speak_only_where_no_message_does() -> None:
    alone = Rollout().begin().event("user_message", message="Stack them.").event("agent_message", message="Done.")
    assert texts(alone.read()) == ["Stack them."]
    assert [reply.text for reply in alone.read().iter_replies()] == ["Done."]
    item = {"type": "UserMessage", "content": [{"type": "text", "text": "Stack them."}]}
    assert texts(Rollout(LATEST).begin().event("item_completed", item=item).read()) == ["Stack them."]
    assert texts(
        Rollout().begin().event("user_message", message="Stack  them.").message("user", "Stack them.").read()
    ) == ["Stack them."]


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("Exit code: 1\nWall time: 0.2 seconds\nOutput:\nboom\n", 1),
        (
            "Chunk ID: 9\nWall time: 0.2 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\nboom\n",
            0,
        ),
        (json.dumps({"output": "boom\n", "metadata": {"exit_code": 7, "duration_seconds": 0.1}}), 7),
        ({"content": "boom\n", "success": False}, 1),
        ([{"type": "output_text", "text": "boom\n"}], 0),
        ("boom\n", 0),
        ("tool call error: boom\n", 1),
    ],
)
def test_outputs_of_every_form(output: object, code: int) -> None:
    (call,) = Rollout().begin().user("Go.").run("make").result(output).read().turns[-1].calls
    assert call.output.endswith("boom\n")
    assert "Wall time" not in call.output
    assert call.is_failed == bool(code)


def test_an_exit_code_may_stand_in_the_event_alone() -> None:
    end = {"call_id": "call-1", "exit_code": 2, "aggregated_output": "boom"}
    session = Rollout().begin().user("Go.").run("make").event("exec_command_end", **end).result("boom").read()
    assert session.turns[-1].calls[0].is_failed
    assert session.tool_errors == 1
    lost = Rollout().begin().user("Go.").run("make").event("exec_command_end", **end).read()
    assert (lost.turns[-1].calls[0].output, lost.tool_errors) == ("boom", 1)


def test_a_command_that_goes_on_fails_under_its_own_name() -> None:
    run = Rollout().begin().user("Go.").run("make watch")
    run.result("Chunk ID: 1\nWall time: 10 seconds\nProcess running with session ID 42\nOutput:\nbuilding\n")
    run.calls += 1
    given = json.dumps({"session_id": 42, "chars": ""})
    run.item("function_call", name="write_stdin", arguments=given, call_id=run.call)
    call = run.result("Wall time: 1 seconds\nProcess exited with code 1\nOutput:\nboom\n").read().turns[-1].calls[-1]
    assert (call.command, call.output, call.is_failed) == ("make watch", "boom\n", True)


def test_a_patch_is_a_call_for_each_of_its_files() -> None:
    session = (
        patched().user("More.").patch("a.py", "b/c.py").result("apply_patch verification failed: no such line").read()
    )
    assert [(call.path, call.is_failed, call.writes) for call in session.turns[-1].calls] == [
        ("a.py", True, True), ("b/c.py", True, True)]  # fmt: skip
    assert len({call.message for call in session.turns[-1].calls}) == 1
    assert session.tool_errors == 1


@pytest.mark.parametrize("command", [["apply_patch"], ["bash", "-lc"]])
def test_a_patch_may_be_given_to_a_shell(command: list[str]) -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch"
    text = patch if len(command) == 1 else f"apply_patch <<'EOF'\n{patch}\nEOF\n"
    run = Rollout(BARE).begin().user("Go.")
    arguments = json.dumps({"command": [*command, text]})
    run.item("function_call", name="shell", arguments=arguments, call_id="call-1").result("Success.")
    assert [(call.name, call.path) for call in run.read().iter_calls()] == [("apply_patch", "a.py")]


def test_a_local_shell_call_is_a_command() -> None:
    run = Rollout().begin().user("Go.")
    action = {"type": "exec", "command": ["make", "all things"]}
    run.item("local_shell_call", call_id="call-0", action=action)
    (call,) = run.read().iter_calls()
    assert (call.command, call.acts, call.is_open) == ("make 'all things'", True, True)


def test_calls_made_before_any_came_back_are_one_batch() -> None:
    run = Rollout().begin().user("Go.").run("a").run("b").exited(1, "boom")
    run.item("function_call_output", call_id="call-1", output="ok").run("c").exited(0, "")
    batches = [call.message for call in run.read().iter_calls()]
    assert batches[0] == batches[1] != batches[2]


def test_the_sandbox_refuses_and_nobody_has_failed() -> None:
    session = (
        patched().user("More.").patch("a.py").result("patch rejected: writing is blocked by read-only sandbox").read()
    )
    (call,) = session.turns[-1].calls
    assert (call.is_failed, call.is_rejected) == (False, False)


@pytest.mark.parametrize("output", ["exec command rejected by user", "patch rejected by user", "rejected by user"])
def test_what_a_user_says_after_a_refusal_is_why(output: str) -> None:
    session = patched().run("git push").result(output).user("Ask me before you push.").read()
    assert session.turns[-2].calls[-1].is_rejected
    assert (session.said[-1].text, session.said[-1].voice) == ("Ask me before you push.", Voice.REJECTION)
    assert session.tool_errors == 0
    later = patched().run("git push").result(output).agent("As you like.").user("Ask me.").read()
    assert later.said[-1].voice is Voice.PROMPT


def test_a_refusal_may_carry_its_reason() -> None:
    session = patched().run("git push").result("exec command rejected by user: ask me before you push").read()
    assert (session.said[-1].text, session.said[-1].voice) == ("ask me before you push", Voice.REJECTION)


def test_an_answer_to_a_question_is_told_from_a_correction() -> None:
    run = patched()
    asked = json.dumps({"questions": [{"id": "port", "question": "Which port?", "options": []}]})
    run.item("function_call", name="request_user_input", arguments=asked, call_id="call-9")
    run.item("function_call_output", call_id="call-9", output=json.dumps({"answers": {"port": {"answers": ["5433"]}}}))
    assert [(said.text, said.voice) for said in run.read().said][-1] == ("Which port? 5433", Voice.ANSWER)


def test_compacted_history_is_not_heard_again() -> None:
    kept = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Add a crane to the model."}]}
    ]
    run = patched().add("compacted", {"message": "so far", "replacement_history": kept}).user("Stack them.")
    assert texts(run.read()) == ["Add a crane to the model.", "Stack them."]


def test_messages_that_a_fork_repeats_are_heard_once() -> None:
    first = patched(LATEST)
    fork = Rollout(LATEST, session="22222222-2222-7222-8222-222222222222").begin(forked_from_id=first.session)
    fork.lines += [*first.lines, *first.lines]
    session = fork.user("Stack them.").read()
    assert session.id == fork.session
    assert texts(session) == ["Add a crane to the model.", "Stack them."]
    assert dict(session.passed)["records seen before"] > 0


@pytest.mark.parametrize(
    "meta",
    [{"source": {"subagent": {"thread_spawn": {}}}}, {"source": {"subagent": "review"}}, {"thread_source": "subagent"}],
)
def test_a_subagents_run_says_so(meta: dict[str, object]) -> None:
    assert Rollout().begin(**meta).user("Look around.").read().is_subagent


def test_our_own_extraction_is_told() -> None:
    assert Rollout().begin().user("[mdmem-extract v1] Read this run.").agent("{}").read().is_own


def test_unknown_kinds_are_counted_and_change_nothing() -> None:
    run = patched().add("wormhole", {"type": "x"}).event("wormhole").item("wormhole").add("world_state", {"full": True})
    session = run.read()
    assert session.turns == patched().read().turns
    uses = {kind.name: kind.use for kind in session.kinds}
    assert {name for name, use in uses.items() if use is Use.UNKNOWN} == {
        "wormhole", "event_msg/wormhole", "response_item/wormhole"}  # fmt: skip
    assert uses["world_state"] is Use.MACHINERY


def test_a_torn_last_line_is_named() -> None:
    data = patched().data()
    session = read(data + data.splitlines()[0][:40])
    assert [problem.code for problem in session.problems] == ["W_BAD_LINE"]
    assert texts(session) == ["Add a crane to the model."]


LINES = {
    era: patched(era).user("More.").run("make").exited(1, "boom").agent("It fails.").user("No, use just.").run("just")
    .result("exec command rejected by user").user("later").data().splitlines()
    for era in ERAS
}  # fmt: skip


@given(st.sampled_from([FRAMED, LATEST]), st.randoms(use_true_random=False))
def test_order_and_replay_do_not_matter(era: str, rng: random.Random) -> None:
    first, *lines = LINES[era]
    mixed = [line for line in lines for _ in range(rng.choice([1, 1, 2]) if b'"id": "msg_' in line else 1)]
    rng.shuffle(mixed)
    one, other = read(b"\n".join(LINES[era])), read(b"\n".join([first, *mixed]))
    assert texts(one) == texts(other)
    assert [(call.command, call.path, call.output) for call in one.iter_calls()] == [
        (call.command, call.path, call.output) for call in other.iter_calls()
    ]
    assert (one.user_texts, one.tool_errors) == (other.user_texts, other.tool_errors)


@given(st.sampled_from(ERAS), st.integers(0, 4000), st.binary(max_size=6), st.integers(0, 12))
def test_no_damage_makes_the_reader_fail(era: str, at: int, put: bytes, cut: int) -> None:
    data = b"\n".join(LINES[era])
    try:
        session = read(data[:at] + put + data[at + cut :])
    except TranscriptError:
        return
    assert session.user_texts <= 8


KEYS = st.sampled_from(["type", "payload", "id", "role", "content", "output", "call_id", "arguments", "item", "source"])
SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)
)


@given(SHAPES, st.sampled_from(["message", "function_call", "function_call_output", "local_shell_call", "x"]))
def test_no_shape_makes_the_reader_fail(value: object, kind: str) -> None:
    item = {**value, "type": kind} if isinstance(value, dict) else {"type": kind, "content": value, "output": value}
    run = patched().add("response_item", item).add("session_meta", item)
    for one in (item, {"type": "event_msg", "payload": value}, {"payload": value}):
        run.lines.append(one)
    assert texts(run.read())[0] == "Add a crane to the model."
