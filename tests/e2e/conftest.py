"""Real agents on a machine of their own: mdmem on PATH, a model on this machine's loopback, and no other network."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from support.mock_model import MockModel
from support.source import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REAL = socket.socket
NOWHERE = "http://127.0.0.1:9"
"""The proxy of all that an agent would fetch from elsewhere."""
SECONDS = 180
WAIT_SECONDS = 60


@dataclass
class Machine:
    """A repository with a memory in it, and what runs there."""

    repo: Path

    def run(self, *args: str, **env: str) -> str:
        """A program's output; it must end with 0."""
        here = {"PWD": str(self.repo)}
        done = subprocess.run(
            args, cwd=self.repo, env=os.environ | here | env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=SECONDS,
        )  # fmt: skip
        assert done.returncode == 0, f"{args}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def jobs(self, least: int) -> list[dict[str, Any]]:
        """The jobs, once there are so many and none of them is open."""
        for _ in range(WAIT_SECONDS):
            found: list[dict[str, Any]] = json.loads(self.run("mdmem", "jobs", "list", "--all", "--json"))
            if len(found) >= least and not any(job["state"] in ("queued", "running") for job in found):
                return found
            time.sleep(1)
        pytest.fail(f"no end of jobs: {self.run('mdmem', 'jobs', 'log')}")


@pytest.fixture
def model(hermetic: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MockModel]:
    """A model that answers on the loopback."""
    monkeypatch.setattr(socket, "socket", REAL)
    with MockModel() as running:
        yield running


@pytest.fixture
def machine(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A project whose memory holds one lesson."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "mdmem"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mdmem "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("MDMEM_NOW")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, NOWHERE)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    made = Machine(repo)
    made.run("mdmem", "init")
    made.run("mdmem", "add", "lesson", "Warm the berth cache", "-b", "The first booking times out.")
    return made
