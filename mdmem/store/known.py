"""The stores that this user has opened, so that all of them can be searched at once."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.store.scan import INDEX_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE_NAME: Final = "stores.txt"


def known_stores(state: Path) -> tuple[Path, ...]:
    """The folders that still hold a store, in the order in which they were first opened."""
    folders = map(Path, _lines(state))
    return tuple(folder for folder in folders if (folder / INDEX_NAME).is_file())


def remember(state: Path, root: Path) -> None:
    """Note a store that was opened; where the user's state can't be written nothing happens."""
    if str(root) not in _lines(state):
        with contextlib.suppress(MdmemError):
            disk.append(state / FILE_NAME, str(root))


def _lines(state: Path) -> Iterable[str]:
    text = (disk.read_if_exists(state / FILE_NAME) or b"").decode("utf-8", "replace")
    return dict.fromkeys(line for line in text.splitlines() if line.strip())
