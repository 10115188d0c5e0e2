"""How learning stands: when it happens, who summarises, and what models have cost. For `status`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdmem.llm.budget import read_spent, read_spent_month
from mdmem.llm.naming import LOCAL, who

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from mdmem.config import Config
    from mdmem.llm.budget import Spent


@dataclass(frozen=True, slots=True)
class Standing:
    """Two sentences, and the calls of a model: those of the day, of which it has `limit`, and those of the month."""

    when: str
    who: str
    today: Spent
    month: Spent
    limit: int
    asks: bool

    def as_json(self) -> dict[str, object]:
        """The shape of `learning` in `status --json`."""
        return {
            "when": self.when,
            "who": self.who,
            "daily_calls": self.limit,
            "today": self.today.as_json(),
            "month": self.month.as_json(),
        }

    def lines(self) -> list[str]:
        """What a person wants to know; what models took only where one is asked, or was."""
        cost = self.month.usage.cost
        price = "" if cost is None else f", ${cost:.2f} this month"
        spent = f"  {self.today.calls} of {self.limit} calls of a model today{price}"
        return ["learning:", f"  {self.when}", f"  {self.who}", *([spent] if self.asks or self.month.calls else [])]


def standing(config: Config, folder: Path, now: datetime, environ: Mapping[str, str]) -> Standing:
    """How learning stands under these settings; `folder` is the user's state folder."""
    runner, day = config.extraction_runner, now.date()
    return Standing(
        when=when(config),
        who=who(runner, config.extraction_model, config.extraction_url, environ),
        today=read_spent(folder, day),
        month=read_spent_month(folder, day),
        limit=config.extraction_daily_calls,
        asks=runner != LOCAL,
    )


def when(config: Config) -> str:
    """When runs are learned from by themselves, in one sentence."""
    switched = {key.split(".")[1]: None for key, _ in config.agents}
    agents = [agent for agent in switched if config.allows(agent, "extract")]
    if not config.memory_enabled or config.extraction_when == "off" or not agents:
        return "Nothing is learned by itself: only runs that you name (mdmem extract FILE)."
    moment = "after every turn" if config.extraction_when == "turn" else "when it has ended"
    idle, size = config.extraction_idle_minutes, config.extraction_max_bytes / 1_000_000
    runs = f"A run of {' or '.join(agents)} is learned from {moment}"
    return f"{runs}, or after {idle} minutes of silence, unless it is above {size:,.0f} MB."
