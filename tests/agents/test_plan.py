"""Installing is idempotent, keeps what is there, and is taken back without a trace."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.agents import agents_md, claude_code, hook_entries, marked, opencode
from mdmem.agents.place import Place, Scope, Wanted
from mdmem.agents.plan import AGENTS, parts_of, plan_install, plan_uninstall, scope_of
from mdmem.errors import ConfigError
from support.settings_files import settings_texts

ROOT, HOME = Path("/repo"), Path("/home/ada")
WANTED = Wanted(brief="# Project memory\n- one")
WITH_HOOKS = ("claude-code", "codex", "gemini", "cursor")


def place(scope: Scope = Scope.PROJECT, **environ: str) -> Place:
    """A place in a project that is not there."""
    return Place(ROOT, HOME, environ, scope)


def installed(agent: str, text: str | None, wanted: Wanted = WANTED, scope: Scope = Scope.PROJECT) -> str:
    """The agent's first file after `install`."""
    part = parts_of(agent, place(scope), wanted)[0]
    return part.install(text)


def taken_back(agent: str, text: str) -> str | None:
    """The agent's first file after `uninstall`, when nobody knows what it was before."""
    return parts_of(agent, place(), WANTED)[0].uninstall(text)


def commands(text: str) -> dict[str, list[dict[str, Any]]]:
    """Every hook by its event."""
    found: dict[str, list[dict[str, Any]]] = {}
    for event, entries in json.loads(text)["hooks"].items():
        found[event] = [hook for entry in entries for hook in entry.get("hooks", [entry])]
    return found


@pytest.mark.parametrize("agent", AGENTS)
def test_a_second_installation_changes_nothing(agent: str) -> None:
    once = installed(agent, None)
    assert installed(agent, once) == once
    assert parts_of(agent, place(), WANTED)[0].has_ours(once)


@given(settings_texts(), st.sampled_from(WITH_HOOKS), st.booleans())
def test_what_others_say_stays(text: str, agent: str, per_turn: bool) -> None:
    wanted = Wanted(per_turn=per_turn)
    once = installed(agent, text, wanted)
    assert installed(agent, once, wanted) == once
    back = taken_back(agent, once)
    before = value(text)
    if agent == "cursor":
        before = before | {"version": 1}
    assert back is None or value(back) == before or emptied(value(back)) == emptied(before)
    if agent != "cursor" and "hooks" not in before and before:
        assert back == text


def value(text: str) -> dict[str, Any]:
    """What a settings file says."""
    found = hook_entries.json_text.value_of(text, "x")
    assert isinstance(found, dict)
    return found


def emptied(found: dict[str, Any]) -> dict[str, Any]:
    """Settings without lists of hooks that hold none."""
    hooks = {event: entries for event, entries in found.get("hooks", {}).items() if entries}
    return {key: one for key, one in found.items() if key != "hooks"} | ({"hooks": hooks} if hooks else {})


def test_the_units_of_time_are_the_agents() -> None:
    claude, codex, gemini = (commands(installed(agent, None)) for agent in ("claude-code", "codex", "gemini"))
    assert claude["SessionEnd"][0]["timeout"] == 30
    assert codex["SessionEnd"][0]["timeout"] == 3
    assert gemini["SessionStart"][0]["timeout"] == 10_000
    assert set(claude) == {"SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"}
    assert set(gemini) == {"SessionStart", "BeforeAgent"}


def test_a_hook_after_every_turn_only_when_asked_for() -> None:
    assert "Stop" in commands(installed("claude-code", None, Wanted(per_turn=True)))
    once = installed("claude-code", None, Wanted(per_turn=True))
    assert "Stop" not in commands(installed("claude-code", once, Wanted()))


def test_claude_is_told_at_every_start() -> None:
    entry = json.loads(installed("claude-code", None))["hooks"]["SessionStart"][0]
    assert entry["matcher"] == "startup|resume|clear|compact|fork"


def test_a_hook_of_ours_in_a_group_of_others_is_taken_out_alone() -> None:
    ours = {"type": "command", "command": "'/opt/my tools/mdmem' hook stop --agent codex"}
    theirs = {"type": "command", "command": "./lint.sh"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [theirs, ours]}]}})
    assert json.loads(taken_back("codex", text) or "") == {"hooks": {"Stop": [{"hooks": [theirs]}]}}


@pytest.mark.parametrize(
    ("command", "is_ours"),
    [
        ("mdmem hook session-start --agent codex", True),
        ("/home/ada/.local/bin/mdmem hook stop", True),
        ("'/opt/my tools/mdmem' hook pre-compact", True),
        ('"C:\\tools\\mdmem.exe" hook session-end', True),
        ("/usr/bin/python3 -m mdmem hook session-end --agent gemini", True),
        ("echo mdmem hook", False),
        ("mdmem hook other", False),
        ("mdmemo hook stop", False),
        ("mdmem sync", False),
    ],
)
def test_ours_is_told_from_theirs(command: str, is_ours: bool) -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})
    assert hook_entries.has_entries(text, "x") is is_ours


@pytest.mark.parametrize("agent", WITH_HOOKS)
def test_a_broken_file_is_told_with_its_line(agent: str) -> None:
    with pytest.raises(ConfigError, match=r"json:2: a value is expected.*left as it is"):
        installed(agent, '{\n  "a": ,\n}')


def test_the_agents_own_memory_moves_into_the_store() -> None:
    wanted = Wanted(native=Path("/repo/memory"))
    hooks, memory = parts_of("claude-code", place(Scope.PROJECT), wanted)
    assert (hooks.path, memory.path) == (ROOT / ".claude/settings.json", ROOT / ".claude/settings.local.json")
    text = memory.install('{\n  "model": "x"\n}\n')
    assert json.loads(text) == {"model": "x", "autoMemoryDirectory": "/repo/memory"}
    assert memory.install(text) == text
    assert memory.uninstall(text) == '{\n  "model": "x"\n}\n'
    other = '{"autoMemoryDirectory": "/elsewhere"}'
    assert memory.uninstall(other) == other
    assert not memory.has_ours(other)


def test_both_can_stand_in_one_file() -> None:
    parts = parts_of("claude-code", place(Scope.LOCAL), Wanted(native=Path("/repo/memory")))
    (change,) = plan_install(parts, {parts[0].path: None})
    said = json.loads(change.after or b"")
    assert set(said) == {"hooks", "autoMemoryDirectory"}
    (back,) = plan_uninstall(parts, {parts[0].path: change.after}, {})
    assert back.after == b"{}\n"
    (exact,) = plan_uninstall(parts, {parts[0].path: change.after}, {parts[0].path: None})
    assert (exact.after, exact.as_json()["action"]) == (None, "remove")


def test_files_lie_where_variables_say() -> None:
    moved = place(Scope.USER, CLAUDE_CONFIG_DIR="/c", CODEX_HOME="/x", XDG_CONFIG_HOME="/g")
    paths = [parts_of(agent, moved, WANTED)[0].path for agent in ("claude-code", "codex", "opencode", "gemini")]
    assert paths == [
        Path("/c/settings.json"), Path("/x/hooks.json"), Path("/g/opencode/plugins/mdmem.ts"),
        HOME / ".gemini/settings.json",
    ]  # fmt: skip


def test_a_scope_that_an_agent_has_not_is_refused() -> None:
    assert scope_of("claude-code", None) is Scope.LOCAL
    assert scope_of("codex", None) is Scope.USER
    with pytest.raises(ConfigError, match="agents-md has no --user"):
        scope_of("agents-md", Scope.USER)


def test_a_file_of_that_name_that_is_not_ours_stays() -> None:
    with pytest.raises(ConfigError, match=re.escape("mdmem.ts:1: another file of that name is there")):
        installed("opencode", "export const Mine = 1\n")
    assert taken_back("opencode", "export const Mine = 1\n") == "export const Mine = 1\n"


def test_the_plugin_runs_mdmem_as_it_was_found() -> None:
    assert 'const MDMEM = ["/opt/my tools/mdmem"]' in opencode.plugin("'/opt/my tools/mdmem'")
    assert opencode.COMMAND in opencode.plugin("mdmem")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60), st.sampled_from(["\n", "\r\n"]))
def test_a_block_comes_and_goes_without_a_trace(text: str, eol: str) -> None:
    text = text.replace("\n", eol)
    once = marked.with_block(text, "AGENTS.md", "one\ntwo")
    assert once.startswith(text)
    assert marked.with_block(once, "AGENTS.md", "one\ntwo") == once
    left = marked.without_block(once, "AGENTS.md")
    assert left in (text, f"{text}\n", f"{text}\r\n")


def test_what_stands_after_the_block_stays() -> None:
    text = f"# Rules\n\n{marked.BEGIN}\nold\n{marked.END}\n\nMine.\n"
    assert marked.with_block(text, "A.md", "new") == f"# Rules\n\n{marked.BEGIN}\nnew\n{marked.END}\n\nMine.\n"
    assert marked.without_block(text, "A.md") == "# Rules\n\nMine.\n"


@pytest.mark.parametrize("text", [f"a\n{marked.BEGIN}\n", f"a\n{marked.END}\n{marked.BEGIN}\n"])
def test_marks_that_are_no_pair_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"A\.md:[23]: the marks"):
        marked.with_block(text, "A.md", "new")


def test_nothing_to_mirror_is_an_error() -> None:
    (part,) = agents_md.parts(place(), Wanted())
    with pytest.raises(ConfigError, match="nothing to mirror"):
        part.install(None)


def test_the_plugin_of_the_examples_has_the_same_hooks() -> None:
    file = Path(__file__).parents[2] / "examples/claude-code-plugin/hooks/hooks.json"
    hooks = json.loads(file.read_text(encoding="utf-8"))["hooks"]
    entries = [hook_entries.Entry(event, one) for event, found in hooks.items() for one in found]
    assert entries == claude_code.entries(Wanted())
