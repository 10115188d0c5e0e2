"""One JSON request to an endpoint: no redirects, a limit on time and on size, the proxy of the environment.

A redirect is an error: it would carry the key to a host that nobody named.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from mdmem.errors import ConfigError, LlmError
from mdmem.llm.runner import ANSWER_SIZE, SECONDS

CHUNK: Final = 64 * 1024
HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Response(NamedTuple):
    """What an endpoint answered: its status and its body as text."""

    status: int
    text: str

    @property
    def is_good(self) -> bool:
        """Whether the request was accepted."""
        return self.status == 200


Send = Callable[[str, Mapping[str, str], "Mapping[str, object] | None", float], Response]
"""`send(url, headers, body, seconds)`: a POST of the body as JSON, a GET when there is none."""


def check_url(url: str) -> str:
    """The address without its last slash. Raises ConfigError when it is not one of http or https."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise ConfigError(
            f"extraction.url is {url!r}", "an address like http://localhost:11434/v1, without user or password"
        )
    return url.rstrip("/")


def is_private(url: str) -> bool:
    """Whether nobody on the way can read what is sent: over TLS, or to this machine itself."""
    parts = urlsplit(url)
    return parts.scheme == "https" or parts.hostname in HERE


def send(url: str, headers: Mapping[str, str], body: Mapping[str, object] | None, seconds: float = SECONDS) -> Response:
    """Send one request. An answer of any status is given back, redirects too.

    Raises LlmError (E_LLM_CLI) when there is none within `seconds`, or it is too big.
    """
    data = None if body is None else json.dumps(body).encode("utf-8")
    sent = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "mdmem", **headers}
    # only http and https have a handler here: no file, no redirect
    request = urllib.request.Request(url, data, sent)  # noqa: S310
    host, until = urlsplit(url).netloc, time.monotonic() + seconds
    try:
        with _opener().open(fullurl=request, timeout=seconds) as response:
            return Response(response.status, _body(response, host, until))
    except urllib.error.HTTPError as error:
        with error:
            return Response(error.code, _body(error, host, until))
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise LlmError(
            "E_LLM_CLI", f"{host} was not reached: {reason}", "check extraction.url and the network"
        ) from error


def _opener() -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _body(response: http.client.HTTPResponse | urllib.error.HTTPError, host: str, until: float) -> str:
    """The body, read piece by piece: a server that drips must not outlast the time limit."""
    data = bytearray()
    while chunk := response.read1(CHUNK):
        data += chunk
        if time.monotonic() > until:
            raise LlmError("E_LLM_CLI", f"{host} did not finish its answer in time", "try again, or a faster model")
        if len(data) > ANSWER_SIZE:
            raise LlmError("E_LLM_CLI", f"{host} said more than {ANSWER_SIZE:,} bytes", "try another model")
    return data.decode("utf-8", "replace")
