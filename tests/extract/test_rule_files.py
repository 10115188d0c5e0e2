"""What the project's rule files say is not learned once more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mdmem.extract.admission import ECHO, VETOED, Knowledge, admit
from mdmem.extract.rule_files import read_lines
from mdmem.memory import Memory, MemoryType, Source
from mdmem.store.vetoes import veto_of

if TYPE_CHECKING:
    from pathlib import Path

DRAFT = Memory(
    type=MemoryType.CONVENTION,
    title="Run make check before committing",
    source=Source.EXTRACTION,
    origin=("claude-code/new",),
)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def reason(root: Path, draft: Memory = DRAFT) -> str:
    left = admit([draft], Knowledge(said=read_lines(root / "memory"))).left
    return left[0].reason if left else ""


def test_the_file_and_line_are_named(tmp_path: Path) -> None:
    write(tmp_path / "CLAUDE.md", "# Dock\n\n- Build with make.\n- Run `make check` each time before you commit.\n")
    assert reason(tmp_path) == "CLAUDE.md says it already (line 4)"


def test_every_kind_of_rule_file_is_read(tmp_path: Path) -> None:
    for name in ("AGENTS.md", "GEMINI.md", ".cursor/rules/style.mdc", "memory/agent-rules.md", "memory/rules/git.md"):
        write(tmp_path / name, "Always run make check before committing.")
        assert reason(tmp_path).split(" says")[0] == name.removeprefix("memory/")
        (tmp_path / name).unlink()
    assert reason(tmp_path) == ""


def test_memories_that_are_mirrored_there_do_not_count(tmp_path: Path) -> None:
    brief = "<!-- mdmem:brief begin -->\n- Run make check before committing\n<!-- mdmem:brief end -->\n"
    write(tmp_path / "AGENTS.md", f"{brief}Be kind.\n")
    assert reason(tmp_path) == ""
    assert [line.line for line in read_lines(tmp_path / "memory")] == [4]


def test_another_rule_is_learned(tmp_path: Path) -> None:
    write(tmp_path / "CLAUDE.md", "Run make docs before a release. Run make check after committing.")
    assert reason(tmp_path) == ""


def test_a_veto_holds_in_other_words() -> None:
    vetoed = replace(DRAFT, title="Run make check each time before you commit, there is no hook")
    (left,) = admit([vetoed], Knowledge(vetoes=[veto_of(DRAFT)])).left
    assert left.reason == VETOED


def test_an_echo_of_the_brief_is_no_evidence() -> None:
    (left,) = admit([DRAFT], Knowledge(stored=[replace(DRAFT, origin=())], recalled=[DRAFT.title])).left
    assert left.reason == ECHO
    again = replace(DRAFT, title="Run make check each time before you commit")
    assert admit([again], Knowledge(recalled=[DRAFT.title])).left == ()
