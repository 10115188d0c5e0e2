"""What `export` prints comes back by `import` as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest

from mdmem.agents.importing import restoring
from mdmem.memory import statement_of
from support.memories import memory_files, write_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.store.store import Store
    from support.machine import Answer

POOL = {
    "id": "p00lp00l", "confidence": "0.85", "evidence": "4", "topic": "db/pool", "files": "[src/pool.py, b.py]",
    "tags": "[x, tests]", "source": "extraction", "origin": "[claude-code/1, codex/2]", "created": "2025-01-02",
    "confirmed": "2025-03-04T05:06:07Z", "expires": "2027-01-01", "verified": "abc1234", "custom": "hello",
}  # fmt: skip


@pytest.fixture
def exported(store: Store, cli: Callable[..., Answer]) -> str:
    """An export of three memories, which are gone from the store."""
    write_memory(store.root, "docs/pool.md", "Use the pool", "Body with **marks**.\n\n- a\n  b", type="lesson", **POOL)
    write_memory(store.root, "preference/short.md", "Short answers", "Two.", type="preference", source="agent", id="s1")
    write_memory(store.root, "decision/old.md", "The old way", "Gone.", type="decision", id="o1",
                 status="superseded", superseded_by="p00lp00l")  # fmt: skip
    text = cli("export", "--status", "all").out
    for path in memory_files(store.root):
        (store.root / path).unlink()
    Path("export.jsonl").write_text(text)
    return text


def test_nothing_is_lost_on_the_way(store: Store, cli: Callable[..., Answer], exported: str) -> None:
    dry = cli("import", "export.jsonl", "--dry-run")
    assert (dry.out.count("would import"), memory_files(store.root)) == (3, {})
    assert cli("import", "export.jsonl").err == "mdmem: 3 of 3 imported\n"
    assert cli("export", "--status", "all").out == exported
    files = memory_files(store.root)
    assert "(docs/pool.md)" in (store.root / "MEMORY.md").read_text()
    again = json.loads(cli("import", "export.jsonl", "--json").out)
    assert [one["reason"] for one in again["memories"]] == ["known already"] * 3
    assert memory_files(store.root) == files
    cli("undo")
    assert memory_files(store.root) == {}


def test_a_duplicate_is_confirmed_not_doubled(store: Store, cli: Callable[..., Answer], exported: str) -> None:
    cli("import", "export.jsonl")
    later = exported.replace('"evidence": 4', '"evidence": 9').replace("2025-03-04T", "2025-05-04T")
    answer = cli("import", "-", stdin=later.replace('["x", "tests"]', '["y"]').replace("p00lp00l", "0ther0ne"))
    assert "confirmed\tlesson\tstdin:" in answer.out
    assert "mdmem: 0 of 3 imported, 1 confirmed" in answer.err
    memory = json.loads(cli("show", "p00lp00l", "--json").out)
    assert (memory["evidence"], memory["confirmed"], memory["tags"]) == (9, "2025-05-04T05:06:07Z", ["x", "tests", "y"])
    assert len(memory_files(store.root)) == 3


def test_another_version_and_a_taken_topic_harm_nothing(store: Store, cli: Callable[..., Answer],
                                                        exported: str) -> None:  # fmt: skip
    write_memory(store.root, "lesson/mine.md", "Close the pool", "Mine.", topic="db/pool", id="s1")
    files = memory_files(store.root)
    answer = cli("import", "export.jsonl")
    assert "lesson/mine.md is another version of it" in answer.out
    assert "topic taken" in answer.out
    assert json.loads(cli("show", "p00lp00l", "--json").out)["status"] == "pending"
    assert files.items() <= memory_files(store.root).items()


def test_an_agent_speaks_for_itself_and_waits(store: Store, cli: Callable[..., Answer], exported: str) -> None:
    cli("--as", "agent", "import", "export.jsonl")
    found = json.loads(cli("list", "--status", "all", "--json").out)
    assert {(one["status"], one["source"]) for one in found} == {
        ("pending", "extraction"), ("pending", "agent"), ("superseded", "agent")}  # fmt: skip


@pytest.mark.parametrize("path", ["../../evil.md", "/evil.md", ".mdmem/x.md", "MEMORY.md", "rules/x.md", "a\\b.md"])
def test_no_path_leads_out_of_the_store(store: Store, cli: Callable[..., Answer], exported: str, path: str) -> None:
    cli("import", "-", stdin=exported.replace('"docs/pool.md"', json.dumps(path)))
    assert "lesson/use-the-pool.md" in memory_files(store.root)


@pytest.mark.parametrize(
    "damage", [lambda text: text[:-30], lambda text: text.replace('"lesson"', '"poem"'),
               lambda text: text.replace('"2025-01-02"', '"someday"')])  # fmt: skip
def test_a_damaged_export_is_refused_as_a_whole(store: Store, cli: Callable[..., Answer], exported: str,
                                                damage: Callable[[str], str]) -> None:  # fmt: skip
    answer = cli("import", "-", stdin=damage(exported))
    assert (answer.code, "is no memory" in answer.err, "nothing was imported" in answer.err) == (1, True, True)
    assert memory_files(store.root) == {}


def test_what_was_forgotten_stays_forgotten(store: Store, cli: Callable[..., Answer], exported: str) -> None:
    cli("import", "export.jsonl")
    cli("forget", "p00lp00l")
    assert "forgotten on purpose" in cli("import", "export.jsonl").out


def test_what_is_there_is_compared_once_however_many_come(
    store: Store, cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [write_memory(store.root, f"lesson/{n}.md", f"Title {n}", "Body.", type="lesson", id=f"i{n}")
             for n in range(20)]  # fmt: skip
    exported = cli("export").out
    compared = Mock(side_effect=statement_of)
    monkeypatch.setattr(restoring, "statement_of", compared)
    assert cli("import", "-", stdin=exported).err == "mdmem: 0 of 20 imported\n"
    assert compared.call_count == 2 * len(lines)
