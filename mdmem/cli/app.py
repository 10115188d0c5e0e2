"""What every command shares: the global options, and the project they open."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mdmem.clock import clock
from mdmem.project import Project, load_settings
from mdmem.store.caller import Caller, caller_of, refuse_agents
from mdmem.store.place import store_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from mdmem.config import Loaded
    from mdmem.store.kept import Kept

    Run = Callable[[Sequence[str], Kept], int]


@dataclass(frozen=True)
class App:
    """The global options as given; `project` opens on first use.

    `kept` is what earlier commands of this process left open; `run` runs another one.
    """

    folder: Path | None = None
    personal: bool = False
    as_caller: str | None = None
    kept: Kept | None = None
    run: Run | None = None

    @property
    def caller(self) -> Caller:
        """Who is asking: --as, else the environment."""
        return Caller(self.as_caller) if self.as_caller else caller_of(os.environ)

    @property
    def now(self) -> datetime:
        """The time that counts as now."""
        return clock(os.environ)

    @cached_property
    def settings(self) -> Loaded:
        """The settings in force, also where there is no store. Raises ConfigError."""
        return load_settings(os.environ)

    def root_for(self, paths: Sequence[Path]) -> Path:
        """The store's folder; where paths lie in stores of their own there need be none here."""
        if paths and self.folder is None and all(store_of(path) for path in paths):
            return Path.cwd()
        return self.project.root

    @property
    def everywhere(self) -> Project:
        """The project joined with every other store that this user has opened."""
        return replace(self.project, everywhere=True)

    @property
    def changing(self) -> Project:
        """The project, for a command that changes what is there. Raises MdmemError when the caller may not."""
        refuse_agents(self.caller, self.project.config.memory_write)
        return self.project

    @cached_property
    def project(self) -> Project:
        """The project. Raises NoStoreError or ConfigError."""
        return Project.open(self.folder, personal=self.personal, caller=self.caller, kept=self.kept)
