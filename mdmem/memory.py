"""The domain value: one frozen Memory, the table of types, the limits of every field.

A Memory is valid once built. It knows nothing of files: `markdown` turns text into it, `store` keeps it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.errors import InvalidMemoryError
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

When = date
"""A day, or (as its subclass `datetime`, always aware, in UTC) a moment."""

TITLE_LENGTH: Final = 120
BODY_LENGTH_AGENT: Final = 800
BODY_LENGTH_WARN: Final = 4000
FILE_SIZE: Final = 64 * 1024
TOPIC_LENGTH: Final = 80
FILES_COUNT: Final = 20
ORIGIN_COUNT: Final = 10
CONFIDENCE: Final = 0.6
CONFIDENCE_RANGE: Final = (0.1, 1.0)
_LOW, _HIGH = CONFIDENCE_RANGE

ID: Final = pattern(r"[A-Za-z0-9._-]{1,64}")
TOPIC: Final = pattern(rf"[a-z0-9/\-_.]{{1,{TOPIC_LENGTH}}}")
SCOPE: Final = pattern(r"project|global|agent:[A-Za-z0-9._-]+")


class MemoryType(StrEnum):
    """What a memory is about; it is also the name of its folder."""

    DECISION = "decision"
    LESSON = "lesson"
    COMMAND = "command"
    ENV_QUIRK = "env_quirk"
    CONVENTION = "convention"
    PREFERENCE = "preference"
    SPEC = "spec"
    OWNERSHIP = "ownership"
    USER = "user"
    FEEDBACK = "feedback"
    WORKSPACE = "workspace"
    REFERENCE = "reference"


class TypeInfo(NamedTuple):
    """How a type ranks: `weight` in the prior and in salience, `quota` lines in a brief, `half_life` in days."""

    heading: str
    holds: str
    weight: float
    quota: int
    half_life: int


TYPES: Final[Mapping[MemoryType, TypeInfo]] = {
    MemoryType.DECISION: TypeInfo("Decisions", "a choice and its reason", 1.2, 6, 90),
    MemoryType.LESSON: TypeInfo("Lessons", "what failed and why", 1.3, 8, 90),
    MemoryType.COMMAND: TypeInfo("Commands", "a command that works", 1.15, 6, 90),
    MemoryType.ENV_QUIRK: TypeInfo("Environment quirks", "the environment's surprises", 1.25, 4, 90),
    MemoryType.CONVENTION: TypeInfo("Conventions", "how things are done here", 1.0, 5, 90),
    MemoryType.PREFERENCE: TypeInfo("Preferences", "what people here like", 0.95, 5, 90),
    MemoryType.SPEC: TypeInfo("Specifications", "what must be built", 0.85, 0, 90),
    MemoryType.OWNERSHIP: TypeInfo("Ownership", "who answers for what", 0.95, 0, 90),
    MemoryType.USER: TypeInfo("User", "who the user is: role, goals, knowledge", 0.95, 3, 180),
    MemoryType.FEEDBACK: TypeInfo("Feedback", "guidance on how to work", 1.2, 5, 90),
    MemoryType.WORKSPACE: TypeInfo("Workspace", "ongoing work, goals, incidents", 1.0, 4, 30),
    MemoryType.REFERENCE: TypeInfo("References", "where information lives outside", 0.95, 0, 180),
}
ALIASES: Final = {
    "project": MemoryType.WORKSPACE,
    "quirk": MemoryType.ENV_QUIRK,
    "correction": MemoryType.FEEDBACK,
}
TYPE_NAMES: Final = (*(kind.value for kind in MemoryType), *ALIASES)
"""What may be typed for a type."""
_NAMED: Final = {kind.value: kind for kind in MemoryType} | ALIASES
PERSONAL_TYPES: Final = frozenset({MemoryType.PREFERENCE, MemoryType.OWNERSHIP, MemoryType.USER})
"""People speak for themselves: what an agent records of these waits as `pending`."""


def as_type(name: str) -> MemoryType | None:
    """The type of that name or alias, None when there is none."""
    return _NAMED.get(name)


class Status(StrEnum):
    """Where a memory stands in its life; only `active` ones are searched and briefed."""

    PENDING = "pending"
    ACTIVE = "active"
    STALE = "stale"
    RETRACTED = "retracted"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"


class Source(StrEnum):
    """Who said it."""

    USER = "user"
    AGENT = "agent"
    EXTRACTION = "extraction"
    CONSOLIDATION = "consolidation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing worth knowing, as the file says it.

    `id` is empty until the store has given one. `extra` holds the frontmatter keys that are not ours, as
    (key, value) pairs whose values are strings, lists and dicts of strings. `confidence` is 0.1 to 1.

    Raises InvalidMemoryError when a field breaks its rule.
    """

    type: MemoryType
    title: str
    body: str = ""
    id: str = ""
    description: str = ""
    status: Status = Status.ACTIVE
    confidence: float = CONFIDENCE
    evidence: int = 1
    topic: str = ""
    files: tuple[str, ...] = ()
    scope: str = "project"
    source: Source = Source.USER
    origin: tuple[str, ...] = ()
    created: When | None = None
    confirmed: When | None = None
    expires: When | None = None
    superseded_by: str = ""
    supersedes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    verified: str = ""
    extra: tuple[tuple[str, object], ...] = field(default=(), hash=False)

    def __post_init__(self) -> None:
        for holds, code, key, message in RULES:
            if not holds(self):
                raise InvalidMemoryError(code, key, message)

    def as_json(self) -> dict[str, object]:
        """Every field under its own name, the body last but for foreign keys, which stand under `extra`."""
        shown: dict[str, object] = {}
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, date):
                value = when_text(value)
            elif name in _EMPTY_IS_NULL:
                value = value or None
            elif isinstance(value, tuple):
                value = list(value)
            shown[name] = value
        return shown | {"extra": dict(self.extra)}

    @property
    def is_active(self) -> bool:
        """Whether search and brief may use it."""
        return self.status is Status.ACTIVE

    @property
    def hook(self) -> str:
        """The one line that tells whether to read on: the description, else the body's first sentence."""
        return self.description or first_sentence(self.body)

    @property
    def confirmed_at(self) -> datetime | None:
        """When it was last known to be true; None when the file gives no date."""
        when = self.confirmed or self.created
        return moment(when) if when else None


RULES: Final[tuple[tuple[Callable[[Memory], bool], str, str, str], ...]] = (
    (lambda it: bool(it.title.strip()), "E_MISSING", "title", "a memory needs a title"),
    (lambda it: "\n" not in it.title, "E_TYPE", "title", "the title must be one line"),
    (lambda it: len(it.title) <= TITLE_LENGTH, "E_LENGTH", "title", f"more than {TITLE_LENGTH} characters"),
    (lambda it: not it.id or bool(ID.fullmatch(it.id)), "E_TYPE", "id", "takes 1 to 64 of A-Z a-z 0-9 . _ -"),
    (lambda it: _LOW <= it.confidence <= _HIGH, "E_RANGE", "confidence", f"must be {_LOW:g} to {_HIGH:g}"),
    (lambda it: it.evidence >= 1, "E_RANGE", "evidence", "must be 1 or more"),
    (
        lambda it: not it.topic or bool(TOPIC.fullmatch(it.topic)),
        "E_TYPE",
        "topic",
        f"takes at most {TOPIC_LENGTH} of a-z 0-9 / - _ .",
    ),
    (lambda it: len(it.files) <= FILES_COUNT, "E_LENGTH", "files", f"more than {FILES_COUNT} paths"),
    (lambda it: len(it.origin) <= ORIGIN_COUNT, "E_LENGTH", "origin", f"more than {ORIGIN_COUNT} runs"),
    (lambda it: bool(SCOPE.fullmatch(it.scope)), "E_ENUM", "scope", "must be project, global or agent:<name>"),
)
"""What every memory fulfils, with the code, field and message of the error where one does not."""
_FIRST: Final = datetime(1000, 1, 1, tzinfo=UTC)
_LAST: Final = datetime(9000, 1, 1, tzinfo=UTC)
_EMPTY_IS_NULL: Final = frozenset({"description", "topic", "superseded_by", "verified"})


def when_text(when: When) -> str:
    """ISO 8601: a day, or a moment in UTC with Z."""
    if not isinstance(when, datetime):
        return when.isoformat()
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z")


def moment(when: When) -> datetime:
    """The aware UTC datetime of a `When`; a bare day counts from its midnight."""
    if isinstance(when, datetime):
        return when.astimezone(UTC)
    return datetime.combine(when, time(), UTC)


def countable(at: datetime) -> datetime:
    """The moment, kept so far from the calendar's ends that days can be added to it and taken away."""
    return min(max(at, _FIRST), _LAST)


def latest(when: When, before: When | None) -> When:
    """The later of two times; of the same day and moment the first."""
    return before if before is not None and moment(before) > moment(when) else when


def age_days(when: When | None, now: datetime) -> float | None:
    """Days from `when` to `now`, never below 0; None when there is no date."""
    return None if when is None else max(0.0, (now - moment(when)).total_seconds() / 86400)


def has_expired(memory: Memory, now: datetime) -> bool:
    """Whether its `expires` has passed; a day passes with its last moment."""
    expires = memory.expires
    if isinstance(expires, datetime):
        return moment(expires) <= now
    return expires is not None and expires < now.date()


def normal_text(text: str) -> str:
    """Text as duplicates and hashes see it: NFC, white space folded, ends trimmed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def statement_of(memory: Memory) -> tuple[str, str, str, str]:
    """What duplicates have in common: type, scope, title and body after `normal_text`."""
    return memory.type.value, memory.scope, normal_text(memory.title), normal_text(memory.body)


def is_duplicate(one: Memory, other: Memory) -> bool:
    """Whether both say exactly the same."""
    return statement_of(one) == statement_of(other)


SENTENCE_END: Final = pattern(r"(?<=[.!?。！？])(?:\s+|$)|\n\s*\n|\n(?=[-*#>|`])")
EVIDENCE: Final = pattern(r"^\*\*Evidence:\*\*.*(?:\n(?!\s*\n).*)*", re.MULTILINE)
MARKUP: Final = pattern(r"^\s*(?:#{1,6}\s+|[-*+]\s+|>\s+|\d+\.\s+)|\*\*|`{3,}\w*")


def first_sentence(body: str) -> str:
    """The body's first sentence as plain text on one line, '' for an empty body.

    What only says where a memory comes from (**Evidence:** …) is no first sentence.
    """
    told = EVIDENCE.sub("", body) if "**Evidence:**" in body else body
    for part in _iter_sentences(told.strip()):
        text = " ".join(MARKUP.sub("", part).split())
        if any(c.isalnum() for c in text):
            return text
    return ""


def _iter_sentences(text: str) -> Iterator[str]:
    """The text split at SENTENCE_END, as far as it is asked for."""
    start = 0
    for end in SENTENCE_END.finditer(text):
        yield text[start : end.start()]
        start = end.end()
    yield text[start:]


def rounded(confidence: float) -> float:
    """Confidence kept in its range and to two decimals; not a number counts as the default."""
    return round(min(_HIGH, max(_LOW, confidence)), 2) if math.isfinite(confidence) else CONFIDENCE
