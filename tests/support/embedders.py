"""Small embedding models for tests: made on the spot, a word a token, a vector a word."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from mdmem.index.hashing import DIMENSION, hashed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

MARKS: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS: Final[Mapping[str, tuple[float, ...]]] = {
    "car": (1, 0, 0, 0),
    "automobile": (0.9, 0.1, 0, 0),
    "boat": (0, 1, 0, 0),
    "ship": (0.1, 0.9, 0, 0),
    "tree": (0, 0, 1, 0),
    "oak": (0, 0, 0.9, 0.1),
    "text": (0, 0, 0, 1),
    "nothing": (float("nan"), 0, 0, 0),
}
"""Words of like meaning have like vectors; one is no number at all."""


def make_model(
    folder: Path,
    *,
    file: str = "model.onnx",
    words: Mapping[str, tuple[float, ...]] = WORDS,
    pooling: str = "pooling_mode_mean_tokens",
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    output: str = "last_hidden_state",
    max_tokens: int = 16,
    prompts: Mapping[str, str] | None = None,
) -> Path:
    """A sentence-embedding folder whose model looks each token up in a table; marks have the zero vector."""
    dimension = len(next(iter(words.values())))
    table = np.array([(0.0,) * dimension] * len(MARKS) + list(words.values()), np.float32)
    target = folder / file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(graph(table, inputs, output))
    tokenizer(words).save(str(folder / "tokenizer.json"))
    write_json(folder / "config.json", {"hidden_size": dimension, "max_position_embeddings": 512})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": max_tokens})
    write_json(folder / "1_Pooling/config.json", {"word_embedding_dimension": dimension, pooling: True})
    if prompts:
        write_json(folder / "config_sentence_transformers.json", {"prompts": prompts})
    return folder


def graph(table: Array, inputs: Sequence[str], output: str) -> bytes:
    """The bytes of an ONNX model: `output` = table[input_ids]; a pooled output takes the mean over the tokens."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["states"])]
    shape: list[str | int] = ["batch", "tokens", table.shape[1]]
    if output == "sentence_embedding":
        nodes.append(helper.make_node("ReduceMean", ["states"], [output], axes=[1], keepdims=0))
        shape = ["batch", table.shape[1]]
    else:
        nodes.append(helper.make_node("Identity", ["states"], [output]))
    made = helper.make_graph(
        nodes,
        "lookup",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def tokenizer(words: Mapping[str, object]) -> Tokenizer:
    """One token a word, with marks around each text."""
    vocabulary = {word: i for i, word in enumerate([*MARKS, *words])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.add_special_tokens(list(MARKS))
    made.enable_padding(length=8)  # as published files do; mdmem must not
    made.enable_truncation(4)
    return made


def write_json(file: Path, value: object) -> None:
    """Write a file of settings."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")


class CountingEmbedder:
    """Hashed words, a word a token, which counts the texts that it is given."""

    name = "counting"
    dimension = DIMENSION

    def __init__(self, digest: str = "1" * 64, room: int = 0) -> None:
        self.digest = digest
        self.room = room
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Array:
        """One row a text."""
        if not is_query:
            self.texts += texts
        return np.array([hashed(text) for text in texts], np.float32).reshape(len(texts), DIMENSION)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Every word."""
        spans, end = [], 0
        for word in text.split():
            start = text.index(word, end)
            end = start + len(word)
            spans.append((start, end))
        return spans

    def probe(self) -> None:
        """Always works."""
