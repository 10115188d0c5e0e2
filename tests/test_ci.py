"""What runs before a change lands is sound, and does what the README says."""

from __future__ import annotations

import re
import subprocess
from typing import Final

import yaml

from support.docs import blocks
from support.source import ROOT

SCRIPT: Final = ROOT / ".ci/run"


def test_the_script_is_well_formed() -> None:
    subprocess.run(["bash", "-n", SCRIPT], check=True)
    assert SCRIPT.stat().st_mode & 0o111


def test_the_script_runs_the_commands_of_the_readme() -> None:
    function = re.search(r"^readme_commands\(\).*$", SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)
    assert function
    found = subprocess.run(
        ["bash", "-c", f"here={ROOT}\n{function[0]}\nreadme_commands"], capture_output=True, text=True, check=True
    )
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert found.stdout == "".join(block.text for block in blocks(readme) if block.language == "sh")


def test_the_hook_repository_offers_check() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["entry"], hook["language"]) == ("mdmem-check", "mdmem check --staged", "python")
    files = re.compile(hook["files"])
    assert all(map(files.search, ["memory/a.md", ".memory/lesson/a.md", "part/memory/MEMORY.md"]))
    assert not any(map(files.search, ["docs/a.md", "memory/.gitignore", "mymemory/a.md"]))


def test_our_own_hooks_cover_style_types_and_examples() -> None:
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [hook["id"] for hook in local["hooks"]] == ["ruff-check", "ruff-format", "mypy", "mdmem-check"]
