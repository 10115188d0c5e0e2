"""The kinds of sources, and which kind some files are of, told by what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mdmem.agents.importing import (
    basic_memory,
    claude_memory,
    cursor_rules,
    mdmem_export,
    mem0,
    memsearch,
    review_comments,
    rule_file,
)
from mdmem.errors import MdmemError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from mdmem.agents.importing.draft import Draft, SourceFile

KINDS: Final[Mapping[str, ModuleType]] = {
    module.KIND: module
    for module in (mdmem_export, cursor_rules, review_comments, mem0, basic_memory, memsearch, rule_file, claude_memory)
}
"""In the order in which they are tried."""


def kind_of(files: Sequence[SourceFile], source: str) -> str:
    """The kind of the files. Raises MdmemError when they are of none."""
    found = next((kind for kind, module in KINDS.items() if module.accepts(files)), None)
    if found is None:
        raise MdmemError(f"{source}: nothing that can be imported was recognised", f"name it: --from {'|'.join(KINDS)}")
    return found


def read_drafts(kind: str, files: Sequence[SourceFile]) -> tuple[Draft, ...]:
    """The drafts that files of a kind hold, in their order."""
    return tuple(KINDS[kind].read(files))
