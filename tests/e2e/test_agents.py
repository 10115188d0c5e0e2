"""A project's memory in the hands of Codex and OpenCode: told at the start, learned from at the end, told again.

Only the model is none: it answers on the loopback. The tests are skipped where an agent's program is not installed.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from e2e.conftest import Machine
    from support.mock_model import MockModel

pytestmark = pytest.mark.slow
CODEX = shutil.which("codex") or ""
OPENCODE = shutil.which("opencode") or ""
BRIEF = "mdmem:brief begin"
CORRECTION = "No, never use npm in this repository. Always use pnpm to install packages."


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
    local = {"npm_config_registry": model.url, "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    model.says = "I will run npm install now."
    machine.run(OPENCODE, "run", "--format", "json", "Install the dependencies please", **local)
    assert BRIEF in model.taken()
    model.says = "Understood, pnpm it is."
    machine.run(OPENCODE, "run", "-c", "--format", "json", CORRECTION, **local)
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
    assert BRIEF in model.taken()
    model.says = "Understood, pnpm it is."
    machine.run(CODEX, *trusted, "resume", "--last", CORRECTION)
    assert sum(job["learned"] for job in machine.jobs(2)) == 1
    model.taken()
    machine.run(CODEX, *trusted, "Which package manager do we use?")
    assert "Use pnpm to install packages" in model.taken()
