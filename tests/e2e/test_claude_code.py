"""A project's memory in the hands of the real Claude Code: told at the start, learned from at the end, told again.

Only the model is none: it answers on the loopback. Skipped where Claude Code is neither on PATH nor named by
MDMEM_TEST_CLAUDE.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.mock_model import Use
from support.source import ROOT

if TYPE_CHECKING:
    from e2e.conftest import Machine
    from support.mock_model import MockModel

CLAUDE = os.environ.get("MDMEM_TEST_CLAUDE") or shutil.which("claude") or ""
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CLAUDE, reason="Claude Code is not installed")]
BRIEF = "mdmem:brief begin"
SELECTED = "Project memory about this request"
CORRECTION = "No, never use npm in this repository. Always use pnpm to install packages."
OTHERS = '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo mine"}]}]}}\n'
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")


def claude(machine: Machine, model: MockModel, *args: str) -> str:
    """Run Claude Code once, and give its session."""
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ANTHROPIC_API_KEY": "sk-ant-fake"}
    path = f"{Path(CLAUDE).absolute().parent}{os.pathsep}{os.environ['PATH']}"
    env = quiet | {"ANTHROPIC_BASE_URL": model.url, "PATH": path}
    output = machine.run(CLAUDE, *args, "--output-format", "json", **env)
    return str(json.loads(output)["session_id"])


def transcripts(home: Path) -> list[Path]:
    """All that Claude Code has written down of sessions."""
    return sorted((home / ".claude/projects").rglob("*.jsonl"))


def test_a_session_is_learned_from_and_the_next_is_told(machine: Machine, model: MockModel, hermetic: Path) -> None:
    machine.run("mdmem", "install", "claude-code", "--extract")
    model.uses, model.says = [Use("Bash", {"command": "ls", "description": "Look"})], "I will run npm install now."
    session = claude(machine, model, "-p", "Install the dependencies please", "--allowedTools", "Bash")
    assert not model.uses
    told = model.taken()
    assert BRIEF in told
    assert "Warm the berth cache" in told
    model.says = "Understood, pnpm it is."
    claude(machine, model, "-p", "--resume", session, CORRECTION)
    assert [job["learned"] for job in machine.jobs(2)] == [0, 1]
    assert len(transcripts(hermetic)) == 1
    model.taken()
    claude(machine, model, "-p", "Which package manager do we use?")
    assert "Use pnpm to install packages" in model.taken()
    assert [job["learned"] for job in machine.jobs(3)] == [0, 1, 0]


def test_a_prompt_is_told_what_answers_it(machine: Machine, model: MockModel) -> None:
    machine.run("mdmem", "install", "claude-code")
    body = "The tide importer wants a key. " + "It comes from the harbour office, by letter, once a year. " * 20
    machine.run("mdmem", "add", "lesson", "Ask for the key of the tide importer", "-b", body)
    claude(machine, model, "-p", "Which key does the tide importer want?")
    told = model.taken()
    assert BRIEF in told
    assert told.count(SELECTED) == 1
    claude(machine, model, "-p", "Say hello")
    assert SELECTED not in model.taken()


def test_asking_a_model_through_claude_code_starts_nothing(machine: Machine, model: MockModel, hermetic: Path) -> None:
    machine.run("mdmem", "install", "claude-code", "--extract")
    machine.run("mdmem", "config", "extraction.runner", "claude")
    heard = hermetic / "heard"
    hooks = {event: [{"hooks": [{"type": "command", "command": f"echo {event} >>{heard}"}]}] for event in EVENTS}
    (hermetic / ".claude").mkdir(exist_ok=True)
    (hermetic / ".claude/settings.json").write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    learned = {
        "type": "command",
        "title": "Run make dock to build the quay map",
        "body": "The plain build leaves it out.",
        "topicKey": None,
        "files": [],
        "confidence": 0.9,
    }
    summary = {"request": "Build the map.", "workDone": "Built it.", "outcome": "done", "openItems": []}
    model.reply = {"summary": summary, "memories": [learned]}
    model.uses = [Use("Bash", {"command": "make dock || true", "description": "Build"})]
    claude(
        machine,
        model,
        "-p",
        "Build the quay map with make dock, the plain build leaves it out",
        "--allowedTools",
        "Bash",
    )
    (job,) = machine.jobs(1)
    assert (job["state"], job["learned"], job["calls"]) == ("done", 1, 1)
    assert sum("[mdmem-extract" in json.dumps(asked) for asked in model.requests) == 1
    assert heard.read_text(encoding="utf-8").split() == list(EVENTS)
    assert len(transcripts(hermetic)) == 1
    assert len(machine.jobs(1)) == 1


def test_its_own_memory_lives_in_the_store(machine: Machine, model: MockModel) -> None:
    machine.run("mdmem", "install", "claude-code", "--native-memory")
    claude(machine, model, "-p", "Hello")
    assert str(machine.repo / "memory") in model.taken()


def test_the_plugin_is_valid_and_works(machine: Machine, model: MockModel) -> None:
    plugin = str(ROOT / "examples/claude-code-plugin")
    assert "Validation passed" in machine.run(CLAUDE, "plugin", "validate", plugin)
    claude(machine, model, "--plugin-dir", plugin, "-p", "/mdmem:brief")
    told = model.taken()
    assert BRIEF in told
    assert "mdmem:project-memory" in told
    assert "Run `mdmem brief" in told


def test_what_is_taken_back_leaves_no_trace(machine: Machine, model: MockModel) -> None:
    settings = machine.repo / ".claude/settings.local.json"
    settings.parent.mkdir()
    settings.write_text(OTHERS, encoding="utf-8")
    machine.run("mdmem", "install", "claude-code")
    claude(machine, model, "-p", "Hello")
    assert BRIEF in model.taken()
    machine.run("mdmem", "uninstall", "claude-code")
    assert settings.read_text(encoding="utf-8") == OTHERS
    claude(machine, model, "-p", "Hello")
    assert BRIEF not in model.taken()
