"""A run in at most 12,000 characters, for a reader or a model: four parts, each with its own budget.

The agent's conclusions get their room first and are never what is cut; what the user asked comes next, then files,
and tool activity takes the rest. Inputs of tools are left out, secrets are redacted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.redact import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.extract.transcripts.session import Session, ToolCall

DIGEST_LENGTH: Final = 12_000
CALL_LENGTH: Final = 160
LEAST_LENGTH: Final = 40
"""The least that is shown of a message when there are many."""


class Part(NamedTuple):
    """One part of the digest: at most `most` items in at most `budget` characters."""

    heading: str
    budget: int
    most: int


SAID: Final = Part("## Agent said", 5000, 6)
ASKED: Final = Part("## User asked", 4200, 400)
FILES: Final = Part("## Files changed", 1200, 60)
TOOLS: Final = Part("## Tool activity", DIGEST_LENGTH, 60)


def digest(session: Session) -> str:
    """The run as text, '' when the user said nothing and the agent did nothing.

    At most DIGEST_LENGTH characters, without secrets. The same session always gives the same text.
    """
    said = _conclusions([reply.text for reply in session.iter_replies()])
    asked = _rendered(ASKED, [said.text for said in session.said])
    files = _rendered(FILES, list(changed_files(session))[: FILES.most])
    rest = DIGEST_LENGTH - sum(len(part) + 2 for part in (said, asked, files))
    calls = [_activity(call) for call in session.iter_calls()]
    tools = _rendered(TOOLS._replace(budget=rest), calls[-TOOLS.most :])
    return "\n\n".join(part for part in (asked, files, tools, said) if part)


def _conclusions(replies: Sequence[str]) -> str:
    """The agent's last messages: the newest as far as the budget goes, those before it in what is left."""
    if not replies:
        return ""
    *before, last = replies[-SAID.most :]
    last = shortened(_folded(last), SAID.budget - len(SAID.heading) - LEAST_LENGTH)
    rest = _rendered(SAID._replace(budget=SAID.budget - len(last) - len("\n- ")), before)
    return f"{rest or SAID.heading}\n- {last}"


def changed_files(session: Session) -> tuple[str, ...]:
    """The files of the repository that the run wrote, each once, in order."""
    written = [call.path for call in session.iter_calls() if call.writes and not call.is_rejected]
    return tuple(dict.fromkeys(path for path in map(session.relative, written) if path))


def shortened(text: str, length: int) -> str:
    """Text of at most `length` characters, the end replaced by `…`."""
    return text if len(text) <= length else text[: max(0, length - 1)].rstrip() + "…"[: max(0, length)]


def _activity(call: ToolCall) -> str:
    state = " REFUSED" if call.is_rejected else " FAILED" if call.is_failed else ""
    output = shortened(_folded(call.output), CALL_LENGTH)
    return f"{call.name}{state}: {output}" if output else f"{call.name}{state}"


def _folded(text: str) -> str:
    """Text on one line, without secrets."""
    return " ".join(redact(text).text.split())


def _rendered(part: Part, items: Sequence[str]) -> str:
    """The part as a heading and a list within its budget, '' when it has no items.

    Long items share the budget evenly; when there are too many, the first and the newest stay.
    """
    clean = [_folded(item) for item in items]
    room = part.budget - len(part.heading) - 1
    most = max(1, min(part.most, room // LEAST_LENGTH))
    if len(clean) > most:
        left_out = f"… {len(clean) - most} more …"
        clean = [clean[0], left_out, *clean[len(clean) - most + 2 :]] if most > 2 else clean[-most:]
    share = _share([len(item) + 3 for item in clean], room)
    lines = [f"- {shortened(item, share - 3)}" for item in clean]
    return "\n".join([part.heading, *lines]) if clean and share > 3 else ""


def _share(lengths: Sequence[int], room: int) -> int:
    """The greatest length to which all items can be cut so that together they fit the room.

    Items shorter than their share leave what they do not need to the longer ones.
    """
    left, waiting = room, sorted(lengths)
    while waiting and waiting[0] <= left // len(waiting):
        left -= waiting.pop(0)
    return left // len(waiting) if waiting else max(lengths, default=0)
