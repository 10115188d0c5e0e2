"""A folder with a sentence-embedding model, as Hugging Face repositories lay it out.

`model.onnx` or `onnx/model*.onnx`, `tokenizer.json`, and beside them the files that say how a vector is made of what
the model gives: `modules.json`, `1_Pooling/config.json`, `sentence_bert_config.json`, `config.json` and the prompts
of `config_sentence_transformers.json`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES: Final = ("model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "onnx/model_int8.onnx")
"""Where the model is looked for first; then any `onnx/model*.onnx`, by name."""
POOLINGS: Final = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean",  # the same direction, hence the same unit vector
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
}
MODULES: Final = frozenset({"Transformer", "Pooling", "Normalize"})
MAX_TOKENS: Final = 512
OFFSET_TYPES: Final = frozenset({"roberta", "xlm-roberta", "camembert", "mpnet"})
"""Models that count positions from 2, so that two of `max_position_embeddings` can't be used."""
QUERY_PROMPTS: Final = ("query", "search_query", "retrieval.query")
TEXT_PROMPTS: Final = ("document", "passage", "search_document", "retrieval.passage")

Settings = dict[str, object]


class Shape(NamedTuple):
    """How a model is used: the vector's dimension, pooling (mean, cls, max), length limit, texts put in front."""

    dimension: int
    pooling: str
    max_tokens: int
    query_prompt: str = ""
    text_prompt: str = ""


class ModelFolder(NamedTuple):
    """What lies in a model's folder; `files` are the model and its external data, `shape` None where nothing tells."""

    root: Path
    files: tuple[Path, ...]
    tokenizer: Path | None
    shape: Shape | None


def read_folder(path: Path) -> ModelFolder:
    """The model of a folder, or of an .onnx file in one. Raises ModelError for what mdmem can't run."""
    root, file = _root_and_file(path)
    tokenizer = root / "tokenizer.json"
    data = [one for one in sorted(file.parent.iterdir()) if one.name.startswith(file.name) and one != file]
    return ModelFolder(root, (file, *data), tokenizer if tokenizer.is_file() else None, _shape(root))


def _root_and_file(path: Path) -> tuple[Path, Path]:
    if path.is_file():
        return (path.parent.parent if path.parent.name == "onnx" else path.parent), path
    named = (path / name for name in FILES)
    file = next((one for one in (*named, *sorted(path.glob("onnx/model*.onnx"))) if one.is_file()), None)
    if file is None:
        raise ModelError(f"{path} has no model.onnx", "download the model's ONNX files, or export them")
    return path, file


def _shape(root: Path) -> Shape | None:
    config = _settings(root / "config.json")
    pooling_folder = _pooling_folder(root)
    pooling = _settings(pooling_folder / "config.json")
    dimension = _number(pooling, "word_embedding_dimension") or _number(config, "hidden_size")
    if not dimension:
        return None
    prompts = _settings(root / "config_sentence_transformers.json").get("prompts")
    return Shape(
        dimension,
        _pooling(pooling, pooling_folder),
        _max_tokens(root, config),
        query_prompt=_prompt(prompts, QUERY_PROMPTS),
        text_prompt=_prompt(prompts, TEXT_PROMPTS),
    )


def _pooling_folder(root: Path) -> Path:
    """Where `modules.json` says that the pooling is described. Raises ModelError for a module that we don't run."""
    folder = root / "1_Pooling"
    for kind, path in _modules(root):
        if kind not in MODULES:
            raise ModelError(f"{root} ends in a {kind} module, which mdmem can't run", "choose a model without one")
        if kind == "Pooling":
            folder = root / path
    return folder


def _modules(root: Path) -> Iterator[tuple[str, str]]:
    """(kind, folder) of each step."""
    steps = _json(root / "modules.json")
    for step in steps if isinstance(steps, list) else []:
        if isinstance(step, dict):
            yield str(step.get("type", "")).rpartition(".")[2], str(step.get("path", ""))


def _pooling(settings: Settings, folder: Path) -> str:
    """Mean where nothing is said. Raises ModelError for a way of pooling that we don't know."""
    named = settings.get("pooling_mode")
    chosen = [named] if named else [key for key, value in settings.items() if key.startswith("pooling_mode_") and value]
    known = [POOLINGS.get(str(key), str(key)) for key in chosen] or ["mean"]
    if len(known) > 1 or known[0] not in POOLINGS.values():
        raise ModelError(f"{folder} asks for {', '.join(map(str, chosen))}", "mdmem pools by mean, cls or max")
    return known[0]


def _max_tokens(root: Path, config: Settings) -> int:
    stated = _number(_settings(root / "sentence_bert_config.json"), "max_seq_length")
    positions = _number(config, "max_position_embeddings") or MAX_TOKENS
    if str(config.get("model_type")) in OFFSET_TYPES:
        positions -= 2
    return min(stated or MAX_TOKENS, positions)


def _prompt(prompts: object, names: tuple[str, ...]) -> str:
    if not isinstance(prompts, dict):
        return ""
    return next((str(prompts[name]) for name in names if prompts.get(name)), "")


def _number(settings: Settings, key: str) -> int:
    value = settings.get(key)
    return value if isinstance(value, int) and value > 0 else 0


def _settings(file: Path) -> Settings:
    found = _json(file)
    return found if isinstance(found, dict) else {}


def _json(file: Path) -> object:
    """What a JSON file says, None when there is none. Raises ModelError when it is no JSON."""
    try:
        return json.loads(disk.read_if_exists(file) or b"null")
    except ValueError as error:
        raise ModelError(f"{file} is not JSON: {error}", "download the model again") from error
