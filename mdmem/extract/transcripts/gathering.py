"""What a reader gathers of a run while it goes through the file, and the Session it becomes.

Readers know an agent's records; here what they found is put together the same way for all: parts of one message
are joined, results are attached to their calls, steps are kept in order of time. Memory stays bounded: the newest
STEPS steps of the agent are kept, and every word of the user.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.extract.transcripts.injected import GUARDED, recalled_titles
from mdmem.extract.transcripts.records import Tally
from mdmem.extract.transcripts.session import Kind, Reply, Said, Session, ToolCall, Turn, Use, Voice
from mdmem.memory import normal_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

STEPS: Final = 5000
SAID_LENGTH: Final = 20_000
REPLY_LENGTH: Final = 4000
OUTPUT_HEAD: Final = 1200
OUTPUT_TAIL: Final = 800
RESULT_LENGTH: Final = 300
COMMAND_LENGTH: Final = 2000

Step = Reply | ToolCall
Order = tuple[datetime, int]
"""Where a step stands in time: at its record's timestamp, then in the order of reading."""
EARLIEST: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""No agent wrote a transcript before; an older timestamp is none."""


class Result(NamedTuple):
    """What came back from a tool; it may stand before its call when records are out of order.

    `reason` is what the user said who rejected the call.
    """

    line: int
    output: str
    is_error: bool = False
    is_rejected: bool = False
    reason: str = ""


@dataclass(slots=True)
class Gathering:
    """What has been read of a run so far."""

    agent: str
    tally: Tally = field(default_factory=Tally)
    id: str = ""
    cwd: str = ""
    title: str = ""
    version: str = ""
    model: str = ""
    is_subagent: bool = False
    at: datetime | None = None
    last: datetime = EARLIEST
    errors: int = 0
    said: list[tuple[Order, Said]] = field(default_factory=list)
    steps: OrderedDict[str, tuple[Order, Step]] = field(default_factory=OrderedDict)
    early: dict[str, Result] = field(default_factory=dict)
    messages: set[int] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    recalled: dict[str, None] = field(default_factory=dict)
    serial: Iterator[int] = field(default_factory=count)

    def is_replayed(self, name: str) -> bool:
        """Whether a record of that id was read before; a record without an id never was."""
        if not name:
            return False
        key = hash(name)
        is_replayed = key in self.seen
        self.seen.add(key)
        return is_replayed

    def set_time(self, moment: datetime | None) -> None:
        """What is read from now on happened then; None: when is not known, but not before what was read last."""
        self.at = moment
        self.last = moment or self.last

    def say(self, words: str, line: int, voice: Voice = Voice.PROMPT, record: str = "") -> None:
        """Adds words of the user; `record` is the id of the record they stand in."""
        if words:
            self.said.append((self._order(), Said(words[:SAID_LENGTH], line, self.at, voice, record)))

    def recall(self, text: str) -> None:
        """Notes which memories a text recalls, if it is or holds a brief of ours."""
        self.recalled.update(dict.fromkeys(recalled_titles(text)))

    def reply(self, message: str, words: str, line: int) -> None:
        """Adds text of a message; parts of one message are joined, a longer version of a part replaces it."""
        words = words.strip()
        if not words:
            return
        key = f"reply {message}"
        order, known = self.steps.get(key, (self._order(), None))
        before = known.text if isinstance(known, Reply) else ""
        if words.startswith(before):
            merged = words
        else:
            merged = before if before.startswith(words) or before.endswith(words) else f"{before}\n{words}"
        self._keep(key, order, Reply(merged[:REPLY_LENGTH], line))

    def call(self, key: str, call: ToolCall) -> None:
        """Adds a call that is still open, and the result that may have come before it; a known call stays."""
        if key in self.steps:
            return
        self._keep(key, self._order(), replace(call, command=call.command[:COMMAND_LENGTH], is_open=True))
        if key in self.early:
            self.attach(key, self.early.pop(key))

    def result(self, key: str, result: Result) -> None:
        """Attaches a result to its call, or keeps it until the call comes."""
        self.errors += result.is_error and not result.is_rejected
        if key in self.steps:
            self.attach(key, result)
        elif len(self.early) < STEPS:
            self.early[key] = result._replace(output=head_and_tail(result.output))

    def attach(self, key: str, result: Result) -> None:
        """Closes a call with its result, without counting an error once more."""
        order, call = self.steps[key]
        if not isinstance(call, ToolCall):
            return
        is_failed = result.is_error and not result.is_rejected and not GUARDED.search(result.output[:OUTPUT_HEAD])
        done = replace(
            call,
            line=result.line,
            output=head_and_tail(result.output) if is_failed else result.output[:RESULT_LENGTH],
            is_failed=is_failed,
            is_rejected=result.is_rejected,
            is_open=False,
        )
        self.steps[key] = order, done

    def known_call(self, key: str) -> ToolCall | None:
        """The call of that key, None when there is none."""
        step = self.steps[key][1] if key in self.steps else None
        return step if isinstance(step, ToolCall) else None

    def session(self, read: Collection[str], machinery: Collection[str]) -> Session:
        """Everything read, in order of time. `read` and `machinery` name the kinds of records that are known."""
        said = _without_echoes(self.said)
        events = sorted([*said, *self.steps.values()], key=lambda event: event[0])
        times = [at for (at, _), _ in events if at > EARLIEST]
        return Session(
            agent=self.agent,
            id=self.id,
            cwd=self.cwd,
            title=self.title,
            started_at=times[0] if times else None,
            ended_at=times[-1] if times else None,
            turns=tuple(_turns([event for _, event in events])),
            user_texts=len(said),
            assistant_messages=len(self.messages),
            tool_errors=self.errors,
            skipped=self.tally.skipped,
            problems=tuple(self.tally.problems),
            version=self.version,
            model=self.model,
            is_subagent=self.is_subagent,
            kinds=tuple(
                Kind(name, number, Use.READ if name in read else Use.MACHINERY if name in machinery else Use.UNKNOWN)
                for name, number in sorted(self.tally.kinds.items())
            ),
            recalled=tuple(self.recalled),
            passed=tuple(sorted((why, number) for why, number in self.tally.passed.items() if number)),
        )

    def _order(self) -> Order:
        return self.last, next(self.serial)

    def _keep(self, key: str, order: Order, step: Step) -> None:
        self.steps[key] = order, step
        if len(self.steps) > STEPS:
            self.steps.popitem(last=False)


def head_and_tail(output: str) -> str:
    """What is kept of a failed call's output: compilers put the cause first, interpreters last."""
    if len(output) <= OUTPUT_HEAD + OUTPUT_TAIL:
        return output
    return f"{output[:OUTPUT_HEAD]}\n…\n{output[-OUTPUT_TAIL:]}"


def moment(stamp: str) -> datetime | None:
    """An ISO timestamp as an aware UTC datetime; None for anything else, and for a time that can't be."""
    try:
        at = datetime.fromisoformat(stamp)
        at = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return at if at > EARLIEST else None


def moment_of(milliseconds: object) -> datetime | None:
    """Milliseconds since 1970 as an aware UTC datetime; None for anything else, and for a time that can't be."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float):
        return None
    try:
        at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at if at > EARLIEST else None


def _without_echoes(said: list[tuple[Order, Said]]) -> list[tuple[Order, Said]]:
    """What the user said, each queued text once: as it was delivered, else as it was first queued."""
    heard = {normal_text(words.text) for _, words in said if words.voice is not Voice.QUEUED}
    kept = []
    for order, words in said:
        folded = normal_text(words.text)
        if words.voice is not Voice.QUEUED or folded not in heard:
            heard.add(folded)
            kept.append((order, words))
    return kept


def _turns(events: list[Said | Step]) -> Iterator[Turn]:
    """Events in order of time, cut where the user speaks."""
    said: Said | None = None
    steps: list[Step] = []
    for event in events:
        if isinstance(event, Said):
            if said or steps:
                yield Turn(said, tuple(steps))
            said, steps = event, []
        else:
            steps.append(event)
    if said or steps:
        yield Turn(said, tuple(steps))
