"""Counts in words."""

from __future__ import annotations

from mdmem.wording import counted


def test_one_is_singular_and_none_is_not() -> None:
    assert [counted(n, "file") for n in (0, 1, 2, 1200)] == ["0 files", "1 file", "2 files", "1,200 files"]
    assert [counted(n, "memory is", "memories are") for n in (1, 2)] == ["1 memory is", "2 memories are"]
