"""From settings to a runner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdmem.errors import ConfigError
from mdmem.llm.anthropic import AnthropicRunner
from mdmem.llm.claude import ClaudeRunner
from mdmem.llm.codex import CodexRunner
from mdmem.llm.environment import ASKING
from mdmem.llm.naming import CLAUDE_MODEL, LOCAL, RUNNERS, runner_for
from mdmem.llm.openai import OpenaiRunner
from mdmem.llm.opencode import OpencodeRunner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.llm.runner import Runner


def choose(setting: str, model: str, url: str, *, agent: str, environ: Mapping[str, str]) -> Runner | None:
    """The runner that takes a run of `agent`; None when no model is to be asked, which is so wherever we were started
    by a model that is extracting: no run ever starts another.

    `setting`, `model` and `url` are those of `extraction.*`; '' for the model is the runner's small one. Raises
    ConfigError for a runner that there is none of.
    """
    match LOCAL if environ.get(ASKING) else runner_for(setting, agent):
        case "claude":
            return ClaudeRunner(environ, model or CLAUDE_MODEL)
        case "codex":
            return CodexRunner(environ, model)
        case "opencode":
            return OpencodeRunner(environ, model)
        case "openai":
            return OpenaiRunner(environ, model, url)
        case "anthropic":
            return AnthropicRunner(environ, model, url)
        case name if name == LOCAL:
            return None
        case name:
            raise ConfigError(f"no runner {name!r}", f"one of {', '.join(RUNNERS)}")
