"""Which language a message is taken for."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.extract.languages.detection import language_of
from mdmem.extract.languages.table import LANGUAGES
from support.speech import rule, talk

if TYPE_CHECKING:
    from mdmem.extract.languages.language import Language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no, use pnpm", "en"),
        ("Never commit the lock file", "en"),
        ("fix the tests in die.py", "en"),
        ("nein, nicht so", "de"),
        ("bitte kürzer", "de"),
        ("Das gehört nach `src/the/and/of.py`", "de"),
        ("no, así no", "es"),
        ("¿qué pasa?", "es"),
        ("non, pas comme ça", "fr"),
        ("mets-le dans utils", "fr"),
        ("用 pnpm", "zh"),
        ("pnpm を使って", "ja"),
        ("在 README.md 里加一个 section about installation", "zh"),
        ("", "en"),
        ("👍", "en"),
        ("src/db/pool.py:42", "en"),
        ("die Hard rule: always rebase before you merge", "en"),
    ],
)
def test_languages_of_messages(text: str, code: str) -> None:
    assert language_of(text).code == code


@given(st.text(max_size=300))
def test_every_text_has_a_language(text: str) -> None:
    assert language_of(text) in LANGUAGES


def test_a_session_may_mix_languages() -> None:
    assert rule("From now on lint runs before every commit", "en")
    assert rule("Ab jetzt läuft lint vor jedem Commit", "de")


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_a_table_can_be_used(language: Language) -> None:
    assert language.function_words or language.script
    for field in fields(language):
        value = getattr(language, field.name)
        if hasattr(value, "search"):
            assert value.search("") is None
    for rewrite in language.rewrites:
        assert rewrite.pattern.sub(rewrite.replacement, "") == ""
    assert all(cue.pattern.search("") is None for cue in language.cues)


@pytest.mark.parametrize(
    "piece", ["nicht in, ", "pas de ", "no es ", "不要在", "しないで、", "der die das ", "le la les ", "el error la "]
)
def test_long_texts_take_no_time(piece: str) -> None:
    for length in (300, 1150, 20_000):
        talk(piece * (length // len(piece)))
