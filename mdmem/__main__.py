"""The `mdmem` command, also as `python -m mdmem`: a quick word with the watcher, else the command line itself.

A hook that only asks for a job has its own way in: an agent that ends gives it no time to import the rest.
"""

from __future__ import annotations

import sys

from mdmem.client import ask


def main() -> None:
    """Run the command line and exit."""
    if sys.argv[1:2] == ["hook"]:
        from mdmem.hooks import capture

        if capture.is_quick(sys.argv[2:]):
            sys.exit(capture.main(sys.argv[2:]))
    code = ask(sys.argv[1:])
    if code is None:
        # all that a command needs takes many times as long to import as the watcher takes to answer
        from mdmem.cli.main import main as run_here

        run_here()
    sys.exit(code)


if __name__ == "__main__":
    main()
