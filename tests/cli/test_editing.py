"""edit and `-i`: what happens when the editor or the answer is not what was hoped for."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import click
import pytest

from support.memories import write_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.store.store import Store
    from support.machine import Answer


class Terminal:
    """A standard input that is a terminal."""

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return True


@pytest.fixture
def memory(store: Store, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One memory, and a terminal before it."""
    for module in ("editor", "picker"):
        monkeypatch.setattr(f"mdmem.cli.{module}.sys", type("Sys", (), {"stdin": Terminal()}))
    monkeypatch.setattr("mdmem.cli.picker.shutil.which", lambda _name: None)
    monkeypatch.delenv("VISUAL", raising=False)
    return write_memory(store.root, "lesson/cache.md", "Warm the cache", "It is cold.", id="c1")


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes an editor of a line of shell, which finds the file in $1."""

    def make(line: str) -> None:
        script = tmp_path / "editor"
        script.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("EDITOR", str(script))

    return make


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("echo More. >> $1", 0, ""),
        ("rm $1", 1, "the editor has left no file"),
        ("echo half >> $1; exit 3", 1, "Editing failed"),
    ],
)
def test_an_editor_may_do_anything(memory: Path, cli: Callable[..., Answer], editor: Callable[[str], None],
                                   line: str, code: int, said: str) -> None:  # fmt: skip
    editor(line)
    done = cli("edit", "c1")
    assert done.code == code
    assert said in done.err


@pytest.mark.parametrize(
    ("line", "said"),
    [("printf '\\344\\344' > $1", "is not UTF-8"), ("rm $1", "has left no file"), ("exit 1", "Editing failed")],
)
@pytest.mark.parametrize("command", [("add", "lesson", "Typed"), ("review", "--editor")])
def test_what_an_editor_makes_of_a_text_may_be_none(
    memory: Path, cli: Callable[..., Answer], editor: Callable[[str], None], monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...], line: str, said: str,
) -> None:  # fmt: skip
    monkeypatch.setattr("mdmem.cli.entry.sys", type("Sys", (), {"stdin": Terminal()}))
    monkeypatch.setattr("mdmem.cli.reviewing.sys", type("Sys", (), {"stdin": Terminal()}))
    assert cli("--as", "agent", "add", "lesson", "From an agent", "-b", "It waits.").code == 0
    editor(line)
    done = cli(*command)
    assert done.code == 1
    assert said in done.err


def test_what_can_not_be_read_is_found_by_its_name_too(
    memory: Path, cli: Callable[..., Answer], editor: Callable[[str], None]
) -> None:
    broken = memory.with_name("broken.md")
    broken.write_text("---\ntitle: [x\n---\n", encoding="utf-8")
    assert "lesson/broken.md:2: E_YAML" in cli("show", "broken").err
    editor("printf -- '---\\ntitle: Mended\\n---\\nText.\\n' > $1")
    assert cli("edit", "broken").code == 0
    assert "Mended" in cli("show", "broken").out


@pytest.mark.parametrize("name", ["/no/such/editor", "'never closed"])
def test_an_editor_that_can_not_be_run_is_named_as_the_trouble(
    memory: Path, cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("EDITOR", name)
    done = cli("edit", "c1")
    assert done.code == 1
    assert "$EDITOR" in done.err


@pytest.mark.parametrize(("answer", "code"), [("1", 0), ("2", 1), ("1 x", 1), ("0", 1)])
def test_a_number_that_is_not_in_the_list_picks_nothing(
    memory: Path, cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    monkeypatch.setattr(click, "prompt", lambda *_args, **_options: answer)
    assert cli("forget", "-i").code == code
    assert memory.exists() is bool(code)
