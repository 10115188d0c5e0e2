"""The `mdmem` command, also as `python -m mdmem`: a quick word with the watcher, else the command line itself.

A hook that only asks for a job has its own way in: an agent that ends gives it no time to import the rest.
"""

from __future__ import annotations

import os
import sys

from mdmem.client import ask


def main() -> None:
    """Run the command line and exit."""
    args = sys.argv[1:]
    code = _hook(args[1:]) if args[:1] == ["hook"] else ask(args)
    if code is None:
        # all that a command needs takes many times as long to import as the watcher takes to answer
        from mdmem.cli.main import main as run_here

        run_here()
    sys.exit(code)


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
