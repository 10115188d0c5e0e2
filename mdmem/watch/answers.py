"""Warm answers: a command that came over the socket, run in this process, and what it printed.

One request is run at a time, with the client's working folder, environment, terminals and standard input in the place
of ours; afterwards ours are back. Nothing that a command does ends the watcher: whatever goes wrong is the exit code
of that command, as it would be for a process of its own.
"""

from __future__ import annotations

import contextlib
import io
import os
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem import disk, wire
from mdmem.errors import MdmemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from typing_extensions import Buffer

    Run = Callable[[Sequence[str]], int]

HAS_SOCKETS: Final = hasattr(socket, "AF_UNIX")
WAITING: Final = 64
"""Clients that may wait for their turn."""
HEAD_MOST: Final = 64
REQUEST_MOST: Final = 1 << 24
PATIENCE_SECONDS: Final = 2.0
"""After so long we no longer say that we are at work: then the client had better do it itself."""


class Answers:
    """A socket that only the user can open, and the commands that come over it.

    `anchors` are the folders below which a client finds this store. `count` says how many answers were given.
    """

    def __init__(self, run: Run, stamp: str, anchors: Sequence[Path]) -> None:
        self.count = 0
        self._run = run
        self._stamp = stamp
        self._anchors = anchors
        self._places = _bind(anchors)

    @property
    def path(self) -> str:
        """Where it listens, '' when it does not."""
        return self._places.path if self._places else ""

    def keep(self) -> None:
        """Listen again where clients no longer find us: the socket was removed, or a folder made anew."""
        if self._places is None or not self._places.serve(self._anchors):
            self.close()
            self._places = _bind(self._anchors)

    def fileno(self) -> int | None:
        """What becomes readable when a client asks; None when it does not listen."""
        return self._places.listener.fileno() if self._places else None

    def answer(self) -> None:
        """Answer the client that waits for longest; nothing happens when there is none."""
        assert self._places is not None
        with suppress(OSError), self._places.listener.accept()[0] as peer:
            peer.settimeout(wire.SILENCE_SECONDS)
            request = _read(peer) if _is_user(peer) else None
            if request is None or request.stamp != self._stamp or wire.command_of(request.args) not in wire.COMMANDS:
                peer.sendall(wire.REFUSED)
                return
            peer.sendall(wire.ALIVE)  # fails when the client has given up meanwhile: then nothing is done
            with pulse(peer):
                code, pieces = captured(self._run, request)
            self.count += 1
            peer.settimeout(PATIENCE_SECONDS)
            peer.sendall(wire.answer_bytes(code, pieces))

    def close(self) -> None:
        """Stop listening, and remove the socket."""
        if self._places:
            self._places.close()


class Places:
    """A listening socket and the names under which it is found."""

    def __init__(self, listener: socket.socket, path: str, more: Sequence[str]) -> None:
        self.listener = listener
        self.path = path
        self._more = more
        self._own = Path(path).stat().st_ino

    def serve(self, anchors: Sequence[Path]) -> bool:
        """Whether it is still found from the first of these folders."""
        try:
            return Path(self.path).name == wire.socket_name(str(anchors[0])) and self._is_own(self.path)
        except OSError:
            return False

    def _is_own(self, path: str) -> bool:
        return Path(path).stat().st_ino == self._own

    def close(self) -> None:
        """Close it, and remove the names that are still ours."""
        self.listener.close()
        for path in (*self._more, self.path):
            with suppress(OSError, MdmemError):
                if self._is_own(path):
                    disk.remove(Path(path))


@contextlib.contextmanager
def pulse(peer: socket.socket) -> Iterator[None]:
    """Tells the client every `PULSE` seconds that we are alive, while its command runs, up to `PATIENCE_SECONDS`."""
    is_done = threading.Event()

    def tell() -> None:
        for _ in range(int(PATIENCE_SECONDS / wire.PULSE)):
            if is_done.wait(wire.PULSE):
                return
            try:
                peer.sendall(wire.ALIVE)
            except OSError:
                return

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        is_done.set()
        teller.join()


def captured(run: Run, request: wire.Request) -> tuple[int, list[tuple[int, bytes]]]:
    """(exit code, what was written to which descriptor, in order) of a command run as its client would have."""
    pieces: list[tuple[int, bytes]] = []
    ours = Path.cwd(), dict(os.environ), sys.stdin, sys.stdout, sys.stderr
    stdin = io.TextIOWrapper(io.BytesIO(request.stdin), encoding=request.encoding, errors=request.errors)
    out, err = (_writer(number, pieces, is_tty=tty) for number, tty in zip((1, 2), request.terminals, strict=True))
    try:
        os.chdir(request.cwd)
        _set_environment(request.environ)
        sys.stdin, sys.stdout, sys.stderr = stdin, out, err
        code = _exit_code(run, request.args)
        out.flush()
        err.flush()
    finally:
        os.chdir(ours[0])
        _set_environment(ours[1])
        sys.stdin, sys.stdout, sys.stderr = ours[2:]
    return code, pieces


def _exit_code(run: Run, args: Sequence[str]) -> int:
    try:
        return run(args)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 1


def _set_environment(environ: Mapping[str, str]) -> None:
    """Make the environment this one; what is the same already stays as it is."""
    for name in os.environ.keys() - environ.keys():
        del os.environ[name]
    for name in environ:
        if os.environ.get(name) != environ[name]:
            os.environ[name] = environ[name]


class Piece(io.RawIOBase):
    """A stream that notes what is written to it, with its descriptor."""

    def __init__(self, number: int, pieces: list[tuple[int, bytes]], *, is_tty: bool) -> None:
        super().__init__()
        self._number = number
        self._pieces = pieces
        self._is_tty = is_tty

    def writable(self) -> bool:
        """Always."""
        return True

    def isatty(self) -> bool:
        """Whether the client's is a terminal."""
        return self._is_tty

    def write(self, data: Buffer) -> int:
        """Note the data."""
        noted = bytes(data)
        self._pieces.append((self._number, noted))
        return len(noted)


def _writer(number: int, pieces: list[tuple[int, bytes]], *, is_tty: bool) -> io.TextIOWrapper:
    raw = io.BufferedWriter(Piece(number, pieces, is_tty=is_tty))
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace")


def _read(peer: socket.socket) -> wire.Request | None:
    """The request that a client sends; None when it is none."""
    head, _, data = _until_line(peer).partition(b"\n")
    try:
        word, *lengths = head.split()
        fields, stdin = map(int, lengths)
        if word != b"mdmem" or not 0 <= fields + stdin <= REQUEST_MOST:
            return None
        while len(data) < fields + stdin:
            data += _more(peer)
        return wire.read_request(data[:fields], data[fields:])
    except ValueError:
        return None


def _until_line(peer: socket.socket) -> bytes:
    data = b""
    while b"\n" not in data[:HEAD_MOST] and len(data) < HEAD_MOST:
        data += _more(peer)
    return data


def _more(peer: socket.socket) -> bytes:
    data = peer.recv(1 << 16)
    if not data:
        raise ConnectionError
    return data


def _is_user(peer: socket.socket) -> bool:
    """Whether the client is this user, where the system tells; the folder is closed to others anyway."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    return wire.peer_uid(peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)) == os.getuid()


def _bind(anchors: Sequence[Path]) -> Places | None:
    """Listen in the first folder that can be had; None where there is none, or another watcher listens there."""
    for text in wire.socket_folders(os.environ) if HAS_SOCKETS else ():
        with suppress(OSError, MdmemError):
            folder = disk.make_private_folder(Path(text))
            names = [wire.socket_name(str(anchor)) for anchor in anchors]
            listener = _listen(folder, names[0])
            path = str(folder / names[0])
            more = [str(folder / name) for name in dict.fromkeys(names[1:]) if _also(folder, names[0], name)]
            return Places(listener, path, more)
    return None


def _listen(folder: Path, name: str) -> socket.socket:
    """A socket with mode 0600, in the place of one that nobody listens at. Raises OSError, MdmemError."""
    if _is_alive(folder, name):
        raise FileExistsError(folder / name)
    disk.remove(folder / name)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        with contextlib.chdir(folder):  # the name alone is always short enough
            listener.bind(name)
        listener.listen(WAITING)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(mask)
    return listener


def _also(folder: Path, first: str, name: str) -> bool:
    """Give the socket a second name. Whether it has it now."""
    if name == first or _is_alive(folder, name):
        return False
    with suppress(MdmemError):
        disk.remove(folder / name)
        disk.link(folder / first, folder / name)
        return True
    return False


def _is_alive(folder: Path, name: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe, contextlib.chdir(folder):
        probe.settimeout(wire.SILENCE_SECONDS)
        try:
            probe.connect(name)
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except OSError:
            return Path(name).exists()
    return True
