"""A machine of its own for every test: home, settings, clock and identity apart, and no network."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, settings

from mdmem.cli import main
from mdmem.project import Project
from mdmem.store.founding import found_store
from mdmem.store.store import Store
from support.machine import FOREIGN, Answer, LocalSocket, compare_text, git, refuse_lookup

if TYPE_CHECKING:
    from collections.abc import Callable

NOW: Final = "2026-03-10T12:00:00+00:00"
SNAPSHOTS: Final = Path(__file__).parent / "snapshots"
RANDOM_ID: Final = re.compile(r"\b(id: |\"id\": \")[0-9a-hjkmnp-tv-z]{8}\b")
GITCONFIG: Final = """\
[user]
    name = Ada Tester
    email = ada@example.org
[init]
    defaultBranch = main
[commit]
    gpgSign = false
"""

settings.register_profile(
    "ci",
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("ci"), max_examples=5_000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sets home, clock, time zone and git identity apart and blocks the network; gives the home."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        monkeypatch.delenv(name)
    (home / ".gitconfig").write_text(GITCONFIG, encoding="utf-8")
    variables = {
        "HOME": home,
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_DATA_HOME": home / ".local/share",
        "XDG_STATE_HOME": home / ".local/state",
        "XDG_CACHE_HOME": home / ".cache",
        "GIT_CONFIG_NOSYSTEM": "1",
        "MDMEM_NOW": NOW,
        "MDMEM_EMBEDDING_PATH": "none",  # tests of meaning name a small model of their own
        "TZ": "Asia/Kathmandu",  # a quarter off the hour: a local time where UTC is meant shows
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr(socket, "socket", LocalSocket)
    monkeypatch.setattr(socket, "getaddrinfo", refuse_lookup)
    return home


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--snapshot-update` writes what the tests now give, to be reviewed in the diff."""
    parser.addoption("--snapshot-update", action="store_true", help="write snapshots instead of comparing them")


@pytest.fixture
def snapshot(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., None]:
    """Compares with tests/snapshots/<module>/<test>[-<name>].txt; ids and the temporary folder masked."""
    folder = SNAPSHOTS / Path(request.node.path).stem.removeprefix("test_")
    test = re.sub(r"[^\w.-]+", "-", request.node.name.removeprefix("test_")).strip("-")
    update = bool(request.config.getoption("--snapshot-update"))

    def compare(text: str, name: str = "") -> None:
        masked = RANDOM_ID.sub(r"\1<id>", text.replace(str(tmp_path), "<tmp>"))
        compare_text(folder / f"{test}{f'-{name}' if name else ''}.txt", masked, update=update)

    return compare


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty git repository, which is also the working folder."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git("init", "-q", cwd=folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def store(repo: Path) -> Store:
    """An empty store in the repository, for code below the project."""
    return Store(found_store(repo / "memory").root, name="project")


@pytest.fixture
def project(store: Store) -> Project:
    """The project of that store, opened as the command line does."""
    return Project.open()


@pytest.fixture
def cli(repo: Path) -> Callable[..., Answer]:
    """Runs a command in this process, in the repository, errors handled as for a user."""

    def run(*args: str | Path, stdin: str = "") -> Answer:
        with CliRunner().isolation(input=stdin) as streams:
            code = main.run([str(arg) for arg in args])
            out, err = (streams[at].getvalue().decode("utf-8") for at in (0, 1))
        return Answer(code, out, err)

    return run


@pytest.fixture
def shell(repo: Path) -> Callable[..., Answer]:
    """Runs `mdmem` as a process of its own in the repository: for exit codes, signals and start-up."""

    def run(*args: str | Path, stdin: str = "", **env: str) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "mdmem", *map(str, args)],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env=os.environ | env,
            cwd=repo,
            timeout=60,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return run
