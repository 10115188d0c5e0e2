"""Tables on a terminal, and what is printed for somebody who has read enough."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest

from mdmem.cli import output
from support.memories import write_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mdmem.store.store import Store

HEADER = ("PATH", "STATUS", "CONFIRMED", "TITLE")
ROWS = [
    ("lesson/pin-the-linter-to-one-version.md", "active", "2026-03-10", "Pin the linter to one version"),
    ("lesson/船.md", "superseded", "2026-03-01", "船は岸壁に右から着ける"),
]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[int], list[str]]:
    """The lines of a table on a terminal of so many columns."""
    terminal = type("Terminal", (), {"isatty": lambda _self: True})()
    monkeypatch.setattr("mdmem.cli.output.sys", type("Sys", (), {"stdout": terminal}))

    def show(columns: int, below: Sequence[str] = ()) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(columns))
        output.echo_rows(HEADER[: 4 - len(below)], ROWS, below)
        return capsys.readouterr().out.splitlines()

    return show


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 120])
def test_a_table_is_never_wider_than_the_terminal(table: Callable[[int], list[str]], columns: int) -> None:
    lines = table(columns)
    assert len(lines) == 3
    assert max(map(width, lines)) <= columns


def test_a_narrow_table_keeps_something_of_each_column(table: Callable[[int], list[str]]) -> None:
    cells = re.split(" {2,}", table(40)[1])
    assert [bool(cell.strip("…")) for cell in cells] == [True] * 4


def test_what_is_there_to_be_copied_is_cut_last(table: Callable[[int], list[str]]) -> None:
    assert [line.partition(" ")[0] for line in table(80)[1:]] == [path for path, *_ in ROWS]
    assert table(80)[1].endswith("…")


def test_a_wide_table_cuts_nothing(table: Callable[[int], list[str]]) -> None:
    assert [cell.strip() for cell in table(120)[1].split("  ") if cell] == list(ROWS[0])


def test_what_stands_below_a_row_is_whole(table: Callable[..., list[str]]) -> None:
    assert table(30, ["title"])[2::2] == ["  title: Pin the linter to one version", "  title: 船は岸壁に右から着ける"]


@pytest.mark.usefixtures("table")
def test_values_are_never_cut(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    output.echo_values([("store", "/a/long/" + "way" * 20), ("settings", "")])
    assert capsys.readouterr().out == f"store     /a/long/{'way' * 20}\nsettings\n"


@pytest.mark.parametrize("command", ["list", "status", "brief", "search pool", "show lesson/pool.md", "--help"])
def test_whoever_has_read_enough_is_no_problem(store: Store, command: str) -> None:
    write_memory(store.root, "lesson/pool.md", "Reset the pool")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "mdmem", *command.split()], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
