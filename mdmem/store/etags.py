"""Path → etag of memories: which there are, and in which version each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Etags(Mapping[str, str]):
    """Path → etag, read by `load` when they are first looked at.

    `token` is a text that stands for all of them: while it is the same, so are they. '' stands for nothing.
    """

    def __init__(self, load: Callable[[], Mapping[str, str]], token: str = "") -> None:
        self.token = token
        self._load = load

    @cached_property
    def _read(self) -> Mapping[str, str]:
        return self._load()

    def __getitem__(self, path: str) -> str:
        return self._read[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)
