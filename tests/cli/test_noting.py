"""`mdmem note` as a user meets it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mdmem.memory import Source, Status
from mdmem.store import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.store.store import Store
    from support.machine import Answer

RULE = "From now on crane ids are strings, since the port sends letters"


def test_what_happened_is_kept_as_an_episode(cli: Callable[..., Answer], store: Store) -> None:
    done = cli("note", "The staging database was down again.")
    assert (done.code, done.out) == (0, "noted: The staging database was down again.\n")
    assert store.load() == ()
    (episode,) = state.read_episodes(store.state_folder)
    assert (episode.kind, episode.text, episode.memory) == ("note", "The staging database was down again.", "")
    assert state.recent_summaries(store.state_folder, 5) == ()


def test_a_rule_becomes_a_memory_of_whoever_noted_it(cli: Callable[..., Answer], store: Store) -> None:
    assert "added: " in cli("note", RULE).out
    (one,) = store.load()
    assert (one.memory.title, one.memory.body) == ("Crane ids are strings", RULE)
    assert (one.memory.source, one.memory.status) == (Source.USER, Status.ACTIVE)
    assert state.read_episodes(store.state_folder)[0].memory == "Crane ids are strings"


def test_noting_it_again_adds_nothing(cli: Callable[..., Answer], store: Store) -> None:
    for _ in range(2):
        assert cli("note", RULE).code == 0
    assert len(store.load()) == 1
    assert len(state.read_episodes(store.state_folder)) == 1


def test_an_agent_notes_under_the_write_switch(
    cli: Callable[..., Answer], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_MEMORY_WRITE", "ask")
    cli("--as", "agent", "note", RULE)
    (one,) = store.load()
    assert (one.memory.source, one.memory.status) == (Source.AGENT, Status.PENDING)
    monkeypatch.setenv("MDMEM_MEMORY_WRITE", "off")
    assert cli("--as", "agent", "note", "From now on tug ids are strings").code == 1
    assert len(store.load()) == 1


def test_text_from_standard_input_without_secrets(cli: Callable[..., Answer], store: Store) -> None:
    token = "ghp_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"[:36]
    done = cli("note", "-", "--json", stdin=f"The token {token} has expired.\n")
    shown = json.loads(done.out)
    assert (shown["saved"], shown["left"]) == (None, None)
    assert shown["episode"]["text"].startswith("The token [redacted:")
    assert token not in (store.state_folder / state.RUNS).read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["", "  ", "x" * 4001])
def test_nothing_and_too_much_are_refused(text: str, cli: Callable[..., Answer], store: Store) -> None:
    done = cli("note", text)
    assert done.code == 1
    assert "a note has 1 to 4000 characters" in done.err
