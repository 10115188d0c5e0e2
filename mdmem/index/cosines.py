"""How near the memories of a store are to one query: a mapping that makes no object a memory unless it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mdmem.index.arrays import np

if TYPE_CHECKING:
    from mdmem.index.vectors import Array


class Positions:
    """Which memory has which of the values that some matrices give, one a file; `numbers` counts the files, by etag."""

    def __init__(self, etags: Mapping[str, str], numbers: Mapping[str, int]) -> None:
        self.paths: Sequence[str] = [path for path, etag in etags.items() if etag in numbers]
        self.rows = np.fromiter((numbers[etags[path]] for path in self.paths), np.intp, len(self.paths))
        self.at = {path: i for i, path in enumerate(self.paths)}


class Cosines(Mapping[str, float]):
    """Path → cosine, -1 to 1; `values` has one for each of the paths, in their order."""

    def __init__(self, positions: Positions, values: Array) -> None:
        self._positions = positions
        self._values = values

    def __getitem__(self, path: str) -> float:
        return float(self._values[self._positions.at[path]])

    def __iter__(self) -> Iterator[str]:
        """The paths in order."""
        return iter(self._positions.paths)

    def __len__(self) -> int:
        return len(self._positions.paths)

    def nearest(self, most: int, least: float) -> list[str]:
        """At most so many paths whose cosine is `least` or more, the nearest first, equals in their order."""
        values, most = self._values, min(most, len(self))
        if not most:
            return []
        bound = np.partition(values, -most)[-most]
        near = np.flatnonzero(values >= bound)
        best = near[np.argsort(-values[near], kind="stable")][:most].tolist()
        return [self._positions.paths[i] for i in best if float(values[i]) >= least]
