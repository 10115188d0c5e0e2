"""Search by words, on an index in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mdmem.index import fulltext
from mdmem.index.fulltext import Terms, Weights
from mdmem.memory import Memory, MemoryType

PLAIN = Weights(fields=dict.fromkeys(fulltext.FIELDS, 1.0), common=1.0, prefix=0.1, most_words=64)


def lesson(title: str, body: str = "", **fields: object) -> Memory:
    return replace(Memory(type=MemoryType.LESSON, title=title, body=body), **fields)


def find(memories: dict[str, Memory], query: str, weights: Weights = PLAIN) -> list[str]:
    engine = fulltext.create(None)
    fulltext.update(engine, memories.items(), ())
    return [match.path for match in fulltext.matches(engine, fulltext.terms(query), weights, 100)]


@pytest.mark.parametrize("field", fulltext.FIELDS)
def test_every_field_is_searched(field: str) -> None:
    value = ("zebra",) if field in {"tags", "files"} else "zebra"
    assert find({"a": replace(lesson("Title"), **{field: value}), "b": lesson("Other")}, "zebra") == ["a"]


def test_the_title_counts_more_than_the_body_where_the_weights_say_so() -> None:
    memories = {"body": lesson("About a thing", "pool"), "title": lesson("pool", "About a thing")}
    heavy = PLAIN._replace(fields=PLAIN.fields | {"title": 3.0})
    assert find(memories, "pool", heavy) == ["title", "body"]


def test_inflections_meet_in_their_stem() -> None:
    assert find({"a": lesson("Migrations are running")}, "run the migration") == ["a"]


def test_a_name_is_found_by_its_parts_and_the_whole_comes_first() -> None:
    memories = {"parts": lesson("acks that come late"), "whole": lesson("set acks_late")}
    assert find(memories, "acksLate") == ["whole", "parts"]
    assert find(memories, "acks") == ["whole", "parts"] or find(memories, "acks") == ["parts", "whole"]


def test_the_last_word_may_be_unfinished() -> None:
    memories = {"a": lesson("Prefetching of jobs"), "b": lesson("Nothing else")}
    assert find(memories, "prefe") == ["a"]
    assert find(memories, "prefe jobless") == []


def test_one_letter_completes_nothing_but_one_sign_does() -> None:
    assert find({"a": lesson("pool"), "b": lesson("队列")}, "p") == []
    assert find({"a": lesson("pool"), "b": lesson("队列")}, "队") == ["b"]


def test_everyday_words_count_less() -> None:
    memories = {"common": lesson("another thing again"), "rare": lesson("zebra thing again")}
    assert find(memories, "another zebra", PLAIN._replace(common=0.5)) == ["rare", "common"]


def test_what_holds_more_of_the_query_may_outrank_what_repeats_one_word_of_it() -> None:
    memories = {"once": lesson("pool and worker", "and much else " * 20), "often": lesson("pool pool pool")}
    asked = fulltext.terms("pool worker")
    engine = fulltext.create(None)
    fulltext.update(engine, memories.items(), ())
    rarity = fulltext.rarity([engine], asked.stems, common=1.0)
    plain, held = (
        fulltext.matches(engine, asked, PLAIN._replace(held=share), 10, rarity=rarity) for share in (0.0, 1.0)
    )
    assert [match.path for match in held] == ["once", "often"]
    gained = {match.path: match.score for match in held}["once"] - {m.path: m.score for m in plain}["once"]
    assert gained == pytest.approx(sum(rarity.values()), rel=1e-4)


def test_a_long_query_keeps_its_rarest_words() -> None:
    memories = {f"m{n}": lesson("pool worker") for n in range(3)} | {"rare": lesson("zebra")}
    assert find(memories, "pool worker zebra nosuchword", PLAIN._replace(most_words=1, prefix=0.0)) == ["rare"]


def test_writing_a_path_again_replaces_it_and_removing_takes_only_it() -> None:
    engine = fulltext.create(None)
    fulltext.update(engine, [("a.md", lesson("old")), ("a b.md", lesson("old"))], ())
    fulltext.update(engine, [("a.md", lesson("new"))], ())
    fulltext.update(engine, [], ["b.md", "A.md"])
    found = [match.path for match in fulltext.matches(engine, fulltext.terms("old new"), PLAIN, 10)]
    assert sorted(found) == ["a b.md", "a.md"]


def test_terms_of_a_query() -> None:
    assert fulltext.terms("running the pools") == Terms(("run", "pool"), "pools")
    assert fulltext.terms("pool of the") == Terms(("pool",), "")
    assert not fulltext.terms("?!")


def test_rarity_grows_as_fewer_memories_hold_a_word() -> None:
    engine = fulltext.create(None)
    fulltext.update(engine, [(f"{n}", lesson("pool worker" if n else "pool")) for n in range(3)], ())
    rarity = fulltext.rarity([engine], ("pool", "worker", "zebra", "anoth"), common=0.5)
    assert rarity["pool"] < rarity["worker"] < rarity["zebra"]
    assert rarity["anoth"] == pytest.approx(rarity["zebra"] / 2)
    assert rarity["zebra"] <= fulltext.rarest_score([engine])
