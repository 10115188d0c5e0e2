"""Asking through `opencode run`: an agent of our own without tools, no plugins, no MCP servers, no session kept.

OpenCode keeps sessions in a database; ours lies in the folder that is deleted after the call.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem.llm.envelope import Opened, child, failed, opened, string
from mdmem.llm.environment import child_environ
from mdmem.llm.naming import small_model
from mdmem.llm.process import find_program, run_program, scratch_folder
from mdmem.llm.runner import SECONDS, Completion
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mdmem.llm.envelope import Json
    from mdmem.llm.runner import Schema

AGENT: Final = "mdmem-extract"
SYSTEM: Final = (
    "You read a report of a finished run and answer with one JSON object that fits this schema, and nothing else:"
)
OWN: Final = pattern(r"\w+_API_KEY$|AWS_|GOOGLE_|AZURE_|OPENCODE_(?:CONFIG|CONFIG_DIR|AUTH_CONTENT|MODELS_\w+)$")
"""Where its login stands: its configuration, and the keys of its providers."""
SWITCHES: Final = {
    "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
    "OPENCODE_DISABLE_CLAUDE_CODE": "1",
    "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_PURE": "1",
}
ASIDE_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class OpencodeRunner:
    """One call of `opencode run` in an empty folder.

    `model` '' is the `small_model` of the user's settings, else the first small one of the provider that the user
    works with (never another's: a run goes where runs of this user go), else the user's default.
    """

    environ: Mapping[str, str]
    model: str = ""
    seconds: float = SECONDS
    name: str = "opencode"

    def complete(self, prompt: str, schema: Schema) -> Completion:
        """Ask once. Raises LlmError (E_LLM_CLI)."""
        program = find_program("opencode", self.environ)
        with scratch_folder() as folder:
            environ = child_environ(self.environ, OWN) | SWITCHES | {"OPENCODE_DB": str(folder / "session.db")}
            settings = _settings(program, folder, environ)
            model = self.model or _small_model(program, settings, folder, environ)
            environ |= {"OPENCODE_CONFIG_CONTENT": json.dumps(_overrides(settings, schema))}
            command = [program, "run", "--pure", "--agent", AGENT, "--title", AGENT, "--format", "json"]
            command += ["--model", model] if model else []
            done = run_program(command, prompt, folder=folder, environ=environ, seconds=self.seconds)
        answer = opened(done.out)
        if answer is None and (done.code or not done.out):
            raise failed(done.err or done.out or f"exit code {done.code}")
        text, usage, _ = answer or Opened(done.out)
        return Completion(text, self.name, model, usage, done.seconds)


def _settings(program: str, folder: Path, environ: Mapping[str, str]) -> Json:
    """The settings in force, as OpenCode itself puts them together; empty when it does not tell."""
    told = run_program([program, "debug", "config"], "", folder=folder, environ=environ, seconds=ASIDE_SECONDS)
    try:
        settings = json.loads(told.out)
    except (ValueError, RecursionError):
        return {}
    return settings if isinstance(settings, dict) else {}


def _small_model(program: str, settings: Json, folder: Path, environ: Mapping[str, str]) -> str:
    named, provider = string(settings, "small_model"), string(settings, "model").partition("/")[0]
    if named or not provider:
        return named
    told = run_program([program, "models", provider], "", folder=folder, environ=environ, seconds=ASIDE_SECONDS)
    return small_model(line for line in told.out.split() if line.startswith(f"{provider}/"))


def _overrides(settings: Json, schema: Schema) -> dict[str, object]:
    """Settings laid over the user's: an agent that may do nothing, and no server of the user's."""
    agent = {
        "mode": "primary",
        "prompt": f"{SYSTEM}\n{json.dumps(schema)}",
        "tools": {"*": False},
        "permission": {"*": "deny"},
    }
    servers = {name: {"enabled": False} for name in child(settings, "mcp")}
    return {"agent": {AGENT: agent}, "mcp": servers, "share": "disabled", "autoupdate": False}
