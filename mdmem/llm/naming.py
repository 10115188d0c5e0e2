"""Who runs a model: the runners by name, the agents whose runs they take, and which of many models is a small one.

Imported by what only wants to say who would be asked, so it loads no library and starts nothing.
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LOCAL: Final = "local"
AUTO: Final = "auto"
PROGRAMS: Final = ("claude", "codex", "opencode")
ENDPOINTS: Final = ("openai", "anthropic")
RUNNERS: Final = (LOCAL, AUTO, *PROGRAMS, *ENDPOINTS)
BY_AGENT: Final[Mapping[str, str]] = {"claude-code": "claude", "codex": "codex", "opencode": "opencode"}
"""With `auto` the agent that made a run is the one that summarises it."""
TITLES: Final[Mapping[str, str]] = {"claude": "Claude Code", "codex": "Codex", "opencode": "OpenCode"}
CLAUDE_MODEL: Final = "haiku"
SMALL: Final = pattern(r"(?<![a-z])(?:haiku|spark|mini|nano)(?![a-z])", re.IGNORECASE)
OPENAI_URL: Final = "https://api.openai.com/v1"
ANTHROPIC_URL: Final = "https://api.anthropic.com/v1"


def runner_for(setting: str, agent: str) -> str:
    """The runner that takes a run of `agent` under a setting of `extraction.runner`; LOCAL when no model is asked."""
    return BY_AGENT.get(agent, LOCAL) if setting == AUTO else setting


def small_model(names: Iterable[str]) -> str:
    """The first small model of a list, '' when there is none. `gemini` is no `mini`."""
    return next((name for name in names if SMALL.search(name)), "")


def who(setting: str, model: str, url: str, environ: Mapping[str, str]) -> str:
    """Which agent and model summarise finished runs, in one sentence."""
    if setting == LOCAL:
        return "Runs are summarised by rules on this machine; no model is asked."
    if setting == AUTO:
        able = [f"{TITLES[name]} with {_model_of(name, model)}" for name in PROGRAMS if _is_installed(name, environ)]
        names = ", ".join(able) or "none is installed here"
        return f"A run is summarised by the agent that made it ({names}); others by rules, without a model."
    if setting in ENDPOINTS:
        own = OPENAI_URL if setting == "openai" else ANTHROPIC_URL
        place = urlsplit(url or own).netloc or url
        return f"Runs are summarised by {model or 'a small model'} at {place}."
    lack = "" if _is_installed(setting, environ) else f" But `{setting}` is not on PATH."
    return f"Runs are summarised by {TITLES[setting]} with {_model_of(setting, model)}.{lack}"


def _model_of(runner: str, model: str) -> str:
    return model or (CLAUDE_MODEL if runner == "claude" else "its small model")


def _is_installed(name: str, environ: Mapping[str, str]) -> bool:
    return shutil.which(name, path=environ.get("PATH")) is not None
