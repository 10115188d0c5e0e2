"""Newer rules put older ones out of force: only learned ones, only of the same subject."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mdmem.extract.ending import end_all
from mdmem.extract.superseding import contradicted, taken_back
from mdmem.memory import Memory, MemoryType, Source, Status
from mdmem.store.caller import Caller
from mdmem.store.state import Episode
from mdmem.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 5, 6, tzinfo=UTC)


def learned(title: str, said: str = "", name: str = "old", **fields: object) -> Memory:
    body = f"**Evidence:** said in the run: “{said or title}”"
    memory = Memory(type=MemoryType.CONVENTION, title=title, body=body, id=name, source=Source.EXTRACTION)
    return replace(memory, origin=(f"claude-code/{name}",), **fields)  # type: ignore[arg-type]


CHANGES = [
    ("The harbour API listens on 7071", "", "Our harbour API listens on 7070, not on 80"),
    ("Dependencies are added with uv add", "from today dependencies are added with uv add, we are done with pip",
     "Dependencies go in through pip install"),
    ("New screens are written in Svelte", "new screens are written in Svelte from now on, old React ones stay",
     "Use React for all screens"),
    ("Manifests are UTC", "right, manifests are UTC from now on", "Manifests are in local time of the port"),
    ("Raw files go to s3://dock-landing/", "raw files go to s3://dock-landing/, the old bucket is read-only",
     "Raw files go to s3://dock-raw/"),
    ("Verwende uv für alle Pakete", "ab jetzt uv für alle Pakete, poetry ist raus", "Poetry für alle Pakete"),
    ("Die API lauscht auf 7071", "ab sofort", "Die API lauscht auf 7070"),
]  # fmt: skip


@pytest.mark.parametrize(("new", "said", "old"), CHANGES)
def test_a_newer_rule_supersedes(new: str, said: str, old: str) -> None:
    assert contradicted(learned(new, said, "new"), [learned(old)]).supersedes == ("old",)


@pytest.mark.parametrize(("new", "said", "old"), CHANGES)
def test_what_a_person_wrote_stands_and_the_new_rule_waits(new: str, said: str, old: str) -> None:
    draft = contradicted(learned(new, said, "new"), [learned(old, source=Source.USER)])
    assert (draft.supersedes, draft.status) == ((), Status.PENDING)


@pytest.mark.parametrize(
    ("new", "said", "old"),
    [
        ("Landing files are kept 14 days", "landing files are kept 14 days now", "Reports are kept 400 days"),
        ("Read timeout is 60 seconds", "from now on", "Connect timeout is 10 seconds"),
        ("Local postgres is on 5544", "local postgres is on 5544 now", "Unit tests run on sqlite, no postgres there"),
        ("Berths: at most 30 days a run", "", "Gauges: at most 7 days a run"),
        ("Screens are Svelte now", "screens are Svelte now", "New screens are written in Svelte"),
        ("Credentials come from the vault", "from now on, no env files any more", "Set `ENV=demo` for `make seed`"),
    ],
)
def test_what_is_about_something_else_stays(new: str, said: str, old: str) -> None:
    assert contradicted(learned(new, said, "new"), [learned(old)]).supersedes == ()


def test_the_same_run_and_what_is_out_of_use_are_left() -> None:
    new = learned("The harbour API listens on 7071", name="new")
    old = learned("The harbour API listens on 7070")
    assert contradicted(new, [replace(old, origin=new.origin)]).supersedes == ()
    assert contradicted(new, [replace(old, status=Status.STALE)]).supersedes == ()
    assert contradicted(replace(new, status=Status.PENDING), [old]).supersedes == ()


FRIDAY = learned("No merges to main on Fridays until the audit is over", name="friday")
CRANE = learned("Ask Petra before changing the crane tables", name="crane")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("nope, the audit is over, you can merge on Fridays again!", "friday"),
        ("Petra has left. Crane tables need nobody's approval any more.", "crane"),
        ("the rule is void", ""),
        ("the lock file is gone", ""),
    ],
)
def test_what_is_taken_back(words: str, name: str) -> None:
    found = taken_back(words, [FRIDAY, CRANE])
    assert (found.id if found else "") == name


def test_a_persons_rule_is_not_taken_back() -> None:
    assert taken_back("you can merge on Fridays again", [replace(FRIDAY, source=Source.USER)]) is None


def test_the_store_supersedes_and_ends(tmp_path: Path) -> None:
    store = Store(tmp_path)
    old = store.add(learned("The harbour API listens on 7070", name=""), caller=Caller.AGENT, now=NOW).stored
    draft = contradicted(learned("The harbour API listens on 7071", name="x2"), [old.memory])
    saved = store.add_all([replace(draft, id="")], caller=Caller.AGENT, now=NOW)
    assert [one.outcome for one in saved] == ["added", "superseded"]
    new = saved[0].stored.memory
    assert store.find(old.path).memory.superseded_by == new.id
    word = Episode("revocation", "the harbour API listens nowhere any more, the 7071 rule is void", origin="a/b")
    assert [one.stored.memory.status for one in end_all([word], store, NOW)] == [Status.STALE]
    assert list(end_all([word], store, NOW)) == []
