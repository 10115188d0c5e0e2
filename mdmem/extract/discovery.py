"""The transcripts that lie in the agents' own folders, and which of them belong to a project.

Claude Code keeps one folder for each working folder, Codex one for each day, OpenCode one database. All are only looked
at: as little is read as tells where a run took place. What sub-agents and helpers of an agent wrote is no run.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.errors import MdmemError
from mdmem.extract.transcripts import claude, codex, opencode
from mdmem.extract.transcripts.codex import is_subagent
from mdmem.extract.transcripts.opencode_store import sessions
from mdmem.extract.transcripts.reader import SEPARATOR
from mdmem.extract.transcripts.records import child, text
from mdmem.store.scan import INDEX_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mdmem.extract.transcripts.records import Json

AGENTS: Final = (claude.AGENT, codex.AGENT, opencode.AGENT)
STORES: Final = ("memory", ".memory")
HELPERS: Final = ("agent-", "journal")
"""How files of Claude Code begin that hold no run of their own."""
FIRST_LINES: Final = 40
LINE_LENGTH: Final = 1024 * 1024
SLUG: Final = re.compile(r"[^A-Za-z0-9]")
SLUG_LENGTH: Final = 200
"""Longer names of folders are cut and end in a hash."""
CODEX_FOLDER: Final = re.compile(r"<cwd>([^<]+)</cwd>|Current working directory: ([^\n\\]+)")


class Places(NamedTuple):
    """Where the agents keep their files."""

    claude: Path
    codex: Path
    opencode: Path


class Found(NamedTuple):
    """A transcript that was found, as `extract` takes it: a file, or a session in a store of OpenCode's.

    `size` grows with the run: a file's bytes, else the seconds that a session has lasted. `changed_at` is in UTC,
    `folder` where the run took place, `stamp` is another whenever the transcript is.
    """

    transcript: str
    agent: str
    session: str
    size: int
    changed_at: datetime
    folder: str = ""
    stamp: str = ""

    def as_json(self) -> dict[str, object]:
        """The shape of `extract --all --dry-run --json`."""
        return {
            "transcript": self.transcript,
            "agent": self.agent,
            "session": self.session,
            "folder": self.folder,
            "changed_at": self.changed_at.isoformat(timespec="seconds"),
        }


class _Origin(NamedTuple):
    """What the first records of a file tell of its run."""

    session: str
    folder: str


def places(environ: Mapping[str, str], home: Path) -> Places:
    """The agents' folders, moved by CLAUDE_CONFIG_DIR, CODEX_HOME and XDG_DATA_HOME."""
    data = _folder(environ, "XDG_DATA_HOME", home / ".local/share")
    return Places(
        claude=_folder(environ, "CLAUDE_CONFIG_DIR", home / ".claude"),
        codex=_folder(environ, "CODEX_HOME", home / ".codex"),
        opencode=data / "opencode",
    )


def discover(
    where: Places, roots: Sequence[Path] | None, *, since: datetime | None = None, agent: str = ""
) -> tuple[Found, ...]:
    """The transcripts of runs in or below one of `roots` (anywhere, when None), the one changed last first.

    `since` leaves out what was not changed since then, `agent` all agents but one. A folder that is not there, and a
    file that can't be read, give nothing.
    """
    projects = None if roots is None else _Projects(roots)
    walks = {claude.AGENT: _claude(where.claude, projects, since), codex.AGENT: _codex(where.codex, since),
             opencode.AGENT: _opencode(where.opencode)}  # fmt: skip
    found = chain.from_iterable(walk for name, walk in walks.items() if agent in ("", name))
    kept = {
        one.transcript: one
        for one in found
        if (projects is None or projects.hold(one.folder)) and (since is None or one.changed_at >= since)
    }
    return tuple(sorted(kept.values(), key=lambda one: (one.changed_at, one.transcript), reverse=True))


def session_path(where: Places, session: str) -> Path | None:
    """What `extract` takes for a session of OpenCode's that is named by its id alone; None when there is none."""
    return next((Path(one.transcript) for one in _opencode(where.opencode) if one.session == session), None)


class _Projects:
    """The folders of a project; another is theirs when it lies below one, and below no other repository or store."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self.roots = frozenset(chain.from_iterable((root.absolute(), root.resolve()) for root in roots))
        self.known: dict[str, bool] = {}

    def hold(self, folder: str) -> bool:
        """Whether runs in that folder belong to the project."""
        if folder not in self.known:
            self.known[folder] = bool(folder) and any(map(self._holds, {Path(folder), Path(folder).resolve()}))
        return self.known[folder]

    def may_be_named(self, slug: str) -> bool:
        """Whether Claude Code's folder of that name can be one of theirs."""
        slugs = (SLUG.sub("-", str(root))[:SLUG_LENGTH] for root in self.roots)
        return any(slug == own or slug.startswith(f"{own}-") for own in slugs)

    def _holds(self, folder: Path) -> bool:
        for place in (folder, *folder.parents):
            if place in self.roots:
                return True
            if (place / ".git").exists() or any((place / name / INDEX_NAME).is_file() for name in STORES):
                return False
        return False


def _folder(environ: Mapping[str, str], variable: str, otherwise: Path) -> Path:
    return Path(environ[variable]).expanduser() if environ.get(variable) else otherwise


def _claude(home: Path, projects: _Projects | None, since: datetime | None) -> Iterator[Found]:
    for folder in _entries(home / "projects"):
        if projects is not None and not projects.may_be_named(folder.name):
            continue
        for path in _entries(folder):
            if path.suffix == ".jsonl" and not path.name.startswith(HELPERS):
                yield from _file(claude.AGENT, path, since)


def _codex(home: Path, since: datetime | None) -> Iterator[Found]:
    for name in ("sessions", "archived_sessions"):
        for path in sorted((home / name).rglob("rollout-*.jsonl")):
            yield from _file(codex.AGENT, path, since)


def _opencode(data: Path) -> Iterator[Found]:
    """Every session of OpenCode's that a user began; one that moved into the database is not taken twice."""
    stores = [path for path in (data / "opencode.db", data / "storage") if path.exists()]
    seen: set[str] = set()
    for store in stores:
        try:
            known = sessions(store)
        except MdmemError:
            continue
        for one in known:
            if not one.is_child and one.id not in seen and one.updated_at:
                seen.add(one.id)
                name = f"{store}{SEPARATOR}{one.id}"
                lasted = 1 + max(0, int((one.updated_at - (one.created_at or one.updated_at)).total_seconds()))
                stamp = one.updated_at.isoformat()
                yield Found(name, opencode.AGENT, one.id, lasted, one.updated_at, one.directory, stamp)


def _file(agent: str, path: Path, since: datetime | None) -> Iterator[Found]:
    """A file with a run of a user's, unless it was last changed before `since`."""
    try:
        status = path.stat()
        changed = datetime.fromtimestamp(status.st_mtime, UTC)
        if since is not None and changed < since:
            return
        origin = _codex_origin(path) if agent == codex.AGENT else _claude_origin(path)
    except OSError:
        return
    if origin is not None:
        stamp = f"{status.st_size}-{status.st_mtime_ns}"
        yield Found(str(path), agent, origin.session, status.st_size, changed, origin.folder, stamp)


def _claude_origin(path: Path) -> _Origin | None:
    """The run in a file of Claude Code's, without a folder when its first lines name none; None for a sub-agent's."""
    for value in _first_records(path):
        if value.get("isSidechain") is True:
            return None
        if folder := text(value, "cwd"):
            return _Origin(path.stem, folder)
    return _Origin(path.stem, "")


def _codex_origin(path: Path) -> _Origin | None:
    """The run in a rollout; None for a sub-agent's. The lines of 2025 name the folder in what Codex tells itself."""
    records = _first_records(path)
    first = next(records, {})
    meta = child(first, "payload") or first
    if is_subagent(meta):
        return None
    folder, session = text(meta, "cwd"), text(meta, "id") or path.stem
    for value in records if not folder else ():
        if found := CODEX_FOLDER.search(json.dumps(value, ensure_ascii=False)):
            return _Origin(session, found[1] or found[2])
    return _Origin(session, folder)


def _first_records(path: Path) -> Iterator[Json]:
    """The records in the first lines of a file; a broken line, or one that is very long, gives none."""
    with path.open("rb") as stream:
        for line in islice(iter(lambda: stream.readline(LINE_LENGTH), b""), FIRST_LINES):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
