"""The client gives a watcher a moment and no more: whatever is wrong with it, the command does the work itself."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem import __version__, client, wire
from support.source import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEARCH = ["search", "pool"]
LATE_SECONDS = 2.0
"""Far more than the client waits, far less than for ever."""

Behave = "Callable[[socket.socket], None]"


@pytest.fixture
def place(repo: Path, hermetic: Path) -> Path:
    """Where the socket of a store in the repository would lie."""
    folder = hermetic / ".local/state/mdmem/run"
    folder.mkdir(parents=True, mode=0o700)
    return folder / wire.socket_name(str(repo))


@contextlib.contextmanager
def server(place: Path, behave: Callable[[socket.socket], None]) -> Iterator[list[bytes]]:
    """Listens at a place and treats each client in some way; gives the first part of what each sent."""
    asked: list[bytes] = []
    listener = socket.socket(socket.AF_UNIX)
    with contextlib.chdir(place.parent):
        listener.bind(place.name)
    listener.listen()

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                peer, _ = listener.accept()
                with peer, contextlib.suppress(OSError):
                    asked.append(peer.recv(1 << 16))
                    behave(peer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield asked
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)


def says(*parts: bytes, pause: float = 0.0) -> Callable[[socket.socket], None]:
    """Sends these parts, each after a pause."""

    def behave(peer: socket.socket) -> None:
        for part in parts:
            time.sleep(pause)
            peer.sendall(part)

    return behave


ANSWER = wire.answer_bytes(1, [(1, b"out\n"), (2, b"err\n"), (1, b"more\n")])


def test_without_a_watcher_nothing_is_asked(place: Path) -> None:
    assert client.ask(SEARCH) is None


def test_a_whole_answer_is_printed_as_it_was_written(place: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with server(place, says(wire.ALIVE, wire.ALIVE, ANSWER[:9], ANSWER[9:], pause=0.05)) as asked:
        assert client.ask([*SEARCH, "-k", "3"]) == 1
    assert capfdbinary.readouterr() == (b"out\nmore\n", b"err\n")
    head, _, data = asked[0].partition(b"\n")
    request = wire.read_request(data[: int(head.split()[1])], b"")
    assert request.args == [*SEARCH, "-k", "3"]
    assert (request.cwd, request.environ) == (str(Path.cwd()), dict(os.environ))
    assert request.stamp == wire.stamp(__version__)


@pytest.mark.parametrize(
    "behave",
    [
        pytest.param(says(wire.REFUSED), id="refuses"),
        pytest.param(says(), id="hangs up"),
        pytest.param(says(wire.ALIVE, ANSWER[:-3]), id="dies in the middle"),
        pytest.param(says(wire.ALIVE), id="dies at work"),
        pytest.param(says(b"=nonsense\n"), id="talks nonsense"),
        pytest.param(says(wire.ANSWERED + b"0 " + b"9" * 30), id="never says how much"),
        pytest.param(lambda _peer: time.sleep(LATE_SECONDS), id="hangs"),
        pytest.param(lambda peer: (peer.sendall(wire.ALIVE), time.sleep(LATE_SECONDS)), id="hangs at work"),
        pytest.param(lambda peer: (peer.sendall(ANSWER[:-3]), time.sleep(LATE_SECONDS)), id="hangs in the middle"),
    ],
)
def test_whatever_goes_wrong_ends_soon_and_prints_nothing(
    place: Path, behave: Callable[[socket.socket], None], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with server(place, behave):
        began = time.monotonic()
        assert client.ask(SEARCH) is None
        assert time.monotonic() - began < LATE_SECONDS / 2
    assert capfdbinary.readouterr() == (b"", b"")


def test_a_stopped_process_costs_a_moment(place: Path) -> None:
    """It listens and never accepts: the system takes the connection, and even a full queue makes nobody wait."""
    with socket.socket(socket.AF_UNIX) as listener, contextlib.ExitStack() as others:
        with contextlib.chdir(place.parent):
            listener.bind(place.name)
            listener.listen(0)
            for _ in range(3):
                waiting = others.enter_context(socket.socket(socket.AF_UNIX))
                waiting.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    waiting.connect(place.name)
        began = time.monotonic()
        assert client.ask(SEARCH) is None
        assert time.monotonic() - began < LATE_SECONDS / 2


def test_a_socket_that_nobody_listens_at_means_nothing(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener, contextlib.chdir(place.parent):
        listener.bind(place.name)
    assert place.exists()
    assert client.ask(SEARCH) is None


def test_nothing_is_sent_into_a_folder_that_others_can_open(place: Path) -> None:
    place.parent.chmod(0o755)
    with server(place, says(ANSWER)) as asked:
        assert client.ask(SEARCH) is None
    assert asked == []


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="the system does not tell who is there")
def test_nothing_is_sent_to_somebody_else(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "peer_uid", lambda _credentials: os.getuid() + 1)
    with server(place, says(ANSWER)) as asked:
        assert client.ask(SEARCH) is None
    assert asked in ([], [b""])


def test_from_a_folder_below_and_by_name(place: Path, repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (repo / "src/db").mkdir(parents=True)
    with server(place, says(ANSWER)):
        with contextlib.chdir(repo / "src/db"):
            assert client.ask(SEARCH) == 1
        with contextlib.chdir("/"):
            assert client.ask(["--dir", str(repo / "src"), *SEARCH]) == 1
            assert client.ask(SEARCH) is None


def test_a_long_path_is_no_hindrance(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / ("long" * 30) / ("longer" * 20)
    monkeypatch.setenv("XDG_STATE_HOME", str(long))
    folder = long / "mdmem/run"
    folder.mkdir(parents=True, mode=0o700)
    with server(folder / wire.socket_name(str(repo)), says(wire.answer_bytes(0, []))):
        assert client.ask(SEARCH) == 0
    assert Path.cwd() == repo


def test_other_commands_are_not_asked_for(place: Path) -> None:
    with server(place, says(ANSWER)) as asked:
        assert [client.ask(args.split()) for args in ("list", "add lesson x", "--help", "", "watch --stop")] == [
            None
        ] * 5
    assert asked == []


def test_without_unix_sockets_nothing_is_asked(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "HAS_SOCKETS", False)
    with server(place, says(ANSWER)) as asked:
        assert client.ask(SEARCH) is None
    assert asked == []


def test_each_line_of_stdin_is_a_request(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo\n"), encoding="utf-8"))
    with server(place, says(wire.answer_bytes(0, [(1, b"{}\n")]))) as asked:
        assert client.ask(["search", "--stdin"]) == 0
    assert [data.rpartition(b"=")[2].partition(b"\n")[0][-3:] for data in asked] == [b"one", b"two"] or [
        data[-4:] for data in asked
    ] == [b"one\n", b"two\n"]
    assert capfd.readouterr().out == "{}\n{}\n"


def test_a_line_that_was_not_answered_is_put_back(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo\n"), encoding="utf-8"))
    with server(place, says(wire.REFUSED)):
        assert client.ask(["search", "--stdin"]) is None
    assert list(sys.stdin) == ["one\n", "two\n"]


def test_a_line_whose_answer_can_not_be_printed_is_put_back(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo\n"), encoding="utf-8"))
    nowhere = 1 << 20  # no process has so many files open
    with server(place, says(wire.answer_bytes(0, [(nowhere, b"{}\n")]))):
        assert client.ask(["search", "--stdin"]) is None
    assert list(sys.stdin) == ["one\n", "two\n"]


def test_the_client_imports_next_to_nothing() -> None:
    code = "import sys; before = set(sys.modules); import mdmem.client; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) <= {"__future__", "_socket", "mdmem", "mdmem.client", "mdmem.wire", "time"}
