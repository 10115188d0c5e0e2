"""Answers of models: what is read of each, and what is said about it."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import LlmError
from mdmem.extract import reply
from mdmem.extract.transcripts.session import Session
from mdmem.memory import MemoryType, Source, Status
from mdmem.store.state import Summary
from support.models import answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.extract.reply import Reply
    from mdmem.memory import Memory

DAY: Final = date(2026, 5, 4)
SESSION: Final = Session("claude-code", "run-1", cwd="/home/ada/dock")
TOKEN: Final = "ghp_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"


def read(text: str | bytes) -> Reply:
    """What is read of an answer."""
    return reply.read(text, SESSION, DAY)


def codes(text: str | bytes) -> set[str]:
    """The codes of an answer's problems."""
    return {problem.code for problem in read(text).problems}


def only(**fields: object) -> Memory:
    """The only memory of an answer with the given fields."""
    (memory,) = read(answer(fields)).memories
    return memory


def test_a_good_answer() -> None:
    fields = {"topicKey": "test/queue", "files": ["Makefile", "src/queue.py"], "confidence": 0.85}
    told = read(answer(fields, openItems=["Write the guide."]))
    (memory,) = told.memories
    assert (memory.type, memory.title) == (MemoryType.LESSON, "Start the broker before queue tests")
    assert (memory.topic, memory.files, memory.confidence) == ("test/queue", ("Makefile", "src/queue.py"), 0.85)
    assert (memory.source, memory.status, memory.scope) == (Source.EXTRACTION, Status.ACTIVE, "project")
    assert (memory.origin, memory.created, memory.confirmed) == (("claude-code/run-1",), DAY, DAY)
    assert told.summary == Summary("Fix it.", "Fixed.", "done", ("Write the guide.",))
    assert told.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "```json\n{}\n```",
        "Here you are:\n```\n{}\n```\nAnything else?",
        "The form is {{type, title}}, as in {{\"memories\": []}}. Now:\n{}",
        "\ufeff  {}  ",
        "I looked at `[x for x in xs if {{x}}]`.\n\n{}\n\nDone :}}",
    ],
)  # fmt: skip
def test_what_stands_around_the_json_does_not_matter(text: str) -> None:
    told = read(text.replace("{{", "{").replace("}}", "}").replace("{}", answer({})))
    assert [memory.title for memory in told.memories] == ["Start the broker before queue tests"]
    assert told.problems == ()


def test_fences_and_braces_within_a_body_stay() -> None:
    body = "Run:\n```sh\nmake up && echo '{\"a\": 1}'\n```\nfirst."
    assert only(body=body).body == body


def test_the_last_object_with_memories_is_the_answer() -> None:
    told = read(
        answer({"title": "One thing"}) + "\nNo, rather:\n" + answer({"title": "Another thing"}) + '\n{"note": 1}'
    )
    assert [memory.title for memory in told.memories] == ["Another thing"]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (json.dumps([{"title": "A thing", "body": "B"}]), ["A thing"]),
        ('{"title": "A thing", "body": "B"}\n{"title": "Two things", "body": "B"}', ["A thing", "Two things"]),
        ('{"result": {"memories": [{"title": "A thing", "body": "B"}]}}', ["A thing"]),
        ('[{"memories": [{"title": "A thing", "body": "B"}]}]', ["A thing"]),
        ('{"memories": {"title": "A thing", "body": "B"}}', ["A thing"]),
        ('{"memories": null}', []),
        ('{"memories": "none"}', []),
        ('{"summary": {"request": "r"}}', []),
        ('{"memories": ["a thing", 7, null]}', []),
        ("[]", []),
    ],
)
def test_other_shapes_are_read_and_named(text: str, titles: list[str]) -> None:
    told = read(text)
    assert [memory.title for memory in told.memories] == titles
    assert {problem.code for problem in told.problems} == {"W_SHAPE"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E_LLM_EMPTY"),
        (" \n\t", "E_LLM_EMPTY"),
        ("```json\n```", "E_LLM_EMPTY"),
        (answer({})[:-40], "E_LLM_JSON"),
        (answer({})[:-2], "E_LLM_JSON"),
        ('An example: {"memories": []}\n' + answer({})[:-30], "E_LLM_JSON"),
        ("{'memories': []}", "E_LLM_JSON"),
        ('{"memories": [1,]}', "E_LLM_JSON"),
        ('{"weather": "fine"}', "E_LLM_JSON"),
        ("{}", "E_LLM_JSON"),
        ('{"type": "result", "subtype": "error_max_turns", "is_error": true}', "E_LLM_CLI"),
        ('{"type": "result", "is_error": false, "result": ""}', "E_LLM_EMPTY"),
        ('{"type": "result", "is_error": false, "result": "{\\"memories\\": [{"}', "E_LLM_JSON"),
    ],
)
def test_what_can_not_be_used_fails(text: str, code: str) -> None:
    with pytest.raises(LlmError, match=code) as caught:
        read(text)
    assert caught.value.code == code
    assert caught.value.hint


@pytest.mark.parametrize(
    "text", ["Nothing durable here.", "I can't {do} that [1].", "null", "No `[a, b]` was touched.", "{nothing}"]
)
def test_prose_is_nothing_to_save(text: str) -> None:
    told = read(text)
    assert told.is_prose
    assert (told.summary, told.memories, codes(text)) == (None, (), {"W_NO_JSON"})


def test_an_envelope_is_opened_first() -> None:
    text = json.dumps({"type": "result", "is_error": False, "result": f"Sure:\n{answer({})}"})
    assert len(read(text).memories) == 1
    assert len(read(json.dumps({"choices": [{"message": {"content": answer({})}}]})).memories) == 1


@pytest.mark.parametrize(
    ("given", "confidence", "status"),
    [
        (0.8, 0.8, Status.ACTIVE), (0.6, 0.6, Status.ACTIVE), (0.59, 0.59, Status.PENDING), (0.999, 0.9, Status.ACTIVE),
        (7, 0.9, Status.ACTIVE), (-1, 0.3, Status.PENDING), (0, 0.3, Status.PENDING), (10**400, 0.9, Status.ACTIVE),
        ("high", 0.6, Status.ACTIVE), (None, 0.6, Status.ACTIVE), (True, 0.6, Status.ACTIVE),
        (float("nan"), 0.6, Status.ACTIVE), (float("inf"), 0.9, Status.ACTIVE), ([0.5], 0.6, Status.ACTIVE),
    ],
)  # fmt: skip
def test_confidence_is_kept_in_its_range(given: object, confidence: float, status: Status) -> None:
    memory = only(confidence=given)
    assert (memory.confidence, memory.status) == (confidence, status)


@pytest.mark.parametrize(
    ("given", "kind", "status"),
    [
        ("decision", MemoryType.DECISION, Status.ACTIVE),
        ("Env Quirk", MemoryType.ENV_QUIRK, Status.ACTIVE),
        ("project", MemoryType.WORKSPACE, Status.ACTIVE),
        ("tip", MemoryType.LESSON, Status.ACTIVE),
        (None, MemoryType.LESSON, Status.ACTIVE),
        ("preference", MemoryType.PREFERENCE, Status.PENDING),
        ("ownership", MemoryType.OWNERSHIP, Status.PENDING),
        ("user", MemoryType.USER, Status.PENDING),
    ],
)
def test_types(given: object, kind: MemoryType, status: Status) -> None:
    memory = only(type=given)
    assert (memory.type, memory.status) == (kind, status)


@pytest.mark.parametrize(
    ("given", "topic", "is_named"),
    [
        ("test/queue", "test/queue", False), (" Test/Queue ", "test/queue", False), (None, "", False), ("", "", False),
        ("../../.git/hooks/pre-commit", "", True), ("/etc", "", True), ("a//b", "", True), ("a/.b", "", True),
        (".", "", True), ("with blanks", "", True), ("x" * 81, "", True), (7, "", True), (["a"], "", True),
    ],
)  # fmt: skip
def test_topic_keys(given: object, topic: str, is_named: bool) -> None:
    text = answer({"topicKey": given})
    assert read(text).memories[0].topic == topic
    assert ("W_SHAPE" in codes(text)) is is_named


@pytest.mark.parametrize(
    ("given", "files", "code"),
    [
        (["src/ok.py", "src/ok.py", "./a.py"], ("src/ok.py", "a.py"), ""),
        (["/home/ada/dock/src/x.py"], ("src/x.py",), ""),
        (["src/**/*.py"], ("src/**/*.py",), ""),
        (["/etc/shadow", "../../x", "src/ok.py", "~/x", "https://x.example/y", "C:\\x"], ("src/ok.py",), "W_PATH"),
        ([f"f{n}.py" for n in range(30)], tuple(f"f{n}.py" for n in range(20)), ""),
        ("Makefile", ("Makefile",), "W_SHAPE"),
        ([7, None, "a.py"], ("a.py",), "W_SHAPE"),
        ({"a": 1}, (), "W_SHAPE"),
        (None, (), ""),
    ],
)
def test_files(given: object, files: tuple[str, ...], code: str) -> None:
    text = answer({"files": given})
    assert read(text).memories[0].files == files
    assert codes(text) == ({code} if code else set())


def test_what_is_too_long_is_cut() -> None:
    memory = only(title="T " * 200, body="B " * 900)
    assert (len(memory.title), len(memory.body)) == (120, 800)
    assert memory.title.endswith("…")


@pytest.mark.parametrize("fields", [{"title": " "}, {"title": None}, {"body": ""}, {"body": None}, {"title": ["a"]}])
def test_what_is_blank_is_dropped(fields: Mapping[str, object]) -> None:
    assert read(answer(fields)).memories == ()


def test_the_same_memory_counts_once() -> None:
    same = {"title": "start  the broker before queue tests", "body": "They hang  without it."}
    told = read(answer({}, same, {"body": "Else."}))
    assert [memory.body for memory in told.memories] == ["They hang without it.", "Else."]
    assert told.problems == ()


def test_six_are_enough() -> None:
    told = read(answer(*({"title": f"Fact number {n}"} for n in range(9))))
    assert [memory.title[-1] for memory in told.memories] == ["0", "1", "2", "3", "4", "5"]
    assert {problem.code for problem in told.problems} == {"W_TOO_MANY"}
    assert codes(answer(*({} for _ in range(9)))) == set()


def test_secrets_are_redacted_wherever_they_stand() -> None:
    text = answer(
        {"title": f"Use {TOKEN}", "body": f"The token {TOKEN}."}, request=f"Use {TOKEN}", openItems=[f"Revoke {TOKEN}"]
    )
    told = read(text)
    assert TOKEN not in repr(told)
    assert "W_REDACTED" in codes(text)
    assert told.memories[0].body == "The token [redacted:github-token]."


def test_relative_dates_are_counted_from_the_run() -> None:
    memory = only(title="Freeze the schema since yesterday", body="The move was decided last monday.")
    assert memory.title == "Freeze the schema since 2026-05-03"
    assert "2026-04-27" in memory.body


def test_broken_characters_are_replaced() -> None:
    assert codes(answer({"body": "half \ud83d here"})) == {"W_ENCODING"}
    assert only(body="half \ud83d here").body == "half \ufffd here"
    assert codes(answer({"body": "x@y"}).encode().replace(b"@", b"\xff")) == {"W_ENCODING"}
    assert only(title="Use\x1b[31m red\x00 ink", body="Two\r\nlines\u2028more").title == "Use red ink"


def test_a_summary_is_cut_and_cleaned() -> None:
    told = read(answer(request="r " * 500, outcome="great", openItems=["", "a", "a", *"bcdefgh"]))
    assert told.summary is not None
    assert len(told.summary.request) <= 300
    assert (told.summary.outcome, told.summary.open_items) == ("unknown", ("a", "b", "c", "d", "e", "f"))
    assert read(answer(request="", workDone=" ")).summary is None
    assert read('{"summary": "done", "memories": []}').summary is None


NOISE: Final = st.text(alphabet='{}[]"\\:, \n`abc', max_size=30)
VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["memories", "summary", "title", "body", "type", "x"]), inner, max_size=4),
    max_leaves=15,
)  # fmt: skip


@given(st.text(max_size=80) | NOISE | st.binary(max_size=40) | VALUES.map(json.dumps))
def test_no_answer_breaks_it(text: str | bytes) -> None:
    try:
        told = read(text)
    except LlmError as error:
        assert error.code in {"E_LLM_CLI", "E_LLM_EMPTY", "E_LLM_JSON"}  # noqa: PT017 - not raising is fine too
    else:
        assert all(memory.title and memory.body for memory in told.memories)


FIELDS: Final = ("type", "title", "body", "topicKey", "files", "confidence")


@given(st.fixed_dictionaries(dict.fromkeys(FIELDS, VALUES)), VALUES)
def test_no_field_breaks_it(fields: dict[str, object], value: object) -> None:
    told = read(answer(fields, request=value, openItems=value))
    assert len(told.memories) <= 1


@given(st.text(alphabet="{}[]:, \n`abc'", max_size=60), st.text(alphabet=" \n`}]abc", max_size=30))
def test_the_answer_is_found_amid_noise(before: str, behind: str) -> None:
    told = read(f"{before}\n{answer({})}\n{behind}")
    assert [memory.title for memory in told.memories] == ["Start the broker before queue tests"]
