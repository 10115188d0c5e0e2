"""What tests see of the machine: no network, stored texts, answers of commands, git."""

from __future__ import annotations

import socket
import subprocess
from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from pathlib import Path

FOREIGN: Final = ("MDMEM_", "XDG_", "GIT_", "CLAUDE", "CODEX", "OPENAI", "ANTHROPIC")
"""Variables that would let the machine of whoever runs the tests show through."""


class NetworkUsedError(AssertionError):
    """A test reached for the network."""


class LocalSocket(socket.socket):
    """A socket that connects to files only."""

    def __init__(self, family: int = -1, *args: int, **kwargs: int | None) -> None:
        fileno = kwargs.get("fileno")
        if fileno is None and family != socket.AF_UNIX:
            raise NetworkUsedError(f"a socket of family {family}: tests use no network")
        super().__init__(family, *args, **kwargs)


def refuse_lookup(*args: object, **kwargs: object) -> None:
    """Stands for every look-up of a name."""
    raise NetworkUsedError(f"a look-up of {args[0]!r}: tests use no network")


def compare_text(file: Path, text: str, *, update: bool) -> None:
    """Fails with a diff when a stored text differs; with `update` stores it instead."""
    if update:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return
    stored = file.read_text(encoding="utf-8") if file.is_file() else ""
    if stored != text:
        lines = unified_diff(stored.splitlines(), text.splitlines(), str(file), "now", lineterm="")
        pytest.fail("\n".join([*lines, "if this is right: pytest --snapshot-update"]), pytrace=False)


@dataclass(frozen=True)
class Answer:
    """What a command said: exit code, data on stdout, everything else on stderr."""

    code: int
    out: str
    err: str


def git(*args: str, cwd: Path) -> str:
    """Runs git and gives its output."""
    return subprocess.run(["git", *args], cwd=cwd, check=True, capture_output=True, text=True).stdout


def rewrite(file: Path, data: bytes) -> None:
    """Put other bytes in a file's place: whoever has mapped it into memory keeps the old ones, and does not crash."""
    aside = file.with_name("aside")
    aside.write_bytes(data)
    aside.replace(file)
