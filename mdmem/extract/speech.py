"""What a person says, ready to be read: without what they pasted, in sentences, dates made absolute."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import date

    from mdmem.extract.languages.language import Language

SHORT: Final = 320
"""People give rules in a breath; in a longer text every sentence stands for itself."""
LONG: Final = 1200
"""A text of this length was mostly pasted."""

FENCED: Final = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
QUOTED_LINE: Final = re.compile(
    r"^\s*(?:>|\||\d+[.)]\s+[\"“]|[\"“].*[\"”]\s*(?:\(.*\))?$"
    r"|(?:[A-Z]{3,8}:?\s+)?[\w./-]+:\d+[: ]|(?:CRITICAL|HIGH|MEDIUM|LOW|ERROR|WARNING|INFO):\s|\s{4,}\S).*$"
)
"""A line that quotes: marked as quoted, in quotation marks, a finding at a place in the code, or indented output."""
SENTENCE_END: Final = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<=[.!?…])[\"')”]*\s+|(?<=[。！？])[」』”]*\s*|\s[:;]-?[)(DP]\s+|\s*\n+\s*(?:[-*•]\s+)?"
)
AGO: Final = re.compile(r"\b(?P<n>\d+|a|one|two|three)\s+(?P<unit>day|week|month)s?\s+ago\b", re.IGNORECASE)
WEEKDAY: Final = re.compile(
    r"\b(?P<which>last|this|next)\s+(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE
)
PERIOD: Final = re.compile(r"\b(?P<which>last|this|next)\s+(?P<unit>week|month)\b", re.IGNORECASE)

COUNTS: Final = {"a": 1, "one": 1, "two": 2, "three": 3}
UNIT_DAYS: Final = {"day": 1, "week": 7, "month": 30}
WEEKDAYS: Final = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")


def own_text(text: str, language: Language) -> str:
    """What the speaker says in their own name: pasted reviews, mails, logs and code are left out.

    A first line that announces somebody else's words makes all that follows theirs.
    """
    lines = [line for line in FENCED.sub("", text).splitlines() if not QUOTED_LINE.match(line)]
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    is_announced = first.endswith((":", "?", "：", "？")) and language.strangers.search(first)
    if is_announced and len(text.strip().splitlines()) > 1:
        return first
    own = "\n".join(lines).strip()
    is_impersonal = len(own) > SHORT and not language.persons.search(own)
    return "" if is_impersonal or language.pasted.search(own) else own


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, each with its final mark."""
    parts, start = [], 0
    for end in SENTENCE_END.finditer(text):
        parts.append(text[start : end.end()])
        start = end.end()
    return tuple(part.strip(" \t\n-*•") for part in [*parts, text[start:]] if part.strip(" \t\n-*•"))


def units(text: str) -> tuple[tuple[str, ...], ...]:
    """The groups of sentences that are judged together: all of a short text, one by one in a longer one."""
    found = sentences(text)
    return (found,) if len(text) <= SHORT and found else tuple((sentence,) for sentence in found)


def with_dates(text: str, day: date, language: Language) -> str:
    """The text with relative dates made absolute, counted from `day`."""
    for pattern, days in language.relative_days:
        text = pattern.sub((day + timedelta(days=days)).isoformat(), text)
    text = AGO.sub(lambda found: _ago(found, day), text)
    text = WEEKDAY.sub(lambda found: _weekday(found, day), text)
    return PERIOD.sub(lambda found: _period(found, day), text)


def _ago(found: re.Match[str], day: date) -> str:
    number = found["n"].lower()
    count = COUNTS.get(number) or min(int(number), 3650)
    when = day - timedelta(days=count * UNIT_DAYS[found["unit"].lower()])
    return f"on {when.isoformat()}" if found["unit"].lower() == "day" else f"around {when.isoformat()}"


def _weekday(found: re.Match[str], day: date) -> str:
    ahead = (WEEKDAYS.index(found["day"].lower()) - day.weekday()) % 7
    which = found["which"].lower()
    shift = {"last": ahead - 7, "this": ahead, "next": ahead or 7}[which]
    return (day + timedelta(days=shift)).isoformat()


def _period(found: re.Match[str], day: date) -> str:
    days = UNIT_DAYS[found["unit"].lower()] * {"last": -1, "this": 0, "next": 1}[found["which"].lower()]
    when = day + timedelta(days=days)
    unit = "the week of" if found["unit"].lower() == "week" else ""
    return f"{unit} {when.isoformat() if unit else when.strftime('%Y-%m')}".strip()
