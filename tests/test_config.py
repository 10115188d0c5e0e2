"""Settings of extraction, and the switches that each agent has."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from mdmem.config import Config, load
from mdmem.config_file import set_in_file
from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.machine import Answer


def test_learning_is_off_for_an_agent_until_the_user_says_so() -> None:
    config = Config()
    switches = ("memory", "extract", "consolidate")
    assert [config.allows("codex", switch) for switch in switches] == [True, False, False]
    config = Config(agents=(("agents.codex.extract", True), ("agents.codex.memory", False)))
    assert [config.allows("codex", switch) for switch in switches] == [False, True, False]
    assert config.allows("claude-code", "memory")


def test_switches_come_from_files_and_variables(tmp_path: Path) -> None:
    mine, project = tmp_path / "config.toml", tmp_path / "mdmem.toml"
    mine.write_text("[agents.claude-code]\nextract = true\n[agents.some-new-agent]\nextract = true\n", encoding="utf-8")
    project.write_text("[agents.claude-code]\nmemory = false\n", encoding="utf-8")
    loaded = load({"MDMEM_AGENTS_CODEX_CONSOLIDATE": "on"}, mine, project)
    config = loaded.config
    assert config.allows("claude-code", "extract")
    assert config.allows("some-new-agent", "extract")
    assert config.allows("codex", "consolidate")
    assert not config.allows("claude-code", "memory")
    assert loaded.value("agents.claude-code.extract") == (True, str(mine))
    assert loaded.value("agents.codex.consolidate") == (True, "MDMEM_AGENTS_CODEX_CONSOLIDATE")
    assert loaded.value("agents.gemini.extract") == (False, "default")


@pytest.mark.parametrize(
    "text",
    [
        "[agents.codex]\nextract = true\n",
        "[agents.codex]\nconsolidate = false\n",
        '[extraction]\nrunner = "claude"\n',
        '[extraction]\nmodel = "x"\n',
        '[extraction]\nurl = "http://x/v1"\n',
    ],
)
def test_a_project_may_not_start_programs(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mdmem.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="a project may not set"):
        load({}, None, file)
    assert load({}, file, None).origins


@pytest.mark.parametrize(
    "text",
    [
        "[agents.codex]\nextract = 7\n",
        "[agents.codex]\nlearn = true\n",
        "[agents]\ncodex = true\n",
        "[extraction]\ndaily_calls = -1\n",
        "[extraction]\nidle_minutes = 0\n",
        '[extraction]\nrunner = "gpt"\n',
    ],
)
def test_what_can_not_be_used_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError):
        load({}, file, None)


def test_a_switch_is_written_into_a_table_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("# mine\n[agents.codex]  # this one\nextract = false\n", encoding="utf-8")
    set_in_file(file, "agents.codex.extract", "true", is_project=False)
    set_in_file(file, "agents.claude-code.memory", "false", is_project=False)
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# mine\n[agents.codex]  # this one\nextract = true\n")
    assert tomllib.loads(text) == {"agents": {"codex": {"extract": True}, "claude-code": {"memory": False}}}
    set_in_file(file, "agents.codex.extract", None, is_project=False)
    set_in_file(file, "agents.claude-code.memory", None, is_project=False)
    set_in_file(file, "agents.claude-code.memory", None, is_project=False)
    assert tomllib.loads(file.read_text(encoding="utf-8")) == {}


def test_config_shows_and_sets_a_switch(cli: Callable[..., Answer]) -> None:
    assert cli("config", "agents.codex.extract").out == "agents.codex.extract\tfalse\tdefault\n"
    assert cli("config", "agents.codex.extract", "true").code == 0
    assert "agents.codex.extract\ttrue\t" in cli("config").out
    refused = cli("config", "agents.codex.extract", "true", "--project")
    assert (refused.code, "a project may not set" in refused.err) == (1, True)
