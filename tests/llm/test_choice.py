"""From settings to a runner, and to the sentence that says who is asked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mdmem.config import Config
from mdmem.errors import ConfigError
from mdmem.llm.budget import Budget
from mdmem.llm.choice import choose
from mdmem.llm.naming import RUNNERS, runner_for, small_model, who
from mdmem.llm.runner import Completion, Usage
from mdmem.llm.standing import standing, when
from support.models import MockRunner, fake_program

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("setting", "agent", "name", "model"),
    [
        ("auto", "claude-code", "claude", "haiku"),
        ("auto", "codex", "codex", ""),
        ("auto", "opencode", "opencode", ""),
        ("claude", "codex", "claude", "haiku"),
        ("openai", "codex", "openai", ""),
        ("anthropic", "opencode", "anthropic", ""),
    ],
)
def test_a_run_stays_with_its_agent_under_auto(setting: str, agent: str, name: str, model: str) -> None:
    runner = choose(setting, "", "", agent=agent, environ={})
    assert runner is not None
    assert (runner.name, runner.model) == (name, model)
    named = choose(setting, "special", "", agent=agent, environ={})
    assert named is not None
    assert named.model == "special"


@pytest.mark.parametrize(("setting", "agent"), [("local", "claude-code"), ("auto", "cursor"), ("auto", "")])
def test_no_model_is_asked(setting: str, agent: str) -> None:
    assert choose(setting, "", "", agent=agent, environ={}) is None


def test_no_extraction_starts_another() -> None:
    assert choose("claude", "", "", agent="claude-code", environ={"MDMEM_ASKING": "1"}) is None
    assert choose("claude", "", "", agent="claude-code", environ={"MDMEM_EXTRACTING": "1"})


def test_a_runner_that_is_none() -> None:
    with pytest.raises(ConfigError, match="gpt"):
        choose("gpt", "", "", agent="codex", environ={})
    assert runner_for("auto", "gemini") == "local"


@pytest.mark.parametrize(
    ("names", "small"),
    [
        (["gemini-pro", "large", "gpt-9-mini", "haiku"], "gpt-9-mini"),
        (["own/Haiku-5"], "own/Haiku-5"),
        (["codex-spark-1"], "codex-spark-1"),
        (["nano2"], "nano2"),
        (["gemini-3", "minimax", "nanotech", "sparkle"], ""),
        ([], ""),
    ],
)
def test_small_models_are_known_by_a_word_of_their_name(names: list[str], small: str) -> None:
    assert small_model(names) == small


def test_the_settings_know_every_runner() -> None:
    choices = Config.__dataclass_fields__["extraction_runner"].metadata["choices"]
    assert tuple(choices) == RUNNERS


def test_who_is_asked_is_said_in_a_sentence(tmp_path: Path) -> None:
    here = {"PATH": str(tmp_path)}
    assert who("local", "", "", {}) == "Runs are summarised by rules on this machine; no model is asked."
    assert "none is installed here" in who("auto", "", "", here)
    assert who("claude", "", "", here).endswith("by Claude Code with haiku. But `claude` is not on PATH.")
    fake_program(tmp_path, "claude", "")
    fake_program(tmp_path, "codex", "")
    assert "(Claude Code with haiku, Codex with its small model)" in who("auto", "", "", here)
    assert who("claude", "opus", "", here) == "Runs are summarised by Claude Code with opus."
    assert who("openai", "q", "http://localhost:11434/v1", {}) == "Runs are summarised by q at localhost:11434."
    assert who("anthropic", "", "", {}) == "Runs are summarised by a small model at api.anthropic.com."


def test_when_is_said_in_a_sentence() -> None:
    by_hand = "Nothing is learned by itself: only runs that you name (mdmem extract FILE)."
    on = (("agents.codex.extract", True), ("agents.cursor.memory", False))
    assert when(Config()) == by_hand
    assert when(Config(agents=on, extraction_when="off")) == by_hand
    assert when(Config(agents=on)).startswith("A run of codex is learned from when it has ended, or after 10 minutes")
    assert "after every turn" in when(Config(agents=on, extraction_when="turn"))


def test_how_learning_stands(tmp_path: Path) -> None:
    assert len(standing(Config(), tmp_path, NOW, {}).lines()) == 3
    budget = Budget(tmp_path, 50, NOW)
    budget.begin(MockRunner([]), "a/1")
    budget.end(Completion("", "claude", "haiku", Usage(1, 1, 0, 0.125)), "a/1")
    told = standing(Config(extraction_runner="claude"), tmp_path, NOW, {})
    assert told.lines()[-1] == "  1 of 50 calls of a model today, $0.12 this month"
    assert told.as_json()["today"] == {"calls": 1} | Usage(1, 1, 0, 0.125).as_json()
