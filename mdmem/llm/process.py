"""Running a program that runs a model: prompt on stdin, in an empty folder, with a limit on time and on output.

The program gets a process group of its own, and whatever is left of the group is killed with it: nothing that it
started outlives the call.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING, Final

from mdmem.errors import LlmError
from mdmem.llm.runner import ANSWER_SIZE, SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CHUNK: Final = 64 * 1024
GRACE: Final = 2.0
"""Seconds to read what is left in the pipes of a program that has ended."""


@dataclass(frozen=True, slots=True)
class Done:
    """A program that has ended by itself: its exit code, what it said, and the seconds it took."""

    code: int
    out: str
    err: str
    seconds: float


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder, readable by the user alone, that is gone afterwards with all that was left in it."""
    with tempfile.TemporaryDirectory(prefix="mdmem-llm-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def find_program(name: str, environ: Mapping[str, str]) -> str:
    """The path of a program. Raises LlmError when it is not installed."""
    found = shutil.which(name, path=environ.get("PATH"))
    if found is None:
        raise LlmError("E_LLM_CLI", f"`{name}` is not on PATH", f"install {name}, or choose another extraction.runner")
    return found


def run_program(
    command: Sequence[str],
    prompt: str,
    *,
    folder: Path,
    environ: Mapping[str, str],
    seconds: float = SECONDS,
    size: int = ANSWER_SIZE,
) -> Done:
    """Run a command in `folder` with the prompt on its stdin, and wait for its end.

    Raises LlmError when it can't be started, when it takes longer than `seconds` or says more than `size` bytes on
    one of its streams; then it is killed with everything that it started.
    """
    started = time.monotonic()
    program = _start(command, folder, environ)
    out, err = _Reader(program, program.stdout, size), _Reader(program, program.stderr, size)
    feeder = Thread(target=_feed, args=(program, prompt.encode("utf-8", "replace")), daemon=True)
    for thread in (out, err, feeder):
        thread.start()
    try:
        code = program.wait(seconds)
    except subprocess.TimeoutExpired as error:
        name = Path(command[0]).name
        raise LlmError(
            "E_LLM_CLI", f"`{name}` gave no answer in {seconds:g} s", "try again, or a faster model"
        ) from error
    finally:
        _end(program, (out, err, feeder))
    if out.is_over or err.is_over:
        raise LlmError("E_LLM_CLI", f"`{Path(command[0]).name}` said more than {size:,} bytes", "try another model")
    return Done(code, out.text(), err.text(), time.monotonic() - started)


def _start(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise LlmError("E_LLM_CLI", f"{command[0]} can't be started: {reason}", "run it by hand to see") from error


@dataclass(eq=False)
class _Reader(Thread):
    """Collects one stream of a program, and kills the program when it says too much."""

    program: subprocess.Popen[bytes]
    stream: IO[bytes] | None
    size: int
    data: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    @property
    def is_over(self) -> bool:
        """Whether more came than may."""
        return len(self.data) > self.size

    def text(self) -> str:
        """What came, as text."""
        return self.data.decode("utf-8", "replace")

    def run(self) -> None:
        """Read to the end, or until it is too much."""
        with contextlib.suppress(OSError, ValueError):  # the stream was closed: the program is gone
            while self.stream and not self.is_over and (chunk := self.stream.read(CHUNK)):
                self.data += chunk
        if self.is_over:
            _kill(self.program)


def _feed(program: subprocess.Popen[bytes], data: bytes) -> None:
    """Give the program its prompt; one that does not want all of it is left alone."""
    stdin = program.stdin
    assert stdin is not None
    with contextlib.suppress(OSError, ValueError), stdin:
        view = memoryview(data)
        while view:
            view = view[stdin.write(view) :]


def _end(program: subprocess.Popen[bytes], threads: Sequence[Thread]) -> None:
    """See to it that neither the program nor anything that it started goes on, and that its pipes are closed."""
    is_running = program.poll() is None
    if not is_running:
        _join(threads)
    if is_running or any(thread.is_alive() for thread in threads):
        _kill(program)
    program.wait()
    _join(threads)
    for stream in (program.stdout, program.stderr):
        if stream and not any(thread.is_alive() for thread in threads):
            stream.close()


def _join(threads: Sequence[Thread]) -> None:
    until = time.monotonic() + GRACE
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))


def _kill(program: subprocess.Popen[bytes]) -> None:
    """Kill the program's whole process group; where the system has none, the program."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()
