"""The `mdmem` command, also as `python -m mdmem`: a quick word with the watcher, else the command line itself.

A hook that only asks for a job has its own way in: an agent that ends gives it no time to import the rest.
"""

from __future__ import annotations

import gc
import os
import sys

from mdmem.client import INTERRUPTED, ask

CYCLES = 50_000
"""Objects that are made before garbage in cycles is looked for: a short command makes fewer, and hardly any of it."""


def main() -> None:
    """Run the command line and exit."""
    _use_utf8()
    gc.set_threshold(CYCLES)
    args = sys.argv[1:]
    is_hook = args[:1] == ["hook"]
    code: str | int | None
    try:
        code = _hook(args[1:]) if is_hook else ask(args)
        if code is None:
            # all that a command needs takes many times as long to import as the watcher takes to answer
            from mdmem.cli.main import main as run_here

            run_here()
    except KeyboardInterrupt:  # between two modules
        code = 0 if is_hook else INTERRUPTED
    except SystemExit as done:
        code = done.code
    _end(code)


def _end(code: str | int | None) -> None:
    """End the process without taking the interpreter apart, which takes a while and gives nobody anything."""
    is_watched = sys.gettrace() or sys.getprofile()  # by what writes its findings at the end
    if isinstance(code, int) and not is_watched:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        except (OSError, ValueError, AttributeError):  # the usual end says what is wrong with a stream
            pass
    sys.exit(code)


def _use_utf8() -> None:
    """Start again in UTF-8 mode where the locale is another: it would misread arguments and names of files."""
    if os.name == "posix" and sys.getfilesystemencoding() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 (this very command)


def _hook(args: list[str]) -> int | None:
    """Answer a hook without the command line; None when it is needed."""
    if os.environ.get("MDMEM_EXTRACTING"):  # the first mark: what we have started starts nothing
        return 0
    if args[:1] == ["user-prompt-submit"]:
        from mdmem.hooks.question import as_command

        command = as_command(args)
        return None if command is None or ask(command) is None else 0
    from mdmem.hooks import capture

    return capture.main(args) if capture.is_quick(args) else None


if __name__ == "__main__":
    main()
