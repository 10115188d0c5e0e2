"""What outlives a command where many run in one process: stores, and whatever else is costly to open.

A process that runs one command has one of these for its project, and gains nothing. The watcher gives its own to
every command that it runs.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.store.watched import Mark

_T = TypeVar("_T")

MOST: Final = 40
"""So many things are held; the one that was not used for longest goes first."""


class Kept:
    """Things that are made once and held by a key.

    `mark_of` gives, for the root of a store, what tells whether it was touched; None where nobody watches it.
    """

    def __init__(self, mark_of: Callable[[Path], Mark | None] = lambda _root: None) -> None:
        self.mark_of = mark_of
        self._held: OrderedDict[tuple[object, ...], object] = OrderedDict()

    def once(self, key: tuple[object, ...], make: Callable[[], _T]) -> _T:
        """What is held under the key; made now if there is nothing."""
        if key not in self._held:
            self._hold(key, make())
        self._held.move_to_end(key)
        return cast("_T", self._held[key])

    def while_true(self, key: tuple[object, ...], make: Callable[[], tuple[_T, Callable[[], bool]]]) -> _T:
        """What is held under the key while it is true; else it is made now, with what tells whether it still is."""
        held = cast("tuple[_T, Callable[[], bool]] | None", self._held.get(key))
        if held is None or not held[1]():
            held = make()
            self._hold(key, held)
        self._held.move_to_end(key)
        return held[0]

    def _hold(self, key: tuple[object, ...], what: object) -> None:
        self._held[key] = what
        if len(self._held) > MOST:
            self._held.popitem(last=False)
