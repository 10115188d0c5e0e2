"""The analyser: what counts as a word, and that a query's words are those of the text it was copied from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.index.analysis import COMMON_WORDS, STOP_WORDS, WORD_LENGTH, query_words, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running the Worker", ["running", "the", "worker"]),
        ("naïve Überläufer São Łódź Straße", ["naive", "uberlaufer", "sao", "lodz", "strasse"]),
        ("ＡＢＣ ﬁle ｶﾞｽ", ["abc", "file", "ガス"]),
        ("src/db/pool.py:42", ["src/db/pool.py:42", "src", "db", "pool.py", "pool", "py", "42"]),
        ("C:\\Users\\dev", ["c:\\users\\dev", "c", "users", "dev"]),
        ("std::vector<int>", ["std::vector", "std", "vector", "int"]),
        ("--no-verify", ["noverify", "no", "verify"]),
        ("acksLate", ["ackslate", "acks", "late"]),
        ("acks_late=True", ["ackslate", "acks", "late", "true"]),
        ("parseHTTPRequest IDs", ["parsehttprequest", "parse", "http", "request", "ids"]),
        ("Account.__init__", ["account.init", "account", "init"]),
        ("node->next", ["node>next", "node", "next"]),
        ("C++ C# c++20", ["c++", "c", "c#", "c", "c++", "c", "20"]),
        ("v1.10.0", ["1.10.0", "v1", "10", "0"]),
        ("2026-03-01", ["20260301", "2026", "03", "01"]),
        ("it's Ada's, don't", ["it", "ada", "dont"]),
        ("zero\u200bwidth soft\u00adhyphen", ["zerowidth", "softhyphen"]),
        ("日本語の設定", ["日本", "本語", "語の", "の設", "設定"]),
        ("队列queue列", ["队列", "queue", "列"]),
        ("한국어 ไทย", ["한국", "국어", "ไท", "ทย"]),
        ("हिन्दी", ["हिन्दी"]),
        ("ship it 🚀", ["ship", "it", "🚀"]),
        ("?! … && \\ \ud83d", []),
        ("x" * 300, ["x" * WORD_LENGTH]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize("pair", [("acksLate", "acks_late"), ("time-out", "timeout"), ("v2.3.1", "2.3.1")])
def test_spellings_of_a_name_share_the_whole(pair: tuple[str, str]) -> None:
    assert words(pair[0])[0] == words(pair[1])[0]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("how does the pool close", ["pool", "close"]),
        ("pool pool POOL", ["pool"]),
        ("what is it", ["what", "is", "it"]),
        ("a && b", ["a", "b"]),
        ("compile C or R with x", ["compile", "c", "r"]),
        ("C++", ["c++", "c"]),
        ("队", ["队"]),
        ("...", []),
    ],
)
def test_query_words(query: str, expected: list[str]) -> None:
    assert query_words(query) == expected


def test_word_lists_do_not_overlap() -> None:
    assert not STOP_WORDS & COMMON_WORDS


@given(st.text(max_size=200))
def test_any_text_has_words_that_the_index_can_keep(text: str) -> None:
    for word in words(text):
        assert word
        assert not any(char.isspace() for char in word)
        word.encode("utf-8")


@given(st.text(max_size=60))
def test_a_query_asks_for_words_of_its_text(text: str) -> None:
    assert set(query_words(text)) <= set(words(text))
    assert bool(query_words(text)) == bool(words(text))


@given(st.text(max_size=60), st.text(max_size=60))
def test_words_of_texts_set_side_by_side(one: str, other: str) -> None:
    assert words(f"{one} {other}") == words(one) + words(other)
