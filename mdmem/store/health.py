"""`doctor`: does this machine's set-up work, and what mends it where it does not."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdmem import disk, git
from mdmem.errors import MdmemError
from mdmem.store.catalog_file import plan_catalog
from mdmem.store.scan import INDEX_NAME, OWN_FOLDER
from mdmem.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdmem.store.store import Store


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what was looked at, what was found, and the fix when it is not good."""

    name: str
    is_good: bool
    found: str
    fix: str = ""

    def as_json(self) -> dict[str, str | bool | None]:
        """The shape of `doctor --json`."""
        return {"check": self.name, "ok": self.is_good, "found": self.found, "fix": self.fix or None}

    def __str__(self) -> str:
        fix = f"\n     fix: {self.fix}" if not self.is_good and self.fix else ""
        return f"{'ok ' if self.is_good else 'BAD'}  {self.name}: {self.found}{fix}"


def examine(stores: Sequence[Store], repository: git.Repository | None) -> tuple[Check, ...]:
    """Every check of these stores and of the git clone that holds the first; nothing is changed."""
    checks = [check for store in stores for check in _store_checks(store)]
    return (*checks, *_git_checks(stores[0], repository))


def _store_checks(store: Store) -> Iterator[Check]:
    label = f"{store.name} store"
    writable = disk.is_writable(store.root)
    fix = "check the folder's permissions and the file system"
    yield Check(label, writable, f"{store.root} {'can be written' if writable else 'is read-only'}", fix)
    sweep = store.sweep()
    bad = len(sweep.unreadable) + sum(not one.is_valid for one in sweep.memories if one.is_readable)
    yield Check(
        f"{label}: files",
        not bad,
        f"{counted(len(sweep.memories), 'memory', 'memories')}, {counted(bad, 'file')} with errors",
        "mdmem check",
    )
    try:
        current = not plan_catalog(store.root, sweep).changes
        yield Check(
            f"{label}: {INDEX_NAME}", current, "up to date" if current else "differs from the files", "mdmem sync"
        )
    except MdmemError as error:
        yield Check(f"{label}: {INDEX_NAME}", is_good=False, found=error.message, fix=error.hint)
    cached = store.cache_folder.is_dir()
    yield Check(f"{label}: cache", is_good=True, found=f"{'in' if cached else 'not made yet:'} {store.cache_folder}"
                f" (SQLite {sqlite3.sqlite_version})")  # fmt: skip


def _git_checks(store: Store, repository: git.Repository | None) -> Iterator[Check]:
    if repository is None:
        where = "not in a git repository" if git.is_installed() else "git is not installed"
        yield Check("git", is_good=True, found=f"{where}: no history, no review by diff")
        return
    ignored = git.is_ignored(repository, f"{OWN_FOLDER}/cache")
    fix = f"mdmem init {store.root}: it writes the store's .gitignore"
    yield Check("git: cache", ignored, f"{OWN_FOLDER}/ is {'' if ignored else 'not '}ignored", fix)
    email = git.user_email(repository)
    fix = "git config user.email you@example.org"
    yield Check("git: identity", bool(email), email or "no user.email: what you write counts as unreviewed", fix)
    waiting = len(git.uncommitted(repository))
    yield Check(
        "git: commits",
        is_good=True,
        found=f"{counted(waiting, 'file of the store is', 'files of the store are')} not committed",
    )
