"""A memory that became a rule for everybody: copied into CLAUDE.md or AGENTS.md, under a heading of its type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mdmem.agents.marked import BEGIN
from mdmem.errors import MdmemError
from mdmem.markdown.problems import KEPT_OUT
from mdmem.memory import TYPES

if TYPE_CHECKING:
    from mdmem.memory import Memory
    from mdmem.store.table import StoredMemory

HEADING: Final = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
FENCE: Final = re.compile(r"^\s*(?:`{3,}|~{3,})")


def refuse_unfit(one: StoredMemory) -> None:
    """A rule for everybody has been looked at. Raises MdmemError for a memory that is not active or is flagged."""
    if not one.memory.is_active:
        raise MdmemError(
            f"{one.path} is {one.memory.status}, not active", f"look at it first: mdmem promote {one.path}"
        )
    flagged = next((problem for problem in one.problems if problem.is_error or problem.code in KEPT_OUT), None)
    if flagged:
        raise MdmemError(f"{one.path}:{flagged.line}: {flagged.code} {flagged.message}", "mend it first: mdmem edit")


def with_memory(text: str | None, memory: Memory) -> str:
    """The file with the memory as the last item under its type's heading; as it was when the item is there already."""
    text = text or ""
    eol = "\r\n" if "\r\n" in text else "\n"
    item = item_of(memory)
    lines = text.replace("\r\n", "\n").split("\n")
    if f"\n{item}\n" in f"\n{text.replace(chr(13), '')}\n":
        return text
    heading = TYPES[memory.type].heading
    place = _section_end(lines, heading)
    if place is None:
        gap = "" if not text or text.endswith(eol * 2) else eol if text.endswith("\n") else eol * 2
        return text + gap + f"## {heading}\n\n{item}\n".replace("\n", eol)
    is_list = lines[place - 1].startswith(("- ", "  ", "* "))
    return eol.join([*lines[:place], *([] if is_list else [""]), *item.split("\n"), *lines[place:]])


def item_of(memory: Memory) -> str:
    """A memory as one item of a list, without a line end."""
    title = memory.title if memory.title.endswith((".", "!", "?", "…")) else f"{memory.title}."
    body = memory.body.strip()
    text = f"**{title}** {body}" if body else f"**{title}**"
    return "\n".join(f"  {line}" if line.strip() else "" for line in f"- {text}".split("\n"))[2:]


def _section_end(lines: list[str], name: str) -> int | None:
    """The number of lines up to the last one with text of the section of that heading; None when there is none."""
    level, end = 0, 0
    is_code = False
    for number, line in enumerate(lines):
        is_code ^= bool(FENCE.match(line))
        heading = None if is_code else HEADING.match(line)
        if level and (line.startswith(BEGIN) or (heading and len(heading[1]) <= level)):
            return end
        if not level and heading and heading[2].casefold() == name.casefold():
            level = len(heading[1])
        if line.strip():
            end = number + 1
    return end if level else None
