"""The difference between what is indexed and what is there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mdmem.index.diff import Changes, Stats, diff

TABLES = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("123"))


def test_each_kind_of_change() -> None:
    changes = diff({"kept": "1", "edited": "1", "gone": "1"}, {"kept": "1", "edited": "2", "new": "1"})
    assert changes == Changes(added=("new",), changed=("edited",), removed=("gone",))
    assert changes.written == ("new", "edited")


def test_counts_print_themselves() -> None:
    assert str(Changes(("a", "b"), ("c",), ()).stats) == "+2 ~1 -0"
    assert Stats(2, 1, 0) + Stats(0, 1, 3) == Stats(2, 2, 3)
    assert Stats(2, 1, 5).indexed == 3


@given(TABLES, TABLES)
def test_changes_lead_from_one_table_to_the_other(indexed: dict[str, str], current: dict[str, str]) -> None:
    changes = diff(indexed, current)
    kept = {path: etag for path, etag in indexed.items() if path not in changes.removed}
    assert kept | {path: current[path] for path in changes.written} == current
    assert bool(changes) == (indexed != current)
