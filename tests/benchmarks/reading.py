"""How fast transcripts are read, and how much memory that takes: made-up runs of each agent, each in its own process.

    python tests/benchmarks/reading.py [--megabytes 400] [--folder FOLDER]

Prints one line a file: MB/s by the clock and by the processor's time, and the peak of memory (RSS), of which the
interpreter and the package take a part: the line `nothing` shows it. Wanted: 30 MB/s and less than 200 MB for any file;
less than 400 MB for one with a line of 60 MB.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mdmem.extract.transcripts.reader import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, object]

MB: Final = 1_000_000
LONG_LINE: Final = 60 * MB
WHEN: Final = "2026-05-04T09:00:00.000Z"
CALLS: Final = 8
"""Tool calls a turn."""
CHANCE: Final = random.Random(17)
WORDS: Final = ["".join(CHANCE.choices("abcdefghijklmnop", k=CHANCE.randint(2, 9))) for _ in range(800)]


def prose(words: int) -> str:
    """Made-up text with what makes JSON slow: quotes, line ends, a letter that is not ASCII."""
    return " ".join(CHANCE.choices(WORDS, k=words)) + ' said "ü"\n'


def claude_turn(turn: int) -> Iterator[Json]:
    """A turn as Claude Code writes it, with the progress records of 2.1."""
    serial = iter(range(turn * 100, turn * 100 + 100))

    def record(kind: str, **fields: object) -> Json:
        head = {"parentUuid": f"{turn:036}", "isSidechain": False, "userType": "external", "cwd": "/home/ada/dock",
                "sessionId": "run-1", "version": "2.1.40", "gitBranch": "main"}  # fmt: skip
        return {**head, "type": kind, **fields, "uuid": f"{next(serial):036}", "timestamp": WHEN}

    yield record("user", message={"role": "user", "content": prose(12)})
    for number in range(CALLS):
        name, output = f"call-{turn}-{number}", prose(CHANCE.randint(10, 700))
        use = {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": prose(6)}}
        yield record("assistant", message={"id": f"m-{turn}-{number}", "content": [use], "usage": {"output_tokens": 9}})
        yield record("progress", data={"type": "bash_progress", "output": prose(60), "elapsedTimeSeconds": 3})
        result = {"type": "tool_result", "tool_use_id": name, "content": output, "is_error": number == 1}
        yield record(
            "user", message={"role": "user", "content": [result]}, toolUseResult={"stdout": output, "stderr": ""}
        )
    yield record("assistant", message={"id": f"m-{turn}", "content": [{"type": "text", "text": prose(80)}]})


def codex_turn(turn: int) -> Iterator[Json]:
    """A turn as Codex writes it, with its events."""

    def record(kind: str, **payload: object) -> Json:
        return {"timestamp": WHEN, "type": kind, "payload": payload}

    def message(role: str, text: str) -> Json:
        return record("response_item", type="message", role=role, content=[{"type": "input_text", "text": text}])

    yield message("user", prose(12))
    for number in range(CALLS):
        name, output = f"call-{turn}-{number}", prose(CHANCE.randint(10, 700))
        yield record("response_item", type="reasoning", summary=[], encrypted_content=prose(80))
        given = json.dumps({"cmd": prose(6)})
        yield record("response_item", type="function_call", name="exec_command", arguments=given, call_id=name)
        end = {"type": "CommandExecution", "id": name, "exit_code": 0, "aggregated_output": output}
        yield record("event_msg", type="item_completed", item=end)
        text = f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{output}"
        yield record("response_item", type="function_call_output", call_id=name, output=text)
        yield record("event_msg", type="token_count", info={"total_token_usage": {"input_tokens": turn}})
    yield message("assistant", prose(80))


def opencode_messages(turn: int) -> Iterator[Json]:
    """A turn as `opencode export` prints it."""
    time_of = {"created": 1_777_885_200_000}
    yield {
        "info": {"id": f"msg_{turn}u", "role": "user", "time": time_of},
        "parts": [{"type": "text", "text": prose(12)}],
    }
    parts: list[Json] = []
    for number in range(CALLS):
        state = {"status": "completed", "input": {"command": prose(6)}, "output": prose(CHANCE.randint(10, 700)),
                 "metadata": {"exit": 0}}  # fmt: skip
        parts.append({"type": "tool", "tool": "bash", "callID": f"call-{turn}-{number}", "state": state})
    parts.append({"type": "text", "text": prose(80)})
    yield {"info": {"id": f"msg_{turn}v", "role": "assistant", "time": time_of}, "parts": parts}


def write_lines(path: Path, size: int, turns: Callable[[int], Iterator[Json]]) -> None:
    """Writes turns until the file is that large."""
    with path.open("w", encoding="utf-8") as file:
        turn = 0
        while file.tell() < size:
            turn += 1
            file.writelines(
                json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in turns(turn)
            )


def write_export(path: Path, size: int) -> None:
    """Writes one export of that size."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{"info": {"id": "ses_1", "directory": "/home/ada/dock"}, "messages": [')
        turn = 0
        while file.tell() < size:
            turn += 1
            file.write(",\n" if turn > 1 else "")
            file.write(",\n".join(json.dumps(message, indent=2) for message in opencode_messages(turn)))
        file.write("]}\n")


def write_long_line(path: Path) -> None:
    """Writes a run of Claude Code of which one line is very long."""
    write_lines(path, MB, claude_turn)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "user", "message": {"content": "x" * LONG_LINE}}) + "\n")
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in claude_turn(999_999))


def measure(path: str) -> None:
    """Reads one file and prints what that took; in a process of its own."""
    begun, spent = time.perf_counter(), time.process_time()
    session = read(Path(path))[0] if path else None
    wall, cpu = time.perf_counter() - begun, time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MB
    size = Path(path).stat().st_size / MB if path else 0.0
    said = session.user_texts if session else 0
    print(f"{size:>6.0f} MB {size / wall:>6.0f} MB/s {size / cpu:>6.0f} MB/s cpu {peak:>6.0f} MB peak {said:>8} said")


WRITERS: Final[dict[str, Callable[[Path, int], None]]] = {
    "claude-code": lambda path, size: write_lines(path, size, claude_turn),
    "codex": lambda path, size: write_lines(path, size, codex_turn),
    "opencode export": write_export,
    "a line of 60 MB": lambda path, size: write_long_line(path),
}


def main() -> None:
    """Writes the files, reads each, and removes them; a process that writes does not read, nor the other way round."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=400)
    parser.add_argument("--folder", type=Path, help="where there is room for the largest file")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--write", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure is not None:
        measure(given.measure)
    elif given.write:
        WRITERS[given.write[0]](Path(given.write[1]), given.megabytes * MB)
    else:
        compare(given.megabytes, given.folder)


def compare(megabytes: int, where: Path | None) -> None:
    """Prints a line for each kind of file, and one for none."""
    with tempfile.TemporaryDirectory(dir=where) as folder:
        for name in ("nothing", *WRITERS):
            path = str(Path(folder) / "transcript") if name in WRITERS else ""
            if path:
                run("--write", name, path, "--megabytes", str(megabytes))
            print(f"{name:<16}", end="", flush=True)
            run("--measure", path)


def run(*arguments: str) -> None:
    """Runs this file in a process of its own."""
    subprocess.run([sys.executable, __file__, *arguments], check=True)


if __name__ == "__main__":
    main()
