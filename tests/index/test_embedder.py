"""Texts become unit vectors, by the models that are found and by nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem import project
from mdmem.errors import ModelError
from mdmem.index import fingerprint as fingerprints
from mdmem.index import model as models
from mdmem.index.embedder import OnnxEmbedder, load_embedder, pooled, unit
from mdmem.index.fingerprint import fingerprint
from mdmem.index.hashing import hashed
from mdmem.index.model import Origin, Places, choose_model, find_model, verified
from mdmem.index.wordpiece import SPECIAL, VOCABULARY, VOCABULARY_SHA256, bert_tokenizer
from support.embedders import make_model, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKENIZER = bert_tokenizer()
IDS = {
    "": [],
    "hello world": [7592, 2088],
    "The pool in src/db/pool.py:42 hangs": [
        1996, 4770, 1999, 5034, 2278, 1013, 16962, 1013, 4770, 1012, 1052, 2100, 1024, 4413, 17991,
    ],
    "Ünïcödé naïveté": [27260, 15743, 2618],
    "acks_late=True": [9353, 5705, 1035, 2397, 1027, 2995],
    "数据库 迁移": [100, 100, 100, 100, 100],
    "[SEP] [sep] a\u200bb\x00c": [102, 1031, 19802, 1033, 5925],
    "a" * 101: [100],
    "don't-stop": [2123, 1005, 1056, 1011, 2644],
}  # fmt: skip
"""What the published tokenizer.json of all-MiniLM-L6-v2 gives, without [CLS] and [SEP]."""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """The user's folders, empty."""
    return Places(tmp_path / "cache", tmp_path / "state")


def embedder(folder: Path, places: Places) -> OnnxEmbedder:
    """The embedder of a folder."""
    model = find_model(str(folder), places)
    assert model is not None
    made = load_embedder(model)
    assert isinstance(made, OnnxEmbedder)
    return made


# WordPiece


def test_the_vocabulary_is_the_published_one() -> None:
    assert hashlib.sha256(VOCABULARY.read_bytes()).hexdigest() == VOCABULARY_SHA256


@pytest.mark.parametrize("text", IDS)
def test_a_text_has_the_published_ids(text: str) -> None:
    assert TOKENIZER.encode(text).ids == [101, *IDS[text], 102]


PLAIN = st.text(
    st.characters(categories=("L", "N", "P", "S", "Zs"), max_codepoint=0x24FF) | st.sampled_from("漢字かな\t\n\u0301"),
    max_size=60,
).filter(lambda text: not any(mark in text for mark in SPECIAL))


@given(PLAIN)
def test_any_text_has_the_ids_that_the_algorithm_gives(text: str) -> None:
    vocabulary = {word: i for i, word in enumerate(VOCABULARY.read_text(encoding="utf-8").split("\n"))}
    expected = [vocabulary[piece] for word in basic_words(text) for piece in pieces(word, vocabulary)]
    assert TOKENIZER.encode(text, add_special_tokens=False).ids == expected


def basic_words(text: str) -> Iterator[str]:
    """Lower-case words without accents; punctuation and CJK characters stand alone."""
    spaced = "".join(f" {c} " if "\u4e00" <= c <= "\u9fff" else " " if c.isspace() else c for c in text)
    lower = unicodedata.normalize("NFD", spaced).lower()
    bare = "".join(c for c in lower if unicodedata.category(c) != "Mn")
    for word in bare.split():
        run = ""
        for c in word:
            if (c.isascii() and c.isprintable() and not c.isalnum()) or unicodedata.category(c).startswith("P"):
                yield from (part for part in (run, c) if part)
                run = ""
            else:
                run += c
        if run:
            yield run


def pieces(word: str, vocabulary: dict[str, int]) -> list[str]:
    """The longest known beginnings, one after the other; `[UNK]` when that does not come out."""
    if len(word) > 100:
        return ["[UNK]"]
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = (end for end in range(len(word), start, -1) if mark + word[start:end] in vocabulary)
        end = next(ends, None)
        if end is None:
            return ["[UNK]"]
        found.append(mark + word[start:end])
        start = end
    return found


# Models


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ("pooling_mode_mean_tokens", [0.5, 0.5, 0, 0]),
        ("pooling_mode_mean_sqrt_len_tokens", [0.5, 0.5, 0, 0]),
        ("pooling_mode_max_tokens", [1, 1, 0, 0]),
    ],
)
def test_tokens_are_pooled_as_the_folder_says(
    tmp_path: Path, places: Places, pooling: str, expected: list[float]
) -> None:
    vector = embedder(make_model(tmp_path / "m", pooling=pooling), places).embed(["car boat"])[0]
    assert vector == pytest.approx(np.array(expected) / np.linalg.norm(expected))


def test_pooling_by_hand() -> None:
    states = np.array([[1, 2], [3, -4], [9, 9]], np.float32)
    mask = np.array([1, 1, 0])
    assert pooled(states, mask, "mean").tolist() == [2, -1]
    assert pooled(states, mask, "max").tolist() == [3, 2]
    assert pooled(states, mask, "cls").tolist() == [1, 2]


def test_vectors_have_unit_length_and_the_right_type(tmp_path: Path, places: Places) -> None:
    rows = embedder(make_model(tmp_path / "m"), places).embed(["car", "boat tree", "ship oak automobile"])
    assert (rows.dtype, rows.shape) == (np.float32, (3, 4))
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1)


def test_many_texts_give_what_each_alone_gives(tmp_path: Path, places: Places) -> None:
    made = embedder(make_model(tmp_path / "m"), places)
    texts = ["car", "boat tree", "ship", "oak automobile car boat"]
    assert np.array_equal(made.embed(texts), np.concatenate([made.embed([text]) for text in texts]))


def test_no_text_is_no_row(tmp_path: Path, places: Places) -> None:
    assert embedder(make_model(tmp_path / "m"), places).embed([]).shape == (0, 4)


@pytest.mark.parametrize("text", ["", " \n", "nothing", "car nothing"])
def test_what_gives_no_vector_gives_zeros(tmp_path: Path, places: Places, text: str) -> None:
    assert not embedder(make_model(tmp_path / "m"), places).embed([text]).any()


def test_a_text_is_cut_at_the_models_limit_and_not_padded(tmp_path: Path, places: Places) -> None:
    made = embedder(make_model(tmp_path / "m", max_tokens=6), places)
    assert made.room == 4
    cut, whole = made.embed(["car car car car boat", "car car car car"])
    assert np.array_equal(cut, whole)
    # five of eight padded places would be the table's first row
    assert made.embed(["car"])[0].tolist() == [1, 0, 0, 0]


def test_spans_reach_past_the_limit(tmp_path: Path, places: Places) -> None:
    made = embedder(make_model(tmp_path / "m", max_tokens=4), places)
    assert made.token_spans("car boat tree oak ship") == [(0, 3), (4, 8), (9, 13), (14, 17), (18, 22)]


def test_prompts_stand_before_texts_and_queries(tmp_path: Path, places: Places) -> None:
    prompts = {"query": "boat ", "passage": "tree "}
    made = embedder(make_model(tmp_path / "m", prompts=prompts), places)
    (text,), (query,) = made.embed(["car"]), made.embed(["car"], is_query=True)
    assert [list(row > 0) for row in (text, query)] == [[True, False, True, False], [True, True, False, False]]
    assert made.room == 16 - 3


def test_a_model_that_pools_by_itself(tmp_path: Path, places: Places) -> None:
    folder = make_model(tmp_path / "m", output="sentence_embedding", inputs=("input_ids",))
    assert embedder(folder, places).embed(["car"])[0].tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(
    "file", ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "onnx/model_qint8_avx512.onnx"]
)
def test_the_model_is_found_where_exports_put_it(tmp_path: Path, places: Places, file: str) -> None:
    folder = make_model(tmp_path / "m", file=file)
    assert embedder(folder, places).dimension == 4
    assert embedder(folder / file, places).digest == embedder(folder, places).digest


def spoil_model(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"no model")


def spoil_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")


def spoil_config(folder: Path) -> None:
    (folder / "config.json").write_text("{", encoding="utf-8")


def lose_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def lose_config(folder: Path) -> None:
    (folder / "config.json").unlink()
    (folder / "1_Pooling/config.json").unlink()


def lose_model(folder: Path) -> None:
    (folder / "model.onnx").unlink()


def claim_dimension(folder: Path) -> None:
    write_json(folder / "1_Pooling/config.json", {"word_embedding_dimension": 5})


def pool_otherwise(folder: Path) -> None:
    write_json(folder / "1_Pooling/config.json", {"word_embedding_dimension": 4, "pooling_mode_lasttoken": True})


def pool_twice(folder: Path) -> None:
    both = {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True}
    write_json(folder / "1_Pooling/config.json", {"word_embedding_dimension": 4, **both})


def add_module(folder: Path) -> None:
    write_json(folder / "modules.json", [{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}])


def ask_for_pixels(folder: Path) -> None:
    make_model(folder, inputs=("input_ids", "pixel_values"))


FAULTS = (
    spoil_model, spoil_tokenizer, spoil_config, lose_tokenizer, lose_config, lose_model, claim_dimension,
    pool_otherwise, pool_twice, add_module, ask_for_pixels,
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_folder_that_is_no_model_is_refused_with_a_hint(tmp_path: Path, places: Places, fault: object) -> None:
    folder = make_model(tmp_path / "m")
    assert callable(fault)
    fault(folder)
    with pytest.raises(ModelError) as caught:
        embedder(folder, places).probe()
    assert caught.value.hint


def test_modules_name_the_folder_of_the_pooling(tmp_path: Path, places: Places) -> None:
    folder = make_model(tmp_path / "m")
    steps = [{"type": f"sentence_transformers.models.{kind}", "path": kind} for kind in ("Transformer", "Pooling")]
    write_json(folder / "modules.json", steps)
    write_json(folder / "Pooling/config.json", {"word_embedding_dimension": 4, "pooling_mode": "max"})
    assert embedder(folder, places).embed(["car boat"])[0] == pytest.approx(np.array([1, 1, 0, 0]) / 2**0.5)


def test_every_part_of_a_folder_is_in_its_digest(tmp_path: Path, places: Places) -> None:
    changes = [{}, {"max_tokens": 8}, {"pooling": "pooling_mode_max_tokens"}, {"prompts": {"query": "car"}}]
    folders = [make_model(tmp_path / str(i), **change) for i, change in enumerate(changes)]  # type: ignore[arg-type]
    digests = {embedder(folder, places).digest for folder in folders}
    assert len(digests) == len(changes)


@given(st.lists(st.floats(width=32), min_size=1, max_size=8))
def test_a_unit_vector_has_length_one_or_none(values: list[float]) -> None:
    with np.errstate(over="ignore", under="ignore"):
        length = float(np.linalg.norm(unit(np.array(values, np.float32))))
    assert length == 0 or length == pytest.approx(1, abs=1e-3)


# The hash embedder


@given(st.text(max_size=80))
def test_hashed_words_have_unit_length_or_none(text: str) -> None:
    length = sum(value * value for value in hashed(text)) ** 0.5
    assert length == pytest.approx(1) or length == 0


def test_hashed_words_are_the_same_in_every_process() -> None:
    code = "from mdmem.index.hashing import hashed; print(hashed('Close the pool before the worker'))"
    env = os.environ | {"PYTHONHASHSEED": "7"}
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout
    assert json.loads(other) == hashed("Close the pool before the worker")


def test_texts_that_share_words_are_near(places: Places) -> None:
    model = find_model("hash", places)
    assert model is not None
    asked, near, far = load_embedder(model).embed(["close the pool", "the pool was closed early", "plant a tree"])
    assert asked @ near > 0.3 > abs(asked @ far)


# Which model


def test_no_model_is_none(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_packaged", lambda: None)
    assert find_model("", places) is None
    assert "no model is installed" in choose_model("", places, is_on=True).without


def test_memory_off_and_none_need_no_model(places: Places) -> None:
    assert choose_model("", places, is_on=False).without == "by words only: memory is off"
    assert choose_model("none", places, is_on=True) == models.Choice(None)


def test_a_model_without_what_it_runs_on_is_said(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "LIBRARIES", ("numpy", "no_such_library"))
    choice = choose_model("hash", places, is_on=True)
    assert (choice.model, choice.without.partition(";")[0]) == (None, "by words only: no_such_library is not installed")
    model = find_model("hash", places)
    assert model is not None
    with pytest.raises(ModelError, match="no_such_library is not installed"):
        project.embedder(model)


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small file that counts as the published model."""
    file = make_model(tmp_path / "published") / "model.onnx"
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    monkeypatch.setattr(models, "PUBLISHED", {sha256: "small"})
    monkeypatch.setattr(models, "_packaged", lambda: None)
    return file


def test_setting_comes_before_package_before_cache(
    tmp_path: Path, places: Places, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places.pulled.parent.mkdir(parents=True)
    places.pulled.write_bytes(published.read_bytes())
    found = []
    for setting, package in (("", None), ("", published), (str(make_model(tmp_path / "own")), published)):
        monkeypatch.setattr(models, "_packaged", lambda package=package: package)
        model = find_model(setting, places)
        assert model is not None
        found.append(model.origin)
    assert found == [Origin.CACHE, Origin.PACKAGE, Origin.SETTING]


def test_a_published_file_anywhere_is_known_by_its_hash(places: Places, published: Path) -> None:
    model = find_model(str(published), places)
    assert model is not None
    assert (model.name, model.tokenizer, model.shape.dimension) == ("all-MiniLM-L6-v2", None, 384)


def test_another_file_in_the_place_of_the_model_is_refused(places: Places, published: Path) -> None:
    places.pulled.parent.mkdir(parents=True)
    places.pulled.write_bytes(b"other")
    with pytest.raises(ModelError, match="not the published model"):
        find_model("", places)
    assert "not the published model" in choose_model("", places, is_on=True).without
    assert places.pulled.read_bytes() == b"other"


def test_the_installed_package_is_found_and_never_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "site" / models.PACKAGE
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('was run')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(package.parent))
    assert models._packaged() == package / "model.onnx"


def test_a_folder_that_was_verified_is_refused_when_it_changes(tmp_path: Path, places: Places) -> None:
    folder = make_model(tmp_path / "m")
    assert not find_model(str(folder), places).is_pinned  # type: ignore[union-attr]
    verified(str(folder), places)
    assert find_model(str(folder), places).is_pinned  # type: ignore[union-attr]
    make_model(folder, words={"car": (0, 1, 0, 0)})
    with pytest.raises(ModelError, match="not the model that was verified"):
        find_model(str(folder), places)
    verified(str(folder), places)
    assert find_model(str(folder), places)


def test_a_folder_that_was_not_verified_may_change(tmp_path: Path, places: Places) -> None:
    before = embedder(make_model(tmp_path / "m"), places).digest
    assert embedder(make_model(tmp_path / "m", words={"car": (0, 1, 0, 0)}), places).digest != before


# Hashes of large files


@pytest.fixture
def hashings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were read to be hashed."""
    names: list[str] = []
    hash_file = fingerprints._sha256

    def count(file: Path) -> str:
        names.append(file.name)
        return hash_file(file)

    monkeypatch.setattr(fingerprints, "_sha256", count)
    return names


def old_file(folder: Path, text: str = "text") -> Path:
    """A file that was written a while ago."""
    file = folder / "file"
    file.write_text(text, encoding="utf-8")
    os.utime(file, (1_000_000_000, 1_000_000_000))
    return file


def test_a_file_is_hashed_once(tmp_path: Path, hashings: list[str]) -> None:
    file = old_file(tmp_path)
    sums = {fingerprint(file, tmp_path / "cache") for _ in range(3)}
    assert (sums, hashings) == ({hashlib.sha256(b"text").hexdigest()}, ["file"])


def test_a_changed_file_is_hashed_again(tmp_path: Path, hashings: list[str]) -> None:
    before = fingerprint(old_file(tmp_path), tmp_path / "cache")
    os.utime(tmp_path / "file", (1_000_000_001, 1_000_000_001))
    assert fingerprint(tmp_path / "file", tmp_path / "cache") == before
    (tmp_path / "new").write_text("tax!", encoding="utf-8")
    os.utime(tmp_path / "new", (1_000_000_001, 1_000_000_001))
    (tmp_path / "new").replace(tmp_path / "file")
    assert fingerprint(tmp_path / "file", tmp_path / "cache") != before
    assert len(hashings) == 3


def test_a_file_that_was_just_written_is_not_taken_on_trust(tmp_path: Path, hashings: list[str]) -> None:
    (tmp_path / "file").write_text("text", encoding="utf-8")
    fingerprint(tmp_path / "file", tmp_path / "cache")
    fingerprint(tmp_path / "file", tmp_path / "cache")
    assert len(hashings) == 2


@pytest.mark.parametrize("record", ["", "[]", "{", '{"x": 1}', '{"x": [1, 2, 3]}', "\udcff"])
def test_a_damaged_record_is_no_record(tmp_path: Path, record: str) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / fingerprints.FILE_NAME).write_text(record, encoding="utf-8", errors="surrogateescape")
    assert fingerprint(old_file(tmp_path), cache) == hashlib.sha256(b"text").hexdigest()


def test_the_runtime_reports_to_nobody(hermetic: Path) -> None:
    subprocess.run([sys.executable, "-c", "import mdmem.index.embedder"], check=True, env=os.environ, timeout=60)
    assert [str(path) for path in hermetic.rglob("*") if "icrosoft" in str(path)] == []
