"""Vectors of a store: made once, kept for every clone, searched exactly, rebuilt from whatever state they are in."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mdmem import disk
from mdmem.errors import ReadOnlyError
from mdmem.index import generation, vector_files, vectors
from mdmem.index.chunks import TITLE_SHARE, chunks
from mdmem.index.cosines import Cosines, Positions
from mdmem.index.embedding import INLINE_MOST, LOOSE_MOST, Embedding
from mdmem.index.index import Index, View
from mdmem.index.vector_cache import KEPT_DAYS, VectorCache, text_key
from mdmem.memory import normal_text
from support.embedders import CountingEmbedder
from support.memories import make_store, write_memory
from support.source import ROOT, imports, modules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from mdmem.store.store import Store

TODAY = 739_000
MEMORIES = {
    "lesson/pool.md": ("Close the pool", "The pool hangs when a worker keeps its connection."),
    "lesson/clock.md": ("Freeze the clock", "Tests that read the clock fail at midnight."),
    "command/seed.md": ("Seed the database", "Run make seed after each migration."),
}


def many(count: int) -> dict[str, tuple[str, str]]:
    """So many small memories."""
    return {f"lesson/{i}.md": (f"Title {i}", f"word{i} word{i + 1} other") for i in range(count)}


class Machine:
    """One user's cache, and the embedder that counts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.embedder = CountingEmbedder()

    def embedding(self) -> Embedding:
        """What a new process has."""
        return Embedding(self.embedder, self.cache())

    def cache(self, today: int = TODAY) -> VectorCache:
        """The user's cache, opened anew."""
        return VectorCache(self.folder / "vectors.sqlite", today)

    def search(self, view: View, query: str) -> list[str]:
        """All paths that have vectors, nearest first."""
        embedding = self.embedding()
        cosines = embedding.refresh(view).cosines(embedding.queries(query))
        return sorted(cosines, key=lambda path: -cosines[path])


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine on which nothing was embedded yet."""
    return Machine(tmp_path / "user")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three memories."""
    return make_store(tmp_path / "memory", MEMORIES)


def view(store: Store) -> View:
    """The store as it is now."""
    return Index(store).refresh()


# How often a text is embedded


def test_new_memories_are_embedded_at_once_and_only_once(store: Store, machine: Machine) -> None:
    counts = [machine.embedding().refresh(view(store)).made for _ in range(3)]
    assert (counts, len(machine.embedder.texts)) == ([3, 0, 0], 3)


def test_the_nearest_comes_first(store: Store, machine: Machine) -> None:
    assert machine.search(view(store), "the pool hangs")[0] == "lesson/pool.md"
    assert machine.search(view(store), "migration seed")[0] == "command/seed.md"


def test_one_changed_memory_is_one_text(store: Store, machine: Machine) -> None:
    machine.embedding().refresh(view(store))
    write_memory(store.root, "lesson/clock.md", "Freeze the clock", "Use the fixture named frozen.")
    assert machine.embedding().refresh(view(store)).made == 1
    assert machine.search(view(store), "fixture frozen")[0] == "lesson/clock.md"


def test_a_change_beside_the_text_embeds_nothing(store: Store, machine: Machine) -> None:
    machine.embedding().refresh(view(store))
    write_memory(store.root, "lesson/clock.md", *MEMORIES["lesson/clock.md"], confidence="0.9")
    found = machine.embedding().refresh(view(store))
    assert (found.made, found.pending) == (0, 0)


def test_a_moved_file_embeds_nothing(store: Store, machine: Machine) -> None:
    machine.embedding().refresh(view(store))
    (store.root / "lesson/pool.md").rename(store.root / "command/pool.md")
    assert machine.embedding().refresh(view(store)).made == 0
    assert machine.search(view(store), "the pool hangs")[0] == "command/pool.md"


def test_a_clone_embeds_nothing(store: Store, machine: Machine, tmp_path: Path) -> None:
    machine.embedding().embed_all(view(store), iter)
    clone = make_store(tmp_path / "clone", MEMORIES)
    found = machine.embedding().refresh(view(clone))
    assert (found.made, found.pending, len(found.cosines(machine.embedder.embed(["pool"])))) == (0, 0, 3)


def test_a_deleted_memory_is_not_found(store: Store, machine: Machine) -> None:
    machine.embedding().embed_all(view(store), iter)
    (store.root / "lesson/pool.md").unlink()
    assert "lesson/pool.md" not in machine.search(view(store), "the pool hangs")


def test_the_store_keeps_its_vectors_when_the_cache_is_lost(store: Store, machine: Machine) -> None:
    machine.embedding().embed_all(view(store), iter)
    shutil.rmtree(machine.folder)
    assert machine.embedding().refresh(view(store)).made == 0


def test_the_cache_has_the_vectors_when_the_store_lost_them(store: Store, machine: Machine) -> None:
    machine.embedding().embed_all(view(store), iter)
    shutil.rmtree(store.cache_folder)
    assert machine.embedding().refresh(view(store)).made == 0


def test_what_is_pending_is_told_without_the_embedder(store: Store, machine: Machine) -> None:
    def pending() -> int:
        return vector_files.pending(store, store.etags().values(), machine.embedder.digest, machine.cache())

    assert pending() == 3
    machine.embedding().embed_all(view(store), iter)
    assert pending() == 0
    shutil.rmtree(machine.folder)
    assert pending() == 0
    shutil.rmtree(store.cache_folder / "vectors")
    assert pending() == 3


def test_another_model_embeds_anew(store: Store, machine: Machine) -> None:
    machine.embedding().embed_all(view(store), iter)
    machine.embedder = CountingEmbedder(digest="2" * 64)
    assert machine.embedding().refresh(view(store)).made == 3


def test_the_same_text_twice_is_one_text(tmp_path: Path, machine: Machine) -> None:
    store = make_store(tmp_path / "memory")
    for name in ("a", "b"):
        write_memory(store.root, f"lesson/{name}.md", "Same", "Same body.", id=name)
    found = machine.embedding().refresh(view(store))
    assert (found.made, found.pending) == (1, 0)
    assert len(machine.search(view(store), "same body")) == 2


# Much to embed


def test_many_new_memories_do_not_hold_up_a_search(tmp_path: Path, machine: Machine) -> None:
    store = make_store(tmp_path / "memory", many(INLINE_MOST + 1))
    found = machine.embedding().refresh(view(store))
    assert (found.made, found.pending, machine.embedder.texts) == (0, INLINE_MOST + 1, [])


def test_a_long_memory_does_not_hold_up_a_search(store: Store, machine: Machine) -> None:
    machine.embedder.room = 10
    body = "\n".join(f"word{i} and so on" for i in range(200))
    write_memory(store.root, "command/a-long.md", "Long", body)
    found = machine.embedding().refresh(view(store))
    assert (found.pending, len(machine.embedder.texts) <= INLINE_MOST) == (1, True)
    assert machine.embedding().embed_all(view(store), iter).pending == 0
    assert machine.search(view(store), "word199 and so on")[0] == "command/a-long.md"


def test_a_slow_model_is_stopped_and_what_it_did_stays(
    tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mdmem.index.embedding.INLINE_SECONDS", -1.0)
    store = make_store(tmp_path / "memory", many(3))
    assert machine.embedding().refresh(view(store)).pending == 3


def test_whoever_waits_gets_all(tmp_path: Path, machine: Machine) -> None:
    store = make_store(tmp_path / "memory", many(100))
    walked: list[str] = []

    def progress(paths: Iterable[str]) -> Iterator[str]:
        for path in paths:
            walked.append(path)
            yield path

    found = machine.embedding().embed_all(view(store), progress)
    assert (found.made, found.pending, len(walked)) == (100, 0, 100)
    assert machine.embedding().refresh(view(store)).made == 0


def test_an_interruption_keeps_what_is_done(tmp_path: Path, machine: Machine) -> None:
    store = make_store(tmp_path / "memory", many(100))

    def interrupted(paths: Iterable[str]) -> Iterator[str]:
        for i, path in enumerate(paths):
            if i == 70:
                raise KeyboardInterrupt
            yield path

    with pytest.raises(KeyboardInterrupt):
        machine.embedding().embed_all(view(store), interrupted)
    assert len(machine.embedder.texts) == 64
    assert machine.embedding().embed_all(view(store), iter).made == 36


def test_the_matrix_is_written_when_enough_is_new(tmp_path: Path, machine: Machine) -> None:
    store = make_store(tmp_path / "memory", many(LOOSE_MOST + 1))
    root = store.cache_folder / "vectors"
    machine.embedding().embed_all(view(store), iter)
    pointer = generation.read_pointer(root)
    write_memory(store.root, "lesson/new.md", "New", "One more.")
    machine.embedding().refresh(view(store))
    assert generation.read_pointer(root) == pointer
    clone = make_store(tmp_path / "clone", many(LOOSE_MOST + 1))
    machine.embedding().refresh(view(clone))
    assert generation.read_pointer(clone.cache_folder / "vectors")


def test_a_read_only_store_is_searched_all_the_same(
    store: Store, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = view(store)

    def refuse(path: Path, timeout: float) -> None:
        raise ReadOnlyError(path)

    monkeypatch.setattr(disk, "lock", refuse)
    found = machine.embedding().embed_all(seen, iter)
    assert (found.made, len(found.cosines(machine.embedder.embed(["pool"])))) == (3, 3)
    assert not (store.cache_folder / "vectors").exists()


def test_a_memory_without_words_has_no_row(tmp_path: Path, machine: Machine) -> None:
    store = make_store(tmp_path / "memory", {"lesson/a.md": ("¿?", "…"), "lesson/b.md": ("Pool", "")})
    found = machine.embedding().refresh(view(store))
    assert (list(found.cosines(machine.embedder.embed(["pool"]))), found.pending) == (["lesson/b.md"], 0)
    assert machine.embedding().refresh(view(store)).made == 0


# The matrix

DIMENSION = 8


def row(seed: int, dimension: int = DIMENSION) -> vectors.Array:
    """Some unit vector."""
    values = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    return values / np.float32(np.linalg.norm(values))


def key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def some_matrix(files: int = 5, rows: int = 2) -> vectors.Matrix:
    """A matrix of files with some rows each."""
    named = {
        key(f"file {i}").hex(): [(key(f"text {i} {j}"), row(i * 10 + j)) for j in range(rows)] for i in range(files)
    }
    return vectors.matrix_of(named, DIMENSION)


def best(matrix: vectors.Matrix, queries: vectors.Array) -> dict[str, float]:
    """What the matrix says of each file, by etag."""
    return dict(zip(matrix.firsts, matrix.best(queries).tolist(), strict=True))


COUNTS = st.lists(st.integers(1, 4), min_size=1, max_size=6)


@given(COUNTS, st.integers(0, 1000), st.integers(1, 3))
def test_the_best_row_counts_for_the_best_query(counts: list[int], seed: int, queries: int) -> None:
    rows = [[row(seed + 10 * i + j) for j in range(count)] for i, count in enumerate(counts)]
    etags = [key(f"file {i}").hex() for i in range(len(counts))]
    named = {
        etag: [(key(str(j)), one) for j, one in enumerate(of_file)] for etag, of_file in zip(etags, rows, strict=True)
    }
    asked = np.array([row(seed + 500 + i) for i in range(queries)])
    found = best(vectors.matrix_of(named, DIMENSION), asked)
    expected = {
        etag: max(float(one @ query) for one in of_file for query in asked)
        for etag, of_file in zip(etags, rows, strict=True)
    }
    assert found == pytest.approx(expected, abs=1e-5)


@given(arrays.arrays(np.float32, (4, 3), elements=st.floats(-0.5, 0.5, width=32)), st.integers(0, 3))
def test_what_is_no_number_never_wins(values: vectors.Array, bad: int) -> None:
    values[bad] = np.nan
    names = b"".join(key(f"file {i}") + key(str(i)) for i in range(4))
    found = best(vectors.Matrix(values, names), np.ones((1, 3), np.float32) / np.float32(3**0.5))
    others = [value for etag, value in found.items() if etag != key(f"file {bad}").hex()]
    assert found[key(f"file {bad}").hex()] <= min(others)


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_multiplying_takes_no_threads() -> None:
    code = (
        "import os; before = dict(os.environ); from mdmem.index.arrays import np; np.ones((400, 400)) @ np.ones(400);"
        "assert os.environ == before; print(len(os.listdir('/proc/self/task')))"
    )
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, capture_output=True, check=True)
    assert int(done.stdout) == 1


def test_numpy_is_loaded_in_one_place() -> None:
    assert [module.name for module in modules() if "numpy" in {one.target for one in imports(module)}] == [
        "index.arrays"
    ]


def test_an_empty_matrix_finds_nothing() -> None:
    assert best(vectors.matrix_of({}, DIMENSION), row(1)[None]) == {}


VALUES = st.lists(st.sampled_from([-0.5, 0.0, 0.25, 0.25, 0.5, 1.0]), max_size=12)


@given(VALUES, st.integers(1, 14), st.sampled_from([-1.0, 0.25, 2.0]))
def test_the_nearest_are_those_of_a_sort(values: list[float], most: int, least: float) -> None:
    etags = {f"{i:02}.md": f"etag {i % 7}" for i in range(len(values) + 2)}  # two without a vector, some alike
    places = {f"etag {i}": i for i in range(min(len(values), 7))}
    named = Positions(etags, places)
    cosines = Cosines(named, np.array(values, np.float32)[named.rows])
    ordered = sorted(cosines, key=lambda path: -cosines[path])[:most]
    assert cosines.nearest(most, least) == [path for path in ordered if cosines[path] >= least]
    assert dict(cosines) == {path: values[places[etag]] for path, etag in etags.items() if etag in places}
    assert cosines.get("none.md", 0.0) == 0.0


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The folder of a published matrix."""
    vectors.publish(tmp_path, some_matrix(), "digest")
    return tmp_path


def current(root: Path) -> Path:
    return root / generation.read_pointer(root).partition(" ")[0]


def test_a_matrix_comes_back_as_it_was_written(saved: Path) -> None:
    found, before = vectors.load(saved, "digest", DIMENSION), some_matrix()
    assert found is not None
    assert np.array_equal(found.vectors, before.vectors)
    assert found.rows == before.rows
    assert isinstance(found.vectors, np.memmap)


def test_a_matrix_of_nothing_comes_back(tmp_path: Path) -> None:
    vectors.publish(tmp_path, vectors.matrix_of({}, DIMENSION), "digest")
    found = vectors.load(tmp_path, "digest", DIMENSION)
    assert found is not None
    assert found.vectors.shape == (0, DIMENSION)


def test_only_the_last_two_generations_stay(saved: Path) -> None:
    for n in range(3):
        vectors.publish(saved, some_matrix(files=n + 1), "digest")
    assert len([path for path in saved.iterdir() if path.is_dir()]) == 2


def trailing(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\0" * 32)


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-4])


def swapped(file: Path) -> None:
    np.save(file, np.load(file).astype(">f4"))


def doubled(file: Path) -> None:
    np.save(file, np.load(file).astype("<f8"))


def turned(file: Path) -> None:
    np.save(file, np.asfortranarray(np.load(file)))


def shortened(file: Path) -> None:
    np.save(file, np.load(file)[:-1])


def no_number(file: Path) -> None:
    values = np.load(file)
    values[1, 0] = np.nan
    np.save(file, values)


def infinite(file: Path) -> None:
    values = np.load(file)
    values[1, 0] = np.inf
    np.save(file, values)


def stretched(file: Path) -> None:
    np.save(file, np.load(file) * np.float32(1.5))


def pickled(file: Path) -> None:
    np.save(file, np.array([{}], object), allow_pickle=True)


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def gone(file: Path) -> None:
    file.unlink()


DAMAGES = (trailing, truncated, swapped, doubled, turned, shortened, no_number, infinite, stretched, pickled, emptied,
           gone)  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damaged_vectors_are_not_read(saved: Path, damage: Callable[[Path], None]) -> None:
    damage(current(saved) / vector_files.VECTORS)
    assert vectors.load(saved, "digest", DIMENSION) is None


@pytest.mark.parametrize("name", [vector_files.ROWS, vector_files.STAMP])
@pytest.mark.parametrize("damage", [trailing, truncated, emptied, gone], ids=lambda damage: damage.__name__)
def test_damaged_rows_are_not_read(saved: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(current(saved) / name)
    assert vectors.load(saved, "digest", DIMENSION) is None


def test_rows_of_another_generation_are_not_taken(saved: Path) -> None:
    shutil.copy(current(saved) / vector_files.ROWS, saved / "old")
    vectors.publish(saved, some_matrix(files=3), "digest")
    (saved / "old").replace(current(saved) / vector_files.ROWS)
    assert vectors.load(saved, "digest", DIMENSION) is None


def test_vectors_of_another_model_are_not_taken(saved: Path) -> None:
    assert vectors.load(saved, "other", DIMENSION) is None
    assert vectors.load(saved, "digest", DIMENSION + 1) is None


def test_a_damaged_matrix_is_put_together_again(store: Store, machine: Machine) -> None:
    machine.embedding().embed_all(view(store), iter)
    trailing(current(store.cache_folder / "vectors") / vector_files.VECTORS)
    assert machine.embedding().refresh(view(store)).made == 0
    assert machine.search(view(store), "the pool hangs")[0] == "lesson/pool.md"


# Chunks

TEXT = st.text(st.sampled_from("ab.\n é漢 "), max_size=300)


@given(TEXT, TEXT, st.integers(1, 12))
def test_pieces_fit_and_hold_everything(title: str, body: str, room: int) -> None:
    spans = CountingEmbedder().token_spans
    found = chunks(title, body, room, spans)
    if len(spans(normal_text(f"{title}\n{body}"))) <= room:
        assert found == ([normal_text(f"{title}\n{body}")] if (title + body).split() else [])
        return
    head = normal_text(title).split()[: int(room * TITLE_SHARE)]
    assert all(len(piece.split()) <= room for piece in found)
    assert all(piece.split()[: len(head)] == head for piece in found)
    assert [word for piece in found for word in piece.split()[len(head) :]] == normal_text(body).split()


def test_a_long_body_is_parted_where_a_paragraph_ends() -> None:
    body = "one two three four.\n\nfive six seven eight nine ten"
    found = chunks("T", body, 8, CountingEmbedder().token_spans)
    assert found == ["T one two three four.", "T five six seven eight nine ten"]


def test_a_short_memory_is_one_piece() -> None:
    assert chunks("Title", "Body\n\nmore", 100, CountingEmbedder().token_spans) == ["Title Body more"]
    assert chunks("", "", 100, CountingEmbedder().token_spans) == []


# The user's cache


def rows_of(count: int, prefix: str = "") -> dict[bytes, bytes]:
    return {text_key("digest", f"{prefix}{i}"): row(i).tobytes() for i in range(count)}


def test_rows_come_back_under_their_model_only(machine: Machine) -> None:
    rows = rows_of(1200)
    machine.cache().add_rows("digest", rows)
    assert machine.cache().rows("digest", rows) == rows
    assert machine.cache().rows("other", rows) == {}


def test_documents_come_back(machine: Machine) -> None:
    machine.cache().add_documents("digest", {"aa": [key("1"), key("2")], "bb": []})
    assert machine.cache().documents("digest", ["aa", "bb", "cc"]) == {"aa": (key("1"), key("2")), "bb": ()}


def test_gc_keeps_what_is_used(machine: Machine) -> None:
    machine.cache().add_rows("digest", rows_of(3))
    machine.cache().add_rows("old", rows_of(2, "old"))
    swept = machine.cache().gc(frozenset({"digest"}))
    assert (swept.vectors, swept.kept) == (2, 3)
    later = machine.cache(TODAY + KEPT_DAYS)
    asked = list(rows_of(3))[:1]
    later.rows("digest", asked)
    assert machine.cache(TODAY + KEPT_DAYS + 1).gc(frozenset({"digest"})).kept == 1
    assert set(machine.cache().rows("digest", rows_of(3))) == set(asked)


def test_a_row_that_is_no_vector_is_made_again(store: Store, machine: Machine) -> None:
    machine.embedding().refresh(view(store))
    with sqlite3.connect(machine.folder / "vectors.sqlite") as db:
        db.execute("UPDATE vector SET row = zeroblob(12)")
    db.close()
    assert machine.embedding().refresh(view(store)).made == 3


@pytest.mark.parametrize("size", [0, 100, 5_000, 100_000])
def test_a_damaged_cache_is_begun_anew(store: Store, machine: Machine, size: int) -> None:
    machine.embedding().refresh(view(store))
    file = machine.folder / "vectors.sqlite"
    file.write_bytes(b"\xff" * size)
    assert machine.embedding().refresh(view(store)).made == 3
    assert machine.embedding().refresh(view(store)).made == 0


def test_a_cache_that_can_not_be_written_costs_time_only(store: Store, machine: Machine) -> None:
    machine.folder.parent.mkdir(parents=True, exist_ok=True)
    machine.folder.write_text("no folder", encoding="utf-8")
    assert machine.embedding().refresh(view(store)).made == 3


WRITER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from mdmem.index.vector_cache import VectorCache, text_key
    cache, prefix = VectorCache(Path(sys.argv[1]), 739_000), sys.argv[2]
    print("ready", flush=True)
    sys.stdin.readline()
    for i in range(int(sys.argv[3])):
        cache.add_rows("digest", {text_key("digest", f"{prefix}{i}-{j}"): bytes(1536) for j in range(8)})
        print(i, flush=True)
""")


def writer(file: Path, prefix: str, steps: int) -> subprocess.Popen[str]:
    """A process that writes to the cache, and says after each step that it is done."""
    command = [sys.executable, "-c", WRITER, str(file), prefix, str(steps)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ)


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_two_processes_that_write_at_once_lose_nothing(machine: Machine) -> None:
    file, steps = machine.folder / "vectors.sqlite", 25
    processes = [writer(file, prefix, steps) for prefix in "ab"]
    for process in processes:
        go(process)
    for process in processes:
        process.communicate(timeout=60)
    keys = [text_key("digest", f"{prefix}{i}-{j}") for prefix in "ab" for i in range(steps) for j in range(8)]
    assert len(machine.cache().rows("digest", keys)) == len(keys)


def test_a_killed_process_loses_nothing_that_it_had_written(machine: Machine) -> None:
    process = writer(machine.folder / "vectors.sqlite", "a", 10_000)
    assert process.stdout is not None
    process.stdout.readline()
    go(process)
    end = time.monotonic() + 30
    done = -1
    while done < 10 and time.monotonic() < end:
        done = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    done = max([done, *(int(line) for line in process.communicate()[0].split())])
    keys = [text_key("digest", f"a{i}-{j}") for i in range(done + 1) for j in range(8)]
    assert len(machine.cache().rows("digest", keys)) == len(keys)
