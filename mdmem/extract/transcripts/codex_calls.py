"""What Codex calls and what comes back: commands, patches, exit codes and refusals, in every form they have had."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeGuard

from mdmem.extract.transcripts.gathering import Result
from mdmem.extract.transcripts.patches import patched_files
from mdmem.extract.transcripts.records import child, children, text
from mdmem.extract.transcripts.session import ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.extract.transcripts.records import Json

CALLS: Final = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
PATCH: Final = "apply_patch"
STDIN: Final = "write_stdin"
SHELL: Final = re.compile(r"(?:.*/)?(?:ba|z|da|fi)?sh(?:\.exe)?\Z|(?:.*[/\\])?(?:pwsh|powershell|cmd)(?:\.exe)?\Z")
PATH_KEYS: Final = ("file_path", "path", "filename")

SHELL_WORDS: Final = 3
HEADER_LENGTH: Final = 400

EXIT: Final = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)$", re.MULTILINE)
RUNNING: Final = re.compile(r"^Process running with session ID (\w+)$", re.MULTILINE)
HEADER: Final = re.compile(
    r"(?:(?:Chunk ID|Wall time|Exit code|Process (?:exited|running)|Original token count|Total output lines)\b.*\n+)+"
    r"(?:Output:\n)?"
)
"""What Codex writes above a command's own output."""
REFUSED: Final = re.compile(
    r"\s*(?:(?:exec command|patch|command|tool call) )?(?:was )?(?:rejected|denied|declined) by (?:the )?user"
    r"(?:\s*[:.]\s*(?:Reason:\s*)?(?P<reason>.*))?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""A refusal by the user, and the reason where one is given. One by the sandbox or a policy is none."""
FAILED: Final = re.compile(
    r"\s*(?:patch rejected|apply_patch verification failed|failed in sandbox|execution error|Err: |tool call error"
    r"|failed to parse function arguments|unsupported (?:custom )?(?:tool )?call|command timed out"
    r"|This action was rejected)",
    re.IGNORECASE,
)
"""How an output begins that tells of a failure without an exit code."""


def called(line: int, item: Json, message: str, running: Mapping[str, str]) -> Iterator[ToolCall]:
    """The calls that a record makes: one, or one for each file of a patch. `running` are commands by their session."""
    name = text(item, "name") or text(item, "type")
    given = arguments(item)
    command = _command(given) or _command(child(item, "action"))
    source = text(item, "input") or text(given, "input") or command
    files = patched_files(source) if name == PATCH or command.lstrip().startswith(PATCH) else ()
    for file in files:
        yield ToolCall(PATCH, line, path=file, message=message)
    if files:
        return
    if name == STDIN and not text(given, "chars").strip():
        command = running.get(str(given.get("session_id")), "")
    path = next((text(given, key) for key in PATH_KEYS if text(given, key)), "")
    yield ToolCall(name, line, command, path, message=message)


def arguments(item: Json) -> Json:
    """The arguments of a call, which Codex writes as JSON in a string; empty when they are something else."""
    given = _decoded(text(item, "arguments"))
    return given if isinstance(given, Mapping) else {}


def returned(line: int, item: Json) -> Result:
    """What came back, as an output or as the event of its end: without Codex's header, with what it means."""
    output, status = _output(item), text(item, "status")
    code = _exit_code(item, output)
    words = _headless(output)
    refusal = REFUSED.match(words)
    has_failed = code not in (0, None) or status in ("failed", "declined") or item.get("success") is False
    return Result(
        line,
        words,
        is_error=has_failed or bool(refusal) or bool(code is None and FAILED.match(words)),
        is_rejected=bool(refusal),
        reason=(refusal["reason"] or "").strip() if refusal else "",
    )


def background(item: Json) -> str:
    """The id of the session in which a command goes on running after its first output; '' when it does not."""
    found = RUNNING.search(_output(item)[:HEADER_LENGTH])
    return found[1] if found else ""


def questions(item: Json) -> dict[str, str]:
    """The questions of a call that asks the user, by their ids."""
    return {text(asked, "id"): text(asked, "question") for asked in children(arguments(item).get("questions"))}


def answers(item: Json, asked: Mapping[str, str]) -> str:
    """What the user answered, one `question answer` a line."""
    given = _decoded(_output(item))
    found = child(given, "answers") if isinstance(given, Mapping) else {}
    lines = []
    for name in found:
        answer = child(found, name).get("answers")
        words = [word for word in answer if isinstance(word, str)] if isinstance(answer, list) else []
        if words:
            lines.append(f"{asked.get(name, '')} {', '.join(words)}".strip())
    return "\n".join(lines)


def _decoded(source: str) -> object:
    """The value of a JSON text; None for anything else."""
    if not source.lstrip().startswith("{"):
        return None
    try:
        return json.loads(source)
    except (ValueError, RecursionError):
        return None


def _command(given: Json) -> str:
    """The command line of a shell tool: a string, or words of which a shell's own are left out."""
    command = given.get("cmd") or given.get("command")
    if isinstance(command, str):
        return command
    words = [word for word in command if isinstance(word, str)] if isinstance(command, list) else []
    if len(words) == SHELL_WORDS and SHELL.match(words[0]) and words[1].startswith(("-", "/")):
        return words[2]
    if words[:1] == [PATCH]:
        return "\n".join(words)
    return shlex.join(words)


def _output(item: Json) -> str:
    """The text of an output: a string, a string with JSON in it, a list of texts, an object, an event's own field."""
    given = item.get("output")
    if isinstance(given, str):
        inner = _decoded(text(item, "output"))
        return text(inner, "output") if _is_wrapped(inner) else text(item, "output")
    if isinstance(given, list):
        return "\n".join(text(part, "text") for part in children(given))
    if isinstance(given, Mapping):
        return text(given, "content") or text(given, "output")
    event = [text(item, key) for key in ("aggregated_output", "formatted_output", "stdout", "stderr")]
    return event[0] or event[1] or "\n".join(filter(None, event))


def _is_wrapped(value: object) -> TypeGuard[Json]:
    """Whether JSON is Codex's own frame around an output, of 2025: `{output, metadata}`."""
    return isinstance(value, Mapping) and isinstance(value.get("output"), str) and "metadata" in value


def _exit_code(item: Json, output: str) -> int | None:
    """A command's exit code: from the event, the frame or the header; None when nothing tells it."""
    frame = _decoded(text(item, "output"))
    metadata = child(frame, "metadata") if _is_wrapped(frame) else {}
    for code in (item.get("exit_code"), metadata.get("exit_code")):
        if isinstance(code, int):
            return code
    header = HEADER.match(output)
    found = EXIT.search(header[0]) if header else None
    return int(found[1]) if found else None


def _headless(output: str) -> str:
    header = HEADER.match(output)
    return output[header.end() :] if header else output
