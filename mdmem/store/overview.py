"""What a store holds, counted: for `status`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from mdmem.memory import TYPES, Status
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mdmem.memory import MemoryType
    from mdmem.store.outline import Outline


class Overview(NamedTuple):
    """Counts of one store: active memories by type, all by status, files that are invalid or unreadable."""

    root: Path
    name: str
    by_type: Mapping[str, int]
    by_status: Mapping[str, int]
    invalid: tuple[str, ...]
    unreadable: tuple[str, ...]

    @property
    def pending(self) -> int:
        """How many memories wait for a person."""
        return self.by_status.get(Status.PENDING, 0)

    def as_json(self) -> dict[str, object]:
        """The shape of `status --json`, one a store."""
        return {
            "store": self.name,
            "path": str(self.root),
            "types": dict(self.by_type),
            "statuses": dict(self.by_status),
            "invalid": list(self.invalid),
            "unreadable": list(self.unreadable),
        }

    def lines(self) -> list[str]:
        """What a person wants to know, a line each."""
        active = self.by_status.get(Status.ACTIVE, 0)
        types = ", ".join(f"{count} {kind}" for kind, count in self.by_type.items())
        lines = [f"{self.name}: {self.root}", f"  {active} active" + (f": {types}" if types else "")]
        others = ", ".join(f"{count} {status}" for status, count in self.by_status.items() if status != Status.ACTIVE)
        lines += [f"  {others}"] if others else []
        if self.pending:
            lines.append(f"  {counted(self.pending, 'waits', 'wait')} for review: mdmem review")
        if self.unreadable or self.invalid:
            broken = len(self.unreadable) + len(self.invalid)
            lines.append(f"  {counted(broken, 'file has', 'files have')} errors: mdmem check")
        return lines


def overview(root: Path, name: str, outline: Outline) -> Overview:
    """Count what one look at the store found."""
    types: Counter[MemoryType] = Counter()
    statuses: Counter[Status] = Counter()
    for (status, kind), count in outline.counts.items():
        statuses[status] += count
        types[kind] += count if status is Status.ACTIVE else 0
    return Overview(
        root,
        name,
        {kind.value: types[kind] for kind in TYPES if types[kind]},
        {status.value: statuses[status] for status in Status if statuses[status]},
        tuple(outline.invalid),
        tuple(outline.unreadable),
    )
