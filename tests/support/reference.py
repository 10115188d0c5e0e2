"""The generated pages of docs/reference/: commands from their help, problems from the table of codes, settings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import click

from mdmem.config import setting_fields, variable
from mdmem.markdown.problems import CODES
from support.source import modules

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH: Final = 90
GENERATED: Final = "<!-- generated: pytest tests/test_docs.py --snapshot-update -->\n"


def commands(
    group: click.Group, name: str = "mdmem", parent: click.Context | None = None
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every command below a group with its full name and a context as click makes it, in the order of the help."""
    context = _context(group, name, parent)
    yield context.command_path, group, context
    for inner in group.list_commands(context):
        command = group.get_command(context, inner)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, inner, context)
        elif not command.hidden:
            own = _context(command, inner, context)
            yield own.command_path, command, own


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    width = {"max_content_width": WIDTH, "terminal_width": WIDTH}
    return click.Context(command, info_name=name, parent=parent, **width, **command.context_settings)


def cli_page(group: click.Group) -> str:
    """docs/reference/cli.md."""
    parts = [
        "# Commands\n",
        GENERATED,
        "What `mdmem COMMAND --help` prints, for every command. Data goes to standard output, all else to standard",
        "error. Exit codes: 0 fine (also when nothing was found), 1 a problem, 2 wrong usage, 3 a bug in mdmem, 130",
        "interrupted.\n",
    ]
    for name, command, context in commands(group):
        parts += [f"## {name}\n", "```text", command.get_help(context).rstrip(), "```\n"]
    return "\n".join(parts)


def reported_codes() -> frozenset[str]:
    """The codes that the source reports somewhere."""
    code = "\n".join(module.text for module in modules() if module.name != "markdown.problems")
    return frozenset(re.findall(r"\"([EW]_[A-Z_]+)\"", code))


def errors_page() -> str:
    """docs/reference/errors.md."""
    parts = [
        "# Problems and their codes\n",
        GENERATED,
        "`mdmem check` prints one line a problem: `path:line: code message (hint)`. A code that begins with `E` is an",
        "error, and `check` exits with 1; one that begins with `W` is a warning. A file with an error marked",
        "*unreadable* is never written, and search keeps its last good version; with any other error the field in",
        "question counts as its default.\n",
        "| code | what it means | |",
        "|---|---|---|",
    ]
    for code, info in CODES.items():
        if code not in reported_codes():
            continue
        meaning = info.meaning.replace("|", "\\|")
        parts.append(f"| `{code}` | {meaning} | {'' if info.readable else 'unreadable'} |")
    return "\n".join(parts) + "\n"


def settings_page() -> str:
    """docs/reference/settings.md."""
    parts = [
        "# Settings\n",
        GENERATED,
        "Every setting has a default that works. What says something first wins: the flag of a command, the variable,",
        "the user's own file (`~/.config/mdmem/config.toml` on Linux), the project's `mdmem.toml`, the default. In a",
        "file the setting `section.key` is `key` in the table `[section]`:\n",
        "```toml\n[brief]\nbudget = 4000\n```\n",
        "A project's file comes with a clone and is not trusted: it may set nothing that runs a program, opens a",
        "connection or names a file to load.\n",
        "| setting | variable | default | what it does |",
        "|---|---|---|---|",
    ]
    for field in setting_fields():
        meta = field.metadata
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
        limits = f" {meta['low']} to {meta['high']}." if meta["high"] else ""
        choices = f" One of {', '.join(f'`{choice}`' for choice in meta['choices'])}." if meta["choices"] else ""
        personal = " Not in a project's file." if meta["personal"] else ""
        value = f"`{default}`" if field.default not in ("", ()) else "none"
        text = f"{meta['doc']}{choices}{limits}{personal}"
        named = "none" if "<" in meta["key"] else f"`{variable(meta['key'])}`"
        parts.append(f"| `{meta['key']}` | {named} | {value} | {text} |")
    return "\n".join(parts) + "\n"
