"""What every command shares: the global options, and the project they open."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mdmem.project import Project, caller_of, clock
from mdmem.store.check import store_of
from mdmem.store.saving import Caller

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


@dataclass(frozen=True)
class App:
    """The global options as given; `project` opens on first use."""

    folder: Path | None = None
    personal: bool = False
    as_caller: str | None = None

    @property
    def caller(self) -> Caller:
        """Who is asking: --as, else the environment."""
        return Caller(self.as_caller) if self.as_caller else caller_of(os.environ)

    @property
    def now(self) -> datetime:
        """The time that counts as now."""
        return clock(os.environ)

    def root_for(self, paths: Sequence[Path]) -> Path:
        """The store's folder; where paths lie in stores of their own there need be none here."""
        if paths and self.folder is None and all(store_of(path) for path in paths):
            return Path.cwd()
        return self.project.root

    @cached_property
    def project(self) -> Project:
        """The project. Raises NoStoreError or ConfigError."""
        return Project.open(self.folder, personal=self.personal, caller=self.caller)
