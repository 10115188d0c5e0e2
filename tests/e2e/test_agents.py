"""A project's memory in the hands of real agents: told at the start, learned from at the end, told again.

Only the model is none. The tests are skipped where an agent's program is not installed.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from support.source import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from e2e.conftest import Machine
    from support.mock_model import MockModel

pytestmark = pytest.mark.slow
CLAUDE = shutil.which("claude") or ""
CODEX = shutil.which("codex") or ""
OPENCODE = shutil.which("opencode") or ""
BRIEF = "mdmem:brief begin"
CORRECTION = "No, never use npm in this repository. Always use pnpm to install packages."


def claude(machine: Machine, model: MockModel, *args: str) -> str:
    """Run Claude Code once, and give its session."""
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ANTHROPIC_API_KEY": "sk-ant-fake"}
    output = machine.run(CLAUDE, *args, "--output-format", "json", ANTHROPIC_BASE_URL=model.url, **quiet)
    return str(json.loads(output)["session_id"])


def asked(model: MockModel) -> str:
    """All that the model was sent since the last look."""
    text = json.dumps(model.requests)
    model.requests.clear()
    return text


@pytest.mark.skipif(not CLAUDE, reason="Claude Code is not installed")
def test_claude_code_learns_from_a_session_and_is_told_in_the_next(machine: Machine, model: MockModel) -> None:
    machine.run("mdmem", "install", "claude-code", "--extract")
    model.says = "I will run npm install now."
    session = claude(machine, model, "-p", "Install the dependencies please")
    told = asked(model)
    assert BRIEF in told
    assert "Warm the berth cache" in told
    model.says = "Understood, pnpm it is."
    claude(machine, model, "-p", "--resume", session, CORRECTION)
    assert sum(job["learned"] for job in machine.jobs(2)) == 1
    asked(model)
    claude(machine, model, "-p", "Which package manager do we use?")
    assert "Use pnpm to install packages" in asked(model)


@pytest.mark.skipif(not CLAUDE, reason="Claude Code is not installed")
def test_claude_codes_own_memory_lives_in_the_store(machine: Machine, model: MockModel) -> None:
    machine.run("mdmem", "install", "claude-code", "--native-memory")
    claude(machine, model, "-p", "Hello")
    assert str(machine.repo / "memory") in asked(model)


@pytest.mark.skipif(not CLAUDE, reason="Claude Code is not installed")
def test_the_plugin_is_valid_and_works(machine: Machine, model: MockModel) -> None:
    plugin = str(ROOT / "examples/claude-code-plugin")
    assert "Validation passed" in machine.run(CLAUDE, "plugin", "validate", plugin)
    claude(machine, model, "--plugin-dir", plugin, "-p", "/mdmem:brief")
    told = asked(model)
    assert BRIEF in told
    assert "mdmem:project-memory" in told
    assert "Run `mdmem brief" in told


@pytest.mark.skipif(not OPENCODE, reason="OpenCode is not installed")
def test_opencode_is_told_and_learned_from(machine: Machine, model: MockModel) -> None:
    machine.run("mdmem", "install", "opencode", "--extract")
    settings = {
        "provider": {"anthropic": {"options": {"baseURL": f"{model.url}/v1", "apiKey": "fake"}}},
        "model": "anthropic/claude-sonnet-4-5",
        "small_model": "anthropic/claude-sonnet-4-5",
        "autoupdate": False,
    }
    (machine.repo / "opencode.json").write_text(json.dumps(settings), encoding="utf-8")
    model.says = "I will run npm install now."
    machine.run(OPENCODE, "run", "--format", "json", "Install the dependencies please")
    assert BRIEF in asked(model)
    model.says = "Understood, pnpm it is."
    machine.run(OPENCODE, "run", "-c", "--format", "json", CORRECTION)
    assert sum(job["learned"] for job in machine.jobs(2)) == 1


@pytest.mark.skipif(not CODEX, reason="Codex is not installed")
def test_codex_is_told_and_learned_from(machine: Machine, model: MockModel, hermetic: Path) -> None:
    machine.run("mdmem", "install", "codex", "--extract")
    provider = f'[model_providers.mock]\nname = "mock"\nbase_url = "{model.url}/v1"\nwire_api = "responses"\n'
    settings = f'model = "gpt-5"\nmodel_provider = "mock"\n{provider}'
    (hermetic / ".codex/config.toml").write_text(settings, encoding="utf-8")
    trusted = ("exec", "--dangerously-bypass-hook-trust")
    model.says = "I will run npm install now."
    machine.run(CODEX, *trusted, "Install the dependencies please")
    assert BRIEF in asked(model)
    model.says = "Understood, pnpm it is."
    machine.run(CODEX, *trusted, "resume", "--last", CORRECTION)
    assert sum(job["learned"] for job in machine.jobs(2)) == 1
    asked(model)
    machine.run(CODEX, *trusted, "Which package manager do we use?")
    assert "Use pnpm to install packages" in asked(model)
