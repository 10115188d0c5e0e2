"""What is found in a text where its hints decide which patterns are tried, and where all are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mdmem import redact, sieve
from mdmem.markdown import injection, screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from mdmem.markdown.problems import Problem
    from mdmem.redact import SecretSpan


def assert_no_hint_hides_anything(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the text is written, its hints must lead to all that its patterns find."""
    every = frozenset(sieve._ALL._strings)
    for variant in variants(text):
        own = found(variant)
        with monkeypatch.context() as patched:
            for module in (redact, injection, screen):
                patched.setattr(module, "held", lambda _folded: every)
            assert found(variant) == own, variant


def found(text: str) -> tuple[tuple[SecretSpan, ...], tuple[Problem, ...]]:
    """The secrets of a text, and whatever else is wrong with it."""
    return redact.find_secrets(text), screen.screen("", text, 1, 1)


def variants(text: str) -> Iterator[str]:
    """The text as it is, broken at each blank, with other blanks, in other cases, and without each of its words."""
    yield from (text, *(text.replace(" ", blank) for blank in ("\n", "  ", "\t")), text.upper(), text.title())
    words = re.findall(r"\S+|\s+", text)
    if len(words) < 25:
        yield from ("".join([*words[:at], *words[at + 1 :]]) for at in range(len(words)))
