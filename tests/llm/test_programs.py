"""Claude Code, Codex and OpenCode as they are started: flags, environment, folder, and what is made of their answer."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from mdmem.errors import LlmError
from mdmem.llm.claude import ClaudeRunner
from mdmem.llm.codex import CodexRunner
from mdmem.llm.opencode import OpencodeRunner
from mdmem.llm.runner import Usage
from support.models import fake_program

if TYPE_CHECKING:
    from support.models import FakeProgram

SCHEMA: Final = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
PROMPT: Final = "[mdmem-extract v1]\nWhat of this lasts?\n"
CLAUDE_ANSWER: Final = {
    "type": "result", "subtype": "success", "is_error": False, "result": '{"memories": []}', "num_turns": 2,
    "total_cost_usd": 0.002, "modelUsage": {"claude-haiku-9": {}},
    "usage": {"input_tokens": 10, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 20, "output_tokens": 7},
}  # fmt: skip


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who works in a session of an agent, with a PATH of fakes."""
    session = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s", "CODEX_THREAD_ID": "t", "GITHUB_TOKEN": "secret"}
    return {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "HOME": os.environ["HOME"], **session}


def arguments(call: dict[str, object]) -> list[str]:
    """The arguments of a call."""
    found = call["arguments"]
    assert isinstance(found, list)
    return found


def after(flag: str, call: dict[str, object]) -> str:
    """What follows a flag."""
    return arguments(call)[arguments(call).index(flag) + 1]


def assert_apart(call: dict[str, object], prompt: str = PROMPT) -> None:
    """The program got the prompt, a folder of its own that is gone, and the mark, but no session and no secret."""
    variables = call["environ"]
    assert isinstance(variables, dict)
    assert call["stdin"] == prompt
    assert call["group"] is True
    assert variables["MDMEM_EXTRACTING"] == "1"
    assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "GITHUB_TOKEN"} & variables.keys()
    assert "mdmem-llm-" in str(call["cwd"])
    assert not Path(str(call["cwd"])).exists()


def test_claude_gets_no_tools_no_settings_and_keeps_no_session(tmp_path: Path, environ: dict[str, str]) -> None:
    program = fake_program(tmp_path / "bin", "claude", f"print({json.dumps(CLAUDE_ANSWER)!r})")
    done = ClaudeRunner(environ).complete(PROMPT, SCHEMA)
    assert (done.text, done.runner, done.model) == ('{"memories": []}', "claude", "claude-haiku-9")
    assert done.usage == Usage(35, 7, 20, 0.002)
    assert_apart(program.call)
    assert program.call["files"] == []
    given = arguments(program.call)
    assert given[0] == "-p"
    assert {"--strict-mcp-config", "--no-session-persistence"} <= set(given)
    flags = ("--output-format", "--model", "--tools", "--setting-sources")
    assert [after(flag, program.call) for flag in flags] == ["json", "haiku", "", ""]
    assert json.loads(after("--json-schema", program.call)) == SCHEMA
    assert PROMPT not in given


@pytest.mark.parametrize(
    ("said", "code", "message", "hint"),
    [
        (
            {"type": "result", "is_error": True, "result": "Not logged in · Please run /login"},
            0,
            "Not logged in",
            "log in",
        ),
        ({"type": "result", "subtype": "error_max_turns", "is_error": True}, 1, "error_max_turns", "another model"),
        (
            {"type": "result", "is_error": True, "errors": ["Failed to provide valid structured output"]},
            1,
            "the model gave no answer: Failed to provide",
            "another model",
        ),
        ({"type": "result", "is_error": True, "errors": ["usage limit reached"]}, 1, "usage limit", "limit has passed"),
        ({"type": "result", "subtype": "success", "terminal_reason": "api_error", "result": "529"}, 0, "529", "limit"),
    ],
)
def test_claude_says_why_it_did_not_answer(
    said: dict[str, object], code: int, message: str, hint: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    fake_program(tmp_path / "bin", "claude", f"print({json.dumps(said)!r}); sys.exit({code})")
    with pytest.raises(LlmError, match=message) as caught:
        ClaudeRunner(environ).complete(PROMPT, SCHEMA)
    assert caught.value.code == "E_LLM_CLI"
    assert hint in caught.value.hint


def test_a_program_that_crashes_is_told_by_its_own_words(tmp_path: Path, environ: dict[str, str]) -> None:
    token = "ghp_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"
    fake_program(tmp_path / "bin", "claude", f"sys.stderr.write('unknown option {token}'); sys.exit(2)")
    with pytest.raises(LlmError, match="unknown option") as caught:
        ClaudeRunner(environ).complete(PROMPT, SCHEMA)
    assert token not in caught.value.message


CODEX: Final = """\
flags = dict(zip(arguments, arguments[1:]))
assert json.load(open(flags["--output-schema"]))["type"] == "object"
open(flags["-o"], "w").write('{"memories": []}')
print(json.dumps({"type": "thread.started"}))
print(json.dumps({"type": "item.completed", "item": {"type": "agent_message", "text": "x"}}))
print(json.dumps({"type": "turn.completed",
                  "usage": {"input_tokens": 20, "cached_input_tokens": 5, "output_tokens": 9}}))
"""


def codex_settings(home: Path) -> None:
    """A configuration with a server, a provider of the user's own, and a list of models."""
    folder = home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(
        '[mcp_servers.docs]\ncommand = "docs"\n[model_providers.own]\nenv_key = "OWN_SECRET"\n', encoding="utf-8"
    )
    models = [{"slug": "gpt-9"}, {"slug": "gemini-9"}, {"slug": "gpt-9-mini"}]
    (folder / "models_cache.json").write_text(json.dumps({"models": models}), encoding="utf-8")


def test_codex_starts_nothing_and_keeps_no_rollout(tmp_path: Path, environ: dict[str, str], hermetic: Path) -> None:
    codex_settings(hermetic)
    program = fake_program(tmp_path / "bin", "codex", CODEX)
    done = CodexRunner(environ | {"OWN_SECRET": "k", "OTHER_SECRET": "k"}).complete(PROMPT, SCHEMA)
    assert (done.text, done.model, done.usage) == ('{"memories": []}', "gpt-9-mini", Usage(20, 9, 5))
    assert_apart(program.call)
    given = arguments(program.call)
    assert (given[0], given[-1]) == ("exec", "-")
    assert {"--ephemeral", "--skip-git-repo-check", "--ignore-rules", "--json"} <= set(given)
    assert after("--sandbox", program.call) == "read-only"
    assert {"features.hooks=false", "features.shell_tool=false", "mcp_servers.docs.enabled=false"} <= set(given)
    variables = program.call["environ"]
    assert isinstance(variables, dict)
    assert ("OWN_SECRET" in variables, "OTHER_SECRET" in variables) == (True, False)


def test_codex_without_a_list_of_models_takes_its_own(tmp_path: Path, environ: dict[str, str]) -> None:
    program = fake_program(tmp_path / "bin", "codex", CODEX)
    assert CodexRunner(environ).complete(PROMPT, SCHEMA).model == ""
    assert "--model" not in arguments(program.call)
    assert CodexRunner(environ, "gpt-9").complete(PROMPT, SCHEMA).model == "gpt-9"


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"type": "turn.failed", "error": {"message": "401 Unauthorized"}}, "401"),
        ({"type": "error", "message": "stream disconnected"}, "disconnected"),
        ({"type": "turn.completed"}, "turn.completed"),
    ],
)
def test_codex_says_why_it_did_not_answer(
    event: dict[str, object], message: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    lines = "\n".join(json.dumps(one) for one in ({"type": "thread.started"}, event))
    fake_program(tmp_path / "bin", "codex", f"print({lines!r}); sys.exit(1)")
    with pytest.raises(LlmError, match=message) as caught:
        CodexRunner(environ).complete(PROMPT, SCHEMA)
    assert caught.value.code == "E_LLM_CLI"


OPENCODE: Final = """\
settings = {"model": "own/large", "mcp": {"docs": {"type": "local"}}}
if arguments[:2] == ["debug", "config"]:
    print(json.dumps(settings))
elif arguments[0] == "models":
    print("own/gemini-large\\nown/tiny-nano")
else:
    print(json.dumps({"type": "step_start", "part": {}}))
    print(json.dumps({"type": "text", "part": {"text": '{"memories": []}'}}))
    print(json.dumps({"type": "step_finish", "part": {"cost": 0.5, "tokens":
                      {"input": 30, "output": 8, "cache": {"read": 4, "write": 0}}}}))
"""


def test_opencode_gets_an_agent_that_may_do_nothing(tmp_path: Path, environ: dict[str, str]) -> None:
    program = fake_program(tmp_path / "bin", "opencode", OPENCODE)
    done = OpencodeRunner(environ).complete(PROMPT, SCHEMA)
    assert (done.text, done.model, done.usage) == ('{"memories": []}', "own/tiny-nano", Usage(34, 8, 4, 0.5))
    asked_settings, asked_models, call = program.calls
    assert arguments(asked_settings) == ["debug", "config"]
    assert arguments(asked_models) == ["models", "own"]
    assert_apart(call)
    assert arguments(call)[:2] == ["run", "--pure"]
    variables = call["environ"]
    assert isinstance(variables, dict)
    laid_over = json.loads(variables["OPENCODE_CONFIG_CONTENT"])
    agent = laid_over["agent"][after("--agent", call)]
    assert (agent["tools"], agent["permission"]) == ({"*": False}, {"*": "deny"})
    assert laid_over["mcp"] == {"docs": {"enabled": False}}
    assert Path(variables["OPENCODE_DB"]).parent == Path(str(call["cwd"]))
    assert json.dumps(SCHEMA) in agent["prompt"]


@pytest.mark.parametrize(
    ("settings", "model"),
    [('{"model": "own/large", "small_model": "own/small"}', "own/small"), ("{}", ""), ("no settings", "")],
)
def test_opencode_never_leaves_the_users_provider(
    settings: str, model: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    code = OPENCODE.replace("print(json.dumps(settings))", f"print({settings!r})")
    fake_program(tmp_path / "bin", "opencode", code)
    assert OpencodeRunner(environ).complete(PROMPT, SCHEMA).model == model


def test_opencode_says_why_it_did_not_answer(tmp_path: Path, environ: dict[str, str]) -> None:
    event = {"type": "error", "sessionID": "s", "error": {"name": "E", "data": {"message": "no such model"}}}
    fake_program(tmp_path / "bin", "opencode", f"print({json.dumps(event)!r}); sys.exit(1)")
    with pytest.raises(LlmError, match="no such model"):
        OpencodeRunner(environ, "own/x").complete(PROMPT, SCHEMA)


def test_a_program_that_hangs_is_given_up(tmp_path: Path, environ: dict[str, str]) -> None:
    program: FakeProgram = fake_program(tmp_path / "bin", "claude", "time.sleep(60)")
    with pytest.raises(LlmError, match="no answer in 1 s"):
        ClaudeRunner(environ, seconds=1).complete(PROMPT, SCHEMA)
    assert_apart(program.call)
