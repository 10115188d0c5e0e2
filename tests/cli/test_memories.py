"""add, show, list, set, forget: what they write, print and refuse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mdmem.store.caller import Caller
from mdmem.store.store import find_in
from support.memories import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mdmem.store.store import Store
    from mdmem.store.table import StoredMemory
    from support.machine import Answer


@pytest.fixture
def added(cli: Callable[..., Answer], store: Store) -> Path:
    """A store with one memory, added as a person would."""
    assert cli("add", "lesson", "Pin the linter", "-b", "0.5 breaks the plugin.", "-f", "tools/lint.toml").code == 0
    return store.root / "lesson/pin-the-linter.md"


def test_add_writes_a_file_and_its_line(added: Path) -> None:
    assert "title: Pin the linter\n" in added.read_text()
    assert "- [Pin the linter](lesson/pin-the-linter.md) — 0.5 breaks the plugin." in (
        added.parents[1] / "MEMORY.md"
    ).read_text(encoding="utf-8")


def test_the_same_again_confirms(added: Path, cli: Callable[..., Answer]) -> None:
    answer = cli("add", "lesson", "Pin  the linter", "-b", "0.5 breaks\nthe plugin.", "--json")
    shown = json.loads(answer.out)
    assert (shown["confirmed"], shown["path"], shown["evidence"]) == (True, "lesson/pin-the-linter.md", 2)
    assert len(list(added.parent.iterdir())) == 1


def test_the_same_topic_replaces(store: Store, cli: Callable[..., Answer]) -> None:
    cli("add", "decision", "CI runs on Linux", "-b", "One.", "-t", "ci/os", "-f", "a.yml")
    shown = json.loads(
        cli("add", "decision", "CI runs on macOS", "-b", "Two.", "-t", "ci/os", "-f", "b.yml", "--json").out
    )
    assert shown["path"] == "decision/ci-runs-on-linux.md"
    assert (shown["title"], shown["body"], shown["files"]) == ("CI runs on macOS", "Two.", ["a.yml", "b.yml"])
    assert (shown["confidence"], shown["evidence"]) == (0.7, 2)


def test_an_agent_can_not_replace_what_a_person_said(store: Store, cli: Callable[..., Answer]) -> None:
    cli("add", "decision", "CI runs on Linux", "-b", "One.", "-t", "ci/os")
    before = (store.root / "decision/ci-runs-on-linux.md").read_bytes()
    shown = json.loads(
        cli("--as", "agent", "add", "decision", "CI runs on macOS", "-b", "Two.", "-t", "ci/os", "--json").out
    )
    assert (shown["status"], shown["source"]) == ("pending", "agent")
    assert (store.root / "decision/ci-runs-on-linux.md").read_bytes() == before
    for command in (["set", "ci-runs-on-linux", "confidence=0.1"], ["forget", "ci-runs-on-linux"],
                    ["feedback", "ci-runs-on-linux", "wrong"], ["deprecate", "ci-runs-on-linux"]):  # fmt: skip
        answer = cli("--as", "agent", *command)
        assert answer.code == 1
        assert "is the user's" in answer.err
        assert (store.root / "decision/ci-runs-on-linux.md").read_bytes() == before


def test_people_speak_for_themselves(store: Store, cli: Callable[..., Answer]) -> None:
    answer = cli("--as", "agent", "add", "preference", "Prefers tabs", "-b", "Said so.")
    assert answer.out == "pending preference/prefers-tabs.md\n"


@pytest.mark.parametrize(("switch", "code", "word"), [("off", 1, "may not write"), ("ask", 0, "pending")])
def test_the_write_switch(switch: str, code: int, word: str, store: Store, cli: Callable[..., Answer],
                          monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("MDMEM_MEMORY_WRITE", switch)
    answer = cli("--as", "agent", "add", "lesson", "A", "-b", "B.")
    assert (answer.code, word in answer.out + answer.err) == (code, True)
    assert cli("add", "lesson", "C", "-b", "D.").code == 0
    for command in (["set", "c", "tags=x"], ["forget", "c"], ["feedback", "c", "wrong"], ["mv", "c", "lesson/e.md"]):
        assert "agents may not change memories here" in cli("--as", "agent", *command).err
    assert cli("set", "c", "tags=x").code == 0


def test_secrets_are_redacted_also_when_set(added: Path, cli: Callable[..., Answer]) -> None:
    token = "ghp_" + "FAKEfake" * 4 + "0000"
    done = cli("set", "pin-the-linter", f"body=Use {token} there.", f"description=with {token}")
    assert done.err == "warning: what looked like a secret was left out: github-token\n"
    assert token not in added.read_text()
    assert added.read_text().count("[redacted:") == 2
    answer = cli("add", "lesson", "Key", "-b", f"Use {token} there.")
    assert answer.err.startswith("warning: what looked like a secret was left out: github-token\n")


def test_add_reads_standard_input(store: Store, cli: Callable[..., Answer]) -> None:
    cli("add", "lesson", "From a pipe", stdin="Two\nlines.\n")
    assert (store.root / "lesson/from-a-pipe.md").read_text().endswith("---\nTwo\nlines.\n")


def test_a_dry_run_writes_nothing(store: Store, cli: Callable[..., Answer]) -> None:
    assert "title: Nothing" in cli("add", "lesson", "Nothing", "-b", "x", "--dry-run").out
    assert not (store.root / "lesson").exists()


def test_show_prints_the_file(added: Path, cli: Callable[..., Answer]) -> None:
    assert cli("show", "pin-the-linter").out == added.read_text()
    shown = json.loads(cli("show", "lesson/pin-the-linter.md", "--json").out)
    assert (shown["id"], shown["extra"], shown["store"]) == (
        cli("show", shown["id"], "--json") and shown["id"],
        {},
        "project",
    )


def test_what_is_not_there_is_answered_with_what_is_near(added: Path, cli: Callable[..., Answer]) -> None:
    answer = cli("show", "pin-the-lintr")
    assert (answer.code, answer.err) == (
        1, "error: no memory 'pin-the-lintr'\nhint: did you mean lesson/pin-the-linter.md?\n")  # fmt: skip


def test_list_filters(added: Path, cli: Callable[..., Answer]) -> None:
    cli("add", "command", "Run it", "-b", "make", "--tag", "ci", "--pending")
    assert [row["title"] for row in json.loads(cli("list", "--json").out)] == ["Run it", "Pin the linter"]
    assert cli("list", "--tag", "CI").out.split("\t")[1] == "pending"
    assert cli("list", "--file", "tools/lint.toml", "--type", "lesson").out.startswith("lesson/pin-the-linter.md")
    assert cli("list", "--type", "spec").out == ""


def test_set_changes_one_line(added: Path, cli: Callable[..., Answer]) -> None:
    before = added.read_text().splitlines()
    diff = cli("set", "pin-the-linter", "confidence=0.9", "tags+=a,b", "--dry-run").out
    assert added.read_text().splitlines() == before
    assert [line for line in diff.splitlines() if line[:1] == "+"][1:] == ["+confidence: 0.9", "+tags: [a, b]"]
    cli("set", "pin-the-linter", "confidence=0.9", "tags+=a,b")
    cli("set", "pin-the-linter", "tags-=a")
    assert [line for line in added.read_text().splitlines() if line not in before] == ["confidence: 0.9", "tags: [b]"]
    cli("set", "pin-the-linter", "confidence=", "tags=")
    assert added.read_text().splitlines() == before


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("confidence=7", "`confidence` is 7"),
        ("status=done", "`status` is 'done'"),
        ("confidense=0.8", "did you mean confidence"),
        ("nonsense", "write key=value"),
        ("files=../x", "outside of the repository"),
        ("status=superseded", "superseded, but by what?"),
    ],
)
def test_set_refuses_what_breaks_a_rule(added: Path, cli: Callable[..., Answer], assignment: str, message: str) -> None:
    before = added.read_bytes()
    answer = cli("set", "pin-the-linter", assignment)
    assert (answer.code, added.read_bytes()) == (1, before)
    assert message in answer.err


def test_forget_vetoes_and_undo_brings_back(added: Path, cli: Callable[..., Answer], store: Store) -> None:
    before = added.read_bytes()
    assert cli("forget", "pin-the-linter", "--dry-run").out == "would forget lesson/pin-the-linter.md\n"
    assert cli("forget", "pin-the-linter").code == 0
    assert not added.exists()
    assert "Pin the linter" in (store.root / "vetoes.md").read_text()
    assert "pin-the-linter" not in (store.root / "MEMORY.md").read_text()
    assert cli("undo").code == 0
    assert added.read_bytes() == before
    assert not (store.root / "vetoes.md").exists()
    assert "pin-the-linter" in (store.root / "MEMORY.md").read_text()


def test_forgetting_all_needs_somebody_to_ask(added: Path, cli: Callable[..., Answer]) -> None:
    answer = cli("forget", "--all")
    assert (answer.code, added.exists()) == (1, True)
    assert "asks for the store's name" in answer.err


def test_without_a_store_the_error_says_what_to_do(cli: Callable[..., Answer], repo: Path) -> None:
    answer = cli("list")
    assert answer.code == 1
    assert answer.err.endswith("hint: run `mdmem init` in your project, or name a folder with --dir\n")


def test_add_names_what_may_say_the_same(added: Path, cli: Callable[..., Answer]) -> None:
    answer = cli("add", "lesson", "Pin the linter plugin", "-b", "It breaks.")
    assert answer.out == "added lesson/pin-the-linter-plugin.md\n"
    assert answer.err == "near: lesson/pin-the-linter.md — Pin the linter\n"


def test_set_adds_to_what_another_process_set_meanwhile(
    added: Path, cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_and_be_late(stores: Sequence[Store], ref: str) -> tuple[Store, StoredMemory]:
        store, found = find_in(stores, ref)
        store.change(ref, {"tags": ("first",)}, caller=Caller.USER, now=NOW)
        return store, found

    monkeypatch.setattr("mdmem.cli.memories.find_in", find_and_be_late)
    assert cli("set", "pin-the-linter", "tags+=second").code == 0
    assert "tags: [first, second]\n" in added.read_text()
