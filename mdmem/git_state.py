"""What git's answers about a folder depend on besides its files: so one can tell that an answer still holds.

Asking git takes a process each time; a look at some twenty files does not. They are the repository's index, HEAD, the
branch it names, and whatever says what git ignores or how it is set up. What is not certain has no state: then git is
asked again.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Final

from mdmem import disk, git
from mdmem.errors import GitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mdmem.git import Repository

    State = tuple[tuple[int, ...] | None, ...]

RACY_NS: Final = 100_000_000
"""A file that was written so shortly before could be written again and carry the same time."""
COARSE_NS: Final = 2_000_000_000
"""The same where times have no fraction of a second."""
BRANCH: Final = "ref: "
NO_BRANCH: Final = "refs/heads/.invalid"
"""What HEAD says where branches are kept in another way (reftable)."""
NAMED: Final = frozenset({"core.excludesfile", "core.attributesfile"})
"""Settings that name a file; so do those that include another."""
OF_CLONE: Final = ("config", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts")
OF_TREE: Final = ("HEAD", "index", "commondir", "config.worktree", "info/sparse-checkout")
OF_USER: Final = ("config", "ignore", "attributes")
OF_SYSTEM: Final = ("/etc/gitconfig", "/etc/gitattributes")
OF_FOLDER: Final = (".git", ".gitignore", ".gitattributes")


def surroundings(environ: Mapping[str, str]) -> tuple[str | None, ...]:
    """What of the environment git is found and set up by."""
    return tuple(environ.get(name) for name in ("PATH", "HOME", "XDG_CONFIG_HOME"))


def files_behind(folder: Path, repository: Repository | None, environ: Mapping[str, str]) -> tuple[Path, ...] | None:
    """The files that decide what git says of a folder, there or not; None when that can't be told.

    Those in the folder itself are not among them.
    """
    folder = Path(os.path.realpath(folder))
    line = (folder, *folder.parents)
    if repository is None:  # where something could have answered, git was not to be had
        found = tuple(parent / ".git" for parent in line)
        return None if any(map(os.path.lexists, found)) else found
    top = os.path.realpath(repository.root)
    with suppress(GitError, OSError, ValueError, RuntimeError):
        clone = clone_folder(repository.git_folder)
        files = (
            repository.root,
            *(parent / name for parent in line if parent.is_relative_to(top) for name in OF_FOLDER),
            *(repository.git_folder / name for name in OF_TREE),
            *(clone / name for name in OF_CLONE),
            *_branch_file(repository.git_folder, clone),
            *_settings(repository, environ),
            *map(Path, OF_SYSTEM),
        )
        return tuple(dict.fromkeys(files))
    return None


def state_of(files: Sequence[Path], before_ns: int | None = None) -> State | None:
    """How these files look; other values as soon as one is another.

    With a time (of `disk.clock_ns`) None when one was written after it, or so shortly before it that a later change
    could look the same.
    """
    state = tuple(map(_look, files))
    is_settled = before_ns is None or all(_is_settled(one, before_ns) for one in state if one)
    return state if is_settled else None


def clone_folder(git_folder: Path) -> Path:
    """Where the repository keeps what all its working trees share. Raises DiskError."""
    named = disk.read_if_exists(git_folder / "commondir")
    return Path(os.path.normpath(git_folder / os.fsdecode(named).strip())) if named else git_folder


def _look(path: Path) -> tuple[int, ...] | None:
    """Of a folder only which one it is and whose: git writes in its own all the time, and trusts none of others."""
    try:
        status = path.stat()
    except OSError:
        return None
    which = status.st_dev, status.st_ino, status.st_uid, status.st_size
    return (*which, status.st_mtime_ns, status.st_ctime_ns) if S_ISREG(status.st_mode) else which[:3]


def _is_settled(state: tuple[int, ...], before_ns: int) -> bool:
    newest = max(state[4:], default=0)
    return before_ns - newest > (COARSE_NS if newest % 1_000_000_000 == 0 else RACY_NS)


def _branch_file(git_folder: Path, clone: Path) -> Iterator[Path]:
    """The file of the branch that HEAD names. Raises ValueError when there is none to go by."""
    head = disk.read(git_folder / "HEAD").decode("utf-8", "surrogateescape").strip()
    if head.startswith(BRANCH):
        name = head.removeprefix(BRANCH)
        branch = clone / name
        if name == NO_BRANCH or (disk.read_if_exists(branch) or b"").startswith(BRANCH.encode()):
            raise ValueError("a branch that is not kept in a file, or leads to another")
        yield branch


def _settings(repository: Repository, environ: Mapping[str, str]) -> Iterator[Path]:
    """The files that git is set up by, and those that they name.

    Raises GitError, and RuntimeError for the home of a user that there is not.
    """
    home = Path(environ.get("HOME", ""))
    folder = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "git"
    yield home / ".gitconfig"
    yield from (folder / name for name in OF_USER)
    for file, name, value in git.settings(repository):
        yield file
        if name in NAMED or (name.startswith(("include.", "includeif.")) and name.endswith(".path")):
            base = repository.root if name in NAMED else file.parent
            yield base / Path(value).expanduser()
