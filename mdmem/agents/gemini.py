"""Gemini CLI: hooks in its settings file. Timeouts are in milliseconds; its runs are not learned from."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mdmem.agents import hook_entries
from mdmem.agents.place import Part, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.agents.place import Place, Wanted

NAME: Final = "gemini"
SCOPES: Final = (Scope.PROJECT, Scope.USER)
MILLISECONDS: Final = 10_000


def parts(place: Place, wanted: Wanted) -> tuple[Part, ...]:
    """The settings: the project's, or the user's."""
    folder = place.root if place.scope is Scope.PROJECT else place.home
    file = folder / ".gemini/settings.json"
    return (
        Part(
            file,
            lambda text: hook_entries.with_entries(text, str(file), entries(wanted)),
            lambda text: hook_entries.without_entries(text, str(file)),
            partial(hook_entries.has_entries, name=str(file)),
        ),
    )


def entries(wanted: Wanted) -> Sequence[hook_entries.Entry]:
    """The hooks: tell at the start, and at each prompt."""
    group, hook = partial(hook_entries.group, name="mdmem"), partial(wanted.hook, agent=NAME)
    return [
        group("SessionStart", hook("session-start"), MILLISECONDS),
        group("BeforeAgent", hook("user-prompt-submit"), MILLISECONDS),
    ]


def notes(wanted: Wanted) -> tuple[str, ...]:  # noqa: ARG001
    """What the user should know besides."""
    return ("Gemini CLI is told what is known; its runs are not learned from",)
