"""A prompt as a question to memory, and as the command that the watcher answers: a hook has no time to open a model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from mdmem.extract.transcripts.injected import own_words
from mdmem.extract.transcripts.session import EXTRACT_MARK
from mdmem.hooks.payload import read_payload
from mdmem.llm.environment import EXTRACTING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.hooks.payload import Payload

EVENT: Final = "user-prompt-submit"
LENGTH: Final = 20_000
"""So much of a prompt is looked at."""
BUDGET: Final = 9_500


def question(payload: Payload) -> str:
    """What the user asks in a prompt, '' when nothing is theirs or the prompt is one of our own."""
    asked = own_words(payload.prompt)
    return "" if asked.startswith(EXTRACT_MARK) else asked[:LENGTH]


def as_command(args: Sequence[str]) -> list[str] | None:
    """The `brief` that answers `hook user-prompt-submit [--agent NAME]`; None for any other hook.

    Standard input is read, and the working folder changed to that of the session.
    """
    is_plain = len(args) == 1 or (len(args) == 3 and args[1] == "--agent")
    if not is_plain or args[0] != EVENT or os.environ.get(EXTRACTING):
        return None
    payload = read_payload()
    asked = question(payload) if payload else ""
    if payload is None or not asked or not payload.session:
        return None
    try:
        if not os.environ.get("MDMEM_DIR"):
            os.chdir(payload.folder(os.environ))
    except OSError:
        return None
    agent = args[2] if len(args) == 3 else payload.agent
    return ["brief", f"--query={asked}", f"--session={payload.session}", f"--agent={agent}", f"--budget={BUDGET}"]
