"""Bring files into their normal form: a plan over several files, and what is left alone with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.markdown.format import formatted
from mdmem.markdown.parse import parse
from mdmem.store.caller import Caller, may_change
from mdmem.store.journal import Action

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mdmem.markdown.parse import Document


@dataclass(frozen=True, slots=True)
class Formatting:
    """The files that change, the difference of each as a unified diff, and path → reason of those left alone."""

    actions: tuple[Action, ...]
    diffs: tuple[str, ...]
    left: dict[str, str]


def plan_format(root: Path, paths: Iterable[str], caller: Caller, eol: str | None = None) -> Formatting:
    """How the files at these paths (relative to the store) become normal.

    A file that can't be read is left, and so is one that outgrows its limit, and what a person said when an agent
    asks. Raises DiskError.
    """
    actions, diffs, left = [], [], {}
    for path in paths:
        data = disk.read(root / path)
        try:
            new = _normal(parse(data, path), caller, eol)
        except MdmemError as error:
            left[path] = error.message
            continue
        if new != data:
            actions.append(Action(path, new, disk.etag(data)))
            diffs.append(_diff(path, data, new))
    return Formatting(tuple(actions), tuple(diffs), left)


def _normal(document: Document, caller: Caller, eol: str | None) -> bytes:
    if document.memory is None:
        raise MdmemError(f"{document.problems[0].code} {document.problems[0].message}")
    if not may_change(document.memory, caller):
        raise MdmemError("a person wrote it")
    return formatted(document, eol)


def _diff(path: str, before: bytes, after: bytes) -> str:
    old, new = (data.decode("utf-8-sig").splitlines(keepends=True) for data in (before, after))
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in unified_diff(old, new, path, path))
