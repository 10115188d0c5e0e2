"""Each guard of conftest.py really guards."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.machine import FOREIGN, NetworkUsedError, compare_text, git

if TYPE_CHECKING:
    from collections.abc import Callable


def test_home_is_apart(hermetic: Path) -> None:
    assert Path.home() == hermetic
    assert Path("~").expanduser() == hermetic
    assert all(str(hermetic) in os.environ[f"XDG_{kind}_HOME"] for kind in ("CONFIG", "DATA", "STATE", "CACHE"))


def test_foreign_settings_are_gone() -> None:
    ours = {"MDMEM_NOW", "MDMEM_EMBEDDING_PATH", "GIT_CONFIG_NOSYSTEM"}
    ours |= {f"XDG_{kind}_HOME" for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    assert {name for name in os.environ if name.startswith(FOREIGN)} == ours


def test_a_child_sees_the_same_home(hermetic: Path) -> None:
    assert subprocess.run(["sh", "-c", "echo $HOME"], capture_output=True, text=True).stdout.strip() == str(hermetic)


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_the_network_is_blocked(family: int) -> None:
    with pytest.raises(NetworkUsedError):
        socket.socket(family)
    with pytest.raises(NetworkUsedError):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(NetworkUsedError):
        socket.getaddrinfo("example.org", 80)


def test_sockets_of_this_machine_work() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.sendall(b"hello")
        assert there.recv(5) == b"hello"


def test_local_time_is_not_utc() -> None:
    time.tzset()
    assert time.timezone == -(5 * 3600 + 45 * 60)


def test_git_knows_its_user(repo: Path) -> None:
    assert git("config", "user.email", cwd=repo) == "ada@example.org\n"
    assert git("rev-parse", "--show-toplevel", cwd=repo).strip() == str(repo.resolve())


def test_a_snapshot_that_differs_fails(tmp_path: Path) -> None:
    file = tmp_path / "stored.txt"
    compare_text(file, "one\n", update=True)
    compare_text(file, "one\n", update=False)
    with pytest.raises(pytest.fail.Exception, match="-one"):
        compare_text(file, "two\n", update=False)
    with pytest.raises(pytest.fail.Exception):
        compare_text(tmp_path / "missing.txt", "text", update=False)


def test_a_snapshot_masks_what_varies(snapshot: Callable[..., None], tmp_path: Path) -> None:
    snapshot(f"id: 4k7q2m9x\nsaved in {tmp_path}/memory\n")
