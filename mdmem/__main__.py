"""The `mdmem` command, also as `python -m mdmem`: a quick word with the watcher, else the command line itself."""

from __future__ import annotations

import sys

from mdmem.client import ask


def main() -> None:
    """Run the command line and exit."""
    code = ask(sys.argv[1:])
    if code is None:
        # all that a command needs takes many times as long to import as the watcher takes to answer
        from mdmem.cli.main import main as run_here

        run_here()
    sys.exit(code)


if __name__ == "__main__":
    main()
