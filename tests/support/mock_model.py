"""A model that says what it is told to, in the protocols of Anthropic's and OpenAI's APIs, and keeps what it was asked.

It listens on the loopback only.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

STRUCTURED = "StructuredOutput"
"""The tool by which Claude Code has an answer of a given form."""


NUMBERS = count(1)
"""What is told apart by its id has one of its own: agents and readers put together what has the same."""


class Use(NamedTuple):
    """A tool that the model wants to be used."""

    tool: str
    given: dict[str, Any]


class MockModel:
    """A server on a free port.

    `requests` are the bodies of what was asked. `says` is each answer's text; before it come the tools of `uses`, one
    an answer, where the agent offers such a tool. `reply` is what it answers when the form of the answer is given.
    """

    def __init__(self, says: str = "Understood.") -> None:
        self.says = says
        self.uses: list[Use] = []
        self.reply: dict[str, Any] = {}
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def taken(self) -> str:
        """All that it was asked since the last look, as one text."""
        text = json.dumps(self.requests)
        self.requests.clear()
        return text

    def answer(self, body: dict[str, Any]) -> str | Use:
        """What it says to a request: a text, or a tool that is to be used."""
        offered = {str(tool.get("name")) for tool in body.get("tools") or []}
        if STRUCTURED in offered and self.reply:
            return "Done." if "tool_result" in json.dumps(body["messages"][-1]) else Use(STRUCTURED, self.reply)
        if "schema" in json.dumps(body.get("text", {})):
            return json.dumps(self.reply)
        with self.lock:
            return self.uses.pop(0) if self.uses and self.uses[0].tool in offered else self.says

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            """One request."""

            def do_POST(self) -> None:
                """Keep what was asked, and answer."""
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
                model.requests.append(body)
                if "count_tokens" in self.path:
                    return self._send("application/json", json.dumps({"input_tokens": 10}))
                answer = model.answer(body)
                if "/responses" in self.path:
                    return self._send("text/event-stream", "".join(response_events(answer)))
                if body.get("stream"):
                    return self._send("text/event-stream", "".join(message_events(answer)))
                return self._send("application/json", json.dumps(message(answer)))

            def do_GET(self) -> None:
                """There is nothing else."""
                self.send_error(404)

            def do_HEAD(self) -> None:
                """Nor here."""
                self.send_error(404)

            def _send(self, kind: str, text: str) -> None:
                data = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: object) -> None:
                """Nothing is logged."""

        return Handler


def message(answer: str | Use) -> dict[str, Any]:
    """A whole answer of Anthropic's."""
    if isinstance(answer, Use):
        block = {"type": "tool_use", "id": f"toolu_{next(NUMBERS)}", "name": answer.tool, "input": answer.given}
    else:
        block = {"type": "text", "text": answer}
    return {
        "id": f"msg_{next(NUMBERS)}",
        "type": "message",
        "role": "assistant",
        "model": "mock",
        "content": [block],
        "stop_reason": "tool_use" if isinstance(answer, Use) else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def message_events(answer: str | Use) -> Iterator[str]:
    """The same answer as a stream of events."""
    whole = message(answer)
    if isinstance(answer, Use):
        block = whole["content"][0] | {"input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(answer.given)}
    else:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": answer}
    yield from _streamed(
        {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"]}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    )


def response_events(answer: str | Use) -> Iterator[str]:
    """An answer of OpenAI's, as the stream of events that Codex reads."""
    number = next(NUMBERS)
    if isinstance(answer, Use):
        item = {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": f"call_{number}",
            "name": answer.tool,
            "arguments": json.dumps(answer.given),
        }
    else:
        content = [{"type": "output_text", "text": answer, "annotations": []}]
        item = {"type": "message", "id": f"item_{number}", "role": "assistant", "content": content}
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    yield from _streamed(
        {"type": "response.created", "response": {"id": f"resp_{number}"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": f"resp_{number}", "output": [item], "usage": usage}},
    )


def _streamed(*steps: dict[str, Any]) -> Iterator[str]:
    for step in steps:
        yield f"event: {step['type']}\ndata: {json.dumps(step)}\n\n"
