"""`mdmem demo`: a newcomer's first command works, shows the product, and touches nothing of the user's."""

from __future__ import annotations

import re
import subprocess
import venv
from typing import TYPE_CHECKING

import pytest

from mdmem.cli.demo import scratch, shipped_transcript
from mdmem.errors import MdmemError
from support.source import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.machine import Answer


def test_the_whole_demo(shell: Callable[..., Answer], snapshot: Callable[..., None]) -> None:
    done = shell("demo", "--dir", "scratch", MDMEM_NOW="2026-10-14T09:00:00Z")
    assert (done.code, done.err) == (0, "")
    snapshot(re.sub(r"^index .*", "index <hashes>", done.out, flags=re.MULTILINE))


def test_the_repository_is_kept_where_it_was_asked_for(shell: Callable[..., Answer], repo: Path) -> None:
    assert shell("demo", "--dir", "scratch").code == 0
    assert (repo / "scratch/.git").is_dir()
    assert len(list((repo / "scratch/memory").glob("*/*.md"))) >= 3
    assert shell("--dir", "scratch/memory", "check").code == 0
    assert not (repo / "memory").exists()


def test_no_secret_and_nothing_injected_is_learned(shell: Callable[..., Answer], repo: Path) -> None:
    out = shell("demo", "--dir", "scratch").out
    everything = out + "".join(p.read_text("utf-8", "replace") for p in (repo / "scratch").rglob("*.md"))
    assert "ghp_" not in everything
    assert "Friday" not in everything


def test_another_run_is_learned_from_too(shell: Callable[..., Answer], repo: Path) -> None:
    text = shipped_transcript().read_text(encoding="utf-8")
    other = repo / "mine.jsonl"
    text = text.replace("5d0c7a1e", "6e1d8b2f").replace("zoneinfo", "dateutil")
    other.write_text(re.sub(r'([uU]uid": ?")', r"\g<1>f", text), encoding="utf-8")  # another run, and no fork of it
    done = shell("demo", "--dir", "scratch", "--transcript", other)
    assert "mdmem extract mine.jsonl" in done.out
    assert "dateutil" in done.out


def test_a_run_that_is_none_says_so(shell: Callable[..., Answer], repo: Path) -> None:
    (repo / "no.jsonl").write_text("not\na\nrun\n", encoding="utf-8")
    done = shell("demo", "--transcript", "no.jsonl")
    assert done.code == 1
    assert "E_NOT_JSONL" in done.err


def test_a_folder_that_holds_something_is_left_alone(repo: Path) -> None:
    (repo / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(MdmemError, match="not empty"), scratch(repo, keep=False):
        pass
    assert [path.name for path in repo.iterdir() if path.name != ".git"] == ["mine.txt"]


def test_a_temporary_folder_goes_unless_it_is_kept() -> None:
    with scratch(None, keep=False) as gone:
        assert gone.is_dir()
    with scratch(None, keep=True) as kept:
        pass
    assert (gone.exists(), kept.exists()) == (False, True)
    kept.rmdir()


@pytest.mark.slow
def test_an_installed_wheel_brings_the_run_along(tmp_path: Path) -> None:
    """Needs hatchling and the dependencies from the package index."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", ROOT], check=True, cwd=tmp_path)
    where = "from mdmem.cli.demo import shipped_transcript as s; print(s())"
    found = subprocess.run([python, "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert found.strip().endswith("site-packages/mdmem/data/transcript.jsonl")
    done = subprocess.run([tmp_path / "venv/bin/mdmem", "demo"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_checkout_has_it_in_its_examples() -> None:
    if "site-packages" not in str(shipped_transcript()):
        assert shipped_transcript() == ROOT / "examples/transcript.jsonl"
