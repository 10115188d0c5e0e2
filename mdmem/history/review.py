"""What waits for a person: pending memories, and those that nobody here has looked at; and what a person decides.

The queue is made once, and each memory is looked at again when its turn comes: a decision counts only for the version
that was shown. Accepting leaves a memory's file alone unless its status must change; that it was accepted is kept in
this machine's own history.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from mdmem.errors import MdmemError
from mdmem.memory import Status
from mdmem.store.caller import Caller
from mdmem.store.extra import ExtraStore
from mdmem.store.filters import newest_first
from mdmem.store.life import plan_promote, plan_reject
from mdmem.store.own import make_own
from mdmem.store.state import append_reviewed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from mdmem.memory import Memory
    from mdmem.store.store import Store
    from mdmem.store.table import StoredMemory

TAG: Final = 8
"""So many digits of an etag tell a version."""
BLOCK: Final = re.compile(rf"(?P<word>\S+) (?P<number>\d+) (?P<tag>[0-9a-f]{{{TAG}}})(?: .*)?")
FILE_HEAD: Final = """\
# One memory a block. Change the word at the start of its line to accept or reject; skip leaves it waiting.
# Indented lines are for reading only: to change a memory use `mdmem edit`.
"""


class Why(StrEnum):
    """Why a memory waits."""

    PENDING = "pending"
    UNREVIEWED = "unreviewed"


class Word(StrEnum):
    """What a person decides."""

    ACCEPT = "accept"
    REJECT = "reject"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A memory that waits, why, and who it is from."""

    stored: StoredMemory
    why: Why
    author: str

    def as_json(self) -> dict[str, object]:
        """The shape of `review --json`, one a memory."""
        return {"waits": self.why.value, "author": self.author, **self.stored.as_json()}


@dataclass(frozen=True)
class Review:
    """The review of one or more stores. `author` says who a memory is from, and whether it was reviewed here."""

    stores: tuple[Store, ...]
    now: datetime
    author: Callable[[StoredMemory], tuple[str, bool]]

    def queue(self) -> tuple[Waiting, ...]:
        """All that waits: pending ones first, then unreviewed ones, of each the most recently confirmed first."""
        return waiting([one for store in self._own() for one in store.load()], self.author)

    def again(self, item: Waiting) -> Waiting | None:
        """The same memory as it is now; None when it is gone or no longer waits."""
        now = {one.path: one for one in self._store(item).load()}
        found = waiting([now[item.stored.path]] if item.stored.path in now else [], self.author)
        return found[0] if found else None

    def named(self, refs: Sequence[str]) -> tuple[Waiting, ...]:
        """The items that refs name. Raises NotFoundError, and MdmemError for a memory that does not wait."""
        queue = {(item.stored.store, item.stored.path): item for item in self.queue()}
        found = []
        for ref in refs:
            one = self._own()[0].find(ref)
            item = queue.get((one.store, one.path))
            if item is None:
                raise MdmemError(f"{one.path} does not wait for review", "`mdmem review` lists what does")
            found.append(item)
        return tuple(found)

    def accept(self, item: Waiting, caller: Caller) -> None:
        """Make a pending memory active, count any other as reviewed. Raises MdmemError when an agent asks."""
        _need_person(caller)
        store, path = self._store(item), item.stored.path
        if item.why is Why.PENDING:
            store.execute(
                lambda _: plan_promote(store, [path], caller, self.now.date()),
                what="promote", caller=caller, now=self.now,
            )  # fmt: skip
        else:
            append_reviewed(make_own(store.state_folder), item.stored.etag, self.now)

    def reject(self, item: Waiting, caller: Caller) -> None:
        """Remove a memory, and see to it that it is not learned again. Raises MdmemError when an agent asks."""
        _need_person(caller)
        store, path = self._store(item), item.stored.path
        if item.why is Why.PENDING:
            store.execute(lambda _: plan_reject(store, [path], caller), what="reject", caller=caller, now=self.now)
        else:
            store.forget([path], caller=caller, now=self.now)

    def decide(self, item: Waiting, word: Word, caller: Caller) -> bool:
        """Carry a decision out if the memory is still the one that was shown; whether it was carried out."""
        now = self.again(item)
        if word is Word.SKIP or now is None or now.stored.etag != item.stored.etag:
            return False
        (self.accept if word is Word.ACCEPT else self.reject)(now, caller)
        return True

    def _own(self) -> tuple[Store, ...]:
        return tuple(store for store in self.stores if not isinstance(store, ExtraStore))

    def _store(self, item: Waiting) -> Store:
        return next(store for store in self._own() if store.name == item.stored.store)


def waiting(stored: Iterable[StoredMemory], author: Callable[[StoredMemory], tuple[str, bool]]) -> tuple[Waiting, ...]:
    """Those that wait, pending ones first. A file that can't be read is for `check`."""
    pending, unreviewed = [], []
    for one in newest_first(one for one in stored if one.is_readable):
        name, is_reviewed = author(one)
        if one.memory.status is Status.PENDING:
            pending.append(Waiting(one, Why.PENDING, name))
        elif one.memory.is_active and not is_reviewed:
            unreviewed.append(Waiting(one, Why.UNREVIEWED, name))
    return (*pending, *unreviewed)


def as_text(item: Waiting, nearest: Memory | None) -> str:
    """A memory as it is shown for review, with the words in which it differs from the nearest one."""
    memory = item.stored.memory
    facts = [item.why.value, memory.type.value, f"from {item.author}", f"confidence {memory.confidence:g}"]
    parts = [memory.title, f"({', '.join(facts)}; {item.stored.path})", *([memory.body] if memory.body else [])]
    if nearest:
        parts.append(f"nearest: {nearest.title}")
        parts.append(f"  {differing(statement(nearest), statement(memory))}")
    return "\n".join(parts)


def statement(memory: Memory) -> str:
    """Title and body on one line."""
    return " ".join(f"{memory.title}. {memory.body}".split())


def differing(old: str, new: str) -> str:
    """The new text with what it adds as {+words+}, and what the old one has instead as [-words-]."""
    before, after = old.split(), new.split()
    parts = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(" ".join(after[k:m]))
            continue
        parts += [f"[-{' '.join(before[i:j])}-]"] if i < j else []
        parts += [f"{{+{' '.join(after[k:m])}+}}"] if k < m else []
    return " ".join(parts)


def as_file(queue: Sequence[Waiting], texts: Sequence[str]) -> str:
    """The queue as a file to edit: a line a memory that can be changed, its text indented below."""
    blocks = [
        f"{Word.SKIP} {number} {item.stored.etag[:TAG]} {item.stored.path}\n"
        + "".join(f"    {line}\n" for line in text.splitlines())
        for number, (item, text) in enumerate(zip(queue, texts, strict=True), 1)
    ]
    return "\n".join([FILE_HEAD, *blocks])


def read_file(text: str, queue: Sequence[Waiting]) -> Mapping[int, Word]:
    """What a person decided in the file, by place in the queue; what they deleted is skipped.

    Raises MdmemError, before anything is done, for a line that is none of ours and for a word that is no decision.
    """
    found: dict[int, Word] = {}
    for line_number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line[0] in "# \t":
            continue
        block = BLOCK.fullmatch(line.rstrip())
        words = [word for word in Word if block and word.value.startswith(block["word"].casefold())]
        at = int(block["number"]) - 1 if block else -1
        if not block or not words or not 0 <= at < len(queue) or not queue[at].stored.etag.startswith(block["tag"]):
            raise MdmemError(
                f"line {line_number} of the review can't be read: {line[:60]!r}; nothing was done",
                "begin a block's line with accept, reject or skip, and leave the rest of it as it was",
            )
        found[at] = words[0]
    return found


def _need_person(caller: Caller) -> None:
    if caller is not Caller.USER:
        raise MdmemError("only a person can review memories", "leave it for review")
