"""A file that is ours as a whole: told from others' by a mark in it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mdmem.agents.place import Part
from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

MARK: Final = "written by `mdmem install {agent}`, which replaces it; `mdmem uninstall {agent}` removes it"
SIGN: Final = "written by `mdmem install "


def part(path: Path, content: str) -> Part:
    """The part of an installation that is this file. Installing raises ConfigError over a file that is not ours."""
    return Part(path, partial(_installed, path, content), _left, lambda text: SIGN in text)


def _installed(path: Path, content: str, text: str | None) -> str:
    if text is not None and text.strip() and SIGN not in text:
        raise ConfigError(f"{path}:1: another file of that name is there; it was left as it is", "move it away")
    return content


def _left(text: str) -> str | None:
    return None if SIGN in text else text
