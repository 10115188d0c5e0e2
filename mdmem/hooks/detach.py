"""A process of our own that nobody waits for: a session of its own, no pipe of the agent's, and a clean environment."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.config import log_folder
from mdmem.llm.environment import EXTRACTING, SESSION
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LOG_NAME: Final = "jobs.log"
LOG_MOST: Final = 1 << 18
LOGIN: Final = pattern(
    r"CLAUDE_CONFIG_DIR$|CLAUDE_CODE_(?:OAUTH_TOKEN|USE_\w+|SKIP_\w+_AUTH|CLIENT_\w+|GIT_BASH_PATH)$"
    r"|CODEX_(?:HOME|API_KEY|ACCESS_TOKEN|CA_CERTIFICATE)$|OPENCODE_(?:CONFIG|CONFIG_DIR|AUTH_CONTENT|MODELS_\w+)$"
)
"""What belongs to the user's set-up of an agent, not to the session that we were called from."""
WORK: Final = ("jobs", "work")
SWEEP: Final = ("extract", "--sweep")


def start(args: Sequence[str], folder: Path, store: Path | None = None) -> None:
    """Run `mdmem` with these arguments in a folder, in the background; `store` is the one named by hand.

    What it says goes to the log. Raises ReadOnlyError or DiskError, and OSError when no process can be had.
    """
    options = ["--dir", str(store.absolute())] if store else []
    with disk.open_log(log_file(), LOG_MOST) as log:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "mdmem", *options, *args],  # -P: no module of the project is ours
            cwd=folder, env=clean(os.environ), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            close_fds=True, start_new_session=True,
        )  # fmt: skip
    child.returncode = 0  # it is on its own from here: nobody is to wait for it


def clean(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without what ties it to an agent's session, marked so that no hook in it does anything."""
    kept = {name: value for name, value in environ.items() if LOGIN.match(name) or not SESSION.match(name)}
    return kept | {EXTRACTING: "1"}


def log_file() -> Path:
    """Where hooks and workers say what they do."""
    return log_folder() / LOG_NAME


def say(line: str, at: str) -> None:
    """One line for the log, with the time. Raises ReadOnlyError or DiskError."""
    disk.append(log_file(), f"{at} [{os.getpid()}] {line}")
