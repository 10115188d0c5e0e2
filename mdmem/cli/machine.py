"""Commands about this machine and its stores: status."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from mdmem.cli.output import echo_json, echo_text, echo_values, json_option
from mdmem.config import (
    find_project_file,
    log_folder,
    personal_folder,
    user_cache_folder,
    user_config_file,
    user_state_folder,
)
from mdmem.index.readiness import model_check, readiness
from mdmem.llm.standing import standing
from mdmem.project import vector_cache
from mdmem.store.health import examine
from mdmem.store.heartbeat import read_heartbeat
from mdmem.store.ledger import count_open
from mdmem.store.overview import overview
from mdmem.store.watcher_health import watcher_checks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.cli.app import App
    from mdmem.index.readiness import Readiness


@click.command()
@json_option
@click.pass_obj
def status(app: App, as_json: bool = False) -> None:
    """Show what the stores hold, what waits, what is broken, and who learns from runs.

    \b
    Examples:
      mdmem status
      mdmem status --json
    """
    views = [overview(store.root, store.name, store.outline(0)) for store in app.project.readers]
    ready, heartbeat = _readiness(app), read_heartbeat(app.project.readers[0])
    learning = standing(app.project.config, user_state_folder(), app.now, os.environ)
    jobs = count_open(app.project.readers[0].state_folder)
    if as_json:
        stores = [view.as_json() | {"index": one.as_json()} for view, one in zip(views, ready, strict=True)]
        watcher = heartbeat.as_json() if heartbeat else {"alive": False}
        return echo_json({"stores": stores, "watcher": watcher, "learning": learning.as_json(), "jobs": jobs})
    lines = [line for view, one in zip(views, ready, strict=True) for line in (*view.lines(), *one.lines())]
    echo_text("\n".join([*lines, f"watcher: {heartbeat or 'not running'}", *learning.lines(), *_job_lines(jobs)]))


def _readiness(app: App) -> list[Readiness]:
    """How ready each store is to be searched, as it was just seen."""
    choice, cache = app.project.model_choice, vector_cache(app.now)
    return [readiness(store, store.last_etags().values(), choice, cache) for store in app.project.readers]


def _job_lines(jobs: Mapping[str, int]) -> list[str]:
    """One line on the jobs of learning, none when all are over and well."""
    words = ", ".join(f"{count} {state}" for state, count in jobs.items() if count)
    return [f"  jobs: {words}: mdmem jobs"] if words else []


@click.command()
@json_option
@click.pass_obj
def paths(app: App, as_json: bool) -> None:
    """Show where mdmem keeps what: memories, index, history, settings.

    \b
    Examples:
      mdmem paths
      cd "$(mdmem paths --json | jq -r .store)"
    """
    project = app.project
    found = {
        "store": project.root,
        "index": project.store.cache_folder,
        "history": project.store.state_folder,
        "personal": personal_folder(),
        "models and vectors": user_cache_folder(),
        "settings": user_config_file(),
        "project settings": find_project_file(project.root) or "",
        "bug reports": log_folder(),
    }
    rows = [(name, str(path)) for name, path in found.items()]
    echo_json(dict(rows)) if as_json else echo_values(rows)


@click.command()
@json_option
@click.pass_obj
@click.pass_context
def doctor(ctx: click.Context, app: App, as_json: bool) -> None:
    """Examine this machine's set-up, each check with its fix. Exit 1 when one fails.

    \b
    Examples:
      mdmem doctor
    """
    project = app.project
    checks = [*examine(project.stores, project.repository), model_check(project.model_choice)]
    checks += watcher_checks(project.store)
    if as_json:
        echo_json([check.as_json() for check in checks])
    else:
        echo_text("\n".join(map(str, checks)))
    ctx.exit(0 if all(check.is_good for check in checks) else 1)
