"""`mdmem demo`: all of mdmem on the transcript of a run, in a scratch repository of its own."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mdmem import disk, git
from mdmem.cli.output import echo_text
from mdmem.errors import MdmemError
from mdmem.project import Project
from mdmem.search.candidates import Request
from mdmem.store.founding import found_store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdmem.extract.extraction import Extraction, Saving

QUERY: Final = "no such table bookings"
NEXT: Final = """\
In your own project: `mdmem init`, then `mdmem add` what you know, or `mdmem extract` a finished run of yours; they
lie below ~/.claude/projects. `mdmem brief` prints what an agent should know at its start; `mdmem --help` has the
rest."""
FILE: Final = click.Path(path_type=Path, exists=True, dir_okay=False)
FOLDER: Final = click.Path(path_type=Path, file_okay=False)


@dataclass(frozen=True, slots=True)
class Scene:
    """One step of the demo: what it shows, what a user would type for it, and what comes back."""

    title: str
    command: str
    text: str


@click.command()
@click.option("-t", "--transcript", "transcripts", multiple=True, type=FILE, help="Learn from this run, too.")
@click.option("-d", "--dir", "folder", type=FOLDER, help="Work in this new or empty folder, and keep it.")
@click.option("-k", "--keep", is_flag=True, help="Keep the scratch repository to look around in it.")
def demo(transcripts: tuple[Path, ...], folder: Path | None, keep: bool) -> None:
    """See mdmem work: a run goes in, memories, a search and a brief come out.

    Everything happens in a scratch repository; your own memories are neither read nor changed.

    \b
    Examples:
      mdmem demo
      mdmem demo --transcript ~/.claude/projects/…/run.jsonl
      mdmem demo --dir scratch
    """
    with scratch(folder, keep=keep) as root:
        for scene in tour(root, (shipped_transcript(), *transcripts)):
            click.secho(f"# {scene.title}", bold=True)
            echo_text(f"$ {scene.command}\n{scene.text.rstrip()}\n")
        where = (
            f"The repository of this demo is in {root}."
            if keep or folder
            else "`mdmem demo --keep` leaves you the files."
        )
        click.secho("# Where to go next", bold=True)
        click.echo(f"{NEXT}\n\n{where}")


@contextmanager
def scratch(folder: Path | None, *, keep: bool) -> Iterator[Path]:
    """A new folder to work in: `folder`, else a temporary one, deleted at the end unless `keep`.

    Raises MdmemError when `folder` holds something.
    """
    if folder is not None:
        if folder.is_dir() and any(folder.iterdir()):
            raise MdmemError(f"{folder} is not empty", "name a new folder: the demo fills it")
        yield disk.make_folder(folder)
        return
    root = Path(tempfile.mkdtemp(prefix="mdmem-demo-"))
    try:
        yield root
    finally:
        if not keep:
            disk.remove_folder(root)


def shipped_transcript() -> Path:
    """The example run: inside an installed package, else in the checkout that this runs from."""
    package = Path(str(resources.files("mdmem")))
    places = (package / "data/transcript.jsonl", package.parent / "examples/transcript.jsonl")
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise MdmemError(f"no example run in {places[0]}", "install mdmem again")
    return found


def tour(root: Path, transcripts: Sequence[Path]) -> Iterator[Scene]:
    """The scenes, in order; each is played when it is asked for. Raises MdmemError."""
    repository = git.create(root)
    folder = root / "memory"
    written = found_store(folder).written
    git.stage(repository)
    yield Scene("A repository gets a memory", "git init && mdmem init", "\n".join(f"memory/{name}" for name in written))
    project = Project.open(folder)
    for transcript in transcripts:
        extraction = project.extraction.read(transcript)
        text = _learned(extraction, project.extraction.save(extraction))
        yield Scene("It learns from a finished run, without a language model", f"mdmem extract {transcript.name}", text)
    paths = [f"memory/{one.path}" for one in project.store.load()]
    yield Scene("Each memory is a file", "ls memory/*/*.md", "\n".join(paths))
    git.stage(repository, names_only=True)
    yield Scene("You review what it learned, like code", "git diff", git.diff(repository))
    found = project.search(QUERY)
    hits = [f"{hit.score:.2f}  memory/{hit.path}  {hit.memory.title}" for hit in found.hits]
    yield Scene("You and your agents find it again", f'mdmem search "{QUERY}"', "\n".join(hits))
    yield Scene("The next run begins with it", "mdmem brief", project.brief(Request()).as_markdown())


def _learned(extraction: Extraction, saving: Saving) -> str:
    """What one run gave, in lines."""
    if not extraction.extract:
        return f"skipped: {extraction.reason}"
    summary = extraction.summary
    lines = [
        f"asked:   {summary.request}",
        f"outcome: {summary.outcome}",
        *(f"open:    {item}" for item in summary.open_items),
    ]
    return "\n".join([*lines, *(f"{saved.outcome}: memory/{saved.stored.path}" for saved in saving.saved)])
