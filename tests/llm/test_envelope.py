"""What is an envelope, and what is an answer that only looks like one."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import LlmError
from mdmem.llm.envelope import opened

RESULT = {"type": "result", "is_error": False, "result": "hello"}


@pytest.mark.parametrize(
    "text",
    [
        "", "Nothing durable.", "[]", "{}", '{"memories": []}', '{"memories": [], "error": "none"}',
        '[{"type": "lesson", "title": "T", "body": "B"}]', "```json\n{}\n```", "[1, 2]", "{torn",
        '{"type": "lesson", "title": "T"}\n{"type": "lesson", "title": "U"}',
    ],
)  # fmt: skip
def test_an_answer_is_no_envelope(text: str) -> None:
    assert opened(text) is None


def test_the_last_object_of_a_verbose_run_is_the_result() -> None:
    told = opened(json.dumps([{"type": "system"}, {"type": "assistant"}, RESULT]))
    assert told is not None
    assert told.text == "hello"
    stream = opened("\n".join(map(json.dumps, ({"type": "system"}, RESULT))))
    assert stream is not None
    assert stream.text == "hello"


def test_an_answer_by_schema_is_preferred() -> None:
    told = opened(json.dumps(RESULT | {"structured_output": {"memories": []}}))
    assert told is not None
    assert told.text == '{"memories": []}'


def test_a_text_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    for body in ({"choices": [{"message": {"content": parts}}]}, {"type": "message", "content": parts}):
        told = opened(json.dumps(body))
        assert told is not None
        assert told.text == "ab"


def test_codex_counts_an_error_only_without_an_answer() -> None:
    message = {"type": "item.completed", "item": {"type": "agent_message", "text": "hello"}}
    lines = [{"type": "thread.started"}, {"type": "error", "message": "Reconnecting... 2/5"}, message]
    told = opened("\n".join(map(json.dumps, lines)))
    assert told is not None
    assert told.text == "hello"
    with pytest.raises(LlmError, match="Reconnecting"):
        opened("\n".join(map(json.dumps, lines[:2])))


@pytest.mark.parametrize("body", [{"error": "down"}, {"type": "error", "error": {"message": "down"}}])
def test_a_body_that_is_an_error_says_so(body: dict[str, object]) -> None:
    with pytest.raises(LlmError, match="down"):
        opened(json.dumps(body))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "error", "result", "choices", "content", "message", "usage", "part", "item", "errors"]
            ),
            inner
            | st.sampled_from(
                ["result", "error", "message", "text", "step_finish", "turn.completed", "item.completed"]
            ),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, min_size=1, max_size=3))
def test_no_shape_breaks_it(values: list[object]) -> None:
    for text in ("\n".join(map(json.dumps, values)), json.dumps(values), json.dumps(values[0])):
        with suppress(LlmError):
            told = opened(text)
            assert told is None or isinstance(told.text, str)
