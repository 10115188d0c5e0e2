"""vetoes.md: one sorted line each, the user's own lines kept, both sides of a merge kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import UnreadableError
from mdmem.store.vetoes import HEADER, Veto, is_vetoed, plan_vetoes, read_vetoes, veto_of, with_vetoes
from support.memories import draft

if TYPE_CHECKING:
    from pathlib import Path

HASHES = st.text("0123456789abcdef", min_size=16, max_size=16)
TITLES = st.text(st.characters(codec="utf-8"), max_size=60).map(lambda text: " ".join(text.split()))
VETOES = st.builds(Veto, HASHES, st.from_regex(r"[a-z0-9/_.-]{0,20}", fullmatch=True), TITLES)


@given(st.lists(VETOES, max_size=5))
def test_what_is_written_is_read_again(vetoes: list[Veto]) -> None:
    text = with_vetoes("", vetoes)
    assert set(read_vetoes(text)) == set(vetoes)
    assert list(read_vetoes(text)) == sorted(set(vetoes))
    assert with_vetoes(text, vetoes) == text


def test_a_title_that_begins_with_code_is_no_topic() -> None:
    veto = veto_of(draft("`make check` before pushing"))
    assert read_vetoes(f"{veto}\n") == (veto,)
    assert read_vetoes("- 9f3c1a7b2d4e5f60 `test/pool` Run it") == (Veto("9f3c1a7b2d4e5f60", "test/pool", "Run it"),)


def test_text_hash_topic_and_title_bring_nothing_back() -> None:
    gone = draft("Pin it", "Because  of\nx.", topic="lint")
    vetoes = read_vetoes(with_vetoes("", [veto_of(gone)]))
    assert is_vetoed(draft("Pin it", "Because of x.", topic="other"), vetoes)
    assert is_vetoed(draft("pin  IT", "Another text.", topic="lint"), vetoes)
    assert not is_vetoed(draft("Pin it", "Another text."), vetoes)
    assert not is_vetoed(draft("Pin it not", "Another text.", topic="lint"), vetoes)
    assert not is_vetoed(draft("Pin it", "Because of x.", "decision", topic="other"), vetoes)


def test_the_users_own_lines_and_line_ends_stay() -> None:
    text = "# Ours\r\n\r\nA note \x0b with an odd character.\r\n- not a veto\r\n"
    new = with_vetoes(text, [Veto("0" * 16, "", "One")])
    assert new == f"{text}\r\n- {'0' * 16} One\r\n"
    assert with_vetoes("", [Veto("0" * 16, "", "One")]).startswith(HEADER)
    assert with_vetoes("no newline", [Veto("0" * 16, "", "One")]) == f"no newline\n\n- {'0' * 16} One\n"


def test_both_sides_of_a_merge_stand() -> None:
    ours, theirs = Veto("1" * 16, "", "Ours"), Veto("2" * 16, "a/b", "Theirs")
    text = f"{HEADER}<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> other\n"
    assert set(read_vetoes(text)) == {ours, theirs}
    assert with_vetoes(text, []) == f"{HEADER}{ours}\n{theirs}\n"


def test_bytes_that_are_no_utf_8_survive(tmp_path: Path) -> None:
    (tmp_path / "vetoes.md").write_bytes(b"caf\xe9\n")
    action = plan_vetoes(tmp_path, [Veto("0" * 16, "", "One")])
    assert action.data == b"caf\xe9\n\n- 0000000000000000 One\n"


def test_utf_16_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "vetoes.md").write_bytes("# Vetoes\n".encode("utf-16"))
    with pytest.raises(UnreadableError, match="UTF-16"):
        plan_vetoes(tmp_path, [])
