"""The patches that agents apply: which files they touch, wherever in a command they stand."""

from __future__ import annotations

import re
from typing import Final

BEGIN: Final = "*** Begin Patch"
FILE: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)


def patched_files(text: str) -> tuple[str, ...]:
    """The files that a patch in `text` adds, changes or deletes, in order, each once; none when it holds no patch."""
    start = text.find(BEGIN)
    return tuple(dict.fromkeys(FILE.findall(text, start))) if start >= 0 else ()
