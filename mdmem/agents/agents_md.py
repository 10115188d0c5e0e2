"""AGENTS.md: the brief mirrored into a marked block, for agents that have no hooks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mdmem.agents import marked
from mdmem.agents.place import Part, Scope
from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from mdmem.agents.place import Place, Wanted

NAME: Final = "agents-md"
SCOPES: Final = (Scope.PROJECT,)


def parts(place: Place, wanted: Wanted) -> tuple[Part, ...]:
    """The project's AGENTS.md."""
    file = place.root / "AGENTS.md"
    return (
        Part(file, partial(_with_brief, str(file), wanted.brief), partial(_without_brief, str(file)), marked.has_block),
    )


def notes(wanted: Wanted) -> tuple[str, ...]:  # noqa: ARG001
    """What the user should know besides."""
    return ("run `mdmem install agents-md` again to refresh the block",)


def _with_brief(name: str, brief: str, text: str | None) -> str:
    if not brief.strip():
        raise ConfigError("there is nothing to mirror: no memory of this project can be briefed", "see `mdmem status`")
    return marked.with_block(text, name, brief)


def _without_brief(name: str, text: str) -> str | None:
    left = marked.without_block(text, name)
    return None if left != text and not left.strip("\ufeff \t\r\n") else left
