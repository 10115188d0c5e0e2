"""`mdmem extract` with a model, as a user meets it: by hand, by a runner, within the budget."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Final

import pytest

from support.models import answer, fake_program
from support.runs import Transcript, worked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.store.store import Store
    from support.machine import Answer

RULE: Final = {"type": "convention", "title": "Write crane ids as strings", "body": "The port sends letters."}
GOOD: Final = {"type": "result", "is_error": False, "result": answer(RULE), "total_cost_usd": 0.25}


@pytest.fixture
def run(repo: Path, store: Store) -> Path:
    """A transcript, next to an empty store."""
    return worked().user("No, crane ids are always strings").edit().agent("Strings.").write(repo)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder at the head of PATH."""
    folder = tmp_path / "bin"
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def test_by_hand_the_prompt_goes_out_and_the_answer_comes_in(
    cli: Callable[..., Answer], run: Path, repo: Path, store: Store
) -> None:
    asked = cli("extract", run, "--prompt")
    assert asked.out.startswith("[mdmem-extract v1]\n")
    assert list(store.root.rglob("*.md")) == [store.root / "MEMORY.md"]
    (repo / "answer.txt").write_text(f"Here:\n```json\n{answer(RULE)}\n```\n", encoding="utf-8")
    done = cli("extract", run, "--reply", "answer.txt")
    assert (done.code, done.err) == (0, "")
    assert "added: convention/write-crane-ids-as-strings.md" in done.out
    assert (store.root / "convention/write-crane-ids-as-strings.md").is_file()


def test_the_answer_may_stand_on_stdin(cli: Callable[..., Answer], run: Path) -> None:
    done = cli("extract", run, "--reply", "-", "--dry-run", "--json", stdin=answer(RULE, request="Ü"))
    shown = json.loads(done.out)
    assert (shown["summary"]["request"], shown["memories"][0]["title"]) == ("Ü", "Write crane ids as strings")


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "E_LLM_EMPTY"), ('{"memories": [', "E_LLM_JSON"), ('{"type": "result", "is_error": true}', "E_LLM_CLI")],
)
def test_an_answer_that_can_not_be_used_fails(
    text: str, code: str, cli: Callable[..., Answer], run: Path, store: Store
) -> None:
    done = cli("extract", run, "--reply", "-", stdin=text)
    assert (done.code, done.out) == (1, "")
    assert code in done.err
    assert "hint: " in done.err
    assert list(store.root.rglob("*.md")) == [store.root / "MEMORY.md"]


def test_an_answer_is_one_runs(cli: Callable[..., Answer], run: Path) -> None:
    assert cli("extract", run, run, "--reply", "-").code == 2
    assert "no such file" in cli("extract", run, "--reply", "none.txt").err


def test_of_a_run_that_is_not_learned_from_there_is_no_prompt(
    cli: Callable[..., Answer], repo: Path, run: Path
) -> None:
    other = Transcript("run-2").user("Hello?").write(repo)
    done = cli("extract", other, "--prompt")
    assert (done.code, done.out) == (0, "")
    assert "no finished turn yet" in done.err


def test_a_runner_by_name(cli: Callable[..., Answer], run: Path, path: Path, store: Store) -> None:
    program = fake_program(path, "claude", f"print({json.dumps(GOOD)!r})")
    done = cli("extract", run, "--runner", "claude", "--model", "opus", "--json")
    shown = json.loads(done.out)
    assert [memory["title"] for memory in shown["memories"]] == ["Write crane ids as strings"]
    assert (shown["asked"][0]["runner"], shown["asked"][0]["cost_usd"]) == ("claude", 0.25)
    given = program.call["arguments"]
    assert isinstance(given, list)
    assert given[given.index("--model") + 1] == "opus"
    assert str(program.call["stdin"]).startswith("[mdmem-extract v1]\n")
    status = json.loads(cli("status", "--json").out)["learning"]
    assert (status["today"]["calls"], status["month"]["cost_usd"]) == (1, 0.25)


def test_a_run_that_was_saved_is_not_paid_for_again(cli: Callable[..., Answer], run: Path, path: Path) -> None:
    program = fake_program(path, "claude", f"print({json.dumps(GOOD)!r})")
    cli("extract", run, "--runner", "claude")
    assert "extracted before" in cli("extract", run, "--runner", "claude").out
    assert len(program.calls) == 1


def test_auto_asks_the_agent_that_made_the_run(
    cli: Callable[..., Answer], run: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = fake_program(path, "claude", f"print({json.dumps(GOOD)!r})")
    cli("config", "extraction.runner", "auto")
    assert "(Claude Code with haiku)" in cli("status").out or shutil.which("codex") or shutil.which("opencode")
    assert "Write crane ids as strings" in cli("extract", run).out
    assert len(program.calls) == 1


def test_no_model_is_asked_unless_the_user_said_so(cli: Callable[..., Answer], run: Path, path: Path) -> None:
    for name in ("claude", "codex", "opencode"):
        fake_program(path, name, "")
    cli("extract", run)
    cli("extract", run, "--runner", "local")
    cli("status")
    assert list(path.glob("*.log")) == []


def test_a_project_can_not_choose_who_is_asked(cli: Callable[..., Answer], run: Path, repo: Path) -> None:
    (repo / "mdmem.toml").write_text('[extraction]\nrunner = "claude"\n', encoding="utf-8")
    done = cli("extract", run)
    assert done.code == 1
    assert "a project may not set `extraction.runner`" in done.err


def test_when_the_days_calls_are_used_up(
    cli: Callable[..., Answer], run: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = fake_program(path, "claude", "print('{')")
    monkeypatch.setenv("MDMEM_EXTRACTION_DAILY_CALLS", "1")
    done = cli("extract", run, "--runner", "claude")
    assert done.code == 1
    assert "extraction.daily_calls" in done.err
    assert len(program.calls) == 1
    monkeypatch.setenv("MDMEM_NOW", "2026-03-11T12:00:00Z")
    cli("extract", run, "--runner", "claude")
    assert len(program.calls) == 2


def test_an_extraction_within_an_extraction_asks_nobody(cli: Callable[..., Answer], run: Path, path: Path) -> None:
    command = [sys.executable, "-m", "mdmem", "extract", str(run), "--runner", "claude", "--dry-run"]
    code = f"import subprocess\nsubprocess.run({command!r}, cwd={str(run.parent)!r}, capture_output=True, check=True)\n"
    program = fake_program(path, "claude", f"{code}print({json.dumps(GOOD)!r})")
    done = cli("extract", run, "--runner", "claude")
    assert (done.code, done.err) == (0, "")
    assert len(program.calls) == 1


def test_a_runner_that_is_not_installed(cli: Callable[..., Answer], run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = cli("extract", run, "--runner", "codex")
    assert done.code == 1
    assert "E_LLM_CLI `codex` is not on PATH" in done.err
