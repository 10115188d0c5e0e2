"""Language models for tests: answers from a queue, and programs that write down how they were started."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mdmem.llm.runner import Completion, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mdmem.llm.runner import Schema

PROGRAM: Final = """\
#!{python}
import json, os, sys, time
arguments, given = sys.argv[1:], sys.stdin.read()
told = {{"arguments": arguments, "stdin": given, "cwd": os.getcwd(), "files": sorted(os.listdir()),
         "environ": dict(os.environ), "group": os.getpgrp() == os.getpid()}}
with open({log!r}, "a") as log:
    log.write(json.dumps(told) + "\\n")
{code}
"""


@dataclass
class MockRunner:
    """Gives the answers of its queue one after another, and keeps what it was asked."""

    answers: list[str]
    name: str = "claude"
    model: str = "haiku"
    prompts: list[str] = field(default_factory=list)

    def complete(self, prompt: str, schema: Schema) -> Completion:
        """The next answer."""
        assert schema["required"] == ["summary", "memories"]
        self.prompts.append(prompt)
        return Completion(self.answers.pop(0), self.name, self.model, Usage(100, 20, cost=0.01), 1.5)


@dataclass(frozen=True)
class FakeProgram:
    """A program on PATH; `calls` is how it was started, each time."""

    folder: Path
    log: Path

    @property
    def calls(self) -> list[dict[str, object]]:
        """Arguments, stdin, working folder and its files, environment of every call."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    @property
    def call(self) -> dict[str, object]:
        """The only call."""
        (call,) = self.calls
        return call


def fake_program(folder: Path, name: str, code: str) -> FakeProgram:
    """Writes a program of that name; `code` is Python that runs with `arguments` and `given` (its stdin)."""
    folder.mkdir(exist_ok=True)
    log = folder / f"{name}.log"
    file = folder / name
    file.write_text(PROGRAM.format(python=sys.executable, log=str(log), code=code), encoding="utf-8")
    file.chmod(0o755)
    return FakeProgram(folder, log)


def answer(*memories: Mapping[str, object], **summary: object) -> str:
    """A model's answer with the given memories and summary; fields that are left out have ordinary values."""
    usual = {"type": "lesson", "title": "Start the broker before queue tests", "body": "They hang without it."}
    rest = {"topicKey": None, "files": [], "confidence": 0.8}
    told = {"request": "Fix it.", "workDone": "Fixed.", "outcome": "done", "openItems": []}
    return json.dumps({"summary": told | summary, "memories": [usual | rest | dict(memory) for memory in memories]})
