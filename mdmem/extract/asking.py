"""Extraction with a language model: the prompt about a run, the answer in place of what the rules found.

The episodes stay those of the rules: they are what happened. Summary and memories are the model's. A run that is not
learned from is never asked about, and an answer that can't be used fails the run as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mdmem.errors import LlmError
from mdmem.extract import admission, reply
from mdmem.extract.admission import Knowledge, Left
from mdmem.extract.digest import changed_files
from mdmem.extract.extraction import DISCUSSION, held, run_day
from mdmem.extract.prompt import again, near, prompt
from mdmem.extract.shape import schema
from mdmem.memory import MemoryType
from mdmem.store.tasks import read_tasks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mdmem.extract.extraction import Extraction
    from mdmem.extract.reply import Reply
    from mdmem.extract.transcripts.session import Session
    from mdmem.llm.budget import Budget
    from mdmem.llm.runner import Completion, Runner
    from mdmem.store.store import Store
    from mdmem.store.tasks import Task

PROSE: Final = "it holds no JSON"
NO_LESSONS: Final = "a discussion teaches no lessons"


@dataclass(frozen=True, slots=True)
class Asking:
    """Asking about runs, next to what one store knows; `review` lets all that a model proposes wait."""

    store: Store
    now: datetime
    budget: Budget
    review: bool = False

    def prompt(self, extraction: Extraction) -> str:
        """The prompt about a run: by the runner's way or by hand, it is the same."""
        session = extraction.session
        known = near((one.memory for one in self.store.load()), extraction.digest)
        task = task_of(session, read_tasks(self.store.root, self.store.parse))
        day = run_day(session, self.now)
        return prompt(extraction.digest, day, title=session.title, task=task, known=known)

    def with_answer(self, extraction: Extraction, answer: str | bytes) -> Extraction:
        """What a run taught according to a model's answer, wherever that comes from.

        Raises LlmError when the answer can't be used; a run that is not learned from stays as it is.
        """
        if not extraction.extract:
            return extraction
        return self._answered(extraction, self._read(extraction, answer), ())

    def ask(self, extraction: Extraction, runner: Runner) -> Extraction:
        """What a run taught according to the model that `runner` asks: once, and once more if it gave no JSON.

        Raises LlmError when there is no usable answer, BudgetError when the day has no call left.
        """
        if not extraction.extract:
            return extraction
        asked = self.prompt(extraction)
        first = self._call(runner, asked, extraction)
        try:
            read = self._read(extraction, first.text)
            trouble = PROSE if read.is_prose else ""
        except LlmError as error:
            if error.code == "E_LLM_CLI":
                raise
            trouble = error.message
        if not trouble:
            return self._answered(extraction, read, (first,))
        second = self._call(runner, again(asked, trouble), extraction)
        return self._answered(extraction, self._read(extraction, second.text), (first, second))

    def _call(self, runner: Runner, asked: str, extraction: Extraction) -> Completion:
        """One call, counted before it is made."""
        self.budget.begin(runner, extraction.origin)
        completion = runner.complete(asked, schema())
        self.budget.end(completion, extraction.origin)
        return completion

    def _read(self, extraction: Extraction, answer: str | bytes) -> Reply:
        return reply.read(answer, extraction.session, run_day(extraction.session, self.now))

    def _answered(self, extraction: Extraction, read: Reply, asked: tuple[Completion, ...]) -> Extraction:
        found = answered(extraction, read, asked)
        return replace(found, memories=held(found.memories)) if self.review else found


def answered(extraction: Extraction, read: Reply, asked: tuple[Completion, ...] = ()) -> Extraction:
    """The extraction with an answer in place of what the rules found; what is not worth saving is left."""
    talk = extraction.reason == DISCUSSION
    lessons = [memory for memory in read.memories if talk and memory.type is MemoryType.LESSON]
    drafts = [memory for memory in read.memories if memory not in lessons]
    admitted = admission.admit(drafts, Knowledge())
    titles = {memory.title for memory in admitted.admitted}
    return replace(
        extraction,
        summary=read.summary or extraction.summary,
        episodes=tuple(
            episode if episode.memory in titles else episode._replace(memory="") for episode in extraction.episodes
        ),
        memories=admitted.admitted,
        left=(*admitted.left, *(Left(memory, NO_LESSONS) for memory in lessons)),
        problems=read.problems,
        asked=asked,
    )


def task_of(session: Session, tasks: Sequence[Task]) -> Task | None:
    """The open task that a run belongs to: one that the user named, else one about a file that was changed."""
    said = "\n".join(words.text for words in session.said).casefold()
    files = set(changed_files(session))
    open_tasks = [task for task in tasks if task.is_open]
    named = (task for task in open_tasks if task.title.casefold() in said or task.path in said)
    touched = (task for task in open_tasks if files & set(task.files) or _is_below(files, task))
    return next(named, None) or next(touched, None)


def _is_below(files: set[str], task: Task) -> bool:
    folders = tuple(f"{path.rstrip('/')}/" for path in task.files)
    return bool(folders) and any(file.startswith(folders) for file in files)
