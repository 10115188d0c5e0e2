"""Memories for others: as files of Claude Code's own memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.markdown.render import entry
from mdmem.memory import MemoryType
from mdmem.store.catalog_line import entry_line
from mdmem.store.naming import slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mdmem.memory import Memory
    from mdmem.store.table import StoredMemory

INDEX: Final = "MEMORY.md"
NATIVE: Final[Mapping[MemoryType, str]] = {
    MemoryType.USER: "user",
    MemoryType.FEEDBACK: "feedback",
    MemoryType.PREFERENCE: "feedback",
    MemoryType.CONVENTION: "feedback",
    MemoryType.REFERENCE: "reference",
    MemoryType.OWNERSHIP: "reference",
}
"""What Claude Code has for a type; all others are `project` there."""


def claude_files(memories: Iterable[StoredMemory]) -> dict[str, str]:
    """A flat folder as name → text: one file a memory, and MEMORY.md with a line for each."""
    files: dict[str, str] = {}
    lines = []
    for one in sorted(memories, key=lambda one: (one.memory.title, one.path)):
        stem = slug(one.memory.title)
        number = next(n for n in range(1, len(files) + 2) if _name(stem, n) not in files)
        name = _name(stem, number)
        files[name] = native_text(one.memory, name.removesuffix(".md"))
        lines.append(f"{entry_line(one._replace(path=name))}\n")
    return files | {INDEX: "".join(lines)}


def native_text(memory: Memory, name: str) -> str:
    """A memory as Claude Code writes its own."""
    kind = NATIVE.get(memory.type, "project")
    head = entry("name", name) + entry("description", memory.description or memory.title)
    body = memory.body.strip()
    title = "" if body.startswith(memory.title) else f"{memory.title}\n\n"
    return f"---\n{head}metadata:\n  type: {kind}\n---\n{title}{body}".rstrip() + "\n"


def _name(stem: str, number: int) -> str:
    return f"{stem}.md" if number == 1 else f"{stem}-{number}.md"
