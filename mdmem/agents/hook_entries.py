"""Our entries among the hooks of a settings file: put in, told from others', taken out.

Claude Code, Codex and Gemini keep groups of hooks under each event, Cursor the hooks themselves. An entry is ours when
its command is mdmem's hook.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.agents import json_text
from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HOOKS: Final = "hooks"
OURS: Final = re.compile(
    r"""(?:^|[/\\"'\s])mdmem(?:\.exe)?["']*\s+hook\s+(?:session-|user-prompt-|stop|pre-compact)"""
    r"""|\s-m\s+mdmem\s+hook\s""",
    re.IGNORECASE,
)
EMPTY: Final = "{}\n"


class Entry(NamedTuple):
    """What stands in the list under an event: one group of hooks, or one hook."""

    event: str
    value: dict[str, object]


def group(event: str, command: str, timeout: int, matcher: str = "", **more: object) -> Entry:
    """A group of one hook, as Claude Code has it; `timeout` is in the agent's own unit."""
    hook = {**more, "type": "command", "command": command, "timeout": timeout}
    return Entry(event, ({"matcher": matcher} if matcher else {}) | {HOOKS: [hook]})


def with_entries(text: str | None, name: str, wanted: Sequence[Entry]) -> str:
    """The settings with these entries of ours and no others; everything else is kept as it is.

    A file that is not there or blank becomes a new one. Raises ConfigError with file and line.
    """
    text = text if text and text.strip("\ufeff \t\r\n") else EMPTY
    if sorted(_own(text, name), key=_event) == sorted(wanted, key=_event):
        return text
    text = without_entries(text, name)
    for entry in wanted:
        text = json_text.append(text, name, (HOOKS, entry.event), entry.value)
    return text


def without_entries(text: str, name: str) -> str:
    """The settings without our entries, and without what only held them. Raises ConfigError with file and line."""
    while path := next(_paths(json_text.value_of(text, name)), None):
        text = json_text.take_out(text, name, path)
    return text


def has_entries(text: str, name: str) -> bool:
    """Whether something of ours stands in the settings; in a file that can't be read there is nothing."""
    try:
        return next(_paths(json_text.value_of(text, name)), None) is not None
    except ConfigError:
        return False


def _event(entry: Entry) -> str:
    return entry.event


def _own(text: str, name: str) -> Iterator[Entry]:
    """Our entries as they stand, the one after the other."""
    value = json_text.value_of(text, name)
    seen = set()
    for path in _paths(value):
        event, at = str(path[1]), path[2]
        if (event, at) not in seen:
            seen.add((event, at))
            yield Entry(event, value[HOOKS][event][at])  # type: ignore[index]


def _paths(value: object) -> Iterator[tuple[str | int, ...]]:
    """Where our hooks stand: the whole entry when nothing else is in it, else the hook in its group."""
    events = value.get(HOOKS) if isinstance(value, dict) else None
    for event, entries in events.items() if isinstance(events, dict) else ():
        for at, entry in enumerate(entries if isinstance(entries, list) else ()):
            inner = entry.get(HOOKS) if isinstance(entry, dict) else None
            ours = [place for place, hook in enumerate(inner) if _is_own(hook)] if isinstance(inner, list) else []
            if _is_own(entry) or (ours and isinstance(inner, list) and len(ours) == len(inner)):
                yield HOOKS, event, at
            elif ours:
                yield HOOKS, event, at, HOOKS, ours[0]


def _is_own(hook: object) -> bool:
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and bool(OURS.search(command))
