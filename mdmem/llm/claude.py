"""Asking through Claude Code's `claude -p`: no tools, no settings (so no hooks), no MCP servers, no transcript."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem.llm.envelope import Opened, failed, opened
from mdmem.llm.environment import child_environ
from mdmem.llm.naming import CLAUDE_MODEL
from mdmem.llm.process import find_program, run_program, scratch_folder
from mdmem.llm.runner import SECONDS, Completion
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdmem.llm.runner import Schema

SYSTEM: Final = "You read a report of a finished run and answer with the JSON object that is asked for."
OWN: Final = pattern(
    r"ANTHROPIC_|AWS_|GOOGLE_|CLOUD_ML_REGION$|VERTEX_"
    r"|CLAUDE_CONFIG_DIR$|CLAUDE_CODE_(?:OAUTH_TOKEN|USE_\w+|SKIP_\w+_AUTH|CLIENT_\w+|GIT_BASH_PATH)$"
)
"""Where its login stands: its settings folder, a token, the key of the provider it is set up for."""


@dataclass(frozen=True, slots=True)
class ClaudeRunner:
    """One call of `claude -p` in an empty folder."""

    environ: Mapping[str, str]
    model: str = CLAUDE_MODEL
    seconds: float = SECONDS
    name: str = "claude"

    def complete(self, prompt: str, schema: Schema) -> Completion:
        """Ask once. Raises LlmError (E_LLM_CLI)."""
        command = [
            find_program("claude", self.environ),
            *("-p", "--output-format", "json"),
            *("--json-schema", json.dumps(schema)),
            *("--model", self.model),
            *("--system-prompt", SYSTEM),
            *("--tools", ""),
            *("--setting-sources", ""),
            "--strict-mcp-config",
            "--no-session-persistence",
        ]
        with scratch_folder() as folder:
            environ = child_environ(self.environ, OWN)
            done = run_program(command, prompt, folder=folder, environ=environ, seconds=self.seconds)
        answer = opened(done.out)  # a failure is told on stdout too, whatever the exit code
        if answer is None and (done.code or not done.out):
            raise failed(done.err or done.out or f"exit code {done.code}")
        text, usage, model = answer or Opened(done.out)
        return Completion(text, self.name, model or self.model, usage, done.seconds)
