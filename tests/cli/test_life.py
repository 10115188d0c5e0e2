"""feedback, promote, reject, deprecate, reactivate, undo, mv."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from support.memories import write_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.store.store import Store
    from support.machine import Answer


@pytest.fixture
def memories(store: Store) -> Store:
    """An active memory and a pending one of its topic, and one that links to the first."""
    write_memory(store.root, "decision/linux.md", "CI runs on Linux", "Cheap.", id="l1", topic="ci/os")
    waiting = {"id": "m1", "topic": "ci/os", "status": "pending", "source": "agent"}
    write_memory(store.root, "decision/macos.md", "CI runs on macOS", "Needed.", **waiting)
    body = "See [[linux]] and [it](../decision/linux.md)."
    write_memory(store.root, "lesson/cache.md", "Warm the cache", body, id="c1")
    return store


def status(cli: Callable[..., Answer], ref: str) -> str:
    """The status that `show` tells."""
    return str(json.loads(cli("show", ref, "--json").out)["status"])


def test_helpful_raises_confidence_and_confirms(memories: Store, cli: Callable[..., Answer]) -> None:
    shown = json.loads(cli("feedback", "c1", "helpful", "--json").out)
    assert (shown["confidence"], shown["confirmed"]) == (0.7, "2026-03-10")


@pytest.mark.parametrize(("verdict", "expected"), [("wrong", "retracted"), ("stale", "stale")])
def test_bad_feedback_takes_out_of_use(
    memories: Store, cli: Callable[..., Answer], verdict: str, expected: str
) -> None:
    cli("feedback", "c1", verdict)
    assert status(cli, "c1") == expected
    assert "cache.md" not in (memories.root / "MEMORY.md").read_text()
    cli("reactivate", "c1")
    assert status(cli, "c1") == "active"


def test_an_agents_praise_of_a_persons_memory_is_only_counted(memories: Store, cli: Callable[..., Answer]) -> None:
    before = (memories.root / "lesson/cache.md").read_bytes()
    assert cli("--as", "agent", "feedback", "c1", "helpful").code == 0
    assert (memories.root / "lesson/cache.md").read_bytes() == before


def test_promote_supersedes_what_was_active(memories: Store, cli: Callable[..., Answer]) -> None:
    assert (
        cli("promote", "macos", "--dry-run").out == "would change decision/linux.md\nwould change decision/macos.md\n"
    )
    cli("promote", "macos")
    assert (status(cli, "m1"), status(cli, "l1")) == ("active", "superseded")
    assert json.loads(cli("show", "l1", "--json").out)["superseded_by"] == "m1"
    assert cli("check").code == 0
    cli("undo")
    assert (status(cli, "m1"), status(cli, "l1")) == ("pending", "active")


def test_promote_keeps_the_comment_of_the_line_it_takes_away(memories: Store, cli: Callable[..., Answer]) -> None:
    file = memories.root / "decision/macos.md"
    file.write_text(file.read_text().replace("status: pending", "status: pending  # Bob is to look at it"))
    cli("promote", "macos")
    assert (status(cli, "m1"), "\n# Bob is to look at it\n" in file.read_text()) == ("active", True)


def test_only_a_person_reviews(memories: Store, cli: Callable[..., Answer]) -> None:
    for command in ("promote", "reject"):
        answer = cli("--as", "agent", command, "macos")
        assert (answer.code, "only a person can" in answer.err) == (1, True)
    assert status(cli, "m1") == "pending"


def test_reject_removes_and_vetoes(memories: Store, cli: Callable[..., Answer]) -> None:
    cli("reject", "macos")
    assert not (memories.root / "decision/macos.md").exists()
    assert "`ci/os` CI runs on macOS" in (memories.root / "vetoes.md").read_text()
    assert cli("reject", "linux").err.startswith("error: decision/linux.md is active, not pending")


def test_deprecate_and_supersede(memories: Store, cli: Callable[..., Answer]) -> None:
    cli("deprecate", "linux", "--superseded-by", "macos")
    assert json.loads(cli("show", "l1", "--json").out)["superseded_by"] == "m1"
    cli("promote", "macos")
    assert cli("reactivate", "linux").err.startswith("error: decision/macos.md is active under the topic")


def test_mv_rewrites_links(memories: Store, cli: Callable[..., Answer]) -> None:
    assert cli("mv", "linux", "decision/ci-on-linux.md").code == 0
    text = (memories.root / "lesson/cache.md").read_text()
    assert "See [[ci-on-linux]] and [it](../decision/ci-on-linux.md)." in text
    assert cli("check").code == 0
    assert cli("mv", "ci-on-linux", "decision/macos.md").err == (
        "error: decision/macos.md is taken\nhint: decision/macos-2.md is free\n"
    )
    assert cli("mv", "ci-on-linux", "../out.md").code == 1


def test_undo_leaves_alone_what_changed_since(memories: Store, cli: Callable[..., Answer]) -> None:
    cli("set", "c1", "confidence=0.9")
    path = memories.root / "lesson/cache.md"
    path.write_text(path.read_text() + "more\n")
    kept = path.read_bytes()
    answer = cli("undo")
    assert (answer.code, path.read_bytes()) == (1, kept)
    assert "changed since" in answer.err


def test_undo_goes_back_step_by_step(memories: Store, cli: Callable[..., Answer]) -> None:
    first = (memories.root / "lesson/cache.md").read_bytes()
    cli("set", "c1", "confidence=0.8")
    cli("set", "c1", "confidence=0.9")
    cli("undo")
    cli("undo")
    assert (memories.root / "lesson/cache.md").read_bytes() == first
    assert cli("undo").err.startswith("error: nothing to undo")


def test_links_are_followed_and_classified(memories: Store, cli: Callable[..., Answer]) -> None:
    assert cli("show", "c1").err == "link: linux → decision/linux.md\nlink: ../decision/linux.md → decision/linux.md\n"
    (memories.root / "decision/linux.md").rename(memories.root / "linux.md")
    assert "'../decision/linux.md' has moved to linux.md" in cli("check").out
    cli("promote", "macos")
    assert "'linux' is superseded by decision/macos.md (link to decision/macos.md)" in cli("check").out
    (memories.root / "linux.md").unlink()
    assert "W_LINK 'linux' leads to no memory" in cli("check").out


def test_a_clock_that_was_set_back_takes_no_confirmation_back(
    memories: Store, cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("feedback", "c1", "helpful")
    monkeypatch.setenv("MDMEM_NOW", "2020-01-01")
    cli("feedback", "c1", "helpful")
    cli("deprecate", "c1")
    cli("reactivate", "c1")
    shown = json.loads(cli("show", "c1", "--json").out)
    assert (shown["status"], shown["confidence"], shown["confirmed"]) == ("active", 0.8, "2026-03-10")


def test_a_step_that_was_taken_back_by_hand_does_not_stand_before_the_others(
    memories: Store, cli: Callable[..., Answer]
) -> None:
    cache = memories.root / "lesson/cache.md"
    before = cache.read_bytes()
    cli("set", "c1", "tags=first")
    first = cache.read_bytes()
    cli("set", "c1", "tags=second")
    cache.write_bytes(first)
    assert cli("undo").out == "changed lesson/cache.md\n"
    assert cache.read_bytes() == before
