"""What time it is: the one reading of the clock that everything below is given as `now`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mdmem.errors import ConfigError
from mdmem.markdown.dates import as_when
from mdmem.memory import countable, moment

if TYPE_CHECKING:
    from collections.abc import Mapping


def clock(environ: Mapping[str, str]) -> datetime:
    """Now in UTC; MDMEM_NOW (ISO 8601) replaces the clock, within the years 1000 to 9000.

    Raises ConfigError when that is no time.
    """
    text = environ.get("MDMEM_NOW")
    if not text:
        return datetime.now(UTC)
    when = as_when(text)
    if when is None:
        raise ConfigError(f"MDMEM_NOW is {text!r}", "an ISO time, as in 2026-11-30T12:00:00Z")
    return countable(moment(when))
