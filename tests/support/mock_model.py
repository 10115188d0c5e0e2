"""A model that says what it is told to, in the protocol of Anthropic's API, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterator


class MockModel:
    """A server on a free port; `requests` are the bodies of what was asked, `says` is each answer's text."""

    def __init__(self, says: str = "Understood.") -> None:
        self.says = says
        self.requests: list[dict[str, Any]] = []
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
                if body.get("stream"):
                    return self._send("text/event-stream", "".join(events(model.says)))
                return self._send("application/json", json.dumps(message(model.says)))

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


def message(text: str) -> dict[str, Any]:
    """A whole answer."""
    head = {"id": "msg_mock", "type": "message", "role": "assistant", "model": "mock"}
    usage = {"input_tokens": 10, "output_tokens": 5}
    return head | {
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": usage,
    }


def events(text: str) -> Iterator[str]:
    """The same answer as a stream of events."""
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    steps: tuple[dict[str, Any], ...] = (
        {"type": "message_start", "message": message("") | {"content": [], "stop_reason": None}},
        block,
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    )
    for step in steps:
        yield f"event: {step['type']}\ndata: {json.dumps(step)}\n\n"
