"""A command that the watcher runs prints what it would print alone, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem import wire
from mdmem.watch.answers import Answers, captured
from support.watching import Watched, direct, fill

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdmem.store.store import Store

QUERIES = (
    ("search", "pool"),
    ("search", "pool", "--json", "--explain"),
    ("search", "walrus", "-k", "1", "--all"),
    ("search", "nothing at all like it"),
    ("search", "the"),
    ("search", "--type", "nonsense", "pool"),
    ("search", "--help"),
    ("--as", "agent", "search", "clock"),
    ("brief",),
    ("brief", "--json"),
    ("brief", "--budget", "600", "--files", "lesson/pool.md"),
    ("brief", "--budget", "0"),
    ("--personal", "search", "pool"),
)


@pytest.fixture
def watched(store: Store) -> Iterator[Watched]:
    """A watcher of a store of a few memories."""
    fill(store.root)
    watched = Watched()
    yield watched
    watched.service.close()


@pytest.mark.parametrize("args", QUERIES, ids=" ".join)
def test_an_answer_is_the_same_byte_for_byte(watched: Watched, args: tuple[str, ...]) -> None:
    assert watched.answer(*args) == direct(*args)
    assert watched.service.heartbeat.answers == 1


def test_so_it_is_for_lines_of_stdin(watched: Watched) -> None:
    args, stdin = ("search", "--stdin", "-k", "2"), "pool\nwalrus\n\nclock"
    assert watched.answer(*args, stdin=stdin) == direct(*args, stdin=stdin)
    assert watched.service.heartbeat.answers == 4
    assert watched.answer("search", "--stdin") == direct("search", "--stdin")


def test_the_clients_folder_and_environment_count(watched: Watched, repo: Path) -> None:
    (repo / "src").mkdir()
    later = {"MDMEM_NOW": "2027-03-10T12:00:00Z", "MDMEM_BRIEF_BUDGET": "700"}
    for args in (("brief", "--files", "../memory/lesson/pool.md"), ("search", "pool", "--json")):
        assert watched.answer(*args, cwd=repo / "src", **later) == direct(*args, cwd=repo / "src", **later)
        assert watched.answer(*args) == direct(*args)
    assert Path.cwd() == repo


def test_another_store_is_answered_from_its_own_files(watched: Watched, repo: Path) -> None:
    inner = repo / "packages/a/memory"
    (inner / "lesson").mkdir(parents=True)
    (inner / "MEMORY.md").write_text("<!-- mdmem:index begin -->\n<!-- mdmem:index end -->\n", encoding="utf-8")
    (inner / "lesson/inner.md").write_text("---\ntitle: Inner walrus\n---\nHere.\n", encoding="utf-8")
    here = inner.parent
    answer = watched.answer("search", "walrus", cwd=here)
    assert answer == direct("search", "walrus", cwd=here)
    assert "Inner walrus" in answer.out
    (inner / "lesson/inner.md").unlink()
    assert "Inner walrus" not in watched.answer("search", "walrus", cwd=here).out


def test_a_client_of_another_version_is_refused(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched.service.answers, "_stamp", "0.0 /elsewhere")
    assert watched.answer("search", "pool") == direct("search", "pool")
    assert watched.service.heartbeat.answers == 0


def run_of(action: object) -> wire.Request:
    """A request whose command does something."""
    return wire.Request("", [], "/", {"A": "1"}, (True, False), "utf-8", "strict", b"in")


@pytest.mark.parametrize(("leave", "code"), [(SystemExit(4), 4), (SystemExit(), 1), (SystemExit("text"), 1)])
def test_a_command_that_leaves_does_not_take_us_along(leave: SystemExit, code: int) -> None:
    def run(_args: Sequence[str]) -> int:
        raise leave

    assert captured(run, run_of(run)) == (code, [])


def test_what_a_command_sees_and_prints() -> None:
    def run(_args: Sequence[str]) -> int:
        print(Path.cwd(), os.environ["A"], sys.stdin.read(), sys.stdout.isatty(), flush=True)
        print(len(os.environ), sys.stderr.isatty(), file=sys.stderr, flush=True)
        print("é\udc80")
        return 7

    before = Path.cwd(), dict(os.environ), sys.stdin, sys.stdout, sys.stderr
    code, pieces = captured(run, run_of(run))
    assert (code, pieces) == (
        7,
        [(1, b"/ 1 in True\n"), (2, b"1 False\n"), (1, "é".encode() + b"\\udc80\n")],
    )
    assert (Path.cwd(), dict(os.environ), sys.stdin, sys.stdout, sys.stderr) == before


def test_what_breaks_leaves_nothing_behind() -> None:
    def run(_args: Sequence[str]) -> int:
        raise ValueError

    before = Path.cwd(), dict(os.environ), sys.stdout
    with pytest.raises(ValueError):
        captured(run, run_of(run))
    assert (Path.cwd(), dict(os.environ), sys.stdout) == before


def test_the_socket_is_the_users_alone(tmp_path: Path, hermetic: Path) -> None:
    answers = Answers(lambda _args: 0, "1", [tmp_path])
    path = Path(answers.path)
    assert path.parent == hermetic / ".local/state/mdmem/run"
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    other = Answers(lambda _args: 0, "1", [tmp_path])
    assert (other.path, other.fileno()) == ("", None)
    other.close()
    assert path.exists()
    answers.close()
    assert not path.exists()


def test_a_socket_that_was_left_behind_is_replaced(tmp_path: Path) -> None:
    left = Answers(lambda _args: 0, "1", [tmp_path])
    assert left._places is not None
    left._places.listener.close()
    answers = Answers(lambda _args: 0, "1", [tmp_path])
    assert answers.path == left.path
    answers.close()


def test_a_socket_that_was_removed_is_made_again(tmp_path: Path) -> None:
    answers = Answers(lambda _args: 0, "1", [tmp_path])
    Path(answers.path).unlink()
    answers.keep()
    assert Path(answers.path).exists()
    answers.close()
