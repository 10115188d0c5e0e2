"""`mdmem extract` as a user meets it: what it prints, what it writes, how it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from mdmem.store.state import read_runs
from support.memories import write_memory
from support.runs import Transcript, worked

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.store.store import Store
    from support.machine import Answer


EXAMPLE: Final = Path(__file__).parents[2] / "examples/transcript.jsonl"


@pytest.fixture
def run(repo: Path, store: Store) -> Path:
    """A transcript with one rule and one remark, next to an empty store."""
    record = worked().user("No, crane ids are always strings").edit().agent("Strings.")
    return record.user("hm no, not that nice").edit().agent("Put back.").write(repo)


def test_it_says_what_it_learned_and_where_it_was_written(cli: Callable[..., Answer], run: Path, store: Store) -> None:
    done = cli("extract", run)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "run-1.jsonl: Add a crane to the model.\n"
        "  added: convention/crane-ids-are-always-strings.md: Crane ids are always strings\n"
        "  noted: correction, line 9: hm no, not that nice\n"
    )
    assert (store.root / "convention/crane-ids-are-always-strings.md").is_file()
    assert "extracted before" in cli("extract", run).out


def test_what_was_undone_is_learned_again_when_asked_for(cli: Callable[..., Answer], run: Path, store: Store) -> None:
    learned = store.root / "convention/crane-ids-are-always-strings.md"
    cli("extract", run)
    cli("undo")
    assert "--again" in cli("extract", run).out
    assert not learned.exists()
    assert "added: convention/crane-ids-are-always-strings.md" in cli("extract", run, "--again").out
    before = learned.read_bytes()
    assert "this run already taught it" in cli("extract", run, "--again").out
    assert learned.read_bytes() == before
    assert len(read_runs(store.state_folder)) == 1
    assert cli("extract", "--all", "--again").code == 2


def test_what_was_forgotten_is_not_learned_again(cli: Callable[..., Answer], run: Path, store: Store) -> None:
    cli("extract", run)
    cli("forget", "crane-ids-are-always-strings")
    assert "forgotten on purpose" in cli("extract", run, "--again").out


def test_a_dry_run_and_a_digest_write_nothing(cli: Callable[..., Answer], run: Path, store: Store) -> None:
    before = sorted(store.root.rglob("*.md"))
    assert "would learn (active): convention: Crane ids are always strings" in cli("extract", run, "--dry-run").out
    assert cli("extract", run, "--digest").out.startswith("## User asked\n- Add a crane")
    assert sorted(store.root.rglob("*.md")) == before
    assert not (store.state_folder / "runs.jsonl").exists()


def test_a_dry_run_says_what_a_run_would_do(cli: Callable[..., Answer], run: Path, store: Store) -> None:
    write_memory(store.root, "convention/ids.md", "Crane ids are strings, always", type="convention", source="user")
    dry, done, again = (cli("extract", run, *flags).out for flags in (["--dry-run"], [], ["--dry-run"]))
    left = "  left: Crane ids are always strings (the user has written it down)\n"
    assert (left in dry, left in done, "would learn" in dry) == (True, True, False)
    assert "extracted before" in again
    assert "left: Crane ids" in cli("extract", run, "--dry-run", "--again").out


def test_json_is_one_object_a_file(cli: Callable[..., Answer], run: Path, repo: Path) -> None:
    other = Transcript("run-2").user("Hello?").write(repo)
    done = cli("extract", run, other, "--dry-run", "--json")
    one, two = map(json.loads, done.out.splitlines())
    assert (one["agent"], one["session"], one["extract"], one["user_texts"]) == ("claude-code", "run-1", True, 3)
    assert {"request", "workDone", "outcome", "openItems"} == set(one["summary"])
    assert [memory["title"] for memory in one["memories"]] == ["Crane ids are always strings"]
    assert "path" not in one["memories"][0]
    assert (two["extract"], two["reason"], two["memories"]) == (False, "no finished turn yet", [])


def test_one_file_that_fails_does_not_stop_the_others(cli: Callable[..., Answer], run: Path, repo: Path) -> None:
    (repo / "no.jsonl").write_text("[]\n", encoding="utf-8")
    done = cli("extract", "no.jsonl", "gone.jsonl", run)
    assert done.code == 1
    assert "E_NOT_JSONL" in done.err
    assert "gone.jsonl" in done.err
    assert "Crane ids are always strings" in done.out


def test_an_agent_writes_only_what_it_may(
    cli: Callable[..., Answer], run: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_MEMORY_WRITE", "ask")
    assert "would learn" in cli("--as", "agent", "extract", run, "--dry-run").out
    cli("--as", "agent", "extract", run)
    assert [one.memory.status.value for one in store.load()] == ["pending"]


def test_nothing_is_extracted_while_memory_is_off(
    cli: Callable[..., Answer], run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_MEMORY_ENABLED", "false")
    done = cli("extract", run)
    assert (done.code, done.out) == (0, "")
    assert "memory is off" in done.err


def test_summaries_are_shared_when_the_team_says_so(shell: Callable[..., Answer], repo: Path) -> None:
    shell("init")
    (repo / "mdmem.toml").write_text("[sessions]\ncommit = true\n")
    assert shell("extract", EXAMPLE).code == 0
    (shared,) = (repo / "memory/sessions").glob("*.md")
    assert "## Open\n" in shared.read_text(encoding="utf-8")
    (repo / "memory/.mdmem/state/runs.jsonl").unlink()
    assert "the reminder mail formats its time" in shell("brief").out
    assert shell("check").code == 0
