"""Commands about settings: config, on, off."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_rows, json_option
from mdmem.config import PROJECT_FILE, find_project_file, user_config_file
from mdmem.config_file import set_in_file

if TYPE_CHECKING:
    from mdmem.cli.app import App

project_option = click.option("--project", is_flag=True, help="In the project's mdmem.toml, for everybody.")


@click.command()
@click.argument("key", required=False)
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Remove the setting from the file.")
@project_option
@json_option
@click.pass_obj
def config(app: App, key: str | None, value: str | None, unset: bool, project: bool, as_json: bool) -> None:
    """Show settings and where each comes from; with a KEY one of them; with a VALUE set it in your own file.

    \b
    Examples:
      mdmem config
      mdmem config brief.budget 3000
      mdmem config memory.write ask --project
      mdmem config brief.budget --unset
    """
    if value is not None or unset:
        return _write(key or "", None if unset else value, project=project, as_json=as_json)
    rows = [(key, *app.settings.value(key))] if key else app.settings.rows()
    if as_json:
        return echo_json({name: {"value": shown, "from": origin} for name, shown, origin in rows})
    echo_rows(("SETTING", "VALUE", "FROM"), [(name, _text(shown), origin) for name, shown, origin in rows])


@click.command()
@project_option
def on(project: bool) -> None:
    """Switch memory on: briefs and learning go on.

    \b
    Examples:
      mdmem on
    """
    _write("memory.enabled", "true", project=project)


@click.command()
@project_option
def off(project: bool) -> None:
    """Switch memory off: nothing is briefed or learned. Files stay, and so do editing and search by words.

    \b
    Examples:
      mdmem off
      mdmem off --project
    """
    _write("memory.enabled", "false", project=project)


def _write(key: str, value: str | None, *, project: bool, as_json: bool = False) -> None:
    path = (find_project_file(Path.cwd()) or Path.cwd() / PROJECT_FILE) if project else user_config_file()
    set_in_file(path, key, value, is_project=project)
    if as_json:
        return echo_json({"key": key, "value": value, "file": str(path)})
    click.echo(f"{'removed' if value is None else 'set'} {key} in {path}")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
