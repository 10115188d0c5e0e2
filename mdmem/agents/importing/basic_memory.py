"""A folder of basic-memory: notes with a permalink, and observations as `- [category] text #tag (context)`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mdmem.agents.importing import foreign
from mdmem.agents.importing.draft import Draft, SourceFile, draft
from mdmem.memory import MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

KIND: Final = "basic-memory"
OBSERVATION: Final = re.compile(r"^[-*]\s+\[(?P<category>[^\]\s][^\]]*)\]\s+(?P<text>.*?)(?:\s+\((?P<context>.*)\))?$")
TAG: Final = re.compile(r"(?:^|\s)#([\w/-]+)")
TASKS: Final = frozenset("xX- ")
TYPES: Final[Mapping[str, MemoryType]] = {
    "decision": MemoryType.DECISION,
    "preference": MemoryType.PREFERENCE,
    "requirement": MemoryType.SPEC,
    "spec": MemoryType.SPEC,
    "problem": MemoryType.LESSON,
    "issue": MemoryType.LESSON,
    "lesson": MemoryType.LESSON,
    "tip": MemoryType.LESSON,
    "insight": MemoryType.LESSON,
    "technique": MemoryType.CONVENTION,
    "method": MemoryType.CONVENTION,
    "convention": MemoryType.CONVENTION,
    "rule": MemoryType.CONVENTION,
    "command": MemoryType.COMMAND,
    "config": MemoryType.ENV_QUIRK,
}


def accepts(files: Sequence[SourceFile]) -> bool:
    """Whether a file has a permalink, or observations."""
    return any("permalink" in foreign.split(file.text).fields for file in files)


def read(files: Sequence[SourceFile]) -> Iterator[Draft]:
    """A draft for each observation; for a note without any one draft for the whole."""
    for file in files:
        parts = foreign.split(file.text)
        found = list(_observations(file, parts))
        if not found and (whole := _whole(file, parts)):
            found = [whole]
        yield from found


def _observations(file: SourceFile, parts: foreign.Foreign) -> Iterator[Draft]:
    for number, line in enumerate(parts.body.split("\n"), parts.body_line):
        match = OBSERVATION.match(line.strip())
        if match is None or match["category"].strip() in TASKS:
            continue
        note = f"From the note “{parts.one('title')}”." if parts.one("title") else ""
        context = " ".join(text for text in (f"{match['context']}." if match["context"] else "", note) if text)
        category = match["category"].strip().casefold()
        one = draft(
            KIND, file, number, TAG.sub("", match["text"]), type=TYPES.get(category, MemoryType.REFERENCE),
            context=context, tags=(category, *TAG.findall(match["text"]), *parts.many("tags")),
            created=parts.day("created") or parts.day("date"),
        )  # fmt: skip
        if one:
            yield one


def _whole(file: SourceFile, parts: foreign.Foreign) -> Draft | None:
    body = re.sub(r"\A\s*# .*\n", "", parts.body)
    return draft(
        KIND, file, parts.body_line, body, type=MemoryType.REFERENCE, title=parts.one("title"),
        tags=parts.many("tags"), created=parts.day("created"),
    )  # fmt: skip
