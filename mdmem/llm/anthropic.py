"""Asking Anthropic's Messages API. The schema is given as the input of a tool that must be used; nothing runs it.

Source: the Messages API, `tool_choice` of type `tool`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mdmem.errors import LlmError
from mdmem.llm.endpoint import listed_model, refused
from mdmem.llm.envelope import failed, opened
from mdmem.llm.http import check_url, is_private, send
from mdmem.llm.naming import ANTHROPIC_URL
from mdmem.llm.runner import SECONDS, Completion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.llm.http import Send
    from mdmem.llm.runner import Schema

KEY: Final = "ANTHROPIC_API_KEY"
VERSION: Final = "2023-06-01"
TOKENS: Final = 4096
TOOL: Final = "save"


@dataclass(frozen=True, slots=True)
class AnthropicRunner:
    """One message. `model` '' is the first Haiku that the API lists."""

    environ: Mapping[str, str] = field(repr=False)
    model: str = ""
    url: str = ""
    seconds: float = SECONDS
    send: Send = send
    name: str = "anthropic"

    def complete(self, prompt: str, schema: Schema) -> Completion:
        """Ask once. Raises LlmError (E_LLM_CLI), ConfigError for an address that is none."""
        started = time.monotonic()
        url = check_url(self.url or ANTHROPIC_URL)
        headers = _headers(url, self.environ)
        model = self.model or listed_model(url, headers, self.send)
        body = {
            "model": model,
            "max_tokens": TOKENS,
            "messages": [{"role": "user", "content": prompt}],
            "tools": [{"name": TOOL, "description": "Hands over the answer.", "input_schema": dict(schema)}],
            "tool_choice": {"type": "tool", "name": TOOL},
        }
        response = self.send(f"{url}/messages", headers, body, self.seconds)
        if not response.is_good:
            raise refused(response)
        answer = opened(response.text)
        if answer is None:
            raise failed(f"{url} answered with something that is no message")
        return Completion(
            answer.text, self.name, answer.model or model, answer.usage, seconds=time.monotonic() - started
        )


def _headers(url: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Version and key. Raises LlmError when there is no key, or it would be sent in clear."""
    key = environ.get(KEY, "")
    if not key:
        raise LlmError("E_LLM_CLI", f"{KEY} is not set", "set it, or choose another extraction.runner")
    if not is_private(url):
        raise LlmError("E_LLM_CLI", f"the key is not sent in clear to {url}", "use https")
    return {"x-api-key": key, "anthropic-version": VERSION}
