"""Codex: hooks in a file of their own, in the shape of Claude Code's. Timeouts are in seconds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mdmem.agents import hook_entries
from mdmem.agents.place import Part, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.agents.place import Place, Wanted

NAME: Final = "codex"
SCOPES: Final = (Scope.USER, Scope.PROJECT)
SECONDS: Final = 10
END_SECONDS: Final = 3
"""Codex gives a hook at the session's end no more."""
TRUST: Final = "Codex runs no hook that you have not trusted: start `codex` once in a terminal and accept them there"


def parts(place: Place, wanted: Wanted) -> tuple[Part, ...]:
    """The file of hooks: the user's, or the project's."""
    folder = place.root / ".codex" if place.scope is Scope.PROJECT else place.folder("CODEX_HOME", ".codex")
    file = folder / "hooks.json"
    return (
        Part(
            file,
            lambda text: hook_entries.with_entries(text, str(file), entries(wanted)),
            lambda text: hook_entries.without_entries(text, str(file)),
            partial(hook_entries.has_entries, name=str(file)),
        ),
    )


def entries(wanted: Wanted) -> Sequence[hook_entries.Entry]:
    """The hooks: tell at the start and at each prompt, learn at the end."""
    group, hook = hook_entries.group, partial(wanted.hook, agent=NAME)
    turn = [group("Stop", hook("stop"), SECONDS)] if wanted.per_turn else []
    return [
        group("SessionStart", hook("session-start"), SECONDS),
        group("UserPromptSubmit", hook("user-prompt-submit"), SECONDS),
        *turn,
        group("PreCompact", hook("pre-compact"), SECONDS),
        group("SessionEnd", hook("session-end"), END_SECONDS),
    ]


def notes(wanted: Wanted) -> tuple[str, ...]:  # noqa: ARG001
    """What the user should know besides."""
    return (TRUST,)
