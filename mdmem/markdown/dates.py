"""ISO 8601 days and moments, and what a day in another form would be in it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final

from mdmem.pattern import pattern

if TYPE_CHECKING:
    from mdmem.memory import When

_ISO: Final = pattern(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:(?:[Tt]|[ \t]+)(?P<clock>(?:[01][0-9]|2[0-3]):[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)[0-9]*"
    r"[ \t]*(?P<zone>[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GERMAN: Final = {"mär": 3, "mai": 5, "okt": 10, "dez": 12}
_OTHER_FORMS: Final = (
    pattern(r"(?P<y>[0-9]{4})[-/. ](?P<m>[0-9]{1,2})[-/. ](?P<d>[0-9]{1,2})\b"),
    pattern(r"(?P<y>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})\b"),
    pattern(r"(?P<d>[0-9]{1,2})\. ?(?P<m>[0-9]{1,2})\. ?(?P<y>[0-9]{4})\b"),
    pattern(r"(?P<d>1[3-9]|2[0-9]|3[01])[/-](?P<m>[0-9]{1,2})[/-](?P<y>[0-9]{4})\b"),
    pattern(r"(?P<m>[0-9]{1,2})[/-](?P<d>1[3-9]|2[0-9]|3[01])[/-](?P<y>[0-9]{4})\b"),
    pattern(r"(?P<d>[0-9]{1,2})(?:\.|st|nd|rd|th)? (?P<m>[A-Za-zä]{3,9})\.?,? (?P<y>[0-9]{4})\b"),
    pattern(r"(?P<m>[A-Za-zä]{3,9})\.? (?P<d>[0-9]{1,2})(?:st|nd|rd|th)?,? (?P<y>[0-9]{4})\b"),
)
"""03/04/2026 is not among them: nobody can tell which of the two is the month."""


def as_when(text: str) -> When | None:
    """The day or moment (UTC where it names no zone) of an ISO 8601 text, None when it names none."""
    match = _ISO.fullmatch(text)
    if not match:
        return None
    try:
        if match["clock"] is None:
            return date.fromisoformat(match["day"])
        zone = (match["zone"] or "Z").upper()
        return datetime.fromisoformat(f"{match['day']}T{match['clock']}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def as_iso(text: str) -> str:
    """The day that a text in another form surely names, as `2026-11-30`; '' when there is none."""
    for form in _OTHER_FORMS:
        match = form.match(text.strip())
        month = _month(match["m"]) if match else 0
        if match and month:
            try:
                return date(int(match["y"]), month, int(match["d"])).isoformat()
            except ValueError:
                return ""
    return ""


def _month(text: str) -> int:
    if text.isdecimal():
        return int(text)
    name = text[:3].lower()
    return _GERMAN.get(name) or (_MONTHS.index(name) + 1 if name in _MONTHS else 0)
