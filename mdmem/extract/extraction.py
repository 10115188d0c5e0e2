"""One finished run in, what it taught out: the stage that joins reader, digest, findings, drafts and admission.

`read` looks at a transcript and changes nothing; `save` writes what it found through the store. Reading the same
transcript twice gives the same, saving it twice changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mdmem.extract import admission, draft, gist
from mdmem.extract.admission import Knowledge, Left
from mdmem.extract.corrections import heard
from mdmem.extract.digest import digest, shortened
from mdmem.extract.ending import end_all
from mdmem.extract.failure import failures
from mdmem.extract.rule_files import read_lines
from mdmem.extract.sharing import write_session
from mdmem.extract.transcripts import reader
from mdmem.memory import Status
from mdmem.redact import redact
from mdmem.store import state
from mdmem.store.caller import Caller
from mdmem.store.state import Episode, Run, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime
    from pathlib import Path

    from mdmem.extract.admission import Admission
    from mdmem.extract.corrections import Heard
    from mdmem.extract.ending import Ended
    from mdmem.extract.failure import Failure
    from mdmem.extract.transcripts.session import Session, Turn
    from mdmem.index.meaning import Meaning
    from mdmem.index.similar import Nearness
    from mdmem.llm.runner import Completion
    from mdmem.markdown.problems import Problem
    from mdmem.memory import Memory
    from mdmem.store.store import Saved, Store

EPISODE_LENGTH: Final = 500
MEMORIES: Final = 6
"""At most so many memories of one run, the surest first."""

SESSION: Final = re.compile(r"[^\w.-]+")

SUBAGENT: Final = "a sub-agent's part of another run"
REPLAYED: Final = "a fork in which nothing is new"
OWN: Final = "an extraction of mdmem itself"
EMPTY: Final = "nobody said anything"
UNFINISHED: Final = "no finished turn yet"
TOO_MANY: Final = f"a run teaches {MEMORIES} things at most, the surest ones"
DISCUSSION: Final = "a discussion: nothing was written, run or refused"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one transcript holds. `extract` says whether it is to be learned from, `reason` why not (or what kind
    of run it was); `content` is the SHA-256 of its bytes. Where a model was asked, `problems` are those of its answer
    and `asked` is what every call took. What was learned stands below the line `after`: the rest was saved before."""

    session: Session
    content: str
    extract: bool
    reason: str
    digest: str
    summary: Summary
    episodes: tuple[Episode, ...] = ()
    memories: tuple[Memory, ...] = ()
    left: tuple[Left, ...] = ()
    problems: tuple[Problem, ...] = ()
    asked: tuple[Completion, ...] = ()
    after: int = 0

    @property
    def origin(self) -> str:
        """The run as memories name it: `<agent>/<session>`."""
        return f"{self.session.agent}/{self.session.id}"

    def as_json(self) -> dict[str, object]:
        """The shape of `extract --json`."""
        return {
            "agent": self.session.agent,
            "session": self.session.id,
            "extract": self.extract,
            "reason": self.reason or None,
            "user_texts": self.session.user_texts,
            "assistant_messages": self.session.assistant_messages,
            "tool_errors": self.session.tool_errors,
            "skipped": self.session.skipped,
            "problems": [problem.as_json() for problem in (*self.session.problems, *self.problems)],
            "digest": self.digest,
            "summary": self.summary.as_json(),
            "episodes": [episode.as_json() for episode in self.episodes],
            "memories": [memory.as_json() for memory in self.memories],
            "left": [one.as_json() for one in self.left],
            "asked": [completion.as_json() for completion in self.asked],
        }


@dataclass(frozen=True, slots=True)
class Saving:
    """What saving an extraction did: `is_new` is False when this very text had been extracted before. `ended` are
    the memories that the user took back in the run."""

    is_new: bool
    saved: tuple[Saved, ...] = ()
    left: tuple[Left, ...] = ()
    ended: tuple[Ended, ...] = ()

    def as_json(self) -> dict[str, object]:
        """What `extract --json` adds when it saves."""
        return {
            "new": self.is_new,
            "saved": [one.as_json() for one in self.saved],
            "left": [one.as_json() for one in self.left],
            "ended": [one.as_json() for one in self.ended],
        }


@dataclass(frozen=True, slots=True)
class ExtractionStage:
    """Extraction over one store at one time; `again` learns from a run as if it had never been read."""

    store: Store
    now: datetime
    meaning: Meaning | None = None
    review: bool = False
    shares: bool = False
    again: bool = False

    def read(self, path: Path) -> Extraction:
        """What a transcript holds, next to what earlier runs went through; `review` lets all that it taught wait.

        Of a run that has grown since it was saved, only what is new is learned. Raises TranscriptError or DiskError.
        """
        found = read(path, self.now, runs=state.read_runs(self.store.state_folder), again=self.again)
        return replace(found, memories=held(found.memories)) if self.review else found

    def is_known(self, extraction: Extraction) -> bool:
        """Whether this very text of the run was extracted before: then saving it changes nothing."""
        return not self.again and _is_known(extraction, state.read_runs(self.store.state_folder))

    def plan(self, extraction: Extraction) -> Extraction:
        """What saving would keep of an extraction, beside what the store holds now; nothing is written."""
        admitted = _admitted(extraction, self.store, self._nearness)
        return replace(extraction, memories=admitted.admitted, left=(*extraction.left, *admitted.left))

    @property
    def _nearness(self) -> Nearness | None:
        return self.meaning.cosine if self.meaning else None

    def save(self, extraction: Extraction) -> Saving:
        """Writes what an extraction found: memories first, then the run's line of history, and its file if shared.

        Raises the store's errors; then nothing of the run is recorded and it can be extracted again.
        """
        saving = save(extraction, self.store, self.now, self._nearness, again=self.again)
        if self.shares and saving.is_new and extraction.extract:
            write_session(self.store.root, _run(extraction, self.now, ()), self.store.parse)
        return saving


def read(path: Path, now: datetime, *, runs: Sequence[Run] = (), again: bool = False) -> Extraction:
    """What a transcript holds; nothing is written. Of `runs` that were read before, the others show which failures
    came back and what this one only repeats, being a fork of them, and its own up to where it was read, unless it is
    to be read `again`.

    Raises TranscriptError when the file is no transcript, DiskError when it can't be read.
    """
    session, content = _session(path)
    origin = f"{session.agent}/{session.id}"
    repeated = session.repeated({record for run in runs if run.origin != origin for record in run.heard})
    reason = REPLAYED if session.said and len(repeated) == len(session.said) else _reason(session)
    if reason and reason != DISCUSSION:
        return Extraction(session, content, False, reason, _digest(session, reason), Summary())
    own = () if again else (run for run in runs if run.origin == origin and run.content != content)
    after = next((run.line for run in own), 0)
    after = max(after, last_line(repeated))
    others = [episode for run in runs if run.origin != origin for episode in run.episodes]
    found, memories, left = _learned(session, run_day(session, now), others, after)
    text, summary = digest(_below(session, after)), gist.summary(session)
    return Extraction(session, content, True, reason, text, summary, found, memories, left, after=after)


def save(extraction: Extraction, store: Store, now: datetime, nearness: Nearness | None = None, *,
         again: bool = False) -> Saving:  # fmt: skip
    """Saves the memories, sets stale what was taken back, then one line with summary, episodes and the hash of what
    was read. `nearness` is the cosine of two texts, where a model is at hand; `again` saves what was saved before.

    A kill in between is mended by extracting again: what this run taught already is left alone.
    """
    runs = state.read_runs(store.state_folder)
    if not again and _is_known(extraction, runs):
        return Saving(is_new=False)
    if not extraction.extract:
        return Saving(is_new=True)
    admitted = _admitted(extraction, store, nearness)
    saved = store.add_all(admitted.admitted, caller=Caller.AGENT, now=now, what="extract")
    ended = tuple(end_all(extraction.episodes, store, now))
    state.append_run(store.state_folder, _run(extraction, now, runs))
    return Saving(is_new=True, saved=saved, left=(*extraction.left, *admitted.left), ended=ended)


def _admitted(extraction: Extraction, store: Store, nearness: Nearness | None) -> Admission:
    """Which memories the store has room for, being what it is, and which not."""
    stored = [one.memory for one in store.load()]
    known = Knowledge(stored, store.vetoes(), read_lines(store.root), extraction.session.recalled, nearness=nearness)
    return admission.admit(extraction.memories, known)


def held(memories: Sequence[Memory]) -> tuple[Memory, ...]:
    """Memories as they wait for somebody to look at them."""
    return tuple(replace(memory, status=Status.PENDING) for memory in memories)


def _is_known(extraction: Extraction, runs: Iterable[Run]) -> bool:
    return any(run.origin == extraction.origin and run.content == extraction.content for run in runs)


def _session(path: Path) -> tuple[Session, str]:
    """The session of a transcript, its id fit for a name, and the SHA-256 of what it was read from."""
    session, content = reader.read(path)
    return replace(session, id=SESSION.sub("-", session.id)), content


def run_day(session: Session, now: datetime) -> date:
    """The day of the run: when it ended, or today when that is not known or has yet to come."""
    return min(session.ended_at or now, now).date()


def _reason(session: Session) -> str:
    """Why a run is not learned from, or that it was a discussion; '' for work that was done."""
    if session.is_own:
        return OWN
    if session.is_subagent:
        return SUBAGENT
    if not session.said:
        return EMPTY
    if not any(turn.is_finished for turn in session.turns):
        return UNFINISHED
    return DISCUSSION if session.is_discussion else ""


def _digest(session: Session, reason: str) -> str:
    return "" if reason == OWN else digest(session)


def _below(session: Session, line: int) -> Session:
    """The session as it goes on below a line, with the request that opened it; all of it below 0."""
    opening = [replace(turn, steps=()) for turn in session.turns if turn.said][:1]
    turns = [turn for turn in session.turns if last_line([turn]) > line]
    return replace(session, turns=(*opening, *turns)) if line and turns else session


def last_line(turns: Iterable[Turn]) -> int:
    """The last line of the transcript that one of these turns stands in; 0 for none."""
    return max((part.line for turn in turns for part in (turn.said, *turn.steps) if part), default=0)


def _learned(
    session: Session, day: date, others: Sequence[Episode], after: int
) -> tuple[tuple[Episode, ...], tuple[Memory, ...], tuple[Left, ...]]:
    """The run's episodes below a line, the memories that some of them hold, and the drafts that were left."""
    words = [(one, draft.from_words(one, session, day)) for one in heard(session) if one.said.line > after]
    troubles = [
        (failure, draft.from_failure(failure, session, day) if _teaches(failure, words) else None)
        for failure in failures(session, others)
        if max(call.line for call in failure.calls) > after
    ]
    drafts = [memory for _, memory in (*words, *troubles) if memory]
    admitted = admission.admit(sorted(drafts, key=lambda memory: -memory.confidence), Knowledge())
    kept, rest = admitted.admitted[:MEMORIES], admitted.admitted[MEMORIES:]
    titles = {memory.title for memory in kept}
    episodes = (
        *(_from_words(finding, memory, session, day, titles) for finding, memory in words),
        *(_from_failure(failure, memory, session, day, titles) for failure, memory in troubles),
    )
    return episodes, kept, (*admitted.left, *(Left(memory, TOO_MANY) for memory in rest))


def _teaches(failure: Failure, words: Sequence[tuple[Heard, Memory | None]]) -> bool:
    """Whether a failure makes a lesson of its own: not when the user drew it in words."""
    said = {finding.said.text for finding, memory in words if memory}
    return failure.is_lesson and failure.remedy.told not in said


def _from_words(finding: Heard, memory: Memory | None, session: Session, day: date, titles: set[str]) -> Episode:
    title = memory.title if memory and memory.title in titles else ""
    return Episode(
        kind=finding.kind,
        text=shortened(" ".join(redact(finding.text).text.split()), EPISODE_LENGTH),
        origin=f"{session.agent}/{session.id}",
        lines=(finding.said.line,),
        at=day.isoformat(),
        files=memory.files if memory else (),
        context=redact(finding.setting.call.command).text if finding.setting.call else "",
        memory=title,
    )


def _from_failure(failure: Failure, memory: Memory | None, session: Session, day: date, titles: set[str]) -> Episode:
    return Episode(
        kind="error",
        text=redact(failure.cause).text,
        origin=f"{session.agent}/{session.id}",
        lines=tuple(call.line for call in failure.calls),
        at=day.isoformat(),
        context=shortened(redact(failure.calls[-1].command).text, EPISODE_LENGTH),
        cause=redact(failure.cause).text,
        remedy=shortened(redact(failure.remedy.text).text, EPISODE_LENGTH),
        memory=memory.title if memory and memory.title in titles else "",
    )


def _run(extraction: Extraction, now: datetime, runs: Iterable[Run]) -> Run:
    """The run's line of history: its episodes go on from those of an earlier reading."""
    ended = extraction.session.ended_at or now
    before = [one for run in runs if run.origin == extraction.origin for one in run.episodes]
    known = {(one.kind, one.lines) for one in extraction.episodes}
    return Run(
        origin=extraction.origin,
        content=extraction.content,
        at=now.isoformat(),
        ended=ended.isoformat(),
        summary=extraction.summary,
        episodes=(*(one for one in before if (one.kind, one.lines) not in known), *extraction.episodes),
        line=last_line(extraction.session.turns),
        heard=tuple(dict.fromkeys(said.record for said in extraction.session.said if said.record)),
    )
