"""What the two kinds of endpoint share: errors told by their status, and the choice of a small model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from mdmem.errors import LlmError
from mdmem.llm.envelope import Json, child, children, failed, string
from mdmem.llm.naming import small_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.llm.http import Response, Send

LIST_SECONDS: Final = 20.0


def as_object(response: Response) -> Json:
    """The body as a JSON object, empty when it is none."""
    try:
        value = json.loads(response.text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def refused(response: Response) -> LlmError:
    """The error of an answer whose status says no."""
    body = as_object(response)
    said = string(child(body, "error"), "message") or string(body, "error") or string(body, "message")
    return failed(f"HTTP {response.status} {said or response.text}")


def listed_model(url: str, headers: Mapping[str, str], send: Send) -> str:
    """The first small model that the endpoint lists, or the only one. Raises LlmError when it is not to be told."""
    response = send(f"{url}/models", headers, None, LIST_SECONDS)
    if not response.is_good:
        raise refused(response)
    names = [name for model in children(as_object(response), "data") if (name := string(model, "id"))]
    chosen = small_model(names) or (names[0] if len(names) == 1 else "")
    if not chosen:
        shown = ", ".join(names[:5]) or "none"
        raise LlmError("E_LLM_CLI", f"no small model among those at {url}: {shown}", "name one with extraction.model")
    return chosen
