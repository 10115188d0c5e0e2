"""`python -m mdmem`: the same as the command."""

from mdmem.cli.main import main

if __name__ == "__main__":
    main()
