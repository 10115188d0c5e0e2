"""What a person most likely meant by a line that YAML can't read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    import yaml

_SPECIAL: Final = tuple("@`%&*!|>[{\"',-?:")
_SCANNING: Final = ("while scanning a simple key", "while scanning a quoted scalar")


def explain(lines: Sequence[str], error: yaml.MarkedYAMLError) -> tuple[int, str, str]:
    """(line index in the frontmatter, message, hint) for an error of the YAML parser."""
    mark = error.problem_mark
    if error.context in _SCANNING and error.context_mark is not None:
        mark = error.context_mark
    index = min(mark.line if mark else 0, len(lines) - 1)
    index = next((i for i, line in enumerate(lines) if line.startswith("%")), index)
    while index > 0 and not lines[index].strip():
        index -= 1
    return index, error.problem or "not valid YAML", _hint(lines[index])


def _hint(line: str) -> str:
    key, colon, value = line.partition(":")
    value = value.strip()
    quoted = f"quote the value: {key.strip()}: '{_sample(value)}'"
    cases = (
        (line.startswith("%"), "a line can't begin with %: delete it"),
        ("：" in key, "a full-width colon stands after the key: type a plain :"),
        (
            "\u00a0" in line.partition(":")[2][:1],
            "a non-breaking space follows the colon: type a plain space",
        ),
        (
            (value.startswith('"') and "\\" in value) or re.search(r'"[^"]*\\', value) is not None,
            "in double quotes a backslash is an escape: use single quotes or forward slashes",
        ),
        (value[:1] in ("'", '"') and value.count(value[:1]) % 2 == 1, "close the quote"),
        (bool(colon) and value.startswith(_SPECIAL), quoted),
        (": " in value, quoted),
        (not colon, "write `key: value`, with a colon and a space"),
    )
    return next((hint for holds, hint in cases if holds), quoted)


def _sample(value: str) -> str:
    text = value if len(value) <= 40 else value[:39] + "…"
    return text.replace("'", "''")
