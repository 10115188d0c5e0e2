"""One request over a real connection, to a server of this machine behind a socket file."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingUnixStreamServer
from typing import TYPE_CHECKING, Any

import pytest

from mdmem.errors import ConfigError, LlmError
from mdmem.llm import http as own_http
from mdmem.llm.http import check_url, is_private, send

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "http://model.example"


class Handler(BaseHTTPRequestHandler):
    """Answers by path, and writes down what it was sent."""

    heard: list[tuple[str, str, dict[str, str], bytes]] = []  # noqa: RUF012 - shared on purpose

    def address_string(self) -> str:
        """A socket file has no address."""
        return ""

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def handle_any(self) -> None:
        """One request of any method."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.heard.append((self.command, self.path, dict(self.headers), body))
        getattr(self, f"on_{self.path.strip('/')}")()

    do_GET = do_POST = handle_any  # noqa: N815 - the names that the library looks for

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        """A whole answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def on_good(self) -> None:
        """An answer as it should be."""
        self.reply(200, '{"text": "ü"}'.encode())

    def on_refused(self) -> None:
        """A refusal."""
        self.reply(400, b'{"error": {"message": "no such parameter"}}')

    def on_moved(self) -> None:
        """A redirect to somewhere else."""
        self.reply(302, b"", Location=f"{URL}/good")

    def on_big(self) -> None:
        """More than anybody wants."""
        self.reply(200, b"x" * 5_000)

    def on_slow(self) -> None:
        """An answer that drips."""
        self.send_response(200)
        self.end_headers()
        for _ in range(50):
            try:
                self.wfile.write(b"x")
            except OSError:
                return
            time.sleep(0.1)

    def on_silent(self) -> None:
        """No answer at all."""
        time.sleep(2)


@pytest.fixture(autouse=True)
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The server, reached by every connection; gives what it heard."""
    file = str(tmp_path / "s")

    def connect(self: http.client.HTTPConnection) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(file)

    monkeypatch.setattr(http.client.HTTPConnection, "connect", connect)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    Handler.heard = []
    with ThreadingUnixStreamServer(file, Handler) as running:
        running.daemon_threads = True
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield Handler.heard
        running.shutdown()


def test_a_body_is_posted_as_json(server: list[Any]) -> None:
    response = send(f"{URL}/good", {"x-api-key": "k"}, {"a": "ü"}, 5)
    assert (response.status, response.text, response.is_good) == (200, '{"text": "ü"}', True)
    ((method, _, headers, body),) = server
    assert (method, json.loads(body)) == ("POST", {"a": "ü"})
    assert (headers["Content-Type"], headers["X-Api-Key"], headers["User-Agent"]) == ("application/json", "k", "mdmem")


def test_no_body_is_a_get(server: list[Any]) -> None:
    send(f"{URL}/good", {}, None, 5)
    assert server[0][0] == "GET"


def test_a_refusal_is_an_answer() -> None:
    response = send(f"{URL}/refused", {}, {}, 5)
    assert (response.status, response.is_good, "no such parameter" in response.text) == (400, False, True)


def test_a_redirect_is_not_followed(server: list[Any]) -> None:
    assert send(f"{URL}/moved", {"Authorization": "Bearer k"}, {}, 5).status == 302
    assert len(server) == 1


def test_an_answer_that_is_too_big_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_http, "ANSWER_SIZE", 1_000)
    with pytest.raises(LlmError, match="more than 1,000 bytes"):
        send(f"{URL}/big", {}, {}, 5)


@pytest.mark.parametrize("path", ["slow", "silent"])
def test_an_answer_that_takes_too_long_is_given_up(path: str) -> None:
    started = time.monotonic()
    with pytest.raises(LlmError, match=r"model\.example") as caught:
        send(f"{URL}/{path}", {}, {}, 0.5)
    assert time.monotonic() - started < 2
    assert caught.value.code == "E_LLM_CLI"


def test_a_proxy_of_the_environment_is_used(server: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    with pytest.raises(LlmError):  # the whole address is what a proxy is asked for; ours knows only paths
        send(f"{URL}/good", {}, {}, 1)
    assert server[0][1] == f"{URL}/good"


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: http.client.HTTPConnection) -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(http.client.HTTPConnection, "connect", connect)
    with pytest.raises(LlmError, match=r"was not reached: .*refused") as caught:
        send(f"{URL}/good", {}, {}, 1)
    assert "extraction.url" in caught.value.hint


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "localhost:11434", "ftp://x/v1", "http://", "http://a:b@host/v1"]
)
def test_an_address_must_be_one(url: str) -> None:
    with pytest.raises(ConfigError):
        check_url(url)


def test_addresses_are_told_apart() -> None:
    assert check_url("http://localhost:11434/v1/") == "http://localhost:11434/v1"
    private = ["https://api.example/v1", "http://localhost:1/v1", "http://127.0.0.1/v1", "http://[::1]:1/v1"]
    assert [is_private(url) for url in (*private, "http://10.0.0.7/v1")] == [True, True, True, True, False]
