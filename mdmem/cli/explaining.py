"""What `mdmem extract --explain` says of a transcript: its records by kind, what was passed over, what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.extract.transcripts.session import Use
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.extract.extraction import Extraction

USES: Final = {Use.READ: "read", Use.MACHINERY: "not for us", Use.UNKNOWN: "unknown kind, ignored"}
PROBLEMS: Final = 20


def explained(name: str, found: Extraction) -> Iterator[str]:
    """The explanation, line by line."""
    session = found.session
    made_by = " ".join(filter(None, (session.agent, session.version, session.model)))
    yield f"{name}: run {session.id} of {made_by} in {session.cwd or 'an unknown folder'}"
    yield f"  learned from: {'yes' if found.extract else 'no'}" + (f" ({found.reason})" if found.reason else "")
    yield (
        f"  the user spoke {counted(session.user_texts, 'time')},"
        f" the agent {counted(session.assistant_messages, 'time')},"
        f" {counted(session.tool_errors, 'tool call')} failed"
    )
    yield "  records:"
    yield from (f"    {kind.count:>7}  {kind.name}  ({USES[kind.use]})" for kind in session.kinds)
    if session.passed:
        yield "  passed over:"
        yield from (f"    {number:>7}  {why}" for why, number in session.passed)
    yield from _problems(found)
    yield from _findings(found)


def as_json(found: Extraction) -> dict[str, object]:
    """What `extract --explain --json` adds."""
    session = found.session
    return {
        "version": session.version,
        "model": session.model,
        "kinds": [{"kind": kind.name, "count": kind.count, "use": kind.use.value} for kind in session.kinds],
        "passed": dict(session.passed),
    }


def _problems(found: Extraction) -> Iterator[str]:
    problems = found.session.problems
    if problems:
        yield "  problems:"
        yield from (f"    line {one.line}: {one.code} {one.message}" for one in problems[:PROBLEMS])
    if len(problems) > PROBLEMS:
        yield f"    and {len(problems) - PROBLEMS} more"


def _findings(found: Extraction) -> Iterator[str]:
    yield "  episodes:" if found.episodes else "  no episodes"
    for episode in found.episodes:
        lines = ", ".join(map(str, episode.lines))
        yield f"    line {lines}: {episode.kind}: {episode.text[:80]}" + (
            f" → {episode.memory}" if episode.memory else ""
        )
    yield from (f"    left: {one.memory.title} ({one.reason})" for one in found.left)
