"""`mdmem search` as a process: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from mdmem.store.state import Episode, Run, Summary, append_run, read_usage
from support.memories import make_store, write_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.machine import Answer


@pytest.fixture
def memories(repo: Path) -> Path:
    """A store of three memories in the repository."""
    root = make_store(repo / "memory").root
    write_memory(root, "lesson/pool.md", "Close the pool", "Its worker hangs.", id="p00l", created="2026-03-01")
    write_memory(root, "command/seed.md", "Seed the pool's database", "Run `make seed`.", created="2026-02-01")
    write_memory(root, "lesson/old.md", "The pool of old", status="stale", created="2025-01-01")
    return root


def test_piped_it_prints_tab_separated_rows(memories: Path, shell: Callable[..., Answer]) -> None:
    answer = shell("search", "pool", "worker")
    rows = [line.split("\t") for line in answer.out.splitlines()]
    assert [row[1:] for row in rows] == [
        ["9", "lesson", "Close the pool", "lesson/pool.md"],
        ["37", "command", "Seed the pool's database", "command/seed.md"],
    ]
    assert answer.code == 0
    assert "1 more not shown" in answer.err
    hidden = shell("search", "--type", "command", "--status", "stale", "pool", "worker")
    assert "no memory holds these words" not in hidden.err
    assert re.search(r"^\d+ not shown for their status", hidden.err, re.MULTILINE)


def test_json(memories: Path, shell: Callable[..., Answer]) -> None:
    answer = json.loads(shell("search", "--json", "-k", "1", "worker").out)
    assert answer["query"] == "worker"
    assert [(hit["path"], hit["id"], hit["age_days"]) for hit in answer["hits"]] == [("lesson/pool.md", "p00l", 9)]


def test_one_query_a_line_one_answer_a_line(memories: Path, shell: Callable[..., Answer]) -> None:
    answer = shell("search", "--stdin", "--lexical", stdin="worker\n\n?\r\nmake seed\n")
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert [line["query"] for line in found] == ["worker", "", "?", "make seed"]
    assert [[hit["path"] for hit in line["hits"]] for line in found] == [
        ["lesson/pool.md"], [], [], ["command/seed.md"],
    ]  # fmt: skip
    assert answer.err.count("nothing to search for") == 2


@pytest.mark.parametrize("query", ["?", "-- --"])
def test_nothing_to_search_for_is_no_failure(memories: Path, shell: Callable[..., Answer], query: str) -> None:
    answer = shell("search", "--", query)
    assert (answer.code, answer.out) == (0, "")
    assert "nothing to search for" in answer.err


@pytest.mark.parametrize("args", [[], [""], ["--", " "], ["--type", "lesson"]])
def test_an_empty_query_is_asked_for_one(memories: Path, shell: Callable[..., Answer], args: list[str]) -> None:
    answer = shell("search", *args)
    assert (answer.code, answer.out) == (2, "")
    assert "give a QUERY" in answer.err
    asked_by_a_program = shell("search", "--json", *args)
    assert (asked_by_a_program.code, json.loads(asked_by_a_program.out)["hits"]) == (0, [])


def test_nothing_found_is_no_failure(memories: Path, shell: Callable[..., Answer]) -> None:
    answer = shell("search", "zebra")
    assert (answer.code, answer.out) == (0, "")
    assert "no memory holds these words" in answer.err


def test_status_is_asked_for_and_shown(memories: Path, shell: Callable[..., Answer]) -> None:
    assert "The pool of old [stale]" in shell("search", "--all", "pool").out
    assert shell("search", "--status", "stale", "pool").out.count("\n") == 1


def test_only_what_answers(memories: Path, shell: Callable[..., Answer]) -> None:
    query = "which pool did the gardener of the embassy dig in spring"
    assert "lesson/pool.md" in shell("search", query).out
    assert shell("search", "--relevant-only", query).out == ""
    assert "lesson/pool.md" in shell("search", "--relevant-only", "why does the pool hang").out


def test_explain_shows_every_part(memories: Path, shell: Callable[..., Answer]) -> None:
    hit = json.loads(shell("search", "--explain", "--json", "pool worker").out)["hits"][0]
    assert set(hit["explain"]) == {"cosine", "words", "prior", "lift", "bm25", "coverage"}
    assert hit["matched"] == ["pool", "worker"]
    assert shell("search", "--explain", "pool worker").out.splitlines()[0].endswith("pool worker")


@pytest.mark.parametrize("args", [("--since", "someday"), ("--limit", "0"), ("--type", "poem")])
def test_wrong_usage(memories: Path, shell: Callable[..., Answer], args: tuple[str, str]) -> None:
    assert shell("search", "pool", *args).code == 2


def test_episodes_are_found_only_where_they_are_asked_for(memories: Path, shell: Callable[..., Answer]) -> None:
    episode = Episode("error", "Connection refused by the embassy", context="make tunnel", remedy="start the proxy")
    run = Run(
        "codex/7", ended="2026-03-01T10:00:00Z", summary=Summary("Open a tunnel", "It is up"), episodes=(episode,)
    )
    append_run(memories / ".mdmem/state", run)
    assert shell("search", "embassy").out == ""
    hit = json.loads(shell("search", "--episodes", "--json", "proxy for the embassy").out)["hits"][0]
    assert (hit["path"], hit["store"], hit["title"]) == (
        "codex/7/1",
        "runs",
        "error: Connection refused by the embassy",
    )
    assert "start the proxy" in hit["excerpt"]
    assert "summary: Open a tunnel [runs]" in shell("search", "--episodes", "tunnel").out
    assert "lesson/pool.md" in shell("search", "--episodes", "why does the pool hang").out


def test_a_new_run_is_found_at_once(memories: Path, shell: Callable[..., Answer]) -> None:
    assert shell("search", "--episodes", "tunnel").out == ""
    for n in range(2):
        append_run(memories / ".mdmem/state", Run(f"codex/{n}", summary=Summary("Open a tunnel")))
        assert shell("search", "--episodes", "tunnel").out.count("tunnel") == n + 1


def test_a_profile_is_chosen_by_option_or_setting(
    memories: Path, shell: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    def parts(*options: str) -> set[str]:
        return set(json.loads(shell("search", "--explain", "--json", *options, "pool").out)["hits"][0]["explain"])

    assert "lift" in parts()
    assert {"type", "confidence", "recency"} < parts("--profile", "rrf")
    monkeypatch.setenv("MDMEM_SEARCH_PROFILE", "strength")
    assert "strength" in parts()


def test_the_profile_strength_counts_what_it_finds_as_used(memories: Path, shell: Callable[..., Answer]) -> None:
    shell("search", "pool")
    assert read_usage(memories / ".mdmem/state") == {}
    shell("search", "--profile", "strength", "--limit", "1", "pool")
    assert read_usage(memories / ".mdmem/state")["p00l"].recalls == 1
