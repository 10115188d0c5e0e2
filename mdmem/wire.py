"""What a client and the watcher agree on: where the socket lies, and how a request and an answer look.

The client has a few milliseconds in all, so this module imports `os` and `sys` and nothing else: `typing`, `json` and
`socket` take longer than an answer does.

A request is a line `mdmem <length> <length>`, then so many bytes of fields joined by NUL (which no argument, path or
variable can hold), then so many bytes of standard input. An answer begins with one `ALIVE` for every `PULSE` seconds
of work, then `REFUSED`, or `ANSWERED` with a line `<exit code> <length>` and so many bytes of pieces: each the
descriptor it was written to, its length, a line end, its bytes.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in typing, which is not imported: see above
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

COMMANDS: Final = frozenset({"search", "brief"})
"""What the watcher answers."""
ALIVE: Final = b"."
REFUSED: Final = b"-"
ANSWERED: Final = b"="
SILENCE_SECONDS: Final = 0.2
"""A client that hears nothing for so long does the work itself."""
PULSE: Final = 0.05
PATH_MOST: Final = 100
"""Bytes of a socket's path that every system takes (108 on Linux, 104 on macOS, with a NUL)."""
TAKES_VALUE: Final = frozenset({"-d", "--dir", "--as"})
FLAGS: Final = frozenset({"-p", "--personal"})
"""The global options that may stand before a command."""


class Request:
    """A command as it was typed, and what of its surroundings it can see.

    `stamp` says which mdmem asks; `terminals` whether descriptors 1 and 2 are terminals; `encoding` and `errors` how
    the client reads its standard input, of which `stdin` is what there is to read.
    """

    __slots__ = ("args", "cwd", "encoding", "environ", "errors", "stamp", "stdin", "terminals")

    def __init__(
        self,
        stamp: str,
        args: Sequence[str],
        cwd: str,
        environ: Mapping[str, str],
        terminals: tuple[bool, bool] = (False, False),
        encoding: str = "utf-8",
        errors: str = "strict",
        stdin: bytes = b"",
    ) -> None:
        self.stamp = stamp
        self.args = args
        self.cwd = cwd
        self.environ = environ
        self.terminals = terminals
        self.encoding = encoding
        self.errors = errors
        self.stdin = stdin

    def as_bytes(self) -> bytes:
        """The request as it goes over the socket."""
        ttys = "".join("01"[is_terminal] for is_terminal in self.terminals)
        pairs = (f"{name}={value}" for name, value in self.environ.items())
        head = (self.stamp, self.cwd, ttys, self.encoding, self.errors, str(len(self.args)))
        fields = os.fsencode("\0".join((*head, *self.args, *pairs)))
        return b"mdmem %d %d\n" % (len(fields), len(self.stdin)) + fields + self.stdin


def read_request(fields: bytes, stdin: bytes) -> Request:
    """The request of these parts. Raises ValueError when they are none."""
    stamp, cwd, ttys, encoding, errors, count, *rest = os.fsdecode(fields).split("\0")
    args, pairs = rest[: int(count)], rest[int(count) :]
    environ = dict(pair.split("=", 1) for pair in pairs)
    return Request(stamp, args, cwd, environ, (ttys[:1] == "1", ttys[1:] == "1"), encoding, errors, stdin)


def answer_bytes(code: int, pieces: Sequence[tuple[int, bytes]]) -> bytes:
    """An answer as it goes over the socket: the exit code, and what was written to which descriptor, in order."""
    body = b"".join(b"%d %d\n" % (descriptor, len(data)) + data for descriptor, data in pieces)
    return ANSWERED + b"%d %d\n" % (code, len(body)) + body


def pieces_of(body: bytes) -> Iterator[tuple[int, bytes]]:
    """(descriptor, data) of each piece of an answer."""
    at = 0
    while at < len(body):
        end = body.index(b"\n", at)
        descriptor, length = map(int, body[at:end].split())
        at = end + 1 + length
        yield descriptor, body[end + 1 : at]


def command_of(args: Sequence[str]) -> str | None:
    """The command that these arguments call; None when options stand before it that only a full reading understands."""
    rest = iter(args)
    for arg in rest:
        if arg in TAKES_VALUE:
            next(rest, None)
        elif not arg.startswith("-"):
            return arg
        elif arg not in FLAGS and arg.partition("=")[0] not in TAKES_VALUE:
            return None
    return None


def folder_of(args: Sequence[str], environ: Mapping[str, str]) -> str:
    """The folder from which upwards a store is looked for: that of --dir or MDMEM_DIR, else the working folder."""
    named = environ.get("MDMEM_DIR", "")
    for at, arg in enumerate(args):
        if arg in {"-d", "--dir"}:
            named = "".join(args[at + 1 : at + 2])
        elif arg.startswith("--dir="):
            named = arg.removeprefix("--dir=")
        elif arg in COMMANDS:
            break
    return os.path.abspath(named)


def stamp(version: str) -> str:
    """Which mdmem this is: another version, or the same one installed elsewhere, may answer otherwise."""
    return f"{version} {os.path.dirname(os.path.abspath(__file__))}"


def socket_folders(environ: Mapping[str, str]) -> list[str]:
    """The folders, of the user alone, in which sockets may lie; the first one that can be had is used."""
    runtime = environ.get("XDG_RUNTIME_DIR")
    state = environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    own = os.path.join(state, "mdmem", "run")
    return [os.path.join(runtime, "mdmem"), own] if runtime else [own]


def socket_name(folder: str) -> str:
    """The name of the socket for the store in a folder: short, and the same by whatever path one comes.

    Raises OSError when there is no such folder.
    """
    status = os.stat(folder)
    return f"{status.st_dev:x}-{status.st_ino:x}.sock"


def is_private(folder: str) -> bool:
    """Whether a folder is the user's own and closed to everybody else."""
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return status.st_uid == os.getuid() and status.st_mode & 0o170077 == 0o040000


def peer_uid(credentials: bytes) -> int:
    """The user id in the answer to SO_PEERCRED: (pid, uid, gid), each an int of 4 bytes."""
    return int.from_bytes(credentials[4:8], sys.byteorder)
