"""The shape of a model's answer: its keys, its limits, and the JSON schema built from both.

The schema says only what every provider's strict mode understands: types, lists of values, required keys. Lengths and
counts stand in the descriptions, and the reader sees to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mdmem.memory import BODY_LENGTH_AGENT, FILES_COUNT, TITLE_LENGTH, TYPES
from mdmem.store.state import OUTCOMES

Json = Mapping[str, object]

MEMORIES: Final = 6
OPEN_ITEMS: Final = 6
TITLE_ASKED: Final = 80
BODY_ASKED: Final = 400
CONFIDENCE_RANGE: Final = (0.3, 0.9)
"""How sure a model may be of what it read."""
CONFIDENCE_MISSING: Final = 0.6

SUMMARY_KEYS: Final[Mapping[str, str]] = {
    "request": "what the user wanted, in one sentence",
    "workDone": "what was done about it, in one or two sentences",
    "outcome": "how it ended",
    "openItems": f"what is left to do, a line each, at most {OPEN_ITEMS}; empty when nothing is",
}
MEMORY_KEYS: Final[Mapping[str, str]] = {
    "type": "one of the types in the table",
    "title": f"one line that stands alone, imperative and positive, at most {TITLE_ASKED} characters",
    "body": f"the fact, then **Why:** and **How to apply:** as far as known, at most {BODY_ASKED} characters",
    "topicKey": "what it is about, as a path of lower-case words (test/database), or null; a memory that is already"
    " known under this topic is replaced",
    "files": f"paths from the repository's root that it is about, at most {FILES_COUNT}; none when it is about no file",
    "confidence": f"{CONFIDENCE_RANGE[0]} for a guess to {CONFIDENCE_RANGE[1]} for what the user laid down",
}
LIMITS: Final = {"title": TITLE_LENGTH, "body": BODY_LENGTH_AGENT}
"""Characters that are kept of a field that came out longer than asked."""


def schema() -> dict[str, object]:
    """The JSON schema of an answer: every key required, none other allowed."""
    text: Json = {"type": "string"}
    texts: Json = {"type": "array", "items": text}
    summary: dict[str, Json] = {
        "request": text,
        "workDone": text,
        "outcome": {"type": "string", "enum": list(OUTCOMES)},
        "openItems": texts,
    }
    memory: dict[str, Json] = {
        "type": {"type": "string", "enum": [kind.value for kind in TYPES]},
        "title": text,
        "body": text,
        "topicKey": {"type": ["string", "null"]},
        "files": texts,
        "confidence": {"type": "number"},
    }
    return _object(
        {
            "summary": _object(_described(summary, SUMMARY_KEYS)),
            "memories": {
                "type": "array",
                "description": f"at most {MEMORIES}; empty when the run teaches nothing that lasts",
                "items": _object(_described(memory, MEMORY_KEYS)),
            },
        }
    )


def _object(properties: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _described(properties: Mapping[str, Json], words: Mapping[str, str]) -> dict[str, object]:
    return {name: {**properties[name], "description": description} for name, description in words.items()}
