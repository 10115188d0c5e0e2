"""Shell completion."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from mdmem.cli.registry import LazyGroup

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands, options and memories in your shell.

    \b
    Examples:
      eval "$(mdmem completion bash)"                      in ~/.bashrc
      eval "$(mdmem completion zsh)"                       in ~/.zshrc
      mdmem completion fish > ~/.config/fish/completions/mdmem.fish
    """
    make = get_completion_class(shell)
    root = ctx.find_root().command
    assert make is not None
    assert isinstance(root, LazyGroup)
    click.echo(make(root, {}, "mdmem", "_MDMEM_COMPLETE").source())
