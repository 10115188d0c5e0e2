"""The shape of a language's table. A new language is a new module with one `Language` of its own patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from mdmem.pattern import pattern as compiled_late

TOOL: Final = r"[`\"]?(?:make|npm|uv|pip|poetry|pytest|cargo|go|yarn|pnpm|docker|git|mvn|gradle|tox)[`\"]?"
"""A part of patterns: a program that developers run, perhaps marked as code."""
NOTHING: Final = re.compile(r"(?!)")
"""Finds nothing: for what a language has no need of."""


class Cue(NamedTuple):
    """A sign that words hold a lasting rule (weight above 0) or do not (below).

    A cue counts once in a text, however often it is found.
    """

    name: str
    weight: float
    pattern: re.Pattern[str]


class Rewrite(NamedTuple):
    """Turns one way of speaking into the positive, imperative sentence that a title is."""

    pattern: re.Pattern[str]
    replacement: str


@dataclass(frozen=True, slots=True)
class Language:
    """Everything that reading one language takes.

    `cues` score what was said. `openers` are fillers before a sentence's matter, `fillers` those within, `closers`
    those after it; all are left out of titles, and `rewrites` make those positive. `reasons` begin a clause that
    says why, `kinds` give a memory's type by the first pattern that is found.

    `objections` say that the agent went wrong, `doubts` only may (they need that it acted). `dismissals` end the
    work and `questions` ask: neither is a correction, unless the question is one of the `requests`. `polite` is an
    order in the form of a question, `imperatives` any order, `negatives` a mere prohibition. `fragments` and
    `deictics` begin a sentence that needs the one before it. `choices` mark a decision, `revocations` the end of a
    rule, `standing` what an opening request must hold to state one.

    `strangers` announce text that somebody else wrote, `pasted` is how such text sounds, `persons` are the words
    for speaker and hearer, which a longer text of the user's own holds. `relative_days` count from the day on which
    they are said.

    `once` is what holds only now, `withdrawals` take back what was said before them in the same breath. `as_before`
    says that something is as it was another time.

    `changes` announce that something is done in another way from now on, `endings` name in a group what is over.
    `function_words` are the small words by which a text is known to be of this language, folded in case; `letters`
    are those that no other language here has. A language with a `script` of its own is known by that alone.
    """

    code: str
    cues: tuple[Cue, ...]
    openers: re.Pattern[str]
    fillers: re.Pattern[str]
    closers: re.Pattern[str]
    objections: re.Pattern[str]
    doubts: re.Pattern[str]
    dismissals: re.Pattern[str]
    questions: re.Pattern[str]
    requests: re.Pattern[str]
    imperatives: re.Pattern[str]
    negatives: re.Pattern[str]
    fragments: re.Pattern[str]
    deictics: re.Pattern[str]
    polite: re.Pattern[str]
    strangers: re.Pattern[str]
    pasted: re.Pattern[str]
    persons: re.Pattern[str]
    revocations: re.Pattern[str]
    standing: re.Pattern[str]
    choices: re.Pattern[str]
    reasons: re.Pattern[str]
    kinds: tuple[tuple[re.Pattern[str], str], ...]
    rewrites: tuple[Rewrite, ...]
    relative_days: tuple[tuple[re.Pattern[str], int], ...]
    changes: re.Pattern[str] = NOTHING
    endings: re.Pattern[str] = NOTHING
    once: re.Pattern[str] = NOTHING
    withdrawals: re.Pattern[str] = NOTHING
    as_before: re.Pattern[str] = NOTHING
    function_words: frozenset[str] = frozenset()
    letters: re.Pattern[str] = NOTHING
    script: re.Pattern[str] | None = None


def words(alternatives: str, *, start: bool = False) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives as whole words, at the start of a text only when asked.

    Alternatives stand on lines of their own or between ` | `; a `|` without blanks belongs to one alternative.
    """
    found = [item for line in alternatives.splitlines() for item in line.strip().split(" | ") if item]
    return compiled_late(rf"{'^' if start else ''}(?<!\w)(?:{'|'.join(found)})(?!\w)", re.IGNORECASE)


def signs(alternatives: str, *, start: bool = False) -> re.Pattern[str]:
    """Like `words`, for scripts that leave no blanks between them: each alternative is found anywhere."""
    found = [item for line in alternatives.splitlines() for item in line.strip().split(" | ") if item]
    return compiled_late(rf"{'^' if start else ''}(?:{'|'.join(found)})", re.IGNORECASE)


def pattern(text: str, *, whole: bool = False, lines: bool = False) -> re.Pattern[str]:
    """A pattern that ignores case, perhaps written over several lines (see `part`).

    `whole` lets `.` match line ends, `lines` lets `^` and `$` match at them.
    """
    flags = re.IGNORECASE | (re.DOTALL if whole else 0) | (re.MULTILINE if lines else 0)
    return compiled_late(part(text), flags)


def part(text: str) -> str:
    """A part of a pattern: as it is on one line; written over several, each of them is trimmed."""
    lines = text.split("\n")
    return text if len(lines) == 1 else "".join(line.strip() for line in lines)
