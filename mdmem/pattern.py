"""Regular expressions that are compiled when they are first used.

Compiling one takes a hundred times as long as using it, and most commands use few of those that their modules name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class _Pattern:
    """Stands for a pattern; its methods are those of the compiled one from the first use on."""

    __slots__ = (*_METHODS, "_flags", "_text")

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Callable[..., object] | str | int:
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        found: Callable[..., object] | str | int = getattr(compiled, name)
        return found


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression as `re.compile` gives it, compiled on first use; a slip in it raises `re.error` then."""
    return cast("re.Pattern[str]", _Pattern(text, flags))
