"""The short way to an answer: ask the watcher of this store, when there is one, before anything else is imported.

Whatever goes wrong here, and whatever takes longer than a moment, ends in None: then the command does the work itself.
Nothing is printed before the answer is whole, so doing it again prints nothing twice.
"""

from __future__ import annotations

import os
import sys
import time

from mdmem import __version__, wire

try:  # `socket` brings `enum` and `selectors`, which take as long as all the rest
    import _socket
except ImportError:
    _socket = None  # type: ignore[assignment]

TYPE_CHECKING = False  # as in typing, which takes longer to import than an answer takes
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO, Final, TextIO

HAS_SOCKETS: Final = hasattr(_socket, "AF_UNIX")
PIECE: Final = 1 << 16
INTERRUPTED: Final = 130


class NoAnswerError(Exception):
    """The watcher is not there, is not ours, refuses, or is too slow."""


class PutBack:
    """Standard input with a line put back in front of it."""

    def __init__(self, line: str, rest: TextIO) -> None:
        self._line = line
        self._rest = rest

    def __iter__(self) -> Iterator[str]:
        """The line, then the rest."""
        yield self._line
        yield from self._rest

    def __getattr__(self, name: str) -> object:
        return getattr(self._rest, name)


def ask(args: Sequence[str]) -> int | None:
    """Let the watcher answer a command; its exit code, None when the command must do the work itself."""
    if not HAS_SOCKETS or sys.stdin is None or wire.command_of(args) not in wire.COMMANDS:
        return None
    try:
        place = find_socket(args)
        if place is None:
            return None
        return _ask_by_line(place, args) if _reads_stdin(args) else _ask_once(place, args, b"")
    except BrokenPipeError:  # whoever read has enough
        return 0
    except KeyboardInterrupt:
        _write(2, b"interrupted\n")
        return INTERRUPTED
    except (NoAnswerError, OSError, ValueError):
        return None


def find_socket(args: Sequence[str]) -> tuple[str, str] | None:
    """(folder, name) of the socket of the nearest watched store; None when there is none. Raises OSError."""
    folders = [folder for folder in wire.socket_folders(os.environ) if wire.is_private(folder)]
    here = wire.folder_of(args, os.environ) if folders else "/"
    while folders:
        name = wire.socket_name(here)
        for folder in folders:
            if os.path.exists(os.path.join(folder, name)):
                return folder, name
        here, below = os.path.dirname(here), here
        if here == below:
            break
    return None


def _reads_stdin(args: Sequence[str]) -> bool:
    return "--stdin" in args[: args.index("--") if "--" in args else len(args)]


def _ask_once(place: tuple[str, str], args: Sequence[str], line: bytes) -> int:
    code, body = _exchange(place, _request(args, line).as_bytes())
    for descriptor, data in wire.pieces_of(body):
        _write(descriptor, data)
    return code


def _ask_by_line(place: tuple[str, str], args: Sequence[str]) -> int | None:
    """One request a line: whoever waits for each answer before the next line gets it, and nobody holds the watcher."""
    lines: BinaryIO = sys.stdin.buffer
    line = lines.readline()
    while True:
        try:
            code = _ask_once(place, args, line)
        except BrokenPipeError:
            raise
        except (NoAnswerError, OSError, ValueError):  # or nothing can be printed, which the command says better
            text = line.decode(sys.stdin.encoding, sys.stdin.errors or "strict")
            sys.stdin = PutBack(text, sys.stdin)
            return None
        line = lines.readline() if line and not code else b""
        if not line:
            return code


def _request(args: Sequence[str], line: bytes) -> wire.Request:
    environ = dict(os.environ)
    terminals = os.isatty(1), os.isatty(2)
    if terminals[0] and not environ.get("COLUMNS"):
        environ["COLUMNS"] = str(os.get_terminal_size(1).columns)
    encoding, errors = sys.stdin.encoding or "utf-8", sys.stdin.errors or "strict"
    return wire.Request(wire.stamp(__version__), args, os.getcwd(), environ, terminals, encoding, errors, line)


def _exchange(place: tuple[str, str], request: bytes) -> tuple[int, bytes]:
    """(exit code, pieces) of the answer. Raises NoAnswerError, OSError or ValueError."""
    peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        peer.settimeout(wire.SILENCE_SECONDS)
        began = time.monotonic()
        _connect(peer, *place)
        peer.sendall(request)
        peer.settimeout(max(0.001, wire.SILENCE_SECONDS - (time.monotonic() - began)))
        got = _received(peer)
        peer.settimeout(wire.SILENCE_SECONDS)
        while not (got := got.lstrip(wire.ALIVE)):
            got = _received(peer)
        if got[:1] != wire.ANSWERED:
            raise NoAnswerError
        return _answer(peer, got[1:])
    except OSError as error:
        raise NoAnswerError from error
    finally:
        peer.close()


def _connect(peer: _socket.socket, folder: str, name: str) -> None:
    """Connect, also where the whole path is longer than a socket's may be. Raises OSError, NoAnswerError."""
    path = os.path.join(folder, name)
    if len(os.fsencode(path)) <= wire.PATH_MOST:
        peer.connect(path)
    else:
        here = os.getcwd()
        os.chdir(folder)
        try:
            peer.connect(name)
        finally:
            os.chdir(here)
    if hasattr(_socket, "SO_PEERCRED"):
        credentials = peer.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        if wire.peer_uid(credentials) != os.getuid():
            raise NoAnswerError


def _answer(peer: _socket.socket, got: bytes) -> tuple[int, bytes]:
    while b"\n" not in got:
        got += _received(peer)
    head, _, body = got.partition(b"\n")
    code, length = map(int, head.split())
    parts, missing = [body], length - len(body)
    while missing > 0:
        parts.append(_received(peer))
        missing -= len(parts[-1])
    return code, b"".join(parts)


def _received(peer: _socket.socket) -> bytes:
    data = peer.recv(PIECE)
    if not data:
        raise NoAnswerError
    return data


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
