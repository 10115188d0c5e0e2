"""How each agent wants to be told: most as plain text, some as one JSON object and nothing else."""

from __future__ import annotations

import json
from typing import Final

EVENTS: Final = {"session-start": "SessionStart", "user-prompt-submit": "BeforeAgent"}
"""What Gemini CLI calls the events that it is told at."""


def shaped(told: str, agent: str, event: str) -> str:
    """What is printed for an agent at an event; '' for nothing stays ''."""
    answer: dict[str, object]
    if not told or agent not in {"gemini", "cursor"}:
        return told
    if agent == "cursor":
        answer = {"additional_context": told}
    else:
        answer = {"hookSpecificOutput": {"hookEventName": EVENTS[event], "additionalContext": told}}
    return json.dumps(answer, ensure_ascii=False) + "\n"
