"""mdmem: a memory for coding agents, kept as markdown files that people own.

    from mdmem import Memory, Project

Both names load on first use, so that a command pays only for what it needs.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import alone takes as long as the watcher takes to answer
if TYPE_CHECKING:
    from mdmem.memory import Memory
    from mdmem.project import Project

__all__ = ["Memory", "Project", "__version__"]

__version__ = "0.1.0"

_HOMES = {"Memory": "mdmem.memory", "Project": "mdmem.project"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # brings `warnings`, which the watcher's clients have no time for

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
