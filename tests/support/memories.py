"""Small stores for tests: memory files written as a person would write them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from mdmem.memory import Memory, MemoryType
from mdmem.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NOW: Final = datetime(2026, 3, 10, 12, tzinfo=UTC)
INDEX = "<!-- mdmem:index begin -->\n<!-- mdmem:index end -->\n"


def memory_text(title: str, body: str = "", **fields: str) -> str:
    """The text of a memory file; fields are written as given."""
    lines = [f"{key}: {value}" for key, value in ({"title": f'"{title}"'} | fields).items()]
    return "\n".join(["---", *lines, "---", body, ""])


def write_memory(root: Path, path: str, title: str, body: str = "", **fields: str) -> Path:
    """Write one memory file of a store."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(memory_text(title, body, **fields), encoding="utf-8")
    return file


def make_store(root: Path, memories: Mapping[str, tuple[str, str]] | None = None, name: str = "project") -> Store:
    """A store with an empty MEMORY.md and the given memories, as path → (title, body)."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "MEMORY.md").write_text(INDEX, encoding="utf-8")
    for path, (title, body) in (memories or {}).items():
        write_memory(root, path, title, body)
    return Store(root, name=name)


def draft(title: str, body: str = "", kind: str = "lesson", **fields: Any) -> Memory:
    """A memory to be saved."""
    return Memory(type=MemoryType(kind), title=title, body=body, **fields)


def memory_files(root: Path) -> dict[str, str]:
    """Path → text of every memory file of a store, as a person sees them."""
    found = (path for path in root.rglob("*.md") if ".mdmem" not in path.parts)
    reserved = {"MEMORY.md", "INDEX.md", "vetoes.md"}
    return {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in found if p.name not in reserved}
