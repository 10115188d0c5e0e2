"""`python -m mdmem`: the command line."""

from __future__ import annotations

from mdmem.cli.main import main

if __name__ == "__main__":
    main()
