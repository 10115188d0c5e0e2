"""How ready a store is to be searched: which index there is, which model, and what is not embedded yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdmem.index.pointer import read_pointer
from mdmem.index.vector_files import pending
from mdmem.store.health import Check
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdmem.index.model import Choice
    from mdmem.index.vector_cache import VectorCache
    from mdmem.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Readiness:
    """The index and vectors of one store.

    `generation` names the current index, '' before the first search. `model` and `digest` are of the embedding model,
    '' where there is none, and `reason` says why. `pending` counts the memories that are found by words only.
    """

    generation: str
    model: str
    digest: str
    reason: str
    pending: int

    def as_json(self) -> dict[str, str | int | None]:
        """The shape of `index` in `status --json`."""
        return {
            "generation": self.generation or None,
            "model": self.model or None,
            "model_digest": self.digest or None,
            "pending_embeddings": self.pending,
        }

    def lines(self) -> list[str]:
        """What a person wants to know."""
        made = f"generation {self.generation}" if self.generation else "not made yet: the first search makes it"
        model = f"{self.model} ({self.digest[:12]})" if self.model else ", ".join(filter(None, ("none", self.reason)))
        waiting = f", {counted(self.pending, 'memory', 'memories')} not embedded: mdmem sync" if self.pending else ""
        return [f"  index: {made}", f"  model: {model}{waiting}"]


def model_check(choice: Choice) -> Check:
    """Whether the model that the settings mean can be used; to do without one is fine."""
    if choice.model:
        return Check("model", is_good=True, found=f"{choice.model.name} ({choice.model.digest[:12]})")
    found = choice.without.removesuffix(f"; {choice.fix}") or "none, as embedding.path says"
    return Check("model", not choice.fix, found, choice.fix)


def readiness(store: Reader, etags: Iterable[str], choice: Choice, cache: VectorCache) -> Readiness:
    """Look at the files of an index and of vectors; none is loaded."""
    generation = read_pointer(store.cache_folder / "index").partition(" ")[0]
    if choice.model is None:
        return Readiness(generation, "", "", choice.without, 0)
    waiting = pending(store, etags, choice.model.digest, cache)
    return Readiness(generation, choice.model.name, choice.model.digest, "", waiting)
