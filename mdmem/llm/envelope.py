"""What programs and endpoints wrap around a model's answer, opened. Pure: text in, answer out.

Known are Claude Code's result object, the events of `codex exec --json` and of `opencode run --format json`, and the
bodies of the Messages and the Chat Completions API. Sources: the programs' and the APIs' own output.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from mdmem.errors import LlmError
from mdmem.llm.runner import Usage
from mdmem.pattern import pattern
from mdmem.redact import redact

Json = Mapping[str, object]

MESSAGE_LENGTH: Final = 300
CODEX_EVENTS: Final = frozenset({"thread.started", "turn.started", "turn.completed", "turn.failed", "item.completed"})
OPENCODE_EVENTS: Final = frozenset({"step_start", "step_finish", "text"})

REMEDIES: Final = (
    (
        pattern(r"log ?in|logged|api.?key|auth|credential|\b401\b|\b403\b", re.IGNORECASE),
        "log in to it, or set its key",
    ),
    (
        pattern(r"max.turns|structured.output", re.IGNORECASE),
        "run it again, or name another model with extraction.model",
    ),
    (pattern(r"limit|quota|credit|\b429\b|overloaded|\b529\b", re.IGNORECASE), "wait until its limit has passed"),
    (pattern(r"model", re.IGNORECASE), "name another model with extraction.model"),
)
OTHER_REMEDY: Final = "run it by hand to see what is wrong, or extract without a model: --runner local"


class Opened(NamedTuple):
    """The answer inside an envelope, what it took, and the model that gave it ('' where that is not said)."""

    text: str
    usage: Usage = Usage()
    model: str = ""


def opened(text: str) -> Opened | None:
    """The answer in an envelope; None when the text is none.

    Raises LlmError (E_LLM_CLI) when the envelope says that there is no answer.
    """
    values = _objects(text)
    last = values[-1] if values else {}
    kinds = {string(value, "type") for value in values}
    if string(last, "type") == "result":
        return _claude(last)
    if kinds & CODEX_EVENTS:
        return _codex(values)
    if kinds & OPENCODE_EVENTS or (kinds == {"error"} and "sessionID" in last):
        return _opencode(values)
    if len(values) == 1 and ("choices" in last or string(last, "type") == "message" or _is_error(last)):
        return _chat(last) if "choices" in last else _message(last)
    return None


def failed(message: str) -> LlmError:
    """The error of a program or endpoint that gave no answer, with what to do about it."""
    said = " ".join(redact(message).text.split())
    said = said if len(said) <= MESSAGE_LENGTH else f"{said[: MESSAGE_LENGTH - 1]}…"
    remedy = next((remedy for pattern, remedy in REMEDIES if pattern.search(said)), OTHER_REMEDY)
    return LlmError("E_LLM_CLI", f"the model gave no answer: {said or 'no reason was given'}", remedy)


def string(value: Json, key: str) -> str:
    """The string under a key, '' when there is none."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def child(value: Json, key: str) -> Json:
    """The object under a key, empty when there is none."""
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def children(value: Json, key: str) -> tuple[Json, ...]:
    """The objects of the list under a key."""
    found = value.get(key)
    return tuple(item for item in found if isinstance(item, Mapping)) if isinstance(found, list) else ()


def _objects(text: str) -> tuple[Json, ...]:
    """The text as one JSON object, a list of them, or one a line; none when it is something else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _lines(text)
    values = value if isinstance(value, list) else [value]
    return tuple(values) if all(isinstance(item, Mapping) for item in values) else ()


def _lines(text: str) -> tuple[Json, ...]:
    """The objects of JSONL, where all that looks like one is one; other lines are a program's chatter."""
    values = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                return ()
            values.append(value)
    return tuple(values)


def _is_error(value: Json) -> bool:
    return "error" in value and "memories" not in value


def _error_text(value: Json) -> str:
    """What an `error` says, whichever shape it has."""
    error = value.get("error")
    if isinstance(error, str):
        return error
    found = child(value, "error")
    return string(found, "message") or string(child(found, "data"), "message") or string(found, "name")


def _claude(value: Json) -> Opened:
    """`claude --output-format json`: its last object has the answer, or says why there is none."""
    kind, reason = string(value, "subtype"), string(value, "terminal_reason")
    if value.get("is_error") is True or kind.startswith("error") or reason == "api_error":
        errors = value.get("errors")
        listed = ", ".join(str(error) for error in errors) if isinstance(errors, list) else ""
        raise failed(string(value, "result") or listed or kind)
    usage = child(value, "usage")
    cached = _number(usage, "cache_read_input_tokens")
    cost = value.get("total_cost_usd")
    structured = value.get("structured_output")
    return Opened(
        json.dumps(structured, ensure_ascii=False) if isinstance(structured, Mapping) else string(value, "result"),
        Usage(
            _number(usage, "input_tokens") + _number(usage, "cache_creation_input_tokens") + cached,
            _number(usage, "output_tokens"),
            cached,
            float(cost) if isinstance(cost, int | float) else None,
        ),
        next(iter(child(value, "modelUsage")), ""),
    )


def _codex(values: tuple[Json, ...]) -> Opened:
    """`codex exec --json`: the last message of the agent; an error counts when no message follows."""
    text, trouble, usage = "", "", Usage()
    for value in values:
        kind, item = string(value, "type"), child(value, "item")
        if kind == "item.completed" and string(item, "type") == "agent_message":
            text = string(item, "text")
        elif kind in ("error", "turn.failed"):
            trouble = string(value, "message") or _error_text(value)
        elif kind == "turn.completed":
            spent = child(value, "usage")
            usage += Usage(
                _number(spent, "input_tokens"), _number(spent, "output_tokens"), _number(spent, "cached_input_tokens")
            )
    if trouble and not text:
        raise failed(trouble)
    return Opened(text, usage)


def _opencode(values: tuple[Json, ...]) -> Opened:
    """`opencode run --format json`: the texts of the last step; tokens and cost of all steps."""
    texts: list[str] = []
    trouble, usage = "", Usage()
    for value in values:
        kind, part = string(value, "type"), child(value, "part")
        if kind == "step_start":
            texts = []
        elif kind == "text":
            texts.append(string(part, "text"))
        elif kind == "error":
            trouble = _error_text(value)
        elif kind == "step_finish":
            spent, cost = child(part, "tokens"), part.get("cost")
            cached = _number(child(spent, "cache"), "read")
            price = float(cost) if isinstance(cost, int | float) else None
            usage += Usage(_number(spent, "input") + cached, _number(spent, "output"), cached, price)
    if trouble and not texts:
        raise failed(trouble)
    return Opened("\n".join(texts), usage)


def _chat(value: Json) -> Opened:
    """The body of a chat completion."""
    message = child(next(iter(children(value, "choices")), {}), "message")
    content = message.get("content")
    text = (
        content if isinstance(content, str) else "".join(string(part, "text") for part in children(message, "content"))
    )
    if not text and string(message, "refusal"):
        text = string(message, "refusal")
    usage = child(value, "usage")
    cached = _number(child(usage, "prompt_tokens_details"), "cached_tokens")
    return Opened(
        text,
        Usage(_number(usage, "prompt_tokens"), _number(usage, "completion_tokens"), cached),
        string(value, "model"),
    )


def _message(value: Json) -> Opened:
    """The body of a message: its text, or the input of the tool that the schema was given as."""
    if _is_error(value):
        raise failed(_error_text(value))
    blocks = children(value, "content")
    given = next((child(block, "input") for block in blocks if string(block, "type") == "tool_use"), None)
    text = "".join(string(block, "text") for block in blocks if string(block, "type") == "text")
    usage = child(value, "usage")
    cached = _number(usage, "cache_read_input_tokens")
    return Opened(
        text if given is None else json.dumps(given, ensure_ascii=False),
        Usage(
            _number(usage, "input_tokens") + _number(usage, "cache_creation_input_tokens") + cached,
            _number(usage, "output_tokens"),
            cached,
        ),
        string(value, "model"),
    )


def _number(value: Json, key: str) -> int:
    found = value.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else 0
