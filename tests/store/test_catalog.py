"""MEMORY.md: what stands in it, what is cut, what is the user's, what `check` says of it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from mdmem.markdown.decoding import NotAMemory
from mdmem.markdown.problems import Problem
from mdmem.memory import Memory, MemoryType, Status
from mdmem.store.catalog import BEGIN, END, MAX_BYTES, MAX_LINES, Tree, read_index, render_pages
from mdmem.store.catalog_check import check_index
from mdmem.store.catalog_line import entry_line, iter_lines, remembered
from mdmem.store.check import check
from mdmem.store.store import Store
from mdmem.store.table import StoredMemory
from support.memories import NOW, draft, make_store, write_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EMPTY = f"{BEGIN}\n{END}\n"


def stored(path: str, title: str, body: str = "", kind: str = "lesson", **fields: object) -> StoredMemory:
    return StoredMemory(path, draft(title, body, kind, **fields), "")


def rendered(text: str, *memories: StoredMemory) -> str:
    return render_pages(read_index(text.encode()), Tree(memories)).index


def codes(text: str, *memories: StoredMemory) -> list[str]:
    return [problem.code for problem in check_index(read_index(text.encode()), Tree(memories))]


ONE = stored("lesson/a.md", "Use make check", "Run before pushing. Always.")
TWO = stored("decision/b.md", "Start the broker", kind="decision")


def test_a_heading_a_type_and_a_line_a_memory_by_title(snapshot: Callable[..., None]) -> None:
    memories = (
        ONE,
        TWO,
        stored("lesson/z.md", "a first one", "With “quotes”, <b>tags</b> and [a link](x.md)."),
        stored("lesson/[odd] (name) 100%#1.md", "[draft] `a|b` \\ <!-- mdmem:index end -->", "Hook."),
        stored("lesson/tick.md", "A lone ` tick", "And another ` here."),
        stored("notes/long.md", "A title that goes on " * 5 + "and ends", "A hook that goes on and on. " * 9),
        stored("lesson/pending.md", "Pending", status=Status.PENDING),
    )
    snapshot(rendered("# Memory\n", *memories))


@pytest.mark.parametrize(
    "title", ["[a](b)", "a]b[c", "\\", "a\\", "`", "``", "<!-- x -->", BEGIN, END, "a|b", "](x)", "*_*"]
)
def test_any_title_is_one_link(title: str) -> None:
    one = stored("lesson/a.md", title, "Hook ](x) <y> `z.")
    (line,) = iter_lines([entry_line(one)])
    assert line.path == "lesson/a.md"
    text = rendered(EMPTY, one)
    assert codes(text, one) == []
    assert rendered(text, one) == text


@pytest.mark.parametrize(
    "path",
    ["a b.md", "a (b).md", "100%.md", "a#b?.md", "ü/日本.md", "a<b>.md", "a\\b.md", 'a"b.md', "%20.md", "n\nl.md"],
)
def test_any_path_is_found_again(path: str) -> None:
    (line,) = iter_lines([entry_line(stored(path, "T"))])
    assert line.path == path
    (line,) = iter_lines([entry_line(stored(path, "T"), "lesson")], base="lesson")
    assert line.path == path


def test_the_hook_of_what_is_kept_out_is_not_shown() -> None:
    flagged = StoredMemory("a.md", ONE.memory, "", (Problem("W_INJECTION", 1, "x"),))
    assert entry_line(flagged) == "- [Use make check](a.md)"


def test_the_same_tree_gives_the_same_bytes_and_a_confirmation_moves_nothing() -> None:
    again = stored("lesson/a.md", "Use make check", "Run before pushing. Never.", evidence=9, confidence=1.0)
    assert rendered(EMPTY, ONE, TWO) == rendered(EMPTY, TWO, again)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Mine\n\nText.\n", "\nAfter.\n"),
        ("\ufeff# Mine\r\n\r\n", "After\r\n"),
        ("no newline at the end", "x"),
        ("", "  trailing blanks   \n\n\n\tand a tab"),
        ("odd \x0b \x0c \u2028 \x85 lines\n", ""),
        ("- [Mine](https://example.org)\n- [ ] todo\n* [Other](no/such.md)\n", ""),
        ("```\n- [Use make check](lesson/a.md)\n```\n", ""),
    ],
)
def test_the_users_text_survives_byte_for_byte(before: str, after: str) -> None:
    eol = "\r\n" if "\r\n" in before else "\n"
    gap = "" if before.endswith("\n") or not before else eol
    text = rendered(f"{before}{gap}{BEGIN}{eol}{END}{eol}{after}", ONE)
    assert text.startswith(before + gap + BEGIN)
    assert text.endswith(END + eol + after)
    section = text[len(before + gap) : len(text) - len(after)]
    assert section.count("\n") == section.count(eol)


def test_lines_of_an_agents_own_memory_move_inside_and_it_says_so() -> None:
    text = f"# Mine\n- [Make check](./lesson/a.md) — my hook\n\n{EMPTY}kept\n- [Broker](decision/b.md)\n"
    pages = render_pages(read_index(text.encode()), Tree((ONE, TWO)))
    assert pages.moved == ("- [Make check](./lesson/a.md) — my hook", "- [Broker](decision/b.md)")
    assert pages.index.startswith(f"# Mine\n\n{BEGIN}\n")
    assert pages.index.endswith(f"{END}\nkept\n")
    assert pages.index.count("lesson/a.md") == 1


def test_without_markers_the_section_stands_where_the_links_stood() -> None:
    text = "# Mine\n\n- [Make check](lesson/a.md)\n- [Mine](https://example.org)\n\nFooter.\n"
    pages = render_pages(read_index(text.encode()), Tree((ONE,)))
    assert pages.moved == ("- [Make check](lesson/a.md)",)
    assert pages.index.startswith(f"# Mine\n\n{BEGIN}\n")
    assert pages.index.endswith(f"{END}\n- [Mine](https://example.org)\n\nFooter.\n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{BEGIN}\n", "E_MARKERS"),
        (f"{END}\n", "E_MARKERS"),
        (f"{END}\n{BEGIN}\n", "E_MARKERS"),
        (EMPTY * 2, "E_MARKERS"),
        (f"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n{EMPTY}", "E_CONFLICT"),
        ("a\udcff", "E_ENCODING"),
    ],
)
def test_what_cannot_be_read_is_never_written(tmp_path: Path, text: str, code: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    with pytest.raises(NotAMemory) as error:
        read_index(data)
    assert error.value.problem.code == code
    store = make_store(tmp_path / "memory", {"lesson/a.md": ("One", "x")})
    (store.root / "MEMORY.md").write_bytes(data)
    store.add(draft("Two", "y"), caller="user", now=NOW)  # type: ignore[arg-type]
    assert (store.root / "MEMORY.md").read_bytes() == data
    assert code in [problem.code for problem in check(store.root, NOW).problems]


def test_utf_16_is_never_written() -> None:
    with pytest.raises(NotAMemory, match="UTF-16"):
        read_index("# Memory\n".encode("utf-16"))


def test_a_conflict_in_the_section_is_rebuilt() -> None:
    text = f"{BEGIN}\n<<<<<<< HEAD\n- [A](lesson/a.md)\n=======\n>>>>>>> x\n{END}\n"
    assert codes(text, ONE) == ["W_CONFLICT"]
    assert codes(rendered(text, ONE), ONE) == []


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("- [Use make check](lesson/a.md) - run before pushing.\n", []),
        ("- [USE: make check!](lesson/a.md) — Run before pushing\n", []),
        ("- [Use make verify](lesson/a.md)\n", ["W_STALE_LINE"]),
        ("", ["W_ORPHAN"]),
        ("- [Use make check](lesson/a.md) - run before pushing\n- [Gone](gone.md)\n", ["W_ORPHAN"]),
        ("- [Use make check](lesson/a.md) - run before pushing\n" * 2, ["W_DUP_ENTRY"]),
    ],
)
def test_what_check_says_of_the_section(section: str, expected: list[str]) -> None:
    assert codes(f"{BEGIN}\n{section}{END}\n", ONE) == expected


def test_long_own_text_leaves_twenty_lines_and_is_warned_about() -> None:
    memories = [stored(f"lesson/{n}.md", f"Title {n:03}") for n in range(60)]
    text = rendered("mine\n" * 190 + EMPTY, *memories)
    assert text.count("](lesson/") == 16  # 15 lines and the link to the rest, with heading and blanks twenty
    assert "W_LENGTH" in codes(text, *memories)
    assert "W_LENGTH" in codes("x" * 24_000 + f"\n{EMPTY}", *memories)
    assert "W_LENGTH" not in codes("mine\n" * 170 + EMPTY, *memories)


def many(count: int) -> list[StoredMemory]:
    return [stored(f"lesson/{n}.md", f"Title {n:03}", evidence=1 + n % 7, confidence=0.5) for n in range(count)]


def test_what_does_not_fit_goes_to_pages_the_weakest_first() -> None:
    memories = [*many(450), TWO]
    pages = render_pages(read_index(EMPTY.encode()), Tree(memories))
    assert pages.index.count("\n") <= MAX_LINES
    assert len(pages.index.encode()) <= MAX_BYTES
    shown = {line.path for line in iter_lines(pages.index.splitlines()) if "INDEX.md" not in line.path}
    assert shown | pages.listed == {one.path for one in memories}
    weakest = min(one.memory.evidence * one.memory.confidence for one in memories if one.path in shown)
    listed_ones = [one.memory for one in memories if one.path in pages.listed]
    assert all(memory.evidence * memory.confidence <= weakest for memory in listed_ones)
    assert f"[{len(pages.listed) - 1} more](lesson/INDEX.md)" in pages.index
    listed = iter_lines((pages.overflow["lesson/INDEX.md"] or "").splitlines(), base="lesson")
    assert {line.path for line in listed} == pages.listed - {TWO.path}


def test_of_what_is_known_equally_well_the_newest_stays() -> None:
    memories = [stored(f"lesson/{n}.md", f"Title {n:03}", created=date(2026, 1, 1 + n % 28)) for n in range(450)]
    newest = stored("lesson/z.md", "Zoom", created=date(2026, 3, 1))
    undated = stored("lesson/a.md", "A")
    pages = render_pages(read_index(EMPTY.encode()), Tree([undated, *memories, newest]))
    assert newest.path not in pages.listed
    assert undated.path in pages.listed


def test_line_ends_count_as_bytes() -> None:
    memories = [stored(f"lesson/{n}.md", f"{n:03} {'t' * 116}") for n in range(300)]
    text = rendered(EMPTY.replace("\n", "\r\n"), *memories)
    assert MAX_BYTES - 200 < len(text.encode()) <= MAX_BYTES


def test_pages_are_written_checked_and_cleaned(tmp_path: Path) -> None:
    store = make_store(tmp_path / "memory")
    for n in range(230):
        write_memory(store.root, f"lesson/{n}.md", f"Title {n:03}", "x")
    page = store.root / "lesson/INDEX.md"
    assert store.sync().written == ("MEMORY.md", "lesson/INDEX.md")
    assert store.sync().written == ()
    assert [p.code for p in check(store.root, NOW).problems] == []
    page.write_text(f"My note.\n{page.read_text()}".replace("- [Title", "- [A title", 1))
    assert [(p.code, p.path) for p in check(store.root, NOW).problems] == [("W_STALE_LINE", "lesson/INDEX.md")]
    store.sync()
    assert page.read_text().startswith("My note.\n")
    for n in range(100, 230):
        (store.root / f"lesson/{n}.md").unlink()
    store.sync()
    assert page.read_text() == "My note.\n"
    assert store.sync().written == ()
    assert [p.code for p in check(store.root, NOW).problems] == []


def test_a_page_that_nobody_wrote_on_goes(tmp_path: Path) -> None:
    store = make_store(tmp_path / "memory")
    for n in range(230):
        write_memory(store.root, f"lesson/{n}.md", f"Title {n:03}", "x")
    store.sync()
    for n in range(230):
        (store.root / f"lesson/{n}.md").unlink()
    store.sync()
    assert not (store.root / "lesson").exists()


def test_a_page_of_the_users_own_is_kept(tmp_path: Path) -> None:
    store = make_store(tmp_path / "memory", {"lesson/a.md": ("One", "x")})
    page = store.root / "lesson/INDEX.md"
    page.write_text("My reading order.\n", encoding="utf-8")
    store.sync()
    assert page.read_text(encoding="utf-8") == "My reading order.\n"
    page.write_text(f"{BEGIN}\nbroken", encoding="utf-8")
    store.sync()
    assert page.read_text(encoding="utf-8") == f"{BEGIN}\nbroken"
    assert ("E_MARKERS", "lesson/INDEX.md") in [(p.code, p.path) for p in check(store.root, NOW).problems]


@pytest.mark.parametrize("has_cache", [True, False])
def test_a_file_that_cannot_be_read_keeps_its_line_on_every_machine(tmp_path: Path, has_cache: bool) -> None:
    title = "A title that is long enough to be cut in the end because it says too much, [x] `y` \\ <z>"
    store = make_store(tmp_path / "memory", {"lesson/a.md": ("One", "First.")})
    store.add(draft(title, "A hook that is `long enough. " * 9), caller="user", now=NOW)  # type: ignore[arg-type]
    before = (store.root / "MEMORY.md").read_text(encoding="utf-8")
    for file in (store.root / "lesson").iterdir():
        file.write_text("<<<<<<< HEAD\n", encoding="utf-8")
    (store.root / "lesson/new.md").write_text("no memory", encoding="utf-8")
    if not has_cache:
        store = Store(store.root)
        (store.cache_folder / "memories.sqlite").unlink()
    assert store.sync().written == ()
    assert (store.root / "MEMORY.md").read_text(encoding="utf-8") == before
    found = [p.code for p in check(store.root, NOW).problems if p.path == "MEMORY.md"]
    assert found == []


def test_a_remembered_line_gives_itself_again() -> None:
    for one in (ONE, stored("lesson/b.md", "[a] \\ `b", "A hook <x> and [y](z) `.")):
        (line,) = iter_lines([entry_line(one)])
        assert entry_line(remembered(line)) == entry_line(one)


def test_every_type_has_its_heading() -> None:
    memories = [StoredMemory(f"{kind}/a.md", Memory(type=kind, title="T"), "") for kind in MemoryType]
    assert rendered(EMPTY, *memories).count("\n## ") == len(MemoryType)
