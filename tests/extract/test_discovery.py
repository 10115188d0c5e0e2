"""Which transcripts in the agents' folders belong to a project."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from mdmem.extract.discovery import AGENTS, Places, discover, places, session_path
from support.opencode_runs import Conversation, write_database, write_folder
from support.rollouts import BARE, Rollout
from support.runs import worked

if TYPE_CHECKING:
    from pathlib import Path

THEN = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """Where the agents keep their files in an empty home."""
    return places({}, tmp_path / "home")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository."""
    (tmp_path / "code/dock/.git").mkdir(parents=True)
    return tmp_path / "code/dock"


def write_claude(where: Places, cwd: Path, name: str = "run-1", *, at: datetime = THEN, **fields: object) -> Path:
    """A run of Claude Code in a folder, last changed at a time."""
    slug = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in str(cwd))
    run = worked()
    run.records = [{**record, "cwd": str(cwd), **fields} for record in run.records]
    path = where.claude / "projects" / slug / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(run.data())
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def write_codex(
    where: Places, cwd: Path, name: str = "1", *, era: str = "framed", at: datetime = THEN, **meta: object
) -> Path:
    """A run of Codex in a folder, last changed at a time."""
    run = Rollout(era, session=name, cwd=str(cwd)).begin(**meta).user("Hello.")
    path = run.write(where.codex / f"sessions/2026/05/04/rollout-2026-05-04-{name}.jsonl")
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def found(where: Places, *roots: Path, since: datetime | None = None, agent: str = "") -> list[str]:
    return [one.transcript for one in discover(where, roots, since=since, agent=agent)]


def test_the_agents_folders_are_moved_by_the_environment(tmp_path: Path) -> None:
    assert places({}, tmp_path) == (tmp_path / ".claude", tmp_path / ".codex", tmp_path / ".local/share/opencode")
    moved = {"CLAUDE_CONFIG_DIR": "/a", "CODEX_HOME": "/b", "XDG_DATA_HOME": "/c"}
    assert list(map(str, places(moved, tmp_path))) == ["/a", "/b", "/c/opencode"]
    assert places({"CODEX_HOME": ""}, tmp_path).codex == tmp_path / ".codex"


def test_runs_of_all_agents_come_newest_first(where: Places, project: Path) -> None:
    claude = write_claude(where, project)
    codex = write_codex(where, project, at=THEN + timedelta(hours=1))
    write_database(where.opencode / "opencode.db", [Conversation(cwd=str(project)).user("Hello.")])
    assert found(where, project) == [str(codex), str(claude), str(where.opencode / "opencode.db#ses_1")]
    assert [one.agent for one in discover(where, [project])] == ["codex", "claude-code", "opencode"]
    for agent, transcript in zip(AGENTS, (claude, codex, where.opencode / "opencode.db#ses_1"), strict=True):
        assert found(where, project, agent=agent) == [str(transcript)]


def test_what_is_told_of_a_transcript(where: Places, project: Path) -> None:
    path = write_codex(where, project, "abc")
    (one,) = discover(where, [project])
    assert (one.session, one.folder, one.changed_at, one.size) == ("abc", str(project), THEN, path.stat().st_size)
    os.utime(path, (THEN.timestamp() + 1, THEN.timestamp() + 1))
    (other,) = discover(where, [project])
    assert (other.size, other.stamp != one.stamp) == (one.size, True)


def test_subfolders_and_other_working_trees_belong_to_the_project(where: Places, project: Path, tmp_path: Path) -> None:
    tree = tmp_path / "code/dock-fix"
    tree.mkdir()
    (tree / ".git").write_text("gitdir: elsewhere", encoding="utf-8")
    inside = write_claude(where, project / "src/model", "a")
    beside = write_claude(where, tree, "b", at=THEN - timedelta(hours=1))
    assert found(where, project) == [str(inside)]
    assert found(where, project, tree) == [str(inside), str(beside)]


def test_neighbours_and_what_lies_in_other_repositories_do_not(where: Places, project: Path, tmp_path: Path) -> None:
    for cwd in (tmp_path / "code/dock-two", tmp_path / "code", project.with_name("do")):
        write_claude(where, cwd, cwd.name)
        write_codex(where, cwd, cwd.name)
    (project / "vendor/crane/.git").mkdir(parents=True)
    (project / "apps/web/memory").mkdir(parents=True)
    (project / "apps/web/memory/MEMORY.md").touch()
    write_claude(where, project / "vendor/crane")
    write_codex(where, project / "apps/web/src")
    assert found(where, project) == []
    assert len(found(where, project / "apps/web")) == 1
    assert len(discover(where, None)) == 8


def test_two_folders_with_one_slug_are_told_by_what_the_runs_say(where: Places, tmp_path: Path) -> None:
    one, other = tmp_path / "a/b-c", tmp_path / "a-b/c"
    path = write_claude(where, one, "one")
    write_claude(where, other, "other")
    assert found(where, one) == [str(path)]


def test_a_folder_that_is_a_link_is_the_folder(where: Places, project: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(project)
    path = write_claude(where, project)
    assert found(where, link) == [str(path)]
    other = write_codex(where, link)
    assert set(found(where, project)) == {str(path), str(other)}


def test_files_of_helpers_and_subagents_are_no_runs(where: Places, project: Path) -> None:
    for name in ("agent-1", "agent-acompact-2", "journal"):
        write_claude(where, project, name)
    folder = write_claude(where, project, "run-1").parent
    (folder / "run-1/subagents").mkdir(parents=True)
    (folder / "run-1/subagents/agent-3.jsonl").write_bytes(worked().data())
    write_claude(where, project, "side", isSidechain=True)
    write_codex(where, project, source={"subagent": "review"})
    child = Conversation("ses_2", cwd=str(project), parent="ses_1").user("Look around.")
    write_database(where.opencode / "opencode.db", [child])
    assert found(where, project) == [str(folder / "run-1.jsonl")]


def test_rollouts_of_2025_name_their_folder_where_they_can(where: Places, project: Path) -> None:
    path = write_codex(where, project, era=BARE)
    told = {
        "type": "message",
        "role": "user",
        "content": [{"text": f"Current working directory: {project}\nSandbox: on"}],
    }
    other = where.codex / "archived_sessions/rollout-old.jsonl"
    other.parent.mkdir()
    head = {"id": "x", "timestamp": "2025-06-01T00:00:00Z", "instructions": None}
    other.write_text(f"{json.dumps(head)}\n{json.dumps(told)}\n", encoding="utf-8")
    assert set(found(where, project)) == {str(path), str(other)}


def test_what_was_not_changed_since_is_left_out(where: Places, project: Path) -> None:
    write_claude(where, project, "old", at=THEN - timedelta(days=3))
    new = write_claude(where, project, "new")
    write_database(where.opencode / "opencode.db", [Conversation(cwd=str(project)).user("Hello.")])
    assert found(where, project, since=THEN) == [str(new)]


def test_a_session_that_moved_into_the_database_is_found_once(where: Places, project: Path) -> None:
    run, old = Conversation(cwd=str(project)).user("Hello."), Conversation("ses_0", cwd=str(project)).user("Hi.")
    write_folder(where.opencode / "storage", [run, old])
    assert found(where, project) == [str(where.opencode / f"storage#ses_{n}") for n in (1, 0)]
    write_database(where.opencode / "opencode.db", [run])
    assert set(found(where, project)) == {
        str(where.opencode / "opencode.db#ses_1"), str(where.opencode / "storage#ses_0")}  # fmt: skip
    assert session_path(where, "ses_0") == where.opencode / "storage#ses_0"
    assert session_path(where, "ses_9") is None


def test_what_can_not_be_read_gives_nothing(where: Places, project: Path) -> None:
    assert found(where, project) == []
    path = write_codex(where, project)
    path.write_bytes(b"\xff{\n[1]\n")
    where.opencode.mkdir(parents=True)
    (where.opencode / "opencode.db").write_bytes(b"no database")
    assert found(where, project) == []
