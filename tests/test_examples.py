"""The examples are what they say: a store without a fault, and a run that holds something to learn."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from mdmem.cli.registry import HOMES
from support.source import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.machine import Answer

EXAMPLES: Final = ROOT / "examples"


@pytest.fixture
def records() -> list[dict[str, Any]]:
    """The records of the example run."""
    return [json.loads(line) for line in (EXAMPLES / "transcript.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_store_has_no_fault(shell: Callable[..., Answer], repo: Path) -> None:
    shutil.copytree(EXAMPLES / "memory", repo / "memory")
    index = (repo / "memory/MEMORY.md").read_bytes()
    today = {"MDMEM_NOW": "2026-11-30T12:00:00Z"}  # after the days on which they were written
    assert json.loads(shell("check", "--json", **today).out) == []
    assert shell("sync", **today).code == 0
    assert (repo / "memory/MEMORY.md").read_bytes() == index


def test_the_run_is_one_chain_of_records(records: list[dict[str, Any]]) -> None:
    uuids = [record["uuid"] for record in records if "uuid" in record]
    assert len(uuids) == len(set(uuids)) >= 40
    assert [record["parentUuid"] for record in records if "uuid" in record] == [None, *uuids[:-1]]
    stamps = [record["timestamp"] for record in records if "uuid" in record]
    assert stamps == sorted(stamps)


def test_every_tool_call_has_its_result(records: list[dict[str, Any]]) -> None:
    parts = [
        block
        for record in records
        if isinstance(content := record.get("message", {}).get("content"), list)
        for block in content
    ]
    calls = [block["id"] for block in parts if block["type"] == "tool_use"]
    assert calls == [block["tool_use_id"] for block in parts if block["type"] == "tool_result"]


def test_the_run_holds_a_token_that_is_no_token(records: list[dict[str, Any]]) -> None:
    assert "FAKE" in json.dumps(records).partition("ghp_")[2][:8]


PLUGIN: Final = EXAMPLES / "claude-code-plugin"
FRONTMATTER: Final = re.compile(r"\A---\n(.*?)\n---\n(.+)", re.DOTALL)


def test_the_plugin_has_the_shape_that_claude_code_reads() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text(encoding="utf-8"))
    assert manifest["name"] == "mdmem"
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    commands = sorted(path.stem for path in (PLUGIN / "commands").glob("*.md"))
    assert commands == ["brief", "recall", "remember"]
    pages = [*(PLUGIN / "commands").glob("*.md"), *(PLUGIN / "skills").glob("*/SKILL.md")]
    for page in pages:
        found = FRONTMATTER.match(page.read_text(encoding="utf-8"))
        assert found, page
        fields = yaml.safe_load(found[1])
        assert fields["description"], page
        assert page.name != "SKILL.md" or fields["name"] == page.parent.name


def test_the_plugin_names_commands_that_are_there() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PLUGIN.rglob("*.md"))
    used = set(re.findall(r"`mdmem ([a-z]+)", text)) | set(re.findall(r"Bash\(mdmem ([a-z]+)", text))
    assert {"add", "search", "brief", "feedback"} <= used <= set(HOMES)
