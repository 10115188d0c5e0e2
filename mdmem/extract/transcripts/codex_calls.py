"""What Codex calls and what comes back: commands, patches, exit codes and refusals, in every form they have had."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.extract.transcripts.gathering import Result
from mdmem.extract.transcripts.patches import patched_files
from mdmem.extract.transcripts.records import child, children, text
from mdmem.extract.transcripts.session import ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mdmem.extract.transcripts.records import Json

CALLS: Final = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
PATCH: Final = "apply_patch"
STDIN: Final = "write_stdin"
SHELL: Final = re.compile(r"(?:.*/)?(?:ba|z|da|fi)?sh(?:\.exe)?\Z|(?:.*[/\\])?(?:pwsh|powershell|cmd)(?:\.exe)?\Z")
PATH_KEYS: Final = ("file_path", "path", "filename")

SHELL_WORDS: Final = 3

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
    return given if isinstance(given, dict) else {}


class Output(NamedTuple):
    """An output without Codex's header; its exit code, None when nothing tells it; the session it goes on in, or ''."""

    text: str
    code: int | None = None
    session: str = ""


def output_of(item: Json) -> Output:
    """An output, or the event of a call's end, in any form: text, JSON in a text, a list of texts, an object."""
    given, code = item.get("output"), item.get("exit_code")
    if isinstance(given, list):
        words = "\n".join(text(part, "text") for part in children(given))
    elif isinstance(given, dict):
        words = text(given, "content") or text(given, "output")
        code = 1 if given.get("success") is False else code
    elif isinstance(given, str):
        words = text(item, "output")
        frame = _decoded(words)
        if isinstance(frame, dict) and isinstance(frame.get("output"), str) and "metadata" in frame:
            words, code = text(frame, "output"), child(frame, "metadata").get("exit_code")
    else:
        event = [text(item, key) for key in ("aggregated_output", "formatted_output", "stdout", "stderr")]
        words = event[0] or event[1] or "\n".join(filter(None, event))
    header = HEADER.match(words)
    if not header:
        return Output(words, code if isinstance(code, int) else None)
    told, running = EXIT.search(header[0]), RUNNING.search(header[0])
    code = code if isinstance(code, int) else int(told[1]) if told else None
    return Output(words[header.end() :], code, running[1] if running else "")


def returned(line: int, item: Json, output: Output) -> Result:
    """What came back, with what it means."""
    status = text(item, "status")
    refusal = REFUSED.match(output.text)
    has_failed = output.code not in (0, None) or status in ("failed", "declined") or item.get("success") is False
    return Result(
        line,
        output.text,
        is_error=has_failed or bool(refusal) or bool(output.code is None and FAILED.match(output.text)),
        is_rejected=bool(refusal),
        reason=(refusal["reason"] or "").strip() if refusal else "",
    )


def questions(item: Json) -> dict[str, str]:
    """The questions of a call that asks the user, by their ids."""
    return {text(asked, "id"): text(asked, "question") for asked in children(arguments(item).get("questions"))}


def answers(output: Output, asked: Mapping[str, str]) -> str:
    """What the user answered, one `question answer` a line."""
    given = _decoded(output.text)
    found = child(given, "answers") if isinstance(given, dict) else {}
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
