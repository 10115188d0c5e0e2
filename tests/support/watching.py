"""A watcher in this process, and every way in which files change under it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mdmem.cli import main
from mdmem.project import Project
from mdmem.watch.service import Service
from support.machine import Answer, git
from support.memories import memory_text, write_memory
from support.source import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from mdmem.store.kept import Kept

MEMORIES: Final = {
    "lesson/pool.md": ("Close the pool", "The pool hangs when a worker keeps its connection."),
    "lesson/clock.md": ("Freeze the clock", "Tests that read the clock fail at midnight."),
    "lesson/old.md": ("Mend the walrus", "It sinks."),
    "command/seed.md": ("Seed the database", "Run `make seed` after each migration."),
}


class Lent:
    """What the command line lends to a watcher."""

    def open_project(self, kept: Kept) -> Project:
        """The project of the working folder."""
        return Project.open(kept=kept)

    def run(self, args: Sequence[str], kept: Kept) -> int:
        """Run a command in this process."""
        return main.run(args, kept)


@dataclass
class Watched:
    """A watcher that this process runs turn by turn; `log` is what it said."""

    log: list[str] = field(default_factory=list)
    is_started: bool = True

    def __post_init__(self) -> None:
        self.service = Service(Lent(), self.log.append)
        if self.is_started:
            self.service.start()

    @classmethod
    def asleep(cls) -> Watched:
        """One that is not started yet."""
        return cls(is_started=False)

    def answer(self, *args: str, stdin: str = "", cwd: Path | None = None, **env: str) -> Answer:
        """What a client process gets, while the watcher does its turns."""
        done: list[Answer] = []

        def ask() -> None:
            done.append(run(["-m", "mdmem", *args], stdin, cwd, env))
            self.service.wake()

        asking = threading.Thread(target=ask)
        asking.start()
        while not done:
            self.service.turn()
        asking.join()
        return done[0]

    def until(self, is_so: Callable[[], bool]) -> None:
        """Do turns until something is so."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if is_so():
                return
            self.service.turn()
        raise AssertionError(f"it never came about; the watcher said {self.log}")


def direct(*args: str, stdin: str = "", cwd: Path | None = None, **env: str) -> Answer:
    """The same command without asking a watcher."""
    return run(["-c", "from mdmem.cli.main import main; main()", *args], stdin, cwd, env)


def run(args: Sequence[str], stdin: str, cwd: Path | None, env: Mapping[str, str]) -> Answer:
    """What a Python process prints."""
    done = subprocess.run(
        [sys.executable, *args],
        input=stdin.encode(),
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        check=False,
        timeout=60,
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def _editor_save(root: Path) -> None:
    write_memory(root, "lesson/clock.md", "Freeze the clock", "A walrus reads it.")


def _same_size_save(root: Path) -> None:
    file = root / "lesson/clock.md"
    file.write_text(file.read_text(encoding="utf-8").replace("midnight", "walrus.."), encoding="utf-8")


def _atomic_save(root: Path) -> None:
    temp = root / "lesson/.clock.md.swp"
    temp.write_text(memory_text("Freeze the clock", "A walrus reads it."), encoding="utf-8")
    os.utime(temp, (0, 0))
    temp.replace(root / "lesson/clock.md")


def _save_from_outside(root: Path) -> None:
    temp = root.parent / "clock.tmp"
    temp.write_text(memory_text("Freeze the clock", "A walrus reads it."), encoding="utf-8")
    temp.replace(root / "lesson/clock.md")


def _append(root: Path) -> None:
    with (root / "lesson/clock.md").open("a", encoding="utf-8") as file:
        file.write("\nThe walrus too.\n")


def _new_file(root: Path) -> None:
    write_memory(root, "lesson/new.md", "Feed the walrus")


def _new_folders(root: Path) -> None:
    write_memory(root, "lesson/a/b/c/new.md", "Feed the walrus")


def _folder_from_outside(root: Path) -> None:
    write_memory(root.parent, "aside/deep/new.md", "Feed the walrus", type="lesson")
    (root.parent / "aside").rename(root / "lesson/aside")


def _rename(root: Path) -> None:
    (root / "lesson/old.md").rename(root / "lesson/older.md")


def _move_folder(root: Path) -> None:
    (root / "lesson").rename(root / "lessons")


def _delete(root: Path) -> None:
    (root / "lesson/old.md").unlink()


def _delete_folder(root: Path) -> None:
    shutil.rmtree(root / "lesson")


def _move_away(root: Path) -> None:
    (root / "lesson").rename(root.parent / "elsewhere")


def _replace_root(root: Path) -> None:
    root.rename(root.parent / "before")
    write_memory(root, "lesson/new.md", "Feed the walrus")
    shutil.copy(root.parent / "before/MEMORY.md", root)


def _replace_parent(root: Path) -> None:
    project = root.parent
    shutil.copytree(project, project.parent / "copy")
    write_memory(project.parent / "copy/memory", "lesson/new.md", "Feed the walrus")
    project.rename(project.parent / "before")
    (project.parent / "copy").rename(project)
    os.chdir(project)  # a shell would stay in the folder that was moved


def _git_checkout(root: Path) -> None:
    git("checkout", "-q", "other", cwd=root)


def _git_stash(root: Path) -> None:
    _editor_save(root)
    git("stash", "-q", cwd=root)


CHANGES: Final[dict[str, tuple[Callable[[Path], None], tuple[str, ...]]]] = {
    "an editor saves": (_editor_save, ("lesson/clock.md", "lesson/old.md")),
    "the same number of bytes is written": (_same_size_save, ("lesson/clock.md", "lesson/old.md")),
    "an atomic save carries an old time": (_atomic_save, ("lesson/clock.md", "lesson/old.md")),
    "a file is moved in over another": (_save_from_outside, ("lesson/clock.md", "lesson/old.md")),
    "a line is appended": (_append, ("lesson/clock.md", "lesson/old.md")),
    "a file is made": (_new_file, ("lesson/new.md", "lesson/old.md")),
    "folders are made": (_new_folders, ("lesson/a/b/c/new.md", "lesson/old.md")),
    "a folder is moved in": (_folder_from_outside, ("lesson/aside/deep/new.md", "lesson/old.md")),
    "a file is renamed": (_rename, ("lesson/older.md",)),
    "a folder is renamed": (_move_folder, ("lessons/old.md",)),
    "a file is deleted": (_delete, ()),
    "a folder is deleted": (_delete_folder, ()),
    "a folder is moved away": (_move_away, ()),
    "the store is replaced": (_replace_root, ("lesson/new.md",)),
    "the project is replaced": (_replace_parent, ("lesson/new.md", "lesson/old.md")),
    "git switches branches": (_git_checkout, ("lesson/branch.md",)),
    "git puts a change aside": (_git_stash, ("lesson/old.md",)),
}
"""What is done to a store that holds `MEMORIES`, and which memories are then about a walrus, sorted by path."""


def fill(root: Path) -> None:
    """Write `MEMORIES` into a store in a repository, and a branch `other` that differs."""
    for path, (title, body) in MEMORIES.items():
        kind = {} if path.startswith(("lesson/", "command/")) else {"type": "lesson"}
        write_memory(root, path, title, body, type="lesson", **kind)
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "main", cwd=root)
    git("checkout", "-q", "-b", "other", cwd=root)
    (root / "lesson/old.md").unlink()
    write_memory(root, "lesson/branch.md", "Groom the walrus", type="lesson")
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "other", cwd=root)
    git("checkout", "-q", "main", cwd=root)


def walk(root: Path) -> Iterator[Path]:
    """Every file of a store but its own."""
    return (path for path in root.rglob("*") if path.is_file() and ".mdmem" not in path.parts)
