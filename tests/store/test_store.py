"""The store as its users meet it: saving, changing, forgetting, naming; who may do what; disks that refuse."""

from __future__ import annotations

import errno
import os
import subprocess
import time
import unicodedata
from typing import TYPE_CHECKING

import pytest

from mdmem.errors import (
    AmbiguousError,
    InvalidMemoryError,
    MdmemError,
    NotFoundError,
    OwnershipError,
    ReadOnlyError,
    UnreadableError,
    VetoedError,
)
from mdmem.memory import Memory, MemoryType, Source, Status
from mdmem.store.caller import Caller
from mdmem.store.saving import Outcome
from mdmem.store.store import Saved, Store
from support.faults import fault
from support.memories import NOW, draft, make_store, memory_files, memory_text, write_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mdmem.store.table import StoredMemory


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_store(tmp_path / "memory")


def by_user(store: Store, memory: Memory) -> Saved:
    return store.add(memory, caller=Caller.USER, now=NOW)


def by_agent(store: Store, title: str, body: str = "", **fields: object) -> Saved:
    return store.add(draft(title, body, **{"source": Source.AGENT, **fields}), caller=Caller.AGENT, now=NOW)


def set_by(store: Store, caller: Caller, ref: str, **changes: str | None) -> StoredMemory:
    return store.change(ref, changes, caller=caller, now=NOW)


def index_of(store: Store) -> str:
    return (store.root / "MEMORY.md").read_text(encoding="utf-8")


def test_a_saved_memory_is_a_file_with_a_line(store: Store) -> None:
    saved = by_user(store, draft("Pin the linter", "0.5 breaks the plugin. See the log."))
    assert (saved.outcome, saved.stored.path) == (Outcome.ADDED, "lesson/pin-the-linter.md")
    assert "- [Pin the linter](lesson/pin-the-linter.md) — 0.5 breaks the plugin." in index_of(store)
    (found,) = store.load()
    assert found == saved.stored
    assert str(found.memory.created) == "2026-03-10"


def test_what_git_need_not_see_is_ignored_from_the_first_write(store: Store) -> None:
    store.load()
    assert (store.root / ".mdmem/.gitignore").read_text().endswith("\n*\n")


def test_refs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    decomposed = unicodedata.normalize("NFD", "lesson/für.md")
    write_memory(store.root, decomposed, "Umlaut")
    write_memory(store.root, "lesson/one.md", "One", id="abc")
    write_memory(store.root, "decision/twin.md", "Twin")
    write_memory(store.root, "lesson/twin.md", "Twin")
    for ref, path in {
        "abc": "lesson/one.md",
        "one": "lesson/one.md",
        "lesson/one.md": "lesson/one.md",
        "./lesson/one.md": "lesson/one.md",
        "lesson/für.md": decomposed,
        "für": decomposed,
        str(store.root / "lesson/one.md"): "lesson/one.md",
    }.items():
        assert store.find(ref).path == path, ref
    monkeypatch.chdir(store.root / "lesson")
    assert store.find("one.md").path == "lesson/one.md"
    with pytest.raises(AmbiguousError, match="2 memories"):
        store.find("twin")
    with pytest.raises(NotFoundError) as error:
        store.find("lesson/ome.md")
    assert "lesson/one.md" in error.value.hint


@pytest.mark.parametrize(
    "ref", ["", ".", "..", "../secret", "../secret.md", "/etc/hostname", "lesson", "x" * 5000, "a\0b"]
)
def test_a_ref_never_leads_out_of_the_store(store: Store, ref: str) -> None:
    (store.root.parent / "secret.md").write_text(memory_text("Secret", type="lesson"), encoding="utf-8")
    write_memory(store.root, "lesson/one.md", "One")
    with pytest.raises(NotFoundError):
        store.find(ref)


@pytest.mark.parametrize("title", ["../../x", "CON", "nul", ".hidden", "MEMORY", "README", "x" * 120, "日本語", "..."])
def test_titles_stay_inside_and_differ(store: Store, title: str) -> None:
    paths = {by_user(store, draft(title, body)).stored.path for body in ("one", "two", "three")}
    assert len(paths) == 3
    assert set(memory_files(store.root)) == paths
    assert all(path.startswith("lesson/") and len(path.split("/")) == 2 for path in paths)


def test_names_that_differ_by_case_alone_do_not_meet(store: Store) -> None:
    write_memory(store.root, "Lesson/READ-me-First.md", "Other")
    assert by_user(store, draft("Read me first", "x")).stored.path == "lesson/read-me-first-2.md"


def test_too_much_text_is_refused_at_once(store: Store) -> None:
    with pytest.raises(InvalidMemoryError, match="120"):
        draft("x" * 5000)
    began = time.perf_counter()
    with pytest.raises(InvalidMemoryError) as error:
        by_user(store, draft("Big", "prose " * 1_700_000))
    assert error.value.code == "E_TOO_BIG"
    assert time.perf_counter() - began < 1
    assert memory_files(store.root) == {}


def test_a_huge_file_is_reported_and_harms_nobody(store: Store) -> None:
    write_memory(store.root, "lesson/big.md", "Big", "prose " * 1_700_000)
    write_memory(store.root, "lesson/one.md", "One")
    sweep = store.sweep()
    assert [one.path for one in sweep.memories] == ["lesson/one.md"]
    assert sweep.unreadable["lesson/big.md"].code == "E_TOO_BIG"


@pytest.mark.parametrize("text", ["<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b", "\ud800"])
def test_text_that_no_file_can_hold_is_refused(store: Store, text: str) -> None:
    with pytest.raises(InvalidMemoryError):
        by_user(store, draft("Fine", text))
    write_memory(store.root, "lesson/one.md", "One", "Body.")
    before = memory_files(store.root)
    with pytest.raises(InvalidMemoryError):
        store.change("one", {}, text, caller=Caller.USER, now=NOW)
    assert memory_files(store.root) == before


def test_a_control_character_becomes_a_blank(store: Store) -> None:
    saved = by_user(store, draft("a\x07b", "x"))
    assert (saved.stored.memory.title, store.load()) == ("a b", (saved.stored,))


def test_an_exact_duplicate_confirms(store: Store) -> None:
    first = by_agent(store, "Über alles", "Same  text.")
    again = by_agent(store, unicodedata.normalize("NFD", "Über  alles"), "Same\ntext. ")
    assert (again.outcome, again.stored.path) == (Outcome.CONFIRMED, first.stored.path)
    assert again.stored.memory.evidence == 2
    assert again.as_json()["confirmed"] is True
    assert len(memory_files(store.root)) == 1


def test_the_same_topic_replaces(store: Store) -> None:
    by_agent(store, "Pool of ten", "Ten.", topic="db/pool", files=("a.py",), tags=("db",))
    now = by_agent(store, "Pool of twenty", "Twenty.", topic="db/pool", files=("b.py",), tags=("ops",)).stored.memory
    assert (now.title, now.body, now.files, now.tags) == ("Pool of twenty", "Twenty.", ("a.py", "b.py"), ("db", "ops"))
    assert (now.confidence, now.evidence) == (0.7, 2)
    assert by_agent(store, "Elsewhere", "x", topic="db/pool", scope="agent:x").outcome is Outcome.ADDED
    assert len(store.load()) == 2


def test_several_of_one_topic_in_one_step_follow_each_other(store: Store) -> None:
    drafts = [draft(f"Take {n}", f"Text {n}.", topic="a", source=Source.AGENT) for n in range(3)]
    saved = store.add_all(drafts, caller=Caller.AGENT, now=NOW)
    assert [one.outcome for one in saved] == [Outcome.ADDED, Outcome.REPLACED, Outcome.REPLACED]
    (found,) = store.load()
    assert (found.memory.title, found.memory.evidence) == ("Take 2", 3)


def test_without_topic_nothing_is_merged(store: Store) -> None:
    assert by_agent(store, "One", "a").outcome is by_agent(store, "One", "b").outcome is Outcome.ADDED


def test_an_agent_never_changes_what_the_user_said(store: Store) -> None:
    by_user(store, draft("Ten", "Ten.", topic="db/pool"))
    before = memory_files(store.root)
    assert by_agent(store, "Twenty", "Twenty.", topic="db/pool").stored.memory.status is Status.PENDING
    assert by_agent(store, "Ten", "Ten.", topic="db/pool").outcome is Outcome.CONFIRMED
    for attempt in (
        lambda: set_by(store, Caller.AGENT, "ten", confidence="0.1"),
        lambda: set_by(store, Caller.AGENT, "ten", source="agent"),
        lambda: store.forget(["ten"], caller=Caller.AGENT, now=NOW),
        lambda: store.change("ten", {}, "Other.", caller=Caller.AGENT, now=NOW),
    ):
        with pytest.raises(OwnershipError):
            attempt()
    assert memory_files(store.root)["lesson/ten.md"] == before["lesson/ten.md"]


def test_an_agent_does_not_pass_for_a_person(store: Store) -> None:
    path = by_agent(store, "One", "a").stored.path
    with pytest.raises(InvalidMemoryError, match="speak for the user"):
        set_by(store, Caller.AGENT, path, source="user")
    with pytest.raises(InvalidMemoryError, match="speak for the user"):
        set_by(store, Caller.AGENT, path, source=None)
    held = by_agent(store, "Prefers tabs", "x", kind="preference").stored
    assert held.memory.status is Status.PENDING
    with pytest.raises(InvalidMemoryError, match="only a person"):
        set_by(store, Caller.AGENT, held.path, status=None)
    with pytest.raises(InvalidMemoryError, match="only a person"):
        set_by(store, Caller.AGENT, path, type="preference")
    assert set_by(store, Caller.USER, held.path, status=None).memory.is_active


def test_an_approved_preference_is_not_rewritten_by_an_agent(store: Store) -> None:
    held = by_agent(store, "Prefers tabs", "x", kind="preference", topic="tabs").stored
    set_by(store, Caller.USER, held.path, status=None)
    assert by_agent(store, "Prefers blanks", "y", kind="preference", topic="tabs").outcome is Outcome.PENDING
    assert store.find(held.path).memory.title == "Prefers tabs"


def test_a_user_takes_an_agents_memory_over(store: Store) -> None:
    path = by_agent(store, "Ten", "Ten.", topic="db/pool").stored.path
    now = by_user(store, draft("Twelve", "Twelve.", topic="db/pool")).stored
    assert (now.path, now.memory.source) == (path, Source.USER)
    with pytest.raises(OwnershipError):
        set_by(store, Caller.AGENT, path, confidence="0.1")


def test_a_person_who_says_it_again_reviews_it_and_an_agent_does_not(store: Store) -> None:
    path = by_agent(store, "One", "a").stored.path
    set_by(store, Caller.USER, path, status="stale")
    assert by_agent(store, "One", "a").stored.memory.status is Status.PENDING
    assert by_user(store, draft("One", "a")).stored.memory.is_active
    set_by(store, Caller.USER, path, status="retracted")
    assert by_agent(store, "One", "a").outcome is Outcome.PENDING


def test_the_topic_of_an_unreadable_file_waits_for_review(store: Store) -> None:
    path = by_agent(store, "Ten", "Ten.", topic="db/pool").stored.path
    (store.root / path).write_text("---\ntitle: [\n", encoding="utf-8")
    saved = by_agent(store, "Twenty", "Twenty.", topic="db/pool")
    assert (saved.outcome, saved.stored.path) == (Outcome.PENDING, "lesson/twenty.md")
    assert (store.root / path).read_text(encoding="utf-8") == "---\ntitle: [\n"


def test_what_was_forgotten_stays_forgotten_by_agents(store: Store) -> None:
    by_agent(store, "One", "a", topic="x/y")
    (gone,) = store.forget(["one"], caller=Caller.AGENT, now=NOW)
    assert not (store.root / "lesson").exists()
    assert (store.root / "vetoes.md").read_text(encoding="utf-8").endswith(" `x/y` One\n")
    with pytest.raises(VetoedError):
        by_agent(store, "One", "another text", topic="x/y")
    with pytest.raises(VetoedError):
        by_agent(store, gone.memory.title, gone.memory.body)
    assert by_user(store, draft("One", "a", topic="x/y")).outcome is Outcome.ADDED


def test_a_change_takes_neither_id_nor_topic_of_another(store: Store) -> None:
    one = by_user(store, draft("One", "a", topic="t")).stored
    by_user(store, draft("Two", "b"))
    for changes, code in (({"topic": "t"}, "E_DUP_TOPIC"), ({"id": one.memory.id}, "E_DUP_ID")):
        with pytest.raises(InvalidMemoryError) as error:
            set_by(store, Caller.USER, "two", **changes)
        assert error.value.code == code
    with pytest.raises(InvalidMemoryError, match="is 7"):
        set_by(store, Caller.USER, "two", confidence="7")


def test_a_link_is_neither_read_nor_written_through(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "leak.md").write_text(memory_text("Leak", type="lesson"), encoding="utf-8")
    (store.root / "lesson").symlink_to(outside)
    (store.root / "leak.md").symlink_to(outside / "leak.md")
    assert store.load() == ()
    with pytest.raises(UnreadableError, match="W_SYMLINK"):
        by_user(store, draft("One", "a"))
    (store.root / "vetoes.md").symlink_to(outside / "vetoes.md")
    by_user(store, draft("Two", "b", kind="decision"))
    with pytest.raises(UnreadableError, match="W_SYMLINK"):
        store.forget(["two"], caller=Caller.USER, now=NOW)
    assert [path.name for path in outside.iterdir()] == ["leak.md"]


def test_a_memory_md_that_is_a_link_is_left_alone(store: Store, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("mine", encoding="utf-8")
    (store.root / "MEMORY.md").unlink()
    (store.root / "MEMORY.md").symlink_to(tmp_path / "notes.md")
    assert by_user(store, draft("One", "a")).outcome is Outcome.ADDED
    with pytest.raises(UnreadableError, match="W_SYMLINK"):
        store.sync()
    assert (tmp_path / "notes.md").read_text(encoding="utf-8") == "mine"
    assert (store.root / "MEMORY.md").is_symlink()


def test_state_behind_a_link_refuses_writes(store: Store, tmp_path: Path) -> None:
    (store.root / ".mdmem").symlink_to(tmp_path)
    with pytest.raises(UnreadableError, match="W_SYMLINK"):
        by_user(store, draft("One", "a"))
    assert store.load() == ()


def test_markers_that_cannot_be_read_do_not_stop_a_memory(store: Store) -> None:
    (store.root / "MEMORY.md").write_text("<!-- mdmem:index begin -->\n", encoding="utf-8")
    assert by_user(store, draft("One", "a")).outcome is Outcome.ADDED
    assert index_of(store) == "<!-- mdmem:index begin -->\n"
    with pytest.raises(UnreadableError, match="E_MARKERS"):
        store.sync()


def test_text_and_preview(store: Store) -> None:
    file = write_memory(store.root, "lesson/a.md", "One", "Body.")
    one = store.find("a")
    assert store.text(one) == memory_text("One", "Body.")
    assert "+confidence: 0.9" in store.preview("lesson/a.md", {"confidence": "0.9"})
    file.write_text("broken", encoding="utf-8")
    (kept,) = store.load()
    assert "title: One" in store.text(kept)
    file.unlink()
    assert "title: One" in store.text(one)


@pytest.fixture
def read_only(store: Store) -> Iterator[Store]:
    """The store on a disk that takes no writes; as root only a mount refuses."""
    write_memory(store.root, "lesson/one.md", "One", "Body.")
    store.load()
    mounted = subprocess.run(["mount", "--bind", store.root, store.root], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("needs the right to mount")
    subprocess.run(["mount", "-o", "remount,ro,bind", store.root], check=True, capture_output=True)
    try:
        yield Store(store.root)
    finally:
        subprocess.run(["umount", store.root], check=True, capture_output=True)


def test_a_read_only_store_is_read_and_refuses_writes(read_only: Store) -> None:
    assert [one.path for one in read_only.load()] == ["lesson/one.md"]
    assert read_only.planned_sync().count("](lesson/one.md)") == 1
    for write in (
        lambda: by_user(read_only, draft("Two", "b")),
        lambda: set_by(read_only, Caller.USER, "one", confidence="0.9"),
        lambda: read_only.forget(["one"], caller=Caller.USER, now=NOW),
        read_only.sync,
    ):
        with pytest.raises(ReadOnlyError, match="E_READONLY"):
            write()


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_disk_that_refuses_every_write(store: Store, number: int) -> None:
    write_memory(store.root, "lesson/one.md", "One", "Body.")
    with fault(store.root, 1, lambda: OSError(number, os.strerror(number))):
        assert [one.path for one in Store(store.root).load()] == ["lesson/one.md"]
        with pytest.raises(MdmemError):
            by_user(store, draft("Two", "b"))
    assert list(memory_files(store.root)) == ["lesson/one.md"]


def test_a_hand_written_type_is_any_type(store: Store) -> None:
    assert by_user(store, draft("Prefers tabs", "x", kind="preference")).stored.memory.type is MemoryType.PREFERENCE
