"""Many strings looked for at once: the answer is that of looking for each, wherever a line is broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.sieve import KEPT_WORDS, Sieve, fold, held, hints

STRINGS = ("key", "api key", " -p", ":", "last ", "in two", "://", "密码", "keys", "<!--")
PIECES = (
    "key",
    "keys",
    "api",
    " ",
    "\n",
    "\t",
    "-p",
    ":",
    "//",
    "last",
    "in",
    "two",
    "密码",
    "<!",
    "--",
    "x",
    "monkeys",
    "\u00a0",
)


def sieve_of(*strings: str) -> Sieve:
    sieve = Sieve()
    sieve.add(strings)
    return sieve


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), min_size=1, max_size=4))
def test_it_holds_what_each_search_finds(texts: list[str]) -> None:
    sieve = sieve_of(*STRINGS)
    for text in (*texts, *texts):  # the second time all words are known
        flat = " ".join(["", *text.split(), ""])
        assert sieve.held(text) == {string for string in STRINGS if string in flat}


def test_a_string_added_later_is_found_in_known_words() -> None:
    sieve = sieve_of("key")
    assert sieve.held("a monkey token") == {"key"}
    sieve.add(["token"])
    assert sieve.held("a monkey token") == {"key", "token"}


def test_it_remembers_only_so_many_words() -> None:
    sieve = sieve_of("key")
    for number in range(KEPT_WORDS + 10):
        sieve.held(f"w{number} key{number % 3}")
    assert sieve.held("w1 key1 monkey") == {"key"}
    assert len(sieve._harmless) + len(sieve._telling) <= KEPT_WORDS


def test_a_hint_is_looked_for_from_its_naming_on() -> None:
    text = "quince and medlar"
    assert "medlar" not in held(text)
    assert hints("medlar", "sorb") & held(text) == {"medlar"}


@pytest.mark.parametrize("text", ["İstanbul Straße ΣΑΣ", "Plain ASCII"])
def test_each_character_keeps_its_place(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold("İPLAIN") == "iplain"
