"""Several processes write at once, and an editor saves in between: nobody's memory is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from mdmem.errors import ConflictError
from mdmem.markdown.parse import parse
from mdmem.store import catalog_file, journal
from mdmem.store import store as store_module
from mdmem.store.caller import Caller
from mdmem.store.store import Store
from support.memories import NOW, draft, make_store, memory_files, write_memory

if TYPE_CHECKING:
    from collections.abc import Callable

CHILD: Final = """
import sys
from pathlib import Path
from mdmem.store.caller import Caller
from mdmem.store.store import Store
from support.memories import NOW, draft
root, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in range(count):
    store = Store(root)
    store.add(draft(f"{name} says {number}", f"Body {number} of {name}."), caller=Caller.USER, now=NOW)
    len(Store(root).load())
"""


def add_at_once(root: Path, writers: int, count: int) -> None:
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
    names = [f"writer {number}" for number in range(writers)]
    running = [subprocess.Popen([sys.executable, "-c", CHILD, str(root), n, str(count)], env=env) for n in names]
    assert [process.wait(timeout=500) for process in running] == [0] * writers


@pytest.mark.parametrize(
    ("writers", "count"),
    [(2, 25), pytest.param(2, 200, marks=pytest.mark.slow), pytest.param(10, 20, marks=pytest.mark.slow)],
)
def test_writers_at_once_lose_nothing(tmp_path: Path, writers: int, count: int) -> None:
    store = make_store(tmp_path / "memory")
    add_at_once(store.root, writers, count)
    files = memory_files(store.root)
    assert len(files) == writers * count
    assert all(parse(text.encode(), path).memory for path, text in files.items())
    pages = [store.root / "MEMORY.md", *store.root.glob("*/INDEX.md")]
    lines = [line for page in pages for line in page.read_text().splitlines() if " says " in line]
    assert len(lines) == len(set(lines)) == writers * count
    assert len((store.root / "MEMORY.md").read_text().splitlines()) <= 200
    assert Store(store.root).sync().written == ()
    assert len(store.load()) == writers * count


def save_during(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, save: Callable[[], object], times: int = 1
) -> None:
    """An editor saves just before a function of the store is called, so many times."""
    real, left = getattr(module, name), [times]

    def wrapped(*args: object, **kwargs: object) -> object:
        if left[0]:
            left[0] -= 1
            save()
        return real(*args, **kwargs)

    monkeypatch.setattr(module, name, wrapped)


@pytest.mark.parametrize(
    "write",
    [
        lambda store: store.change("lesson/b.md", {"confidence": "0.9"}, caller=Caller.USER, now=NOW),
        lambda store: store.forget(["lesson/a.md", "lesson/b.md"], caller=Caller.USER, now=NOW),
    ],
    ids=["set", "forget"],
)
def test_an_editor_that_saves_in_between_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Store], object]
) -> None:
    store = make_store(tmp_path / "memory", {"lesson/a.md": ("One", "Old."), "lesson/b.md": ("Two", "Old.")})
    store.sync()
    typed = ("lesson/b.md", "Two", "Typed in an editor.")
    save_during(monkeypatch, store_module, "carry_out", lambda: write_memory(store.root, *typed))
    with pytest.raises(ConflictError):
        write(store)
    files = memory_files(store.root)
    assert "Typed in an editor." in files["lesson/b.md"]
    assert "lesson/a.md" in files, "all files are looked at before the first is touched"
    assert store.vetoes() == ()


def test_a_person_who_edits_memory_md_in_between_keeps_the_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store(tmp_path / "memory", {"lesson/a.md": ("One", "Old.")})
    index = store.root / "MEMORY.md"

    def edit() -> None:
        index.write_text(f"My own words.\n\n{index.read_text()}")

    save_during(monkeypatch, catalog_file, "_write", edit, times=3)
    store.sync()
    text = index.read_text()
    assert text.count("My own words.") == 3
    assert "- [One](lesson/a.md)" in text


def test_a_file_made_under_the_chosen_name_in_between_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make_store(tmp_path / "memory")
    save_during(monkeypatch, journal, "_do", lambda: write_memory(store.root, "lesson/one.md", "Mine", "By hand."))
    with pytest.raises(ConflictError):
        store.add(draft("One", "By mdmem."), caller=Caller.USER, now=NOW)
    assert "By hand." in memory_files(store.root)["lesson/one.md"]
    saved = store.add(draft("One", "By mdmem."), caller=Caller.USER, now=NOW)
    assert saved.stored.path == "lesson/one-2.md"
