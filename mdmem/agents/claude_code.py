"""Claude Code: hooks in one of its three settings files, and where its own memory lives. Timeouts are in seconds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mdmem.agents import hook_entries, json_text
from mdmem.agents.place import Part, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mdmem.agents.place import Place, Wanted

NAME: Final = "claude-code"
SCOPES: Final = (Scope.LOCAL, Scope.PROJECT, Scope.USER)
STARTS: Final = "startup|resume|clear|compact|fork"
SECONDS: Final = 10
END_SECONDS: Final = 30
"""Without one of its own, Claude Code cancels a hook at the session's end after a second or two."""
MEMORY_KEY: Final = "autoMemoryDirectory"


def parts(place: Place, wanted: Wanted) -> tuple[Part, ...]:
    """The settings with the hooks, and the local ones where its own memory is to live in the store.

    The folder of its own memory is an absolute path, so it stands in no file that others share.
    """
    file, local = _file(place), place.root / ".claude/settings.local.json"
    hooks = Part(
        file,
        lambda text: hook_entries.with_entries(text, str(file), entries(wanted)),
        lambda text: hook_entries.without_entries(text, str(file)),
        partial(hook_entries.has_entries, name=str(file)),
    )
    if wanted.native is None:
        return (hooks,)
    memory = Part(
        local,
        partial(_with_memory, str(local), wanted.native),
        partial(_without_memory, str(local), wanted.native),
        partial(_has_memory, str(local), wanted.native),
    )
    return hooks, memory


def entries(wanted: Wanted) -> Sequence[hook_entries.Entry]:
    """The hooks: tell at the start and at each prompt, learn at the end."""
    group, hook = hook_entries.group, partial(wanted.hook, agent=NAME)
    turn = [group("Stop", hook("stop"), SECONDS)] if wanted.per_turn else []
    return [
        group("SessionStart", hook("session-start"), SECONDS, STARTS),
        group("UserPromptSubmit", hook("user-prompt-submit"), SECONDS),
        *turn,
        group("PreCompact", hook("pre-compact"), SECONDS),
        group("SessionEnd", hook("session-end"), END_SECONDS),
    ]


def notes(wanted: Wanted) -> tuple[str, ...]:  # noqa: ARG001
    """What the user should know besides."""
    return ("running sessions read their hooks at the next start",)


def _file(place: Place) -> Path:
    if place.scope is Scope.USER:
        return place.folder("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"
    return place.root / (".claude/settings.json" if place.scope is Scope.PROJECT else ".claude/settings.local.json")


def _with_memory(name: str, folder: Path, text: str | None) -> str:
    text = text if text and text.strip("\ufeff \t\r\n") else hook_entries.EMPTY
    if _memory(text, name) == str(folder):
        return text
    return json_text.put(text, name, (MEMORY_KEY,), str(folder))


def _without_memory(name: str, folder: Path, text: str) -> str:
    return json_text.take_out(text, name, (MEMORY_KEY,)) if _memory(text, name) == str(folder) else text


def _has_memory(name: str, folder: Path, text: str) -> bool:
    return MEMORY_KEY in text and _memory(text, name) == str(folder)


def _memory(text: str, name: str) -> object:
    node = json_text.find(json_text.parse(text, name), (MEMORY_KEY,))
    return node.value if node else None
