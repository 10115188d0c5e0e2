"""What a run was about, without a model: what was asked, what came of it, what is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mdmem.extract.digest import changed_files, shortened
from mdmem.redact import redact
from mdmem.store.state import Summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.extract.transcripts.session import Session

REQUEST_LENGTH: Final = 300
DONE_LENGTH: Final = 400
ITEM_LENGTH: Final = 160
OPEN_ITEMS: Final = 6
LAST_REPLIES: Final = 3

OPEN: Final = re.compile(
    r"^\W*(?:\[ \]|todo\b|remaining\b|still (?:open|to do|missing|failing|needs?)|next steps?:|follow[- ]up"
    r"|left (?:open|to do)"
    r"|open (?:item|question|point)s?\b|not (?:yet )?(?:done|started|implemented|covered|tested|fixed)\b)"
    r"|\b(?:still (?:needs? to|open|missing|fails?)|remains? to be|has yet to|haven't (?:yet )?\w+ed"
    r"|didn't (?:get to|finish)"
    r"|not yet (?:done|implemented|covered|tested|fixed|wired|migrated))\b",
    re.IGNORECASE,
)


LEAD: Final = re.compile(
    r"(?:\W*(?:(?:what is )?left (?:open|undone|to do)|still (?:open|to do|missing|left)|to[- ]?do|remaining(?: work)?"
    r"|next steps?|follow[- ]?ups?|open (?:items?|questions?|points?)|not (?:yet )?done)\b\s*:\W*)+",
    re.IGNORECASE,
)
"""What only announces an open item; the brief has a heading of its own for them."""


def summary(session: Session) -> Summary:
    """The run's summary: the opening request, the last thing the agent reported, the outcome, open items."""
    replies = [reply.text for reply in session.iter_replies()]
    opening = session.said[0].text if session.said else session.title
    files = changed_files(session)
    done = replies[-1] if replies else ""
    changed = f" Changed: {', '.join(files[:6])}{' …' if len(files) > 6 else ''}." if files else ""
    return Summary(
        request=_line(opening, REQUEST_LENGTH),
        work_done=_line(done, DONE_LENGTH) + redact(changed).text,
        outcome=outcome(session),
        open_items=tuple(dict.fromkeys(_open_items(session, replies)))[:OPEN_ITEMS],
    )


def outcome(session: Session) -> str:
    """`done` when the agent reported after its last step, `failed` when that step failed, `partial` when the
    user's last words got no answer, `unknown` when nothing was done."""
    finished = [turn for turn in session.turns if turn.is_finished]
    last = next((turn for turn in reversed(session.turns) if turn.said), None)
    if not finished or last is None:
        return "unknown"
    if not last.replies:
        return "partial"
    acts = [call for call in session.iter_calls() if call.acts and not call.is_rejected]
    if not acts:
        return "unknown"
    return "failed" if acts[-1].is_failed else "done"


def _open_items(session: Session, replies: list[str]) -> Iterator[str]:
    """What the agent's last messages call unfinished, then the user's last words if nobody answered them."""
    for reply in replies[-LAST_REPLIES:]:
        for line in reply.splitlines():
            item = LEAD.sub("", line.strip(" -*•[]#"))
            if OPEN.search(line) and len(item.split()) > 2:
                yield _line(item, ITEM_LENGTH)
    last = next((turn for turn in reversed(session.turns) if turn.said), None)
    if last and last.said and not last.steps and len(session.said) > 1:
        yield _line(last.said.text, ITEM_LENGTH)


def _line(text: str, length: int) -> str:
    return shortened(" ".join(redact(text).text.split()), length)
