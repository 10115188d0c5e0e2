"""Asking an OpenAI-compatible endpoint: OpenAI itself, or a server on this machine (Ollama, llama.cpp, vLLM).

Source: the Chat Completions API, `response_format` of type `json_schema`; where a server refuses that, the request
goes again without, since the prompt asks for JSON anyway.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mdmem.llm.endpoint import listed_model, refused
from mdmem.llm.envelope import failed, opened
from mdmem.llm.http import check_url, is_private, send
from mdmem.llm.naming import OPENAI_URL
from mdmem.llm.runner import SECONDS, Completion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.llm.http import Response, Send
    from mdmem.llm.runner import Schema

KEY: Final = "OPENAI_API_KEY"
UNSUPPORTED: Final = frozenset({400, 404, 415, 422, 501})
"""How servers say that they don't know a parameter."""


@dataclass(frozen=True, slots=True)
class OpenaiRunner:
    """One chat completion. `model` '' is the first small one that the endpoint lists, or its only one."""

    environ: Mapping[str, str] = field(repr=False)
    model: str = ""
    url: str = ""
    seconds: float = SECONDS
    send: Send = send
    name: str = "openai"

    def complete(self, prompt: str, schema: Schema) -> Completion:
        """Ask once. Raises LlmError (E_LLM_CLI), ConfigError for an address that is none."""
        started = time.monotonic()
        url = check_url(self.url or self.environ.get("OPENAI_BASE_URL") or OPENAI_URL)
        headers = _headers(url, self.environ)
        model = self.model or listed_model(url, headers, self.send)
        body = {"model": model, "messages": [{"role": "user", "content": prompt}]}
        shape = {"name": "extraction", "strict": True, "schema": dict(schema)}
        response = self._post(url, headers, body | {"response_format": {"type": "json_schema", "json_schema": shape}})
        if response.status in UNSUPPORTED:
            response = self._post(url, headers, body)
        if not response.is_good:
            raise refused(response)
        answer = opened(response.text)
        if answer is None:
            raise failed(f"{url} answered with something that is no chat completion")
        return Completion(
            answer.text, self.name, answer.model or model, answer.usage, seconds=time.monotonic() - started
        )

    def _post(self, url: str, headers: Mapping[str, str], body: Mapping[str, object]) -> Response:
        return self.send(f"{url}/chat/completions", headers, body, self.seconds)


def _headers(url: str, environ: Mapping[str, str]) -> dict[str, str]:
    """The key, unless somebody on the way could read it."""
    key = environ.get(KEY, "")
    return {"Authorization": f"Bearer {key}"} if key and is_private(url) else {}
