"""What git knows of a folder: subprocess calls in, frozen values out; the only module that runs git.

Every call is made without the `GIT_*` variables of the caller: git exports them into hooks, and a git started from
there with them works on the wrong repository. No call asks, pages or reaches for the network, and only `create` and
`stage` write to a repository. Outside a repository, and without git on the machine, `find` answers None and there
is nothing to ask. All paths are relative to the folder that was asked about, with forward slashes.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.errors import NO_GIT, GitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SECONDS: Final = 10.0
LOG_SECONDS: Final = 60.0
OPTIONS: Final = (
    "--no-pager",
    *("-c", "core.quotepath=false"),
    *("-c", "core.fsmonitor=false"),  # a repository's own setting may start no program
    *("-c", "protocol.allow=never"),  # a partial clone may fetch nothing
    *("-c", "log.showRoot=true"),
)
ENVIRONMENT: Final = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
COMMIT_FORMAT: Final = "%x00%H%x00%ct%x00%an%x00%ae%x00%cn%x00%ce"
"""One commit of `iter_log`. Nothing in it can hold a NUL, so no name that someone chose can pass for a field."""


class Repository(NamedTuple):
    """A folder inside a working tree.

    `root` is the working tree's top, `prefix` the folder below it (`memory/`, '' at the top), `git_folder` where
    git keeps this tree's index, `head` the commit id of HEAD, '' before the first commit. Questions about many files
    are about those below `folder` that one of `pathspecs` matches.
    """

    folder: Path
    root: Path
    prefix: str
    git_folder: Path
    head: str
    pathspecs: tuple[str, ...] = (".",)


class Person(NamedTuple):
    """Who made a commit, as the commit says."""

    name: str
    email: str


class Change(NamedTuple):
    """What one commit did to one file. `status` is git's letter (A, M, D, R …), `old` the former path of an R."""

    status: str
    path: str
    old: str = ""


class Commit(NamedTuple):
    """One commit with its changes in the folder; `at` is its commit time in seconds since 1970."""

    id: str
    at: int
    author: Person
    committer: Person
    changes: tuple[Change, ...]


class Worktree(NamedTuple):
    """One working tree of a repository; `branch` is '' when its HEAD is detached."""

    root: Path
    head: str
    branch: str


def is_installed() -> bool:
    """Whether git can be run."""
    return _run(Path(), "--version") is not None


def find(folder: Path) -> Repository | None:
    """The working tree that holds `folder`; None outside of one, and where git can't be run."""
    done = _run(folder, "rev-parse", "--show-toplevel", "--show-prefix", "--absolute-git-dir", "HEAD")
    lines = done.stdout.decode("utf-8", "surrogateescape").split("\n") if done else []
    if len(lines) < 4 or not lines[0]:
        return None
    # before the first commit git repeats the word and fails
    head = lines[3] if done and done.returncode == 0 else ""
    return Repository(folder, Path(lines[0]), lines[1], Path(lines[2]), head)


def user_email(repository: Repository) -> str:
    """The `user.email` that commits of this clone get, '' when none is set."""
    return _answer(repository, "config", "user.email")


def settings(repository: Repository) -> Iterator[tuple[Path, str, str]]:
    """(file, name, value) of each setting that is in force, those of the command line left out. Raises GitError."""
    top = repository._replace(folder=repository.root)
    words = iter(_output(top, "config", "--list", "--includes", "--show-origin", "-z").split(b"\0"))
    for origin, setting in zip(words, words, strict=False):
        kind, _, file = os.fsdecode(origin).partition(":")
        name, _, value = os.fsdecode(setting).partition("\n")
        if kind == "file":
            yield repository.root / file, name, value


def branch(repository: Repository) -> str:
    """The name of the branch that is checked out, '' when HEAD is detached."""
    return _answer(repository, "symbolic-ref", "--short", "-q", "HEAD")


def worktrees(repository: Repository) -> tuple[Worktree, ...]:
    """Every working tree of the repository, the main one first; bare ones are left out."""
    found = []
    for block in _text(repository, "worktree", "list", "--porcelain").split("\n\n"):
        lines = dict(line.partition(" ")[::2] for line in block.splitlines())
        if "worktree" in lines and "bare" not in lines:
            name = lines.get("branch", "").removeprefix("refs/heads/")
            head = lines.get("HEAD", "")
            found.append(Worktree(Path(lines["worktree"]), head if head.strip("0") else "", name))
    return tuple(found)


def exclude_file(repository: Repository) -> Path:
    """The file in which this clone alone says what git ignores."""
    return repository.folder / _answer(repository, "rev-parse", "--git-path", "info/exclude")


def is_ignored(repository: Repository, path: str) -> bool:
    """Whether git leaves an untracked `path` out (.gitignore, info/exclude)."""
    done = _run(repository.folder, "check-ignore", "-q", "--", path)
    return done is not None and done.returncode == 0


def uncommitted(repository: Repository) -> frozenset[str]:
    """Paths in the folder whose file or staged content is not what HEAD has, new files among them.

    Raises GitError.
    """
    output = _output(
        repository, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *repository.pathspecs
    )
    return frozenset(_inside(repository, (entry[3:] for entry in _names(output))))


def tracked(repository: Repository) -> frozenset[str]:
    """Paths in the folder that HEAD has. Raises GitError."""
    if not repository.head:
        return frozenset()
    output = _output(
        repository, "ls-tree", "-r", "-z", "--name-only", "--full-name", "HEAD", "--", *repository.pathspecs
    )
    return frozenset(_inside(repository, _names(output)))


def staged(repository: Repository) -> tuple[str, ...]:
    """Paths in the folder that the next commit adds or changes, sorted; in a hook, those of the commit being made.

    Raises GitError.
    """
    output = _output(
        repository,
        *("diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=ACMT"),
        *("--", *repository.pathspecs),
        index=_index_of_hook(repository),
    )
    return tuple(sorted(_inside(repository, _names(output))))


def in_index(repository: Repository) -> tuple[str, ...]:
    """Every path of the folder that the next commit holds, sorted; in a hook, that of the commit being made.

    Raises GitError.
    """
    names = ("ls-files", "--cached", "-z", "--full-name", "--", *repository.pathspecs)
    return tuple(
        sorted(set(_inside(repository, _names(_output(repository, *names, index=_index_of_hook(repository))))))
    )


def staged_contents(repository: Repository, paths: Sequence[str]) -> dict[str, bytes]:
    """What the index holds under each path; one that it does not have is left out. Raises GitError."""
    return _contents(repository, "", paths, index=_index_of_hook(repository))


def contents(repository: Repository, paths: Sequence[str], commit: str = "HEAD") -> dict[str, bytes]:
    """What a commit holds under each path; one that it does not have is left out. Raises GitError."""
    return _contents(repository, commit, paths)


def is_ancestor(repository: Repository, commit: str) -> bool:
    """Whether HEAD descends from `commit`; a commit that is gone is none."""
    done = _run(repository.folder, "merge-base", "--is-ancestor", commit, repository.head)
    return done is not None and done.returncode == 0


def is_linear(repository: Repository, since: str) -> bool:
    """Whether HEAD descends from `since` with no merge between them: then all that is new came after all before."""
    if not is_ancestor(repository, since):
        return False
    merges = _run(repository.folder, "rev-list", "--min-parents=2", "--max-count=1", f"{since}..{repository.head}")
    return merges is not None and merges.returncode == 0 and not merges.stdout


def iter_log(repository: Repository, since: str = "") -> Iterator[Commit]:
    """The commits up to HEAD that touch the folder, parents before children; only those after `since`, if given.

    Renames within the folder are one change. Of a merge only what differs from every parent is listed.
    Raises GitError.
    """
    if not repository.head:
        return
    try:
        output = _log(repository, since, "--find-renames")
    except GitError:
        # comparing texts needs old versions, which a partial clone does not have: equal ids do without
        output = _log(repository, since, "--find-renames=100%")
    yield from _iter_commits(repository, iter(output.split(b"\0")))


def create(folder: Path) -> Repository:
    """Make a folder a repository of its own. Raises GitError."""
    _output(Repository(folder, folder, "", folder, ""), "init", "--quiet")
    found = find(folder)
    if found is None:
        raise GitError("init", "the repository can't be read")
    return found


def stage(repository: Repository, *, names_only: bool = False) -> None:
    """Put all that is in the folder into the next commit; `names_only` makes new files known without their content.

    Raises GitError.
    """
    _output(repository, "add", *(("--intent-to-add",) if names_only else ("--all",)), "--", ".")


def diff(repository: Repository) -> str:
    """How the files of the folder differ from what is staged, as text. Raises GitError."""
    return _text(repository, "diff", "--no-ext-diff", "--no-color", "--", ".")


def _log(repository: Repository, since: str, renames: str) -> bytes:
    commits = f"{since}..{repository.head}" if since else repository.head
    return _output(
        repository,
        *("log", "-z", "--topo-order", "--reverse", "-c", "--name-status", renames, "--no-show-signature"),
        *("--no-follow", "--encoding=UTF-8", f"--format={COMMIT_FORMAT}", commits, "--", *repository.pathspecs),
        seconds=LOG_SECONDS,
    )


def _iter_commits(repository: Repository, tokens: Iterator[bytes]) -> Iterator[Commit]:
    head: list[str] = []
    changes: list[Change] = []
    for token in tokens:
        word = token.strip().decode("ascii", "replace")
        if len(word) >= 40:
            if head:
                yield _commit(head, changes)
            head = [word, *(next(tokens).decode("utf-8", "replace") for _ in range(5))]
            changes = []
        elif word:
            changes += _changes(repository, word, tokens)
    if head:
        yield _commit(head, changes)


def _commit(head: list[str], changes: list[Change]) -> Commit:
    commit, at, author, author_email, committer, committer_email = head
    return Commit(commit, int(at), Person(author, author_email), Person(committer, committer_email), tuple(changes))


def _changes(repository: Repository, status: str, tokens: Iterator[bytes]) -> Iterator[Change]:
    """The change that a status word begins; only `R<percent>` and `C<percent>` are followed by two paths."""
    paths = [os.fsdecode(next(tokens)) for _ in range(2 if status[1:].isdigit() else 1)]
    here = list(_inside(repository, paths))
    if len(here) == len(paths):
        yield Change(status[0], here[-1], here[0] if len(here) == 2 else "")


def _contents(
    repository: Repository, commit: str, paths: Sequence[str], index: Mapping[str, str] | None = None
) -> dict[str, bytes]:
    # a line of the batch is one name, so a path with a newline can't be asked for
    asked = [path for path in paths if "\n" not in path]
    names = b"".join(os.fsencode(f"{commit}:{repository.prefix}{path}\n") for path in asked)
    output = _output(repository, "cat-file", "--batch", given=names, index=index) if asked else b""
    found: dict[str, bytes] = {}
    at = 0
    for path in asked:
        end = output.index(b"\n", at)
        words = output[at:end].split()
        at = end + 1
        if words[-2:-1] == [b"blob"]:
            size = int(words[-1])
            found[path] = output[at : at + size]
            at += size + 1
        elif words[-1:] not in ([b"missing"], [b"ambiguous"]):
            at += int(words[-1]) + 1
    return found


def _index_of_hook(repository: Repository) -> dict[str, str]:
    """`GIT_INDEX_FILE`, when we run in a hook of this very tree.

    `git commit -a` and `git commit FILE` stage into an index of their own, which only this variable names.
    """
    named = os.environ.get("GIT_INDEX_FILE", "")
    if not named:
        return {}
    path = Path(named).resolve()  # git starts hooks in the tree's root and may name it from there
    is_ours = path.parent == repository.git_folder.resolve() and path.is_file()
    return {"GIT_INDEX_FILE": str(path)} if is_ours else {}


def _inside(repository: Repository, paths: Iterator[str] | list[str]) -> Iterator[str]:
    for path in paths:
        if path.startswith(repository.prefix):
            yield path[len(repository.prefix) :]


def _names(output: bytes) -> Iterator[str]:
    return (os.fsdecode(name) for name in output.split(b"\0") if name)


def _answer(repository: Repository, *args: str) -> str:
    """One line that may well not be there."""
    done = _run(repository.folder, *args)
    return done.stdout.decode("utf-8", "replace").strip() if done and done.returncode == 0 else ""


def _text(repository: Repository, *args: str) -> str:
    return _output(repository, *args).decode("utf-8", "surrogateescape")


def _output(
    repository: Repository,
    *args: str,
    given: bytes = b"",
    index: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> bytes:
    """What a command printed that has no reason to fail here."""
    done = _run(repository.folder, *args, given=given, extra=index, seconds=seconds)
    if done is None:
        raise GitError(args[0], NO_GIT)
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(args[0], lines[-1] if lines else f"exit code {done.returncode}")
    return done.stdout


def _run(
    folder: Path, *args: str, given: bytes = b"", extra: Mapping[str, str] | None = None, seconds: float | None = None
) -> subprocess.CompletedProcess[bytes] | None:
    """Run git in `folder`; None when there is no git. Raises GitError when it takes longer than `seconds`."""
    seconds = seconds or SECONDS
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", *OPTIONS, "-C", str(folder), *args]
    environment = kept | ENVIRONMENT | dict(extra or {})
    try:
        return subprocess.run(command, input=given, capture_output=True, env=environment, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise GitError(args[0], f"no answer in {seconds:g} s") from error
    except OSError:
        return None
