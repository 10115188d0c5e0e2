"""Asking through `codex exec`: every tool that can be switched off is, no hooks, no MCP servers, no rollout file.

The user's own configuration is read, since the provider and the login may stand there; what it would start is
switched off by name. The two tools that Codex always offers (a question to the user, a patch) come to nothing in a
read-only sandbox with nobody to ask.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.llm.envelope import child, children, failed, opened, string
from mdmem.llm.environment import child_environ
from mdmem.llm.naming import small_model
from mdmem.llm.process import find_program, run_program, scratch_folder
from mdmem.llm.runner import SECONDS, Completion, Usage
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mdmem.llm.envelope import Json
    from mdmem.llm.runner import Schema

SYSTEM: Final = "You read a report of a finished run and answer with the JSON object that is asked for.\n"
OWN: Final = pattern(r"OPENAI_|AZURE_OPENAI_|CODEX_(?:HOME|API_KEY|ACCESS_TOKEN|CA_CERTIFICATE)$")
"""Where its login stands."""
FEATURES: Final = (
    "hooks",
    "shell_tool",
    "unified_exec",
    "apps",
    "plugins",
    "multi_agent",
    "image_generation",
    "view_image",
    "goals",
    "sleep_tool",
    "skill_search",
    "tool_suggest",
    "memories",
)
"""Switched off by `-c features.<name>=false`: unlike `--disable`, that passes over a name that a version lacks."""
SWITCHES: Final = (
    'web_search="disabled"',
    "project_doc_max_bytes=0",
    "skills.include_instructions=false",
    "include_permissions_instructions=false",
    "include_apps_instructions=false",
    "include_environment_context=false",
    "include_collaboration_mode_instructions=false",
)
SERVER: Final = pattern(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class CodexRunner:
    """One call of `codex exec` in an empty folder. `model` '' is the first small one that Codex lists, else its own."""

    environ: Mapping[str, str]
    model: str = ""
    seconds: float = SECONDS
    name: str = "codex"

    def complete(self, prompt: str, schema: Schema) -> Completion:
        """Ask once. Raises LlmError (E_LLM_CLI)."""
        program = find_program("codex", self.environ)
        home = home_folder(self.environ)
        settings = _settings(home)
        model = self.model or listed_model(home)
        with scratch_folder() as folder:
            answer = folder / "answer.txt"
            disk.write(folder / "schema.json", json.dumps(schema).encode())
            disk.write(folder / "instructions.md", SYSTEM.encode())
            command = [program, *_arguments(folder, model, settings)]
            environ = child_environ(self.environ, OWN, _keys(settings))
            done = run_program(command, prompt, folder=folder, environ=environ, seconds=self.seconds)
            text = (disk.read_if_exists(answer) or b"").decode("utf-8", "replace")
        told = opened(done.out)
        text = text or (told.text if told else "")
        if not text:
            raise failed(done.err or done.out or f"exit code {done.code}")
        return Completion(text, self.name, model, told.usage if told else Usage(), done.seconds)


def home_folder(environ: Mapping[str, str]) -> Path:
    """Where Codex keeps its configuration."""
    return Path(environ.get("CODEX_HOME") or Path(environ.get("HOME") or Path.home()) / ".codex")


def listed_model(home: Path) -> str:
    """The first small model of the list that Codex keeps, '' when there is none."""
    try:
        catalogue = json.loads(disk.read_if_exists(home / "models_cache.json") or b"{}")
    except (ValueError, RecursionError, MdmemError):
        return ""
    return small_model(string(model, "slug") for model in children(catalogue, "models")) if catalogue else ""


def _arguments(folder: Path, model: str, settings: Json) -> Iterator[str]:
    yield from ("exec", "--ephemeral", "--skip-git-repo-check", "--ignore-rules", "--sandbox", "read-only")
    yield from ("--model", model) if model else ()
    # setting `mcp_servers` to nothing would leave them all running
    names = [name for name in child(settings, "mcp_servers") if SERVER.fullmatch(name)]
    servers = [f"mcp_servers.{name}.enabled=false" for name in names]
    features = [f"features.{name}=false" for name in FEATURES]
    instructions = f"model_instructions_file={json.dumps(str(folder / 'instructions.md'))}"
    for setting in (*servers, *features, *SWITCHES, instructions):
        yield from ("-c", setting)
    yield from ("--output-schema", str(folder / "schema.json"), "-o", str(folder / "answer.txt"), "--json", "-")


def _settings(home: Path) -> Json:
    """The user's own configuration; empty when it can't be read, as Codex will say itself."""
    try:
        return tomllib.loads((disk.read_if_exists(home / "config.toml") or b"").decode("utf-8"))
    except (ValueError, MdmemError):
        return {}


def _keys(settings: Json) -> list[str]:
    """The variables in which providers of the user's own have their keys."""
    providers = child(settings, "model_providers")
    return [key for name in providers if (key := string(child(providers, name), "env_key"))]
