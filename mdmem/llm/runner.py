"""What every way of asking a language model has in common: a prompt goes in, a completion comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

Schema = Mapping[str, object]
"""A JSON schema: what the answer must look like."""

SECONDS: Final = 180.0
"""A model that has not answered by then does not answer at all."""
ANSWER_SIZE: Final = 4 * 1024 * 1024
"""Bytes of an answer, at most; whatever says more than that has gone wrong."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call took: tokens read (`cached` of them from a cache) and written, and US dollars.

    `cost` is None where whoever ran the model does not say.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            sum(costs) if costs else None,
        )

    def as_json(self) -> dict[str, object]:
        """The numbers by name, as ledgers keep them."""
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cached_tokens": self.cached_tokens,
            "cost_usd": self.cost,
        }


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer: its text, who gave it (`model` as the answer names it), what it took, and the seconds it took."""

    text: str
    runner: str
    model: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0

    def as_json(self) -> dict[str, object]:
        """All but the text, as ledgers keep it."""
        return {
            "runner": self.runner,
            "model": self.model or None,
            "seconds": round(self.seconds, 1),
            **self.usage.as_json(),
        }


class Runner(Protocol):
    """One way of asking a language model. `model` is the one that is asked for, '' for the runner's own default."""

    @property
    def name(self) -> str:
        """As `extraction.runner` names it."""

    @property
    def model(self) -> str:
        """As `extraction.model` names it."""

    def complete(self, prompt: str, schema: Schema) -> Completion:
        """Ask once, with no tools and no history. Raises LlmError (E_LLM_CLI) when there is no answer."""
