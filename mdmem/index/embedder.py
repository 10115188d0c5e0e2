"""Embedders: texts in, unit vectors out. Vectors are compared by their dot product, which is then the cosine.

Texts are run one by one: batches of mixed length pad the short ones and are slower on a CPU, and batches sorted by
length gain nothing. One run uses one thread, many texts are run two at a time.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, Protocol

from tokenizers import Tokenizer

from mdmem.errors import ModelError
from mdmem.index.arrays import np
from mdmem.index.hashing import hashed
from mdmem.index.model import HASH
from mdmem.index.runtime import FAILURES, open_session
from mdmem.index.wordpiece import bert_tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from mdmem.index.model import Model
    from mdmem.index.runtime import InferenceSession

    Array = NDArray[np.float32]
    Integers = NDArray[np.int64]

THREADS: Final = 2
POOLED: Final = "sentence_embedding"
"""The output of models that pool by themselves."""
INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids", "position_ids"})
"""What a text can give to a model."""


class Embedder(Protocol):
    """What makes vectors.

    `digest` changes with everything that changes a vector. `room` is how many tokens of a text count, 0 for all.
    """

    @property
    def name(self) -> str:
        """The model's name, for people."""

    @property
    def digest(self) -> str:
        """What its vectors are kept under."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    @property
    def room(self) -> int:
        """Tokens of a text that count, 0 for all."""

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Array:
        """One row a text: float32, (n, dimension), of unit length; zeros where a text gives nothing to compare.

        Raises ModelError when the model fails.
        """

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the text begins and ends, in characters."""

    def probe(self) -> None:
        """Run it once. Raises ModelError when no vector comes of it."""


def load_embedder(model: Model) -> Embedder:
    """The embedder of a model. Raises ModelError when its files can't be used."""
    return HashEmbedder(model) if model.name == HASH else OnnxEmbedder(model)


class HashEmbedder:
    """Hashed words; see `hashing`."""

    room: Final = 0

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self.digest = model.digest
        self.dimension = model.shape.dimension

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Array:  # noqa: ARG002 - the protocol's
        """One row a text; zeros for a text without words."""
        return np.array([hashed(text) for text in texts], np.float32).reshape(len(texts), self.dimension)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """The whole text: it is never cut."""
        return [(0, len(text))]

    def probe(self) -> None:
        """Nothing can be wrong with it."""


class OnnxEmbedder:
    """A sentence-embedding model on onnxruntime."""

    def __init__(self, model: Model) -> None:
        assert model.file is not None
        self.name = model.name
        self.digest = model.digest
        self.dimension = model.shape.dimension
        self._shape = model.shape
        self._tokenizer = _tokenizer(model.tokenizer)
        prompt = len(self._tokenizer.encode(model.shape.text_prompt).ids)  # with the marks around every text
        self.room = max(model.shape.max_tokens - prompt, 1)
        self._tokenizer.enable_truncation(model.shape.max_tokens)
        self._session = _session(model.file)
        self._inputs = {one.name: np.int32 if "int32" in one.type else np.int64 for one in self._session.get_inputs()}
        self._output, self._is_pooled = _output(self._session, model)

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Array:
        """One row a text; zeros for a text without tokens. Raises ModelError when the model fails."""
        prompt = self._shape.query_prompt if is_query else self._shape.text_prompt
        prompted = [prompt + text if text.strip() else "" for text in texts]
        if len(texts) < THREADS:
            rows = [self._vector(text) for text in prompted]
        else:
            with ThreadPoolExecutor(THREADS) as pool:
                rows = list(pool.map(self._vector, prompted))
        return np.array(rows, np.float32).reshape(len(texts), self.dimension)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the text stands, also past the model's limit."""
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        return [span for part in (encoded, *encoded.overflowing) for span in part.offsets]

    def probe(self) -> None:
        """Run it once. Raises ModelError when no vector comes of it."""
        if not self.embed(["a text"]).any():
            raise ModelError(f"{self.name} gives no vector for a text", "download the model again")

    def _vector(self, text: str) -> Array:
        encoded = self._tokenizer.encode(text)
        if all(encoded.special_tokens_mask):
            return np.zeros(self.dimension, np.float32)
        ids, mask = (np.array([part], np.int64) for part in (encoded.ids, encoded.attention_mask))
        known = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": np.array([encoded.type_ids], np.int64),
            "position_ids": np.arange(ids.shape[1], dtype=np.int64)[None],
        }
        feeds = {name: known[name].astype(kind, copy=False) for name, kind in self._inputs.items()}
        try:
            (given,) = self._session.run([self._output], feeds)
        except FAILURES as error:
            raise ModelError(f"{self.name} failed on a text: {error}", "check it with `mdmem model verify`") from error
        states = np.asarray(given, np.float32)[0]
        return unit(states if self._is_pooled else pooled(states, mask[0], self._shape.pooling))


def pooled(states: Array, mask: Integers, pooling: str) -> Array:
    """One vector of the states (tokens, dimension) of a text's tokens; `mask` is 1 for those that count."""
    if pooling == "cls":
        return np.asarray(states[0])
    if pooling == "max":
        return np.asarray(states[mask > 0].max(axis=0))
    weights = mask.astype(np.float32)
    return np.asarray(weights @ states / weights.sum())


def unit(vector: Array) -> Array:
    """The vector at length 1; zeros when it has no direction or holds what is no number."""
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length == 0:
        return np.zeros_like(vector)
    return vector / np.float32(length)


def _tokenizer(file: Path | None) -> Tokenizer:
    """The folder's own, else BERT's; no padding, and no limit yet."""
    if file is None:
        return bert_tokenizer()
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises no other
        raise ModelError(f"{file} can't be used: {error}", "download the model again") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _session(file: Path) -> InferenceSession:
    try:
        return open_session(file)
    except FAILURES as error:
        raise ModelError(f"{file} can't be used: {error}", "download the model again") from error


def _output(session: InferenceSession, model: Model) -> tuple[str, bool]:
    """The output to take, and whether it is a vector a text already. Raises ModelError when none fits."""
    found = session.get_outputs()
    unknown = {one.name for one in session.get_inputs()} - INPUTS
    own = next((one for one in found if one.name == POOLED and len(one.shape) == 2), None)
    one = own or next((one for one in found if len(one.shape) == 3), None)
    if one is None or unknown:
        raise ModelError(f"{model.file} is no sentence-embedding model", "name the ONNX export of one")
    if isinstance(one.shape[-1], int) and one.shape[-1] != model.shape.dimension:
        wanted = model.shape.dimension
        raise ModelError(
            f"{model.file} gives {one.shape[-1]} numbers a vector, its config says {wanted}", "get it anew"
        )
    return one.name, own is not None
