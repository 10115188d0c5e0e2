"""Search over stores: what is found, in which order, what is left out, and what is said about it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.index.diff import Stats
from mdmem.index.index import Index
from mdmem.memory import MemoryType, Source, Status
from mdmem.search.search import EXCERPT_LENGTH, Search, excerpt
from mdmem.store.filters import Filters, covers
from support.memories import make_store, write_memory

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a store without memories."""
    return make_store(tmp_path / "memory").root


def search_in(*roots: Path) -> Search:
    names = ["project", "personal"]
    return Search(tuple(Index(make_store(root, name=name)) for root, name in zip(roots, names, strict=False)), NOW)


def paths(search: Search, query: str, **options: object) -> list[str]:
    return [hit.path for hit in search(query, **options).hits]  # type: ignore[arg-type]


def test_a_hit_says_all_there_is(root: Path) -> None:
    write_memory(
        root, "lesson/pool.md", "Close the pool", "It hangs otherwise. Always.", id="p00l", confidence="0.7",
        created="2026-03-01", topic="test/pool", files="[src/db/pool.py]", source="extraction",
    )  # fmt: skip
    hits = search_in(root)("pool")
    assert hits.as_json() == {
        "query": "pool",
        "hits": [
            {
                "path": "lesson/pool.md",
                "id": "p00l",
                "title": "Close the pool",
                "type": "lesson",
                "status": "active",
                "score": hits.hits[0].score,
                "age_days": 9,
                "source": "extraction",
                "store": "project",
                "confidence": 0.7,
                "topic": "test/pool",
                "files": ["src/db/pool.py"],
                "description": "It hangs otherwise.",
                "excerpt": "It hangs otherwise. Always.",
            }
        ],
    }


def test_the_parts_of_a_score_add_up_to_it(root: Path) -> None:
    write_memory(root, "lesson/pool.md", "Close the pool", "The worker waits.")
    hit = search_in(root)("pool worker zebra").hits[0]
    shown = hit.as_json(explain=True)
    parts = shown["explain"]
    assert isinstance(parts, dict)
    assert parts["words"] + parts["prior"] == pytest.approx(hit.score, abs=2e-4)
    assert 0 < parts["coverage"] < 1
    assert 0 < parts["bm25"] < hit.found.candidate.found
    assert (parts["cosine"], parts["lift"]) == (0, 0)
    assert 0 < parts["prior"] <= 0.02
    assert shown["matched"] == ["pool", "worker"]


def test_every_call_answers_from_the_files(root: Path) -> None:
    search = search_in(root)
    assert search("pool").stats == Stats()
    write_memory(root, "lesson/pool.md", "Close the pool")
    assert paths(search, "pool") == ["lesson/pool.md"]
    (root / "lesson/pool.md").unlink()
    assert paths(search, "pool") == []


@pytest.mark.parametrize("query", ["", "   ", "?", '""', "\\\\", "&&", "\ud83d", "--"])
def test_nothing_to_search_for_gives_a_hint(root: Path, query: str) -> None:
    write_memory(root, "lesson/pool.md", "Close the pool")
    hits = search_in(root)(query)
    assert hits.hits == ()
    assert "nothing to search for" in hits.hint


def test_only_active_memories_are_found_unless_asked(root: Path) -> None:
    for status in Status:
        extra = {"superseded_by": "other"} if status is Status.SUPERSEDED else {}
        write_memory(root, f"lesson/{status}.md", "Pool", status=status, **extra)
    search = search_in(root)
    assert paths(search, "pool") == ["lesson/active.md"]
    assert search("pool").hidden == 5
    assert paths(search, "pool", filters=Filters(statuses=frozenset({Status.PENDING}))) == ["lesson/pending.md"]
    assert len(paths(search, "pool", filters=Filters(statuses=frozenset()))) == 6


def test_filters(root: Path) -> None:
    write_memory(root, "lesson/a.md", "Pool a", tags="[Slow]", files="[src/db/*.py, docs]", created="2026-01-01")
    write_memory(root, "command/b.md", "Pool b", source="agent", scope="agent:codex", created="2026-03-01")
    search = search_in(root)

    def kept(**fields: object) -> list[str]:
        return paths(search, "pool", filters=Filters(**fields))  # type: ignore[arg-type]

    assert kept(types=frozenset({MemoryType.LESSON})) == ["lesson/a.md"]
    assert kept(sources=frozenset({Source.AGENT})) == ["command/b.md"]
    assert kept(scope="agent:codex") == ["command/b.md"]
    assert kept(tag="slow") == ["lesson/a.md"]
    assert kept(file="src/db/pool.py") == ["lesson/a.md"]
    assert kept(file="src/main.py") == []
    assert kept(since=datetime(2026, 2, 1, tzinfo=UTC)) == ["command/b.md"]


@pytest.mark.parametrize(
    ("pattern", "path", "is_about"),
    [
        ("src/db/pool.py", "src/db/pool.py", True),
        ("src/db", "src/db/pool.py", True),
        ("src/db/", "src/db/pool.py", True),
        ("src/*.py", "src/db/pool.py", True),
        ("src/d", "src/db/pool.py", False),
        ("pool.py", "src/db/pool.py", False),
    ],
)
def test_what_a_memory_is_about(pattern: str, path: str, is_about: bool) -> None:
    assert covers(pattern, path) == is_about


def test_filters_look_beyond_the_first_candidates(root: Path) -> None:
    for n in range(150):
        write_memory(root, f"lesson/m{n:03}.md", "Pool pool", "pool", status="stale")
    write_memory(root, "lesson/last.md", "A long title in which the pool is named once")
    assert paths(search_in(root), "pool") == ["lesson/last.md"]


def test_of_one_topic_the_newer_stands_first(root: Path) -> None:
    write_memory(root, "lesson/old.md", "Pool pool", "pool", topic="pool", confirmed="2026-01-01")
    write_memory(root, "lesson/else.md", "The pool of another topic entirely, named once here")
    write_memory(root, "lesson/new.md", "The pool, in rather more words than before, named once", topic="pool",
                 confirmed="2026-03-01")  # fmt: skip
    found = paths(search_in(root), "pool")
    assert found.index("lesson/new.md") < found.index("lesson/old.md")
    assert found[0] == "lesson/new.md"


def test_equals_are_ordered_by_what_is_known_of_them(root: Path) -> None:
    write_memory(root, "lesson/b.md", "Pool", confidence="0.9", created="2026-03-01")
    write_memory(root, "lesson/a.md", "Pool", confidence="0.3", created="2026-03-01")
    write_memory(root, "lesson/c.md", "Pool", confidence="0.9", created="2024-03-01")
    assert paths(search_in(root), "pool") == ["lesson/b.md", "lesson/c.md", "lesson/a.md"]


def test_a_limit_for_each_run(root: Path) -> None:
    for n in range(5):
        write_memory(root, f"lesson/{n}.md", "Pool", origin="codex/1" if n else "")
    search = search_in(root)
    assert len(paths(search, "pool", per_run=2)) == 3
    assert len(paths(search, "pool", limit=4)) == 4


def test_stores_are_searched_together(root: Path, tmp_path: Path) -> None:
    other = make_store(tmp_path / "own").root
    write_memory(root, "lesson/pool.md", "Close the pool")
    write_memory(other, "user/pool.md", "I know pools")
    hits = search_in(root, other)("pool")
    assert {(hit.path, hit.found.stored.store) for hit in hits.hits} == {
        ("lesson/pool.md", "project"),
        ("user/pool.md", "personal"),
    }
    assert hits.stats == Stats(added=2)


def test_an_excerpt_is_the_passage_that_answers() -> None:
    body = "Filler of no interest here. " * 20 + "The pool closes late.\nThen the worker stops. " + "More filler. " * 40
    text = excerpt(body, ("pool", "close"))
    assert text.startswith("…The pool closes late. Then the worker stops. More filler.")
    assert text.endswith("…")
    assert len(text) <= EXCERPT_LENGTH
    assert excerpt("Short.\n\nBody.", ("pool",)) == "Short. Body."


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Search:
    """A search over a few memories of many kinds."""
    memories = {
        "lesson/a.md": ("Build with C++", "std::vector<int> in path/to/file.py:42 --no-verify"),
        "lesson/b.md": ("日本語の設定", "naïve 🚀 v1.10.0"),
        "lesson/c.md": ("NOT a query AND no field", "title: x OR y~2 [a TO b] /re/"),
    }
    return Search((Index(make_store(tmp_path_factory.mktemp("search") / "memory", memories)),), NOW)


@given(st.text(max_size=200))
def test_any_query_is_answered(filled: Search, query: str) -> None:
    hits = filled(query, limit=2)
    assert len(hits.hits) <= 2
    scores = [hit.score for hit in hits.hits]
    assert scores == sorted(scores, reverse=True)


@given(st.lists(st.sampled_from(["AND", "OR", "NOT", "(", ")", '"', "*", "~2", "title:", "^3", "[a TO", "C++", "-x"])))
def test_no_operator_means_anything(filled: Search, parts: list[str]) -> None:
    filled(" ".join(parts))
    filled("".join(parts))


def test_only_what_answers_the_query(filled: Search) -> None:
    assert [hit.path for hit in filled("build C++ vectors", relevant_only=True).hits] == ["lesson/a.md"]
    assert filled("who may build a house by the sea", relevant_only=True).hits == ()
    assert [hit.path for hit in filled("who may build a house by the sea").hits] == ["lesson/a.md"]
