"""Programs: where and how they are started, what limits them, and that nothing of them is left."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem.errors import LlmError
from mdmem.llm.claude import OWN
from mdmem.llm.environment import child_environ
from mdmem.llm.process import find_program, run_program, scratch_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.llm.process import Done


def run(code: str, tmp_path: Path, *, given: str = "", seconds: float = 20, size: int = 100_000) -> Done:
    """Runs Python in a program of its own."""
    command: Sequence[str] = [sys.executable, "-c", code]
    return run_program(command, given, folder=tmp_path, environ=os.environ, seconds=seconds, size=size)


def is_alive(pid: int) -> bool:
    """Whether a process still runs after a moment (a zombie does not)."""
    for _ in range(50):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state == "Z":
            return False
        time.sleep(0.1)
    return True


def test_the_prompt_is_on_stdin_and_the_answer_on_stdout(tmp_path: Path) -> None:
    done = run("import sys; print(sys.stdin.read().upper()); sys.stderr.write('e'); sys.exit(3)", tmp_path, given="héé")
    assert (done.out, done.err, done.code) == ("HÉÉ\n", "e", 3)


def test_a_prompt_that_nobody_reads_is_no_trouble(tmp_path: Path) -> None:
    assert run("print('done')", tmp_path, given="x" * 1_000_000).out == "done\n"


def test_a_long_prompt_and_a_long_answer_do_not_wait_for_each_other(tmp_path: Path) -> None:
    code = "import sys\nfor line in sys.stdin: sys.stdout.write(line)"
    text = ("y" * 99 + "\n") * 5_000
    assert run(code, tmp_path, given=text, size=1_000_000).out == text


def test_a_program_that_hangs_is_killed_with_all_it_started(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('pid', 'w').write(str(child.pid))\n"
        "time.sleep(60)"
    )
    started = time.monotonic()
    with pytest.raises(LlmError, match="no answer in 1 s") as caught:
        run(code, tmp_path, seconds=1)
    assert time.monotonic() - started < 10
    assert caught.value.code == "E_LLM_CLI"
    assert not is_alive(int((tmp_path / "pid").read_text()))


def test_what_a_program_leaves_behind_is_killed_too(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid)"
    )
    assert not is_alive(int(run(code, tmp_path).out))


def test_a_program_that_says_too_much_is_killed(tmp_path: Path) -> None:
    with pytest.raises(LlmError, match="more than 1,000 bytes"):
        run("while True: print('x' * 100)", tmp_path, size=1_000)


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    assert run("import sys; sys.stdout.buffer.write(b'a\\xffb')", tmp_path).out == "a\ufffdb"


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LlmError, match="`claude` is not on PATH") as caught:
        find_program("claude", {"PATH": str(tmp_path)})
    assert "install claude" in caught.value.hint
    with pytest.raises(LlmError, match="can't be started"):
        run_program([str(tmp_path / "none")], "", folder=tmp_path, environ={})


def test_the_folder_is_private_and_gone_afterwards() -> None:
    with scratch_folder() as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "left.txt").write_text("x")
    assert not folder.exists()


def test_the_environment_has_neither_a_session_nor_secrets() -> None:
    environ = {
        "PATH": "/bin", "HOME": "/home/ada", "HTTPS_PROXY": "http://proxy:3128", "LANG": "C.UTF-8",
        "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "x", "CLAUDE_CODE_ENTRYPOINT": "cli", "CODEX_THREAD_ID": "y",
        "GIT_DIR": "/repo/.git", "OPENCODE": "1", "MDMEM_AGENT": "claude-code",
        "GITHUB_TOKEN": "z", "OPENAI_API_KEY": "z", "DB_PASSWORD": "z", "SSH_AUTH_SOCK": "z",
        "ANTHROPIC_API_KEY": "own", "CLAUDE_CONFIG_DIR": "/own",
    }  # fmt: skip
    assert child_environ(environ, OWN) == {
        "PATH": "/bin", "HOME": "/home/ada", "HTTPS_PROXY": "http://proxy:3128", "LANG": "C.UTF-8",
        "ANTHROPIC_API_KEY": "own", "CLAUDE_CONFIG_DIR": "/own", "MDMEM_EXTRACTING": "1", "MDMEM_ASKING": "1",
    }  # fmt: skip
    assert child_environ({"MY_KEY": "z", "A_TOKEN": "z"}, OWN, ["MY_KEY"]) == {
        "MY_KEY": "z", "MDMEM_EXTRACTING": "1", "MDMEM_ASKING": "1",
    }  # fmt: skip
