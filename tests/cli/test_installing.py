"""install and uninstall: shown first, written over nothing, given back byte for byte."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.cli import installing
from support.machine import git
from support.memories import write_memory
from support.settings_files import settings_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.store.store import Store
    from support.machine import Answer

LOCAL = ".claude/settings.local.json"
ODD = (
    b"",
    b"\n",
    b"{}",
    b"{ }\r\n",
    b'{"hooks": {}}',
    b'{"hooks": {"Stop": []}, "a": 1}',
    b'\xef\xbb\xbf{\r\n\t"permissions": {"allow": ["Bash(ls:*)"]},\r\n}\r\n',
    b'// mine\n{\n      "hooks": {\n            "SessionEnd": [] // none yet\n      }\n}',
    '{"model": "é\\u00e9 🚀"}'.encode(),
)


def put(path: Path, data: bytes) -> Path:
    """A file with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("data", ODD)
@pytest.mark.parametrize("agent", ["claude-code", "gemini"])
def test_a_file_is_given_back_byte_for_byte(store: Store, cli: Callable[..., Answer], agent: str, data: bytes) -> None:
    path = put(Path(LOCAL if agent == "claude-code" else ".gemini/settings.json"), data)
    assert cli("install", agent).code == 0
    assert b"mdmem hook session-start" in path.read_bytes()
    assert cli("install", agent).err.startswith("nothing to do")
    cli("uninstall", agent)
    assert path.read_bytes() == data


@given(settings_texts(), st.booleans())
def test_any_file_is_given_back(store: Store, cli: Callable[..., Answer], text: str, native: bool) -> None:
    path = put(Path(LOCAL), text.encode())
    assert cli("install", "claude-code", *["--native-memory"] * native).code == 0
    assert cli("uninstall", "claude-code").code == 0
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("agent", ["claude-code", "codex", "opencode", "cursor", "gemini"])
def test_files_that_were_not_there_go(store: Store, cli: Callable[..., Answer], agent: str, repo: Path) -> None:
    before = git("status", "--porcelain", "-uall", "--ignored", cwd=repo)
    shown = json.loads(cli("install", agent, "--dry-run", "--json").out)
    assert shown["written"] is False
    paths = [Path(change["path"]) for change in shown["changes"]]
    assert paths
    assert not any(path.exists() for path in paths)
    cli("install", agent)
    assert all(path.is_file() for path in paths)
    cli("uninstall", agent)
    assert not any(path.parent.exists() for path in paths)
    assert git("status", "--porcelain", "-uall", "--ignored", cwd=repo) == before


def test_what_changed_since_stays(store: Store, cli: Callable[..., Answer]) -> None:
    path = put(Path(LOCAL), b'{\n    "model": "x"\n}\n')
    cli("install", "claude-code", "--native-memory")
    changed = path.read_text().replace('"model": "x"', '"model": "y"')
    path.write_text(changed)
    cli("uninstall", "claude-code")
    assert path.read_text() == '{\n    "model": "y"\n}\n'


def test_two_installations_are_taken_back_to_the_first_state(store: Store, cli: Callable[..., Answer]) -> None:
    path = put(Path(LOCAL), b'{"a": 1}')
    cli("install", "claude-code")
    cli("config", "extraction.when", "turn")
    assert cli("install", "claude-code").code == 0
    assert "mdmem hook stop" in path.read_text()
    cli("uninstall", "claude-code")
    assert path.read_bytes() == b'{"a": 1}'


def test_a_broken_file_is_left_with_file_and_line(store: Store, cli: Callable[..., Answer]) -> None:
    path = put(Path(LOCAL), b'{\n  "a": 1\n  "b": 2\n}')
    answer = cli("install", "claude-code", "--extract")
    assert answer.code == 1
    assert f"{path.resolve()}:3: a comma or '}}' is expected" in answer.err
    assert path.read_bytes() == b'{\n  "a": 1\n  "b": 2\n}'
    assert json.loads(cli("config", "agents.claude-code.extract", "--json").out).popitem()[1]["value"] is False


def test_one_broken_file_keeps_all_from_being_written(store: Store, cli: Callable[..., Answer]) -> None:
    put(Path(".cursor/rules/mdmem.mdc"), b"mine")
    assert cli("install", "cursor").code == 1
    assert not Path(".cursor/hooks.json").exists()


def test_switches_are_off_unless_said(store: Store, cli: Callable[..., Answer], hermetic: Path) -> None:
    settings = hermetic / ".config/mdmem/config.toml"
    cli("install", "claude-code")
    assert not settings.exists()
    answer = cli("install", "claude-code", "--extract", "--no-consolidate")
    assert "agents.claude-code.extract set to true" in answer.out
    assert settings.read_text() == "[agents.claude-code]\nextract = true\nconsolidate = false\n"
    assert "still learned from" in cli("uninstall", "claude-code").err


@pytest.mark.parametrize("agent", ["gemini", "cursor", "agents-md"])
def test_what_cannot_be_learned_from_is_said(store: Store, cli: Callable[..., Answer], agent: str) -> None:
    answer = cli("install", agent, "--extract")
    assert (answer.code, "can't be read" in answer.err) == (1, True)


def test_on_a_terminal_it_asks(store: Store, cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installing, "_is_terminal", lambda: True)
    refused = cli("install", "claude-code", stdin="n\n")
    assert (refused.code, Path(LOCAL).exists()) == (130, False)
    assert '+    "SessionStart": [' in refused.out
    agreed = cli("install", "claude-code", stdin="y\ny\n\n")
    assert "agents.claude-code.extract set to true" in agreed.out
    assert "agents.claude-code.consolidate set to false" in agreed.out
    assert Path(LOCAL).exists()


def test_a_link_in_the_project_is_not_followed(store: Store, cli: Callable[..., Answer], tmp_path: Path) -> None:
    outside = put(tmp_path / "outside.json", b"{}")
    Path(".claude").mkdir()
    Path(LOCAL).symlink_to(outside)
    assert "symbolic link" in cli("install", "claude-code").err
    assert outside.read_bytes() == b"{}"


def test_a_link_of_the_users_own_is_followed(
    store: Store, cli: Callable[..., Answer], tmp_path: Path, hermetic: Path
) -> None:
    dotfile = put(tmp_path / "dotfiles/settings.json", b'{"model": "x"}')
    (hermetic / ".claude").mkdir()
    (hermetic / ".claude/settings.json").symlink_to(dotfile)
    cli("install", "claude-code", "--user")
    assert "mdmem hook" in dotfile.read_text()
    assert (hermetic / ".claude/settings.json").is_symlink()
    cli("uninstall", "claude-code", "--user")
    assert dotfile.read_bytes() == b'{"model": "x"}'


def test_hooks_that_would_run_twice_are_told(store: Store, cli: Callable[..., Answer]) -> None:
    cli("install", "claude-code")
    assert "its hooks run twice" in cli("install", "claude-code", "--user").err
    assert f"still installed in {Path(LOCAL).resolve()}" in cli("uninstall", "claude-code", "--user").err


def test_what_another_installation_wrote_into_the_same_file_stays(store: Store, cli: Callable[..., Answer]) -> None:
    cli("install", "claude-code", "--native-memory")
    cli("install", "claude-code", "--project")
    cli("uninstall", "claude-code", "--project")
    text = Path(LOCAL).read_text()
    assert "mdmem hook" in text
    assert "autoMemoryDirectory" not in text


def test_a_file_of_ones_own_should_not_be_committed(store: Store, cli: Callable[..., Answer], repo: Path) -> None:
    assert "keep it out of git" in cli("install", "claude-code").err
    (repo / ".gitignore").write_text("settings.local.json\n")
    assert "keep it out of git" not in cli("install", "claude-code").err
    assert "keep it out of git" not in cli("install", "claude-code", "--project").err


def test_only_claude_codes_own_memory_can_be_moved(repo: Path, cli: Callable[..., Answer]) -> None:
    assert "no memory of its own that can be moved" in cli("install", "codex", "--native-memory").err
    assert "no memory folder" in cli("install", "claude-code", "--native-memory").err
    assert not Path(".claude").exists()


def test_without_a_store_it_says_so(repo: Path, cli: Callable[..., Answer]) -> None:
    assert "there is no memory folder here yet" in cli("install", "codex").err


def test_agents_md_mirrors_what_may_be_shared(store: Store, cli: Callable[..., Answer], hermetic: Path) -> None:
    write_memory(store.root, "lesson/pool.md", "Close the pool", "It hangs.", created="2026-03-01")
    cli("--personal", "init")
    cli("--personal", "add", "preference", "Answer in German", "-b", "I prefer it.")
    path = put(Path("AGENTS.md"), b"# Rules\n")
    cli("install", "agents-md")
    text = path.read_text()
    assert text.startswith("# Rules\n\n<!-- mdmem:agents begin -->\n")
    assert "Close the pool" in text
    assert "German" not in text
    assert cli("install", "agents-md").err.startswith("nothing to do")
    cli("sync")
    assert path.read_text() == text
    cli("uninstall", "agents-md")
    assert path.read_bytes() == b"# Rules\n"


def test_the_command_is_found_by_its_name_where_that_lasts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(installing.shutil, "which", lambda name: "/usr/local/bin/mdmem")
    assert installing.program(installing.Scope.USER) == "mdmem"
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "my venv"))
    monkeypatch.setattr(installing.shutil, "which", lambda name: str(tmp_path / "my venv/bin/mdmem"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "pytest")])
    assert installing.program(installing.Scope.PROJECT) == "mdmem"
    assert installing.program(installing.Scope.LOCAL) == f"'{tmp_path / 'my venv/bin/mdmem'}'"
    monkeypatch.setattr(installing.shutil, "which", lambda name: None)
    assert installing.program(installing.Scope.LOCAL) == f"{sys.executable} -m mdmem"
