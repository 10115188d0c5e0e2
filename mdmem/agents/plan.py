"""What installing and uninstalling would change, as values: text in, text out, and the difference."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem.agents import agents_md, claude_code, codex, cursor, gemini, opencode
from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    from mdmem.agents.place import Part, Place, Scope, Wanted

AGENTS: Final[Mapping[str, ModuleType]] = {
    module.NAME: module for module in (claude_code, codex, opencode, cursor, gemini, agents_md)
}
LEARNED_FROM: Final = frozenset({claude_code.NAME, codex.NAME, opencode.NAME})
"""Agents whose runs can be read."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file before and after; None where there is none. Both are the whole file's bytes."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def diff(self) -> str:
        """A unified diff of the two."""
        old, new = (_lines(data) for data in (self.before, self.after))
        return "".join(
            f"{line}\n" if not line.endswith("\n") else line
            for line in difflib.unified_diff(
                old,
                new,
                "/dev/null" if self.before is None else str(self.path),
                "/dev/null" if self.after is None else str(self.path),
            )
        )

    def as_json(self) -> dict[str, str]:
        """What is done to which file, and the difference."""
        done = "create" if self.before is None else "remove" if self.after is None else "change"
        return {"action": done, "path": str(self.path), "diff": self.diff}


def scope_of(agent: str, asked: Scope | None) -> Scope:
    """The scope to install in: the one asked for, else the agent's own first. Raises ConfigError when it has none."""
    scopes: tuple[Scope, ...] = AGENTS[agent].SCOPES
    if asked and asked not in scopes:
        raise ConfigError(f"{agent} has no --{asked}", f"choose {' or '.join(f'--{one}' for one in scopes)}")
    return asked or scopes[0]


def parts_of(agent: str, place: Place, wanted: Wanted) -> tuple[Part, ...]:
    """The files of an agent that an installation is made of."""
    found: tuple[Part, ...] = AGENTS[agent].parts(place, wanted)
    return found


def notes_of(agent: str, wanted: Wanted) -> tuple[str, ...]:
    """What the user should know once it is installed."""
    found: tuple[str, ...] = AGENTS[agent].notes(wanted)
    return found


def plan_install(parts: Sequence[Part], files: Mapping[Path, bytes | None]) -> tuple[Change, ...]:
    """What installing changes. Raises ConfigError with file and line when one of them can't be read: then none is."""
    after = dict(files)
    for part in parts:
        after[part.path] = _encoded(part.install(text_of(after[part.path], part.path)))
    return _changes(files, after)


def plan_uninstall(
    parts: Sequence[Part], files: Mapping[Path, bytes | None], kept: Mapping[Path, bytes | None]
) -> tuple[Change, ...]:
    """What taking back changes. `kept` are files that are still as an installation left them: what was there before.

    Raises ConfigError as `plan_install` does.
    """
    after = dict(files)
    for part in parts:
        text = text_of(after[part.path], part.path)
        if text is not None and part.path not in kept:
            after[part.path] = _encoded(part.uninstall(text))
    return _changes(files, after | dict(kept))


def text_of(data: bytes | None, path: Path) -> str | None:
    """A file as text. Raises ConfigError when it is not UTF-8."""
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1 if data else 1
        raise ConfigError(f"{path}:{line}: not UTF-8; the file was left as it is", "save it as UTF-8") from error


def _changes(before: Mapping[Path, bytes | None], after: Mapping[Path, bytes | None]) -> tuple[Change, ...]:
    return tuple(Change(path, before[path], after[path]) for path in before if before[path] != after[path])


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8")


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
