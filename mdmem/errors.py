"""Errors: one family, each message built from data, each with the next step as a hint.

Exit codes of the command line: 0 ok, 1 a problem (every error here), 2 usage, 3 a bug in mdmem, 130 interrupted.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class MdmemError(Exception):
    """Something the user can mend; `hint` says how.

    `code` is the stable name of the problem where there is one (`E_READONLY`).
    """

    code: str | None = None

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NoStoreError(MdmemError):
    """No memory folder was found from the working folder upwards."""

    def __init__(self, start: Path) -> None:
        super().__init__(
            f"no memory folder in {start} or above it",
            "run `mdmem init` in your project, or name a folder with --dir",
        )


class NoFolderError(NoStoreError):
    """A memory folder that somebody named, and that is not there."""

    def __init__(self, folder: Path) -> None:
        MdmemError.__init__(
            self,
            f"there is no folder {folder}",
            f"check the name, or start a memory there: mdmem init {shlex.quote(str(folder))}",
        )


class LostIndexError(NoStoreError):
    """A folder with memories, but without the MEMORY.md by which a store is known."""

    def __init__(self, root: Path) -> None:
        MdmemError.__init__(
            self,
            f"{root} holds memories, but its MEMORY.md is gone, by which a store is known",
            f"`mdmem --dir {shlex.quote(str(root))} sync` writes it again; git has your own text in it",
        )


class NotFoundError(MdmemError):
    """A reference that names no memory of the store."""

    def __init__(self, ref: str, near: tuple[str, ...] = ()) -> None:
        hint = f"did you mean {', '.join(near)}?" if near else "`mdmem list` shows what there is"
        super().__init__(f"no memory {ref!r}", hint)


class AmbiguousError(MdmemError):
    """A reference that names more than one memory."""

    def __init__(self, ref: str, paths: tuple[str, ...]) -> None:
        super().__init__(f"{ref!r} names {len(paths)} memories", f"give one path: {', '.join(paths)}")


class InvalidMemoryError(MdmemError):
    """A memory that breaks a rule of the format; nothing was written.

    `code` is the problem's code (`E_RANGE`), `key` the field.
    """

    def __init__(self, code: str, key: str, message: str, hint: str = "") -> None:
        super().__init__(f"{key}: {message}" if key else message, hint)
        self.code = code
        self.key = key


class UnreadableError(MdmemError):
    """A file that can't be read as a memory, so it is never written."""

    def __init__(self, path: str, line: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(f"{path}:{line}: {code} {message}; the file was left as it is", hint)
        self.code = code


class ConflictError(MdmemError):
    """The file changed on disk since it was read; nothing was overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} changed while mdmem was working; nothing was written", "run the command again")


class OwnershipError(MdmemError):
    """An agent tried to change what a person said."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} is the user's; an agent may not change it",
            "ask the user, or record a memory of your own under another topic",
        )


class VetoedError(MdmemError):
    """An agent would bring back what was forgotten on purpose."""

    def __init__(self, title: str) -> None:
        super().__init__(f"{title!r} was forgotten on purpose", "ask the user; a line in vetoes.md keeps it out")


class ReadOnlyError(MdmemError):
    """The disk refused a write."""

    code = "E_READONLY"

    def __init__(self, path: Path) -> None:
        super().__init__(f"E_READONLY {path} can't be written", "check the file system and the file's permissions")


class DiskError(MdmemError):
    """The operating system refused to write a file (full disk, I/O error), or to read one."""

    def __init__(
        self,
        path: Path,
        reason: str,
        after: str = "; the old file is intact",
        hint: str = "free some space or mend the disk, then run it again",
    ) -> None:
        super().__init__(f"{path}: {reason}{after}", hint)


class ReadError(DiskError):
    """The operating system refused to read a file."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason, "", "check the name, and that you may read it")


class LockedError(MdmemError):
    """Another process held the store's lock for too long."""

    def __init__(self, path: Path, seconds: float) -> None:
        super().__init__(f"another mdmem process has held {path} for {seconds:g} s", "wait for it to end, or stop it")


class ConfigError(MdmemError):
    """A setting that can't be used."""


class ModelError(MdmemError):
    """An embedding model that is not there, is not what it should be, or can't be used."""


class TranscriptError(MdmemError):
    """A file that is no transcript; nothing was learned from it."""

    code = "E_NOT_JSONL"

    def __init__(self, line: int = 0, why: str = "a transcript holds one JSON record a line") -> None:
        super().__init__(
            f"E_NOT_JSONL line {line}: {why}" if line else f"E_NOT_JSONL {why}",
            "what is read: the .jsonl files of Claude Code and Codex, what `opencode export` prints, OpenCode's"
            " opencode.db or its older storage folder",
        )


class LlmError(MdmemError):
    """A language model that could not be asked, or whose answer can't be used; nothing was saved.

    `code` is E_LLM_CLI (what runs the model failed), E_LLM_EMPTY or E_LLM_JSON (its answer is no JSON).
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(f"{code} {message}", hint)
        self.code = code


class BudgetError(MdmemError):
    """The day's calls of a language model are used up."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"the {limit} calls of a model that a day has are used up (extraction.daily_calls)",
            "go on tomorrow, raise the limit, or extract without a model: --runner local",
        )


NO_GIT = "git is not installed"


class GitError(MdmemError):
    """git refused what mdmem asked of it, or took too long."""

    def __init__(self, command: str, reason: str) -> None:
        hint = "run the same git command in the memory folder to see what is wrong"
        super().__init__(f"git {command}: {reason}", "install git" if reason == NO_GIT else hint)
