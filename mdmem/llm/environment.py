"""The environment of a program that runs a model for us: no session of an agent, no secret that is not its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

EXTRACTING: Final = "MDMEM_EXTRACTING"
"""Set for whatever we start: every hook of ours that finds it returns at once, so that no run ever starts another."""
ASKING: Final = "MDMEM_ASKING"
"""Set for the programs that run a model: whatever of ours they start asks no model. Our own workers do not have it."""

SESSION: Final = pattern(r"CLAUDE(?:CODE$|_)|CODEX_|OPENCODE(?:$|_)|MDMEM_AGENT$|GIT_")
"""What ties a child to the session, or to the repository, that we were called from."""
SECRET: Final = pattern(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE|_PAT$|DATABASE_URL|_DSN$", re.IGNORECASE)
"""How variables with a secret are called."""


def child_environ(environ: Mapping[str, str], own: re.Pattern[str], keys: Collection[str] = ()) -> dict[str, str]:
    """The variables that a child gets: ours without the agents' session and without secrets, marked as extracting.

    `own` matches the names that the child needs to find its login, `keys` names more of them; they pass.
    """
    kept = {
        name: value
        for name, value in environ.items()
        if name in keys or own.match(name) or not (SESSION.match(name) or SECRET.search(name))
    }
    return kept | {EXTRACTING: "1", ASKING: "1"}
