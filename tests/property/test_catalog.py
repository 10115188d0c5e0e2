"""MEMORY.md is a pure function of the user's text and the files; the user's text survives; twice is once."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from mdmem.markdown.decoding import NotAMemory, split_lines
from mdmem.memory import Memory, MemoryType, Status
from mdmem.store.catalog import BEGIN, END, MAX_BYTES, MAX_LINES, Tree, read_index, render_pages
from mdmem.store.catalog_check import check_index
from mdmem.store.catalog_line import LINE_LENGTH, entry_line, iter_lines
from mdmem.store.table import StoredMemory

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=30)
TITLES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=120).map(
    lambda text: " ".join(text.split()) or "x"
)
MEMORIES = st.builds(
    Memory,
    type=st.sampled_from(MemoryType),
    title=TITLES,
    body=st.text(max_size=200),
    description=st.text(max_size=80),
    status=st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.ACTIVE, Status.PENDING]),
    evidence=st.integers(1, 9),
)
PATHS = st.builds("{}/{}.md".format, st.sampled_from([*MemoryType, "notes"]), NAMES)
TREES = st.dictionaries(PATHS, MEMORIES, max_size=12).map(
    lambda found: [StoredMemory(path, memory, "") for path, memory in sorted(found.items())]
)
LINES = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["# Mine", "", "- [A](lesson/a.md)", "```", "---", "\ufeff", "- [x](http://example.org)", "<!-- -->"]
    ),
)
TEXTS = st.lists(LINES, max_size=8).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "\r\n".join([*lines, ""])])
)


def with_section(before: str, after: str) -> bytes:
    gap = "" if before.endswith("\n") or not before else "\n"
    return f"{before}{gap}{BEGIN}\nold line\n{END}\n{after}".encode("utf-8", "replace")


def own_lines(data: bytes, paths: set[str]) -> list[str]:
    """The user's lines: outside of the section, and no link to a memory."""
    index = read_index(data)
    lines = (*index.before, *index.after)
    links = {found.line for found in iter_lines(lines, 0) if found.path in paths}
    return [line for i, line in enumerate(lines) if i not in links]


def written(lines: list[str]) -> list[str]:
    """What stands in lines, without their ends and without blank ones."""
    return [line.rstrip("\r\n") for line in lines if line.strip()]


@given(before=TEXTS, after=TEXTS, stored=TREES)
def test_the_users_text_survives_and_a_second_run_changes_nothing(
    before: str, after: str, stored: list[StoredMemory]
) -> None:
    data = with_section(before, after)
    try:
        index = read_index(data)
    except NotAMemory:
        return
    text = render_pages(index, Tree(stored)).index.encode()
    again = render_pages(read_index(text), Tree(stored)).index.encode()
    paths = {one.path for one in stored if one.memory.is_active}
    assert own_lines(text, paths) == own_lines(data, paths)
    assert again == text


@given(text=TEXTS, stored=TREES)
def test_a_file_without_markers_gets_them_once(text: str, stored: list[StoredMemory]) -> None:
    data = text.encode("utf-8", "replace")
    try:
        index = read_index(data)
    except NotAMemory:
        return
    if index.section is not None:
        return
    made = render_pages(index, Tree(stored)).index
    paths = {one.path for one in stored if one.memory.is_active}
    assert written(own_lines(made.encode(), paths)) == written(own_lines(data, paths))
    assert render_pages(read_index(made.encode()), Tree(stored)).index == made


@given(stored=TREES, seed=st.integers())
def test_the_order_in_which_files_are_found_means_nothing(stored: list[StoredMemory], seed: int) -> None:
    index = read_index(b"")
    mixed = random.Random(seed).sample(stored, len(stored))
    assert render_pages(index, Tree(mixed)) == render_pages(index, Tree(stored))


@given(stored=TREES)
def test_every_active_memory_has_one_line_that_leads_to_it(stored: list[StoredMemory]) -> None:
    made = read_index(render_pages(read_index(b""), Tree(stored)).index.encode())
    found = [line.path for line in iter_lines(made.section or ())]
    assert sorted(found) == sorted(one.path for one in stored if one.memory.is_active)
    assert [problem.code for problem in check_index(made, Tree(stored))] == []


@given(stored=TREES.filter(bool))
def test_a_line_is_one_line_and_short(stored: list[StoredMemory]) -> None:
    for one in stored:
        line = entry_line(one)
        link = line[line.index("](") :].split(" — ")[0]
        assert len(split_lines(line)) == 1
        assert len(line) <= max(LINE_LENGTH, len(link) + 22)


@given(st.integers(0, 400), st.integers(0, 260), st.integers(1, 150))
def test_the_whole_file_fits_what_agents_load(count: int, own: int, width: int) -> None:
    stored = [
        StoredMemory(f"lesson/{n}.md", Memory(type=MemoryType.LESSON, title=f"{n} {'t' * 60}", body="b" * width), "")
        for n in range(count)
    ]
    pages = render_pages(read_index(b"mine\n" * own + f"{BEGIN}\n{END}\n".encode()), Tree(stored))
    lines = pages.index.count("\n")
    assert lines <= max(MAX_LINES, own + 2 + 20)
    assert len(pages.index.encode()) <= max(MAX_BYTES, 5 * own + 100 + 20 * LINE_LENGTH)
    assert pages.index.count("](lesson/") - bool(pages.overflow) + len(pages.listed) == count
