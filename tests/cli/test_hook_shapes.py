"""Agents that read nothing but JSON are told in JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mdmem.extract.transcripts.injected import own_words
from mdmem.hooks.payload import parse
from support.memories import write_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.store.store import Store
    from support.machine import Answer

START = json.dumps({"session_id": "s", "source": "startup"})


@pytest.fixture
def lesson(store: Store) -> Store:
    """A store with one memory."""
    write_memory(store.root, "lesson/pool.md", "Close the pool before forking", "It hangs.", id="p1")
    return store


def test_gemini_is_told_in_its_shape(lesson: Store, shell: Callable[..., Answer]) -> None:
    answer = json.loads(shell("hook", "session-start", "--agent", "gemini", stdin=START).out)
    output = answer.pop("hookSpecificOutput")
    assert (answer, output["hookEventName"]) == ({}, "SessionStart")
    assert "Close the pool" in output["additionalContext"]
    prompt = json.dumps({"session_id": "t", "prompt": "may I close the pool before forking?"})
    asked = shell("hook", "user-prompt-submit", "--agent", "gemini", stdin=prompt)
    assert json.loads(asked.out)["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"


def test_cursor_is_told_in_its_shape(lesson: Store, shell: Callable[..., Answer]) -> None:
    answer = json.loads(shell("hook", "session-start", "--agent", "cursor", stdin=START).out)
    assert set(answer) == {"additional_context"}
    assert "Close the pool" in answer["additional_context"]


def test_what_gemini_was_told_is_no_part_of_the_next_prompt() -> None:
    told = "<hook_context>&lt;!-- mdmem:brief begin --&gt;\n- **Close the pool**\n</hook_context>"
    assert own_words(f"{told}\n\nOpen the pool") == "Open the pool"


def test_nothing_stays_nothing(repo: object, shell: Callable[..., Answer]) -> None:
    assert shell("hook", "session-start", "--agent", "gemini", stdin=START).out == ""


@pytest.mark.parametrize(("roots", "cwd"), [(["/a", "/b"], "/a"), ([], ""), ("x", ""), ([1], ""), (None, "")])
def test_a_workspace_names_its_folders_in_its_own_way(roots: Any, cwd: str) -> None:
    payload = parse(json.dumps({"workspace_roots": roots}).encode())
    assert payload is not None
    assert payload.cwd == cwd
