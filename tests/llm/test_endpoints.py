"""The two kinds of endpoint: what they are sent, and what is made of each answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import pytest

from mdmem.errors import LlmError
from mdmem.llm.anthropic import AnthropicRunner
from mdmem.llm.http import Response
from mdmem.llm.openai import OpenaiRunner
from mdmem.llm.runner import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA: Final = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
CHAT: Final = {
    "model": "tiny-1", "choices": [{"message": {"role": "assistant", "content": '{"memories": []}'}}],
    "usage": {"prompt_tokens": 30, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 4}},
}  # fmt: skip
MESSAGE: Final = {
    "type": "message", "model": "claude-haiku-9",
    "content": [{"type": "tool_use", "name": "save", "input": {"memories": []}}],
    "usage": {"input_tokens": 11, "cache_read_input_tokens": 4, "output_tokens": 7},
}  # fmt: skip
LIST: Final = {"data": [{"id": "gemini-9"}, {"id": "large-1"}, {"id": "tiny-haiku-1"}]}


@dataclass
class Sender:
    """Answers from a queue of (status, body), and keeps what was sent."""

    answers: list[tuple[int, object]]
    sent: list[tuple[str, Mapping[str, str], Mapping[str, object] | None]] = field(default_factory=list)

    def __call__(
        self, url: str, headers: Mapping[str, str], body: Mapping[str, object] | None, seconds: float
    ) -> Response:
        """The next answer."""
        self.sent.append((url, headers, body))
        status, answer = self.answers.pop(0)
        return Response(status, answer if isinstance(answer, str) else json.dumps(answer))

    @property
    def body(self) -> Mapping[str, object]:
        """The body that was sent last."""
        body = self.sent[-1][2]
        assert body is not None
        return body


def test_openai_is_asked_for_the_schema() -> None:
    sender = Sender([(200, CHAT)])
    done = OpenaiRunner({"OPENAI_API_KEY": "k"}, "tiny", send=sender).complete("Prompt", SCHEMA)
    assert (done.text, done.model, done.usage) == ('{"memories": []}', "tiny-1", Usage(30, 8, 4))
    url, headers, _ = sender.sent[0]
    assert (url, headers) == ("https://api.openai.com/v1/chat/completions", {"Authorization": "Bearer k"})
    assert sender.body["messages"] == [{"role": "user", "content": "Prompt"}]
    assert sender.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "extraction", "strict": True, "schema": SCHEMA},
    }
    assert "tools" not in sender.body


def test_a_server_that_knows_no_schema_is_asked_without() -> None:
    sender = Sender([(400, {"error": "response_format"}), (200, CHAT)])
    OpenaiRunner({}, "tiny", "http://localhost:11434/v1/", send=sender).complete("Prompt", SCHEMA)
    assert [url for url, *_ in sender.sent] == ["http://localhost:11434/v1/chat/completions"] * 2
    assert "response_format" not in sender.body


def test_a_key_is_not_sent_in_clear_to_another_machine() -> None:
    sender = Sender([(200, CHAT), (200, CHAT)])
    OpenaiRunner({"OPENAI_API_KEY": "k"}, "m", "http://10.0.0.7/v1", send=sender).complete("P", SCHEMA)
    OpenaiRunner({"OPENAI_API_KEY": "k"}, "m", "http://localhost/v1", send=sender).complete("P", SCHEMA)
    assert ["Authorization" in headers for _, headers, _ in sender.sent] == [False, True]
    with pytest.raises(LlmError, match="not sent in clear"):
        AnthropicRunner({"ANTHROPIC_API_KEY": "k"}, "m", "http://10.0.0.7/v1", send=sender).complete("P", SCHEMA)


def test_without_a_name_the_first_small_model_is_asked() -> None:
    sender = Sender([(200, LIST), (200, CHAT), (200, {"data": [{"id": "only"}]}), (200, CHAT)])
    for _ in range(2):
        OpenaiRunner({}, send=sender).complete("P", SCHEMA)
    assert [body["model"] for *_, body in sender.sent if body] == ["tiny-haiku-1", "only"]


def test_no_small_model_is_an_error_that_lists_them() -> None:
    sender = Sender([(200, {"data": [{"id": "a"}, {"id": "b"}]}), (401, {"error": {"message": "bad key"}})])
    with pytest.raises(LlmError, match=r"a, b") as caught:
        OpenaiRunner({}, send=sender).complete("P", SCHEMA)
    assert "extraction.model" in caught.value.hint
    with pytest.raises(LlmError, match="401 bad key"):
        OpenaiRunner({}, send=sender).complete("P", SCHEMA)


@pytest.mark.parametrize(
    ("status", "body", "message", "hint"),
    [
        (401, {"error": {"message": "Incorrect API key"}}, "Incorrect API key", "set its key"),
        (429, {"error": {"message": "slow down"}}, "HTTP 429 slow down", "limit"),
        (500, "<html>oops", "oops", "by hand"),
        (200, {"hello": 1}, "no chat completion", "by hand"),
        (200, {"error": {"message": "model not found"}}, "model not found", "extraction.model"),
    ],
)
def test_refusals_are_told(status: int, body: object, message: str, hint: str) -> None:
    with pytest.raises(LlmError, match=message) as caught:
        OpenaiRunner({}, "tiny", send=Sender([(status, body)])).complete("P", SCHEMA)
    assert caught.value.code == "E_LLM_CLI"
    assert hint in caught.value.hint


def test_anthropic_hands_over_the_answer_through_one_tool() -> None:
    sender = Sender([(200, MESSAGE)])
    done = AnthropicRunner({"ANTHROPIC_API_KEY": "k"}, "haiku-9", send=sender).complete("Prompt", SCHEMA)
    assert (json.loads(done.text), done.model, done.usage) == ({"memories": []}, "claude-haiku-9", Usage(15, 7, 4))
    url, headers, _ = sender.sent[0]
    assert url == "https://api.anthropic.com/v1/messages"
    assert headers == {"x-api-key": "k", "anthropic-version": "2023-06-01"}
    (tool,) = sender.body["tools"]  # type: ignore[misc,attr-defined]
    assert (tool["input_schema"], sender.body["tool_choice"]) == (SCHEMA, {"type": "tool", "name": "save"})


def test_anthropic_takes_its_haiku_by_default() -> None:
    sender = Sender([(200, {"data": [{"id": "claude-large-9"}, {"id": "claude-haiku-9"}]}), (200, MESSAGE)])
    AnthropicRunner({"ANTHROPIC_API_KEY": "k"}, send=sender).complete("P", SCHEMA)
    assert sender.body["model"] == "claude-haiku-9"


def test_anthropic_needs_a_key() -> None:
    with pytest.raises(LlmError, match="ANTHROPIC_API_KEY is not set"):
        AnthropicRunner({}, "m", send=Sender([])).complete("P", SCHEMA)


def test_a_runner_does_not_show_the_key() -> None:
    environ = {"OPENAI_API_KEY": "k-123", "ANTHROPIC_API_KEY": "k-123"}
    assert "k-123" not in repr(OpenaiRunner(environ)) + repr(AnthropicRunner(environ))
