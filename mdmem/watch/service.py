"""The watcher at work: one thread that waits for files to change and for clients to ask, and does one thing at a time.

It is never needed. Every command looks at the files itself; the watcher has looked already, holds stores, index and
model open, and says how it is in a heartbeat. Events of one burst (a save, a branch switch) lead to one refresh, once
nothing has happened for a moment and git is done.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from mdmem import __version__, disk, wire
from mdmem.errors import MdmemError
from mdmem.store.heartbeat import BEAT_SECONDS, FILE_NAME, Heartbeat, process_mark, write_heartbeat
from mdmem.store.kept import Kept
from mdmem.store.own import make_own
from mdmem.watch.answers import Answers, captured
from mdmem.watch.burst import Burst
from mdmem.watch.eyes import Eyes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mdmem.project import Project

PACKAGE: Final = Path(wire.__file__).with_name("__init__.py")
GONE_SECONDS: Final = 60.0
"""A folder that is gone for so long is not waited for."""
DOUBT_SECONDS: Final = 60.0
"""How often the files are looked at although nothing was told."""
REST_SECONDS: Final = 3.0
"""Texts are embedded when no client has asked for so long: one that comes then has to do without us."""
WARMING: Final = (["search", "--json", "--limit", "1", "mdmem"], ["brief"])
"""Commands that load what later ones need."""


class Commands(Protocol):
    """What the command line lends to the watcher."""

    def open_project(self, kept: Kept) -> Project:
        """The project of the working folder. Raises NoStoreError, ConfigError."""

    def run(self, args: Sequence[str], kept: Kept) -> int:
        """Run a command line in this process; its exit code."""


class NeededError(Exception):
    """Somebody waits: what is done on the side can wait."""


class Service:
    """Watches the stores of one project; `log` takes a line. `answers` is its socket."""

    def __init__(self, commands: Commands, log: Callable[[str], None]) -> None:
        self._commands = commands
        self._log = log
        self._home = Path.cwd()
        project = commands.open_project(Kept())
        self._store = project.store
        self._eyes = Eyes(store.root for store in project.readers if store.name != "extra")
        self._kept = Kept(self._eyes.mark_of)
        self._burst = Burst(project.repository.git_folder if project.repository else None)
        self._package = _package_state()
        self.answers = Answers(self._run, wire.stamp(__version__), anchors(project))
        self._process = process_mark(os.getpid())
        self._wake, self._wake_end = os.pipe()
        os.set_blocking(self._wake_end, False)
        self._is_stopped = self._owes_vectors = self._has_beaten = False
        self._beat_at = self._asked_at = 0.0
        self._doubted_at = time.monotonic()
        self._swept_ns = self._event_ns = self._lag_ms = self._memories = 0

    def serve(self) -> None:
        """Work until it is stopped by a signal, by another version, or because its folder stays away."""
        os.chdir("/")
        with self._signals():
            self.start()
            while not self._is_stopped and not self._is_needless():
                self.turn()
        self.close()

    def start(self) -> None:
        """Open all that answers need, and say that we are there."""
        self._eyes.look()
        if self._store.root.is_dir():
            make_own(self._store.state_folder)
        self._refresh()
        for args in WARMING:
            captured(self._run, wire.Request("", args, str(self._home), os.environ))
        self._beat()
        first = self._eyes.first
        how = f"polling, because {first.reason}" if first and first.reason else first.kind if first else "waiting"
        where = f", answering at {self.answers.path}" if self.answers.path else ", without a socket"
        self._log(f"watching {self._store.root} ({how}){where}")

    def turn(self) -> None:
        """Wait until there is something to do, and do it."""
        self._wait()
        if self._eyes.look() or self._is_forgotten():
            self._burst.note(time.monotonic())
            self._event_ns = disk.clock_ns()
        now = time.monotonic()
        is_doubtful = now - self._doubted_at > DOUBT_SECONDS
        if is_doubtful:
            self._doubted_at = now
            self._eyes.doubt()
        if is_doubtful or self._burst.is_due(now):
            self._refresh()
            self._beat()
            self._attempt(self._ask_git)
        elif self._owes_vectors and now - self._asked_at > REST_SECONDS:
            self._attempt(self._embed)
        elif now - self._beat_at > BEAT_SECONDS:
            self._beat()

    def wake(self) -> None:
        """End a turn that waits; another thread may call this."""
        os.write(self._wake_end, b"!")

    def close(self) -> None:
        """Let go of everything."""
        self._log("stopped")
        self._eyes.close()
        self.answers.close()
        os.close(self._wake)
        os.close(self._wake_end)

    def _wait(self) -> None:
        waits = [min(BEAT_SECONDS, DOUBT_SECONDS), self._eyes.wait_seconds, self._burst.wait_seconds(time.monotonic())]
        waits += [max(0.0, self._asked_at + REST_SECONDS - time.monotonic())] if self._owes_vectors else []
        seconds = min(one for one in waits if one is not None)
        # in a burst one look after a moment of rest takes all its events at once
        watched = self._callers() if self._burst.is_pending else self._watched()
        ready, _, _ = select.select(watched, [], [], seconds)
        if self._wake in ready:
            os.read(self._wake, 64)
        if self.answers.fileno() in ready:
            self.answers.answer()
            self._asked_at = time.monotonic()

    def _watched(self) -> list[int]:
        """What tells that a file changed, a client asks, or we are to stop."""
        return [*self._eyes.filenos(), *self._callers()]

    def _callers(self) -> list[int]:
        return [self._wake, *filter(None, [self.answers.fileno()])]

    def _refresh(self) -> None:
        """Bring the index of every store up to date."""
        began = self._burst.end()
        self._attempt(self._refresh_indexes)
        if began is not None:
            self._lag_ms = round(1000 * (time.monotonic() - began))

    def _refresh_indexes(self, project: Project) -> None:
        views = [index.refresh() for index in project.indexes]
        for view in views:
            if view.stats.indexed or view.stats.removed:
                self._log(f"{view.store.name}: {view.stats}")
        self._memories = sum(len(view.etags) for view in views)
        self._swept_ns = disk.clock_ns()
        self._owes_vectors = project.meaning is not None

    def _ask_git(self, project: Project) -> None:
        """Ask what changed, which git takes long to say, before anybody waits for a brief; not when somebody does."""
        for store in project.readers:
            # what is not proved to stay the same would be forgotten at once
            if store.mark and store.mark() is not None and not self._is_needed():
                project.brief.provenance(store)

    def _embed(self, project: Project) -> None:
        """Embed what is new, until a client asks or a file changes; what was done until then is kept."""
        if project.meaning:
            with contextlib.suppress(NeededError):
                project.meaning.embed_all([index.refresh() for index in project.indexes], self._until_needed)
                self._owes_vectors = False

    def _attempt(self, work: Callable[[Project], None]) -> None:
        """Do something with the project as it is now, in its own working folder.

        What goes wrong is logged and no more: the settings or files that are to blame may be mended, and a bug here
        is no reason to answer nobody.
        """
        try:
            if self._store.root.is_dir():
                with contextlib.chdir(self._home):
                    work(self._commands.open_project(self._kept))
        except Exception as error:  # noqa: BLE001 - see above
            self._owes_vectors = False
            is_known = isinstance(error, MdmemError | OSError)
            self._log(f"error: {error}" if is_known else f"error: a bug in mdmem\n{traceback.format_exc()}")

    def _until_needed(self, items: Iterable[str]) -> Iterator[str]:
        """The items, as long as nobody waits. Raises NeededError."""
        for item in items:
            if self._is_needed():
                raise NeededError
            if time.monotonic() - self._beat_at > BEAT_SECONDS:
                self._beat()
            yield item

    def _is_needed(self) -> bool:
        """Whether a client asks, something was touched, or we are to stop."""
        return bool(select.select(self._watched(), [], [], 0)[0])

    def _run(self, args: Sequence[str]) -> int:
        return self._commands.run(args, self._kept)

    @property
    def heartbeat(self) -> Heartbeat:
        """How it is now."""
        first = self._eyes.first
        return Heartbeat(
            pid=os.getpid(),
            process=self._process,
            stamp=wire.stamp(__version__),
            kind=first.kind if first else "waiting",
            reason=first.reason if first else "",
            socket=self.answers.path,
            beat_at=disk.clock_ns(),
            event_at=self._event_ns,
            sweep_at=self._swept_ns,
            lag_ms=self._lag_ms,
            memories=self._memories,
            answers=self.answers.count,
        )

    def _beat(self) -> None:
        self._beat_at = time.monotonic()
        self.answers.keep()
        self._has_beaten = self._store.root.is_dir() and write_heartbeat(self._store, self.heartbeat)

    def _is_forgotten(self) -> bool:
        """Whether our last word was deleted, and with it probably the index (`git clean -x` does that); told once."""
        if not self._has_beaten or (self._store.state_folder / FILE_NAME).exists():
            return False
        self._has_beaten = False
        return True

    def _is_needless(self) -> bool:
        gone = self._eyes.gone_since
        if gone is not None and time.monotonic() - gone > GONE_SECONDS:
            self._log(f"{self._store.root} is gone")
            return True
        if _package_state() != self._package:
            self._log("mdmem itself was replaced by another version")
            return True
        return False

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """SIGTERM and SIGINT end the work after what is being done."""
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        wakeup = signal.set_wakeup_fd(self._wake_end)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, *_: object) -> None:
        self._is_stopped = True


def anchors(project: Project) -> tuple[Path, ...]:
    """The folders below which a client finds the store: the one it lies in, and that of a settings file naming it."""
    _, origin = project.loaded.value("memory.dir")
    named = (Path(origin).parent,) if origin.endswith(".toml") else ()
    return (project.root.parent, *named)


def _package_state() -> tuple[int, int]:
    """What changes when another version takes the place of this one."""
    try:
        status = PACKAGE.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_ino
