"""The entry of the command line, and the whole of its error policy.

stdout is data, stderr everything else. Exit 0 ok, 1 a problem that the user can mend, 2 wrong usage, 3 a bug in
mdmem, 130 interrupted. A traceback is never shown: a bug's goes to a file that the message names.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mdmem import __version__
from mdmem.cli.registry import LazyGroup, load
from mdmem.errors import MdmemError
from mdmem.wire import command_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.store.kept import Kept

UNWRITABLE: Final = frozenset({errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT, errno.EFBIG})
"""What a system says of an output that takes no more; of files it is said with their name."""
PROBLEM: Final = 1
BUG: Final = 3
INTERRUPTED: Final = 130


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-d",
    "--dir",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    envvar="MDMEM_DIR",
    show_envvar=True,
    help="Use this memory folder, and only this one.",
)
@click.option("-p", "--personal", is_flag=True, help="Use your personal memories instead of the project's.")
@click.option("--as", "as_caller", type=click.Choice(["user", "agent"]), help="Act as a person or as an agent.")
@click.version_option(__version__, "-V", "--version", message="mdmem %(version)s")
@click.pass_context
def cli(ctx: click.Context, folder: Path | None, personal: bool, as_caller: str | None) -> None:
    """A memory for coding agents that people own: markdown files in your repository.

    \b
    Examples:
      mdmem init                                      start a memory in this project
      mdmem add lesson "Pin the linter" -b "0.5 breaks the plugin."
      mdmem search "linter plugin"                    find what is known
      mdmem brief                                     what an agent should know at its start
      mdmem extract ~/.claude/projects/…/run.jsonl    learn from a finished run

    Without a command: `mdmem status`.
    """
    ctx.obj = load("mdmem.cli.app:App")(folder, personal, as_caller, ctx.obj, run)
    if ctx.invoked_subcommand is None:
        ctx.invoke(cli.get_command(ctx, "status"))  # type: ignore[arg-type]


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(run(args))


def run(args: Sequence[str] | None = None, kept: Kept | None = None) -> int:
    """Run one command and return its exit code; every error ends here. `kept` is what earlier commands left open.

    A hook always ends in 0: an agent takes any other code for an objection.
    """
    given = list(args) if args is not None else sys.argv[1:]
    code = _run(given, kept)
    return 0 if command_of(given) == "hook" else code


def _run(given: list[str], kept: Kept | None) -> int:
    try:
        _refuse_no_text(given)
        code = cli.main(args=given, prog_name="mdmem", standalone_mode=False, obj=kept)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return PROBLEM
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except MdmemError as error:
        _complain(error.message, error.hint)
        return PROBLEM
    except (BrokenPipeError, SystemExit):  # whoever read has enough; click leaves for nothing else
        _drop_output()
        return 0
    except Exception as error:  # noqa: BLE001 - the one catch-all: a bug must not show a traceback
        if isinstance(error, OSError) and error.filename is None and error.errno in UNWRITABLE:
            _drop_output()
            _complain(f"what was to be printed could not be written: {error.strerror}", "print it elsewhere")
            return PROBLEM
        _complain(
            f"this is a bug in mdmem; nothing half-written was left. Details: {load('mdmem.cli.bug:log_bug')()}",
            "please report it",
        )
        return BUG


def _replace_closed_streams() -> None:
    """Let a standard stream that was closed (`>&-`) lead nowhere, so that no file that is opened takes its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))


def _refuse_no_text(given: Sequence[str]) -> None:
    """Raises UsageError for an argument that is not UTF-8, unless it names a file."""
    for arg in given:
        if any("\ud800" <= char <= "\udfff" for char in arg) and not os.path.lexists(arg):
            raise click.UsageError(f"{arg!r} is not UTF-8")


def _drop_output() -> None:
    """Let what is still to be printed go nowhere; the interpreter would try it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, hint: str) -> None:
    click.echo(f"error: {message}", err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
