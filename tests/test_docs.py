"""The documentation says what is there, and what it shows works: every command, problem, setting, block and link."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, Final

import click
import pytest
import yaml

from mdmem.cli.main import cli
from mdmem.config import setting_fields
from mdmem.markdown.parse import parse
from mdmem.markdown.problems import CODES
from mdmem.markdown.schema import READERS
from mdmem.memory import TYPES, Status
from support import reference
from support.docs import Block, Step, anchors, blocks, dead_links, pages, steps
from support.machine import compare_text
from support.source import ROOT, modules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REFERENCE: Final = ROOT / "docs/reference"
GENERATED: Final = {
    "cli.md": lambda: reference.cli_page(cli),
    "errors.md": reference.errors_page,
    "settings.md": reference.settings_page,
}
RUN: Final = frozenset({"console", "python"})
"""Languages of blocks that are run. `sh` stands for the README's commands, which .ci/run runs in a fresh clone."""
KNOWN: Final = RUN | {"text", "markdown", "yaml", "toml", "json", "sh"}


def names(page: Path) -> str:
    """How a page is called in the output of a test."""
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_page_is_up_to_date(name: str, request: pytest.FixtureRequest) -> None:
    compare_text(REFERENCE / name, GENERATED[name](), update=bool(request.config.getoption("--snapshot-update")))


ALL_COMMANDS: Final = tuple(reference.commands(cli))


@pytest.mark.parametrize(("name", "command", "context"), ALL_COMMANDS, ids=[name for name, *_ in ALL_COMMANDS])
def test_a_command_says_what_it_does(name: str, command: click.Command, context: click.Context) -> None:
    silent = [p.name for p in command.params if isinstance(p, click.Option) and not (p.help or p.hidden)]
    assert command.help, f"{name} has no help"
    assert silent == [], f"{name} has options without help"
    assert "Examples:" in command.get_help(context), f"{name} shows no example"


@pytest.mark.parametrize("page", pages(), ids=names)
def test_links_lead_somewhere(page: Path) -> None:
    assert list(dead_links(page, page.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("page", pages(), ids=names)
def test_every_block_says_what_it_is(page: Path) -> None:
    found = {block.language for block in blocks(page.read_text(encoding="utf-8"))}
    assert found <= KNOWN
    assert "sh" not in found or page == ROOT / "README.md"


def shown(language: str) -> list[object]:
    """Every block of a language, with a name for the output of a test."""
    return [
        pytest.param(block, id=f"{names(page)}:{block.line}")
        for page in pages()
        for block in blocks(page.read_text(encoding="utf-8"))
        if block.language == language
    ]


@pytest.mark.parametrize(
    ("language", "load"),
    [("yaml", yaml.safe_load), ("toml", tomllib.loads), ("json", json.loads), ("python", ast.parse)],
)
def test_data_blocks_are_well_formed(language: str, load: Callable[[str], object]) -> None:
    for page in pages():
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language == language:
                load(block.text)


@pytest.mark.parametrize("block", shown("markdown"))
def test_memories_that_are_shown_are_good_ones(block: Block) -> None:
    if block.text.startswith("---\n"):
        assert [
            str(problem)
            for problem in parse(block.text.encode(), "lesson/shown.md").problems
            if problem.code != "W_FOLDER"
        ] == []


@pytest.mark.parametrize(
    "page", [p for p in pages() if any(b.language in RUN for b in blocks(p.read_text(encoding="utf-8")))], ids=names
)
def test_what_a_page_shows_works(page: Path, terminal: Callable[[str], tuple[int, str]], repo: Path) -> None:
    if ROOT / "examples" in page.parents:
        shutil.copytree(page.parent, repo, dirs_exist_ok=True)
    for block in blocks(page.read_text(encoding="utf-8")):
        for step in steps(block) if block.language == "console" else ():
            code, output = terminal(step.command)
            assert (code, step.agrees(output)) == (0, True), f"line {block.line}: $ {step.command}\n{output}"
        if block.language == "python":
            subprocess.run([sys.executable, "-c", block.text], cwd=repo, check=True, timeout=60)


@pytest.fixture
def terminal(repo: Path, tmp_path: Path) -> Callable[[str], tuple[int, str]]:
    """Runs one line as a person would type it; remembers the folder, gives the exit code and all output."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "mdmem"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mdmem "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    where = tmp_path / "where"
    where.write_text(str(repo), encoding="utf-8")
    clock = {"MDMEM_NOW": "2026-11-30T12:00:00Z"}  # after the days on which the examples were written
    env = os.environ | clock | {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def run(line: str) -> tuple[int, str]:
        script = f'{line}\ncode=$?; pwd >"{where}"; exit $code'
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=where.read_text(encoding="utf-8").strip(),
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
        )
        return done.returncode, done.stdout

    return run


def first_column(page: Path, heading: str) -> list[str]:
    """The code words in the first column of the table under a heading."""
    section = page.read_text(encoding="utf-8").split(f"## {heading}", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)


def test_the_format_states_every_field_and_type() -> None:
    assert first_column(REFERENCE / "format.md", "5. Fields") == list(READERS)
    assert first_column(REFERENCE / "format.md", "7. Types") == [*TYPES]
    assert first_column(REFERENCE / "format.md", "8. Status and source") == [*Status]


def test_the_architecture_has_a_section_for_every_folder() -> None:
    page = (ROOT / "docs/explanation/architecture.md").read_text(encoding="utf-8")
    rooms = {module.room for module in modules()} - {"", "__main__"}
    told = {room for room in rooms if f"\n## {room}/:" in page or f"\n## {room}.py:" in page or f"`{room}.py`" in page}
    assert rooms - told == set()


def test_every_setting_is_used() -> None:
    code = "\n".join(module.text for module in modules() if module.name != "config")
    idle = [f.name for f in setting_fields() if f".{f.name}" not in code and f'"{f.metadata["key"]}"' not in code]
    assert idle == []


def test_every_code_that_is_reported_has_a_meaning() -> None:
    assert reference.reported_codes() <= set(CODES)
    assert "E_DUP_KEY" in reference.reported_codes()


def test_the_readme_gives_two_commands() -> None:
    (demo,), (tests,) = (
        block.text.splitlines()
        for block in blocks((ROOT / "README.md").read_text(encoding="utf-8"))
        if block.language == "sh"
    )
    assert demo.endswith("mdmem demo")
    assert tests.endswith("pytest -n auto")


# Each check can fail.


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    text = "# One\n[a](page.md) [b](#one) [c](none.md) [d](#two) [e](https://example.org) `[f](none.md)`\n"
    page.write_text(text, encoding="utf-8")
    assert list(dead_links(page, text)) == ["none.md: no such file", "#two: no such heading"]


def test_headings_become_anchors() -> None:
    assert anchors("# MEMORY.md\n## 2. Names of files\n```text\n# no\n```\n") == {"memorymd", "2-names-of-files"}


def test_blocks_and_their_commands_are_found() -> None:
    text = "# A\n```console\n$ one\nout\n$ two\n```\n```yaml\na: 1\n```\n"
    first, second = blocks(text)
    assert (first.language, first.line, second.language) == ("console", 2, "yaml")
    assert list(steps(first)) == [Step("one", ("out",)), Step("two", ())]


@pytest.mark.parametrize(
    ("lines", "output", "agrees"),
    [
        ((), "", True),
        ((), "more\n", False),
        (("one",), "one\n", True),
        (("one",), "two\n", False),
        (("…",), "", True),
        (("…",), "one\ntwo\n", True),
        (("one", "…", "four"), "one\ntwo\nthree\nfour\n", True),
        (("id …, done",), "id 4k7q2m9x, done\n", True),
        (("id …, done",), "id 4k7q2m9x, failed\n", False),
    ],
)
def test_output_is_compared_with_what_is_shown(lines: tuple[str, ...], output: str, agrees: bool) -> None:
    assert Step("x", lines).agrees(output) is agrees


def test_a_command_that_fails_is_noticed(terminal: Callable[[str], tuple[int, str]]) -> None:
    assert terminal("false")[0] == 1
    assert terminal("cd / && echo here") == (0, "here\n")
    assert terminal("pwd") == (0, "/\n")
