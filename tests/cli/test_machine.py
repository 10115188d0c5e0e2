"""status, doctor, paths, config, on, off, completion, init."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import mdmem
from support.machine import git
from support.memories import write_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.store.store import Store
    from support.machine import Answer


def test_init_keeps_what_is_there(repo: Path, cli: Callable[..., Answer]) -> None:
    assert cli("init").out == "started a memory in memory\n"
    (repo / "memory/MEMORY.md").write_text("mine\n")
    again = cli("init")
    assert (again.out, again.err) == ("there is a memory in memory\n", "")
    (repo / "memory/.gitignore").unlink()
    assert cli("init").out == "completed the memory in memory\n"
    assert (repo / "memory/MEMORY.md").read_text() == "mine\n"


def test_init_refuses_a_folder_of_other_things(repo: Path, cli: Callable[..., Answer]) -> None:
    (repo / "memory").mkdir()
    (repo / "memory/heap.py").write_text("")
    answer = cli("init")
    assert (answer.code, "mdmem init .memory" in answer.err) == (1, True)
    assert cli("init", ".memory").code == 0
    assert cli("status").out.startswith("project: ")


def test_init_makes_no_store_in_a_store_unless_it_is_told_to(store: Store, cli: Callable[..., Answer],
                                                            monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(store.root)
    answer = cli("init")
    assert (answer.code, f"you are in the memory folder {store.root}" in answer.err) == (1, True)
    assert not (store.root / "memory").exists()
    assert cli("init", "memory").code == 0
    monkeypatch.chdir(store.root.parent)
    assert cli("init").code == 0


def test_init_minds_no_index_of_another_tool(repo: Path, cli: Callable[..., Answer]) -> None:
    (repo / "MEMORY.md").write_text("- [Notes](notes.md)\n")
    assert cli("init").code == 0


def test_a_store_that_lost_its_index_is_named(repo: Path, cli: Callable[..., Answer],
                                              monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    cli("init")
    cli("add", "lesson", "Pin the linter", "-b", "0.5 breaks the plugin.")
    inner = repo / "tools"
    inner.mkdir()
    cli("init", inner / "memory")
    write_memory(inner / "memory", "lesson/jig.md", "Clamp the jig", "It slips.")
    cli("--dir", inner / "memory", "sync")
    (inner / "memory/MEMORY.md").unlink()
    monkeypatch.chdir(inner)
    answer = cli("list")
    assert (answer.code, "its MEMORY.md is gone" in answer.err) == (1, True)
    assert cli("--dir", inner / "memory", "sync").code == 0
    assert "Clamp the jig" in cli("list").out
    assert "(lesson/jig.md)" in (inner / "memory/MEMORY.md").read_text()


def test_a_private_store_is_invisible_to_git(repo: Path, cli: Callable[..., Answer]) -> None:
    cli("init", "--private")
    assert git("status", "--porcelain", cwd=repo) == ""


def test_a_folder_of_other_things_is_no_store(repo: Path, cli: Callable[..., Answer]) -> None:
    cli("init")
    (repo / "setup.cfg").write_text("")
    answer = cli("--dir", ".", "list")
    assert (answer.code, answer.err) == (
        1, "error: . is no memory folder: it holds setup.cfg\nhint: did you mean memory?\n")  # fmt: skip
    assert not (repo / ".mdmem").exists()
    assert cli("--dir", "gone", "list").err == (
        "error: there is no folder gone\nhint: check the name, or start a memory there: mdmem init gone\n"
    )


def test_the_personal_store_is_joined(repo: Path, cli: Callable[..., Answer]) -> None:
    cli("init")
    cli("--personal", "init")
    cli("--personal", "add", "preference", "Terse answers", "-b", "Two sentences.")
    cli("add", "preference", "Tabs here", "-b", "In this project.")
    assert {row["store"] for row in json.loads(cli("list", "--json").out)} == {"project", "personal"}
    cli("add", "preference", "British English", "-b", "Everywhere.", "--scope", "global")
    assert not (repo / "memory/preference/british-english.md").exists()
    assert "British English" in cli("list").out
    assert json.loads(cli("--dir", "memory", "list", "--json").out)[0]["title"] == "Tabs here"


def test_stores_above_are_joined_up_to_the_repository(repo: Path, cli: Callable[..., Answer],
                                                      monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    cli("init")
    cli("add", "convention", "Top rule", "-b", "Everywhere.")
    (repo / "pkg/a").mkdir(parents=True)
    monkeypatch.chdir(repo / "pkg/a")
    cli("init")
    cli("add", "convention", "Inner rule", "-b", "Here.")
    assert [(row["title"], row["store"]) for row in json.loads(cli("list", "--json").out)] == [
        ("Inner rule", "project"), ("Top rule", "../../memory")]  # fmt: skip
    cli("set", "top-rule", "confidence=0.9")
    assert "confidence: 0.9" in (repo / "memory/convention/top-rule.md").read_text()


def test_records_elsewhere_are_read_and_never_written(repo: Path, cli: Callable[..., Answer]) -> None:
    cli("init")
    (repo / "docs/adr").mkdir(parents=True)
    record = repo / "docs/adr/0007-postgres.md"
    record.write_text("# 7. Use Postgres for bookings\n\nDate: 2024-05-01\n\n## Status\n\nAccepted\n\nTransactions.\n")
    (repo / "docs/adr/0008-mongo.md").write_text("# ADR 8: Use Mongo\n\nStatus: Superseded by 7\n")
    (repo / "mdmem.toml").write_text('[extra]\ndecision = "docs/adr/*.md"\n')
    shown = json.loads(cli("list", "--status", "all", "--json").out)
    assert [(row["title"], row["status"], row["created"]) for row in shown] == [
        ("Use Postgres for bookings", "active", "2024-05-01"), ("Use Mongo", "superseded", None)]  # fmt: skip
    assert json.loads(cli("search", "postgres", "--json").out)["hits"][0]["path"] == "docs/adr/0007-postgres.md"
    assert cli("set", "0007-postgres", "confidence=0.9").code == 1
    assert "confidence" not in record.read_text()


def test_every_project_that_was_opened_can_be_searched(tmp_path: Path, repo: Path, cli: Callable[..., Answer],
                                                       monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    cli("init")
    cli("add", "lesson", "Zebra crossing", "-b", "Stripes.")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    cli("init")
    cli("status")
    assert json.loads(cli("search", "zebra", "--json").out)["hits"] == []
    hits = json.loads(cli("search", "zebra", "--all-projects", "--json").out)["hits"]
    assert [hit["store"] for hit in hits] == [str(repo / "memory")]


def test_config_says_where_each_value_comes_from(repo: Path, cli: Callable[..., Answer],
                                                 monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    assert cli("config", "brief.budget").out == "brief.budget\t5000\tdefault\n"
    (repo / "mdmem.toml").write_text("# ours\n[brief]\nbudget = 4000  # short\n")
    assert cli("config", "brief.budget").out == f"brief.budget\t4000\t{repo / 'mdmem.toml'}\n"
    cli("config", "brief.budget", "3000")
    assert cli("config", "brief.budget").out.split("\t")[1] == "3000"
    monkeypatch.setenv("MDMEM_BRIEF_BUDGET", "2000")
    assert cli("config", "brief.budget").out == "brief.budget\t2000\tMDMEM_BRIEF_BUDGET\n"
    cli("config", "brief.budget", "4500", "--project")
    assert (repo / "mdmem.toml").read_text() == "# ours\n[brief]\nbudget = 4500  # short\n"
    cli("config", "brief.budget", "--unset")
    monkeypatch.delenv("MDMEM_BRIEF_BUDGET")
    assert cli("config", "brief.budget").out.split("\t")[1] == "4500"


def test_config_tells_in_json_what_it_wrote(repo: Path, cli: Callable[..., Answer]) -> None:
    written = json.loads(cli("config", "brief.budget", "3000", "--project", "--json").out)
    assert written == {"key": "brief.budget", "value": "3000", "file": str(repo / "mdmem.toml")}
    assert json.loads(cli("config", "brief.budget", "--unset", "--project", "--json").out)["value"] is None


def test_config_refuses_what_it_can_not_use(repo: Path, cli: Callable[..., Answer]) -> None:
    for words, message in (
        (["brief.budgt"], "did you mean `brief.budget`?"),
        (["brief.budget", "many"], "a whole number from 500 to 9500"),
        (["memory.write", "maybe"], "one of off, ask, on"),
    ):
        answer = cli("config", *words)
        assert (answer.code, message in answer.err) == (1, True)
    (repo / "mdmem.toml").write_text("[brief\n")
    answer = cli("config")
    assert (answer.code, "not TOML" in answer.err) == (1, True)


def test_off_stops_the_brief_and_keeps_the_files(store: Store, cli: Callable[..., Answer]) -> None:
    cli("add", "lesson", "A", "-b", "B.")
    cli("off")
    assert cli("brief").out == ""
    assert "A" in cli("search", "a", "b").out + cli("list").out
    cli("on")
    assert "**A**" in cli("brief").out


def test_status_counts(store: Store, cli: Callable[..., Answer]) -> None:
    write_memory(store.root, "lesson/a.md", "A", "Body.")
    write_memory(store.root, "lesson/b.md", "B", "Body.", status="pending")
    (store.root / "lesson/c.md").write_text("no frontmatter\n")
    shown = json.loads(cli("status", "--json").out)["stores"][0]
    assert (shown["types"], shown["statuses"]) == ({"lesson": 1}, {"pending": 1, "active": 1})
    assert shown["unreadable"] == ["lesson/c.md"]
    assert cli().out == cli("status").out


def test_doctor_names_the_fix(store: Store, cli: Callable[..., Answer]) -> None:
    assert cli("doctor").code == 0
    write_memory(store.root, "lesson/a.md", "A", "Body.", confidence="9")
    answer = cli("doctor")
    assert answer.code == 1
    assert "fix: mdmem check" in answer.out
    assert "fix: mdmem sync" in answer.out


@pytest.mark.parametrize(
    ("path", "code", "says"),
    [
        ("", 0, "ok   model: by words only: no model is installed"),
        ("none", 0, "ok   model: none, as embedding.path says"),
        ("hash", 0, "ok   model: hash ("),
        ("/nowhere", 1, "BAD  model: by words only: embedding.path: there is no /nowhere\n     fix: name a folder"),
    ],
)
def test_doctor_tells_a_model_that_is_missing_from_one_that_nobody_asked_for(
    store: Store, cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch, path: str, code: int, says: str
) -> None:
    monkeypatch.setenv("MDMEM_EMBEDDING_PATH", path)
    monkeypatch.setattr("mdmem.index.model._packaged", lambda: None)
    answer = cli("doctor")
    assert (answer.code, says in answer.out) == (code, True), answer.out


def test_paths_and_completion(store: Store, cli: Callable[..., Answer]) -> None:
    assert json.loads(cli("paths", "--json").out)["store"] == str(store.root)
    assert "_MDMEM_COMPLETE=bash_complete" in cli("completion", "bash").out


def test_the_shell_completes_memories(store: Store, shell: Callable[..., Answer]) -> None:
    write_memory(store.root, "lesson/pool.md", "Close the pool", "Body.")
    answer = shell(_MDMEM_COMPLETE="bash_complete", COMP_WORDS="mdmem show les", COMP_CWORD="2")
    assert answer.out == "plain,lesson/pool.md\n"


@pytest.mark.parametrize(("args", "code"), [(("search", "Gr\udcfc\udcdfe"), 2), (("add", "lesson", "Gr\udcfce"), 2)])
def test_an_argument_that_is_no_text_is_refused(store: Store, cli: Callable[..., Answer], args: tuple[str, ...],
                                                code: int) -> None:  # fmt: skip
    answer = cli(*args)
    assert (answer.code, answer.out) == (code, "")
    assert "is not UTF-8" in answer.err


def in_shell(line: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """A line of shell in which `mdmem` is this one."""
    env = os.environ | {"PYTHONPATH": str(Path(mdmem.__file__).parents[1])} | environ
    line = line.replace("mdmem ", f"'{sys.executable}' -m mdmem ")
    return subprocess.run(["sh", "-c", line], cwd=folder, env=env, capture_output=True, check=False, timeout=60)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locales")
def test_a_locale_that_is_not_utf8_changes_nothing(store: Store) -> None:
    write_memory(store.root, "Größe/füße.md", "Füße", "Körper.", type="lesson")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = in_shell("mdmem add lesson 'Größe 🎉' -b Maß >&2; mdmem list; mdmem search Körper", store.root, **plain)
    shown = done.stdout.decode("utf-8")
    assert "Größe 🎉" in shown
    assert shown.count("Größe/füße.md") == 2
    assert "Größe/füße.md" in (store.root / "MEMORY.md").read_text(encoding="utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize(("line", "code"), [("mdmem list >/dev/full", 1), ("mdmem list >&-", 0),
                                            ("mdmem list <&-", 0), ("mdmem review <&- >&- 2>&-", 0)])  # fmt: skip
def test_streams_that_are_full_or_closed_are_no_bug(store: Store, line: str, code: int) -> None:
    write_memory(store.root, "lesson/pool.md", "Close the pool", "Body.")
    assert in_shell(line, store.root).returncode == code


@pytest.mark.parametrize("now", ["0001-01-01", "9999-12-31T23:59:59Z"])
def test_a_clock_at_the_calendar_s_end_stops_no_command(store: Store, cli: Callable[..., Answer],
                                                        monkeypatch: pytest.MonkeyPatch, now: str) -> None:  # fmt: skip
    monkeypatch.setenv("MDMEM_NOW", now)
    write_memory(store.root, "lesson/pool.md", "Close the pool", "Body.")
    for args in (["brief"], ["add", "lesson", "Pin it", "-b", "Text."], ["list"], ["search", "pool"], ["jobs"]):
        assert cli(*args).code == 0, args


def test_a_bug_is_no_traceback(store: Store, cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdmem.cli.machine.overview", lambda *_: 1 / 0)
    answer = cli("status")
    assert (answer.code, answer.out) == (3, "")
    assert "Traceback" not in answer.err
    assert "this is a bug in mdmem" in answer.err
