"""Search by words and meaning: what the meaning adds, and what is said where it is missing."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mdmem.errors import ModelError
from mdmem.index import meaning as meanings
from mdmem.index.embedder import load_embedder
from mdmem.index.embedding import INLINE_MOST, Embedding
from mdmem.index.index import Index
from mdmem.index.meaning import Meaning
from mdmem.index.model import Places, find_model
from mdmem.index.vector_cache import VectorCache
from mdmem.search.search import Search
from support.embedders import make_model
from support.memories import make_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.machine import Answer

NOW = datetime(2026, 3, 10, tzinfo=UTC)
MEMORIES = {
    "lesson/car.md": ("Start the car", "The car needs a key."),
    "lesson/boat.md": ("Start the boat", "The boat needs a rope."),
    "lesson/oak.md": ("Water the oak", "Each oak once."),
}


@pytest.fixture
def embedding(tmp_path: Path) -> Embedding:
    """A small model in which a car is like an automobile, a boat like a ship."""
    model = find_model(str(make_model(tmp_path / "model")), Places(tmp_path / "cache", tmp_path / "state"))
    assert model is not None
    return Embedding(load_embedder(model), VectorCache(tmp_path / "cache/vectors.sqlite", 1))


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """A store of three memories."""
    return Index(make_store(tmp_path / "memory", MEMORIES))


def search(index: Index, load: Callable[[], Embedding]) -> Search:
    meaning = Meaning(load)
    return Search((index,), NOW, lambda: meaning)


def test_what_is_meant_is_found_without_its_words(index: Index, embedding: Embedding) -> None:
    hits = search(index, lambda: embedding)("automobile")
    assert [hit.path for hit in hits.hits] == ["lesson/car.md"]
    assert (hits.hits[0].found.candidate.found, hits.note) == (0, "")


def test_words_and_meaning_add_up(index: Index, embedding: Embedding) -> None:
    score = search(index, lambda: embedding)("car").hits[0].found.score
    assert score.total == pytest.approx(sum(score.parts.values()))
    assert (score.parts["cosine"] > 0.9, score.parts["words"] > 0) == (True, True)


def test_lexical_compares_words_only(index: Index, embedding: Embedding) -> None:
    hits = search(index, pytest.fail)("automobile", lexical=True)
    assert (hits.hits, hits.note) == ((), "")


def test_a_query_without_words_asks_no_model(index: Index) -> None:
    assert search(index, pytest.fail)("…").hint


def test_a_model_that_fails_leaves_the_words(index: Index) -> None:
    def fail() -> Embedding:
        raise ModelError("model.onnx is broken", "mend it")

    hits = search(index, fail)("car")
    assert [hit.path for hit in hits.hits] == ["lesson/car.md"]
    assert hits.note == "by words only: model.onnx is broken; mend it"


def test_a_model_that_is_late_leaves_the_words(
    index: Index, embedding: Embedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meanings, "LOAD_SECONDS", 0.05)
    ready = threading.Event()

    def load_late() -> Embedding:
        ready.wait(10)
        return embedding

    asking = search(index, load_late)
    late = asking("automobile car")
    assert ([hit.path for hit in late.hits], "longer than 0.05 s" in late.note) == (["lesson/car.md"], True)
    ready.set()
    assert asking("automobile", progress=iter).hits


def test_what_is_not_embedded_yet_is_found_by_its_words(tmp_path: Path, embedding: Embedding) -> None:
    memories = {f"lesson/{i}.md": (f"A car number{i}", "") for i in range(INLINE_MOST + 1)}
    index = Index(make_store(tmp_path / "many", memories))
    hits = search(index, lambda: embedding)("car number7")
    assert hits.hits[0].path == "lesson/7.md"
    assert hits.note.startswith(f"{INLINE_MOST + 1} memories are not embedded yet")
    patient = search(index, lambda: embedding)("car number7", progress=iter)
    assert (patient.note, patient.hits[0].found.candidate.cosine > 0) == ("", True)


def test_a_long_query_is_compared_sentence_by_sentence(embedding: Embedding) -> None:
    text = "The tree is green. " * 20 + "Where is the automobile?"
    assert len(embedding.queries(text)) > 1
    assert len(embedding.queries("car")) == 1


# From the command line


@pytest.fixture
def ask(repo: Path, tmp_path: Path, shell: Callable[..., Answer]) -> Callable[..., Answer]:
    """Runs mdmem in a repository with a store and the small model."""
    make_store(repo / "memory", MEMORIES)
    model = make_model(tmp_path / "model")

    def run(*args: str, stdin: str = "", **env: str) -> Answer:
        return shell(*args, stdin=stdin, **{"MDMEM_EMBEDDING_PATH": str(model)} | env)

    return run


def test_search_explains_the_cosine(ask: Callable[..., Answer]) -> None:
    answer = ask("search", "automobile", "--json", "--explain")
    (hit,) = json.loads(answer.out)["hits"]
    assert (hit["path"], hit["explain"]["cosine"] > 0.9, answer.err) == ("lesson/car.md", True, "")


def test_sync_embeds_and_says_how_much(ask: Callable[..., Answer]) -> None:
    assert [json.loads(ask("sync", "--json").out)["embedded"] for _ in range(2)] == [3, 0]
    assert ask("sync").out.endswith("embedded 0 texts\n")


def test_while_memory_is_off_nothing_is_embedded(ask: Callable[..., Answer], hermetic: Path) -> None:
    answer = ask("search", "--json", "car", MDMEM_MEMORY_ENABLED="off")
    assert json.loads(answer.out)["note"] == "by words only: memory is off"
    ask("sync", MDMEM_MEMORY_ENABLED="off")
    assert not list(hermetic.rglob("vectors.sqlite"))


def test_a_batch_says_once_what_is_missing(ask: Callable[..., Answer], tmp_path: Path) -> None:
    (tmp_path / "model/model.onnx").write_bytes(b"broken")
    answer = ask("search", "--stdin", stdin="car\nboat\n")
    notes = [json.loads(line)["note"] for line in answer.out.splitlines()]
    assert (answer.code, len(notes), answer.err.count("can't be used")) == (0, 2, 1)


def test_a_project_may_not_name_a_model(ask: Callable[..., Answer], repo: Path) -> None:
    (repo / "mdmem.toml").write_text('[embedding]\npath = "model"\n', encoding="utf-8")
    answer = ask("search", "car")
    assert (answer.code, "may not set `embedding.path`" in answer.err) == (1, True)


def test_model_status_verify_and_gc(ask: Callable[..., Answer]) -> None:
    ask("search", "--stdin", stdin="car\n")
    status = json.loads(ask("model", "status", "--json").out)
    assert (status["dimension"], status["found_in"], status["pinned"]) == (4, "setting", False)
    assert (status["vectors"], status["pending"]) == (3, 0)
    assert "works: 4 dimensions" in ask("model", "verify").out
    assert json.loads(ask("model", "status", "--json").out)["pinned"] is True
    assert "deleted 0 vectors, kept 3" in ask("model", "gc").out
    assert "deleted 0 vectors, kept 3" in ask("model", "gc", MDMEM_EMBEDDING_PATH="hash").out


def test_model_pull_refuses_another_model(ask: Callable[..., Answer], tmp_path: Path) -> None:
    answer = ask("model", "pull", "--from", str(tmp_path / "model"))
    assert (answer.code, "no all-MiniLM-L6-v2 in" in answer.err, "hint: " in answer.err) == (1, True, True)
