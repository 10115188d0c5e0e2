"""Commands that learn: extract."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from mdmem import disk
from mdmem.cli import explaining
from mdmem.cli.jobs import sweep
from mdmem.cli.output import echo_json, echo_rows, echo_text, json_option, note, progress
from mdmem.cli.runs import GOING_ON, NEW, READ, discovery_options, find_runs, named, wanted
from mdmem.errors import MdmemError, ReadError
from mdmem.extract.extraction import Saving
from mdmem.llm.naming import LOCAL, RUNNERS
from mdmem.store.caller import under_switch
from mdmem.store.state import append_reading
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mdmem.cli.app import App
    from mdmem.cli.runs import Run, Wanted
    from mdmem.extract.extraction import Extraction, ExtractionStage

FILE: Final = click.Path(path_type=Path)


class Source(NamedTuple):
    """Where an answer comes from, if not by the settings: a runner and model by name, or an answer that is there."""

    runner: str = ""
    model: str = ""
    answer: bytes | None = None


@click.command()
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE…]")
@discovery_options
@click.option("-n", "--dry-run", is_flag=True, help="Say what would be learned, with --all from which; write nothing.")
@click.option("--digest", "show", flag_value="digest", help="Print the run's digest, write nothing.")
@click.option("--explain", "show", flag_value="explain", help="Say what was read and what not; write nothing.")
@click.option("--prompt", "show", flag_value="prompt", help="Print the prompt for a model, write nothing.")
@click.option("--reply", type=FILE, help="Take a model's answer to that prompt from a file, - for stdin.")
@click.option("-r", "--runner", type=click.Choice(RUNNERS), help="Who is asked this time; local asks no model.")
@click.option("-m", "--model", help="The model that is asked.")
@click.option("--again", is_flag=True, help="Learn from FILE anew, also if it was read before or that was undone.")
@json_option
@click.pass_context
def extract(ctx: click.Context, /, files: tuple[Path, ...], show: str | None, reply: Path | None, **given: Any) -> None:
    """Learn from finished runs: corrections, decisions, failures that came back.

    FILE is a transcript of Claude Code, Codex or OpenCode (an export, `opencode.db#ID`, or `opencode:ID`); it is only
    read. With --all those are read that lie in the agents' own folders, belong to this project, and are new. The same
    run again changes nothing, unless --again asks for it. Rules find what is worth keeping; a model is asked only when
    `extraction.runner` or --runner names one.

    \b
    Examples:
      mdmem extract ~/.claude/projects/…/run.jsonl
      mdmem extract --all --since 2026-05-01
      mdmem extract --sweep
      mdmem extract run.jsonl --explain
      mdmem extract run.jsonl --dry-run --json
      mdmem extract run.jsonl --runner claude
      mdmem extract run.jsonl --prompt > prompt.txt
      mdmem extract run.jsonl --reply answer.json
    """
    app: App = ctx.obj
    if not app.project.config.memory_enabled:
        return note("memory is off (memory.enabled): nothing is extracted")
    if given["sweep"]:
        return sweep(app)
    asked = wanted(files, given)
    source = Source(given["runner"] or "", given["model"] or "", _answer(reply, files))
    work = Work(app, source, keep=not (given["dry_run"] or show), show=show or "", json=given["as_json"],
                again=given["again"])  # fmt: skip
    shown = list(work.extract_all(asked)) if asked.looks else [work.extract(file) for file in named(files)]
    ctx.exit(0 if all(shown) else 1)


@dataclass(frozen=True)
class Work:
    """What is to be done with each transcript: `show` is digest, explain, prompt or '' for what was learned.

    `again` is for runs that were read before. `is_terse` says nothing of a run that taught nothing; `held` keeps what
    is printed until the work is done.
    """

    app: App
    source: Source
    keep: bool
    show: str
    json: bool
    again: bool = False
    is_terse: bool = False
    held: list[Callable[[], None]] | None = None

    def extract_all(self, asked: Wanted) -> Iterator[bool]:
        """Extract the new runs in the agents' folders, the oldest first; list all when nothing is to be written."""
        runs = find_runs(self.app, asked)
        if not (self.keep or self.show):
            self._list(runs)
            return
        due = {run.found.transcript: run for run in reversed(runs) if run.standing == NEW or self.show}
        held: list[Callable[[], None]] = []
        for name in progress("extracting", least=3)(due):
            run = due[name]
            done = replace(self, app=run.app, is_terse=True, held=held).extract(Path(name))
            if done and self.keep:
                append_reading(run.app.project.store.state_folder, name, run.found.stamp)
            yield done
        for say in held:
            say()
        counts = Counter(run.standing for run in runs)
        note(f"{counted(len(due), 'run')} read, {counts[READ]} {READ}, {counts[GOING_ON]} {GOING_ON}")

    def _list(self, runs: Sequence[Run]) -> None:
        """Print which runs there are, and what would become of each."""
        if self.json:
            return echo_json([run.found.as_json() | {"standing": run.standing} for run in runs])
        rows = [
            (
                f"{run.found.changed_at:%Y-%m-%d %H:%M}",
                run.found.agent,
                run.standing,
                run.found.folder,
                run.found.transcript,
            )
            for run in runs
        ]
        echo_rows(("CHANGED", "AGENT", "STANDING", "FOLDER", "TRANSCRIPT"), rows)

    @property
    def stage(self) -> ExtractionStage:
        """The stage that reads and saves."""
        return replace(self.app.project.extraction, again=self.again)

    def extract(self, file: Path) -> bool:
        """Extract one file and print what it gave; False when that failed, which the next file does not mind."""
        try:
            found = self.stage.read(file)
            if self.show:
                self._show(file, found)
                return True
            found = self._asked(found)
            saving = self.stage.save(_switched(self.app, found)) if self.keep else self._known(found)
            found = self.stage.plan(_switched(self.app, found)) if saving is None else found
        except MdmemError as error:
            named = error.message if error.message.startswith(str(file)) else f"{file}: {error.message}"
            note(f"error: {named}" + (f"\nhint: {error.hint}" if error.hint else ""))
            return False
        if self.json:
            self._print(found.as_json() | (saving.as_json() if saving else {}))
        elif not self.is_terse or found.memories or found.episodes or found.left:
            self._print("\n".join(_lines(file, found, saving)))
        return True

    def _print(self, given: str | dict[str, object]) -> None:
        """Print what one run gave, text or JSON; later, when a bar stands on the terminal meanwhile."""
        say = partial(echo_text, given) if isinstance(given, str) else partial(echo_json, given, one_line=True)
        if self.held is None:
            say()
        else:
            self.held.append(say)

    def _show(self, file: Path, found: Extraction) -> None:
        """Print what --digest, --explain or --prompt ask for; of a run that is not learned from there is no prompt."""
        if self.show == "explain":
            extra = explaining.as_json(found)
            text = "\n".join(explaining.explained(file.name, found))
            return self._print(found.as_json() | extra if self.json else text)
        asks = self.show == "prompt"
        if asks and not found.extract:
            return note(f"{file.name}: skipped: {found.reason}")
        text = self.app.project.asking.prompt(found) if asks else found.digest
        self._print(found.as_json() | ({"prompt": text} if asks else {}) if self.json else text)

    def _asked(self, found: Extraction) -> Extraction:
        """What a model says of the run, where one is to be asked; a run that was saved before is not paid for again."""
        project, source = self.app.project, self.source
        if source.answer is not None:
            return project.asking.with_answer(found, source.answer)
        if (source.runner or project.config.extraction_runner) == LOCAL:
            return found
        runner = project.runner(found.session.agent, source.runner, source.model)
        if runner is None or self.stage.is_known(found):
            return found
        return project.asking.ask(found, runner)

    def _known(self, found: Extraction) -> Saving | None:
        """What saving would answer for a run that was saved before, None for another."""
        return Saving(is_new=False) if self.stage.is_known(found) else None


def _answer(reply: Path | None, files: Sequence[Path]) -> bytes | None:
    """The bytes of --reply. Raises UsageError when it is not to stand for one run, DiskError."""
    if reply is None:
        return None
    if len(files) != 1:
        raise click.UsageError("--reply is the answer to one FILE")
    if str(reply) == "-":
        return sys.stdin.buffer.read()
    try:
        return disk.read(reply)
    except FileNotFoundError as error:
        raise ReadError(reply, "no such file") from error


def _switched(app: App, found: Extraction) -> Extraction:
    """The extraction as `memory.write` lets whoever asks save it. Raises MdmemError when it does not."""
    write = app.project.config.memory_write
    return replace(found, memories=tuple(under_switch(memory, app.caller, write) for memory in found.memories))


def _lines(file: Path, found: Extraction, saving: Saving | None) -> Iterator[str]:
    """What a run gave, for a person: what was learned, where it was written, what was left and why."""
    if not found.extract:
        yield f"{file.name}: skipped: {found.reason}"
        return
    yield f"{file.name}: {found.summary.request or found.reason}"
    if saving and not saving.is_new:
        yield "  extracted before: nothing changed (--again learns from it anew)"
        return
    if saving is None:
        yield from (f"  would learn ({memory.status}): {memory.type}: {memory.title}" for memory in found.memories)
    else:
        yield from (f"  {one.outcome}: {one.stored.path}: {one.stored.memory.title}" for one in saving.saved)
    ended = saving.ended if saving else ()
    yield from (f"  taken back: {one.stored.path}: {one.stored.memory.title}" for one in ended)
    yield from (f"  left: {one.memory.title} ({one.reason})" for one in (saving or found).left)
    yield from (f"  noted: {episode.kind}, line {episode.lines[0]}: {episode.text[:80]}"
                for episode in found.episodes if not episode.memory and episode.lines)  # fmt: skip
    if found.session.skipped:
        yield f"  {counted(found.session.skipped, 'line')} could not be read"
