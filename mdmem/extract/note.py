"""A note by hand: an episode without a run, and a memory when it states a rule, found as in the words of a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.extract import admission, draft
from mdmem.extract.admission import Knowledge
from mdmem.extract.corrections import Setting, listen
from mdmem.extract.rule_files import read_lines
from mdmem.extract.transcripts.session import Said, Session
from mdmem.memory import Source, normal_text
from mdmem.redact import redact
from mdmem.store.caller import Caller, under_switch
from mdmem.store.own import make_own
from mdmem.store.state import Episode, Run, append_run

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.extract.admission import Left
    from mdmem.memory import Memory
    from mdmem.store.store import Saved, Store

AGENT: Final = "note"
SPOKEN: Final = Setting(has_acted=True, has_spoken=True)
"""A note counts as said in the middle of the work, where rules are given."""
LENGTH: Final = 4000


@dataclass(frozen=True, slots=True)
class Noted:
    """What became of a note: the episode, the memory that was saved, or the draft that was left and why."""

    episode: Episode
    saved: Saved | None = None
    left: Left | None = None

    def as_json(self) -> dict[str, object]:
        """The shape of `note --json`."""
        return {
            "episode": self.episode.as_json(),
            "saved": self.saved.as_json() if self.saved else None,
            "left": self.left.reason if self.left else None,
        }


@dataclass(frozen=True, slots=True)
class Notes:
    """Notes into one store."""

    store: Store
    now: datetime

    def take(self, text: str, caller: Caller, write: str) -> Noted:
        """Keep a note; the memory first, so that a kill in between is mended by noting it again.

        Raises MdmemError for an empty or very long text, or when `write` forbids an agent to write.
        """
        text = redact(text).text.strip()
        if not text or len(text) > LENGTH:
            raise MdmemError(f"a note has 1 to {LENGTH} characters, this one {len(text)}", "say what happened")
        name = disk.content_hash(normal_text(text))[:8]
        stated = _stated(text, name, self.now, caller)
        admitted = admission.admit(
            [under_switch(stated, caller, write)] if stated else [],
            Knowledge(
                [one.memory for one in self.store.load()],
                self.store.vetoes() if caller is Caller.AGENT else (),
                read_lines(self.store.root) if caller is Caller.AGENT else (),
            ),
        )
        saved = self.store.add_all(admitted.admitted, caller=caller, now=self.now, what="note")
        title = saved[0].stored.memory.title if saved else ""
        episode = Episode("note", text, origin=f"{AGENT}/{name}", at=self.now.date().isoformat(), memory=title)
        at = self.now.isoformat()
        append_run(make_own(self.store.state_folder), Run(episode.origin, at=at, ended=at, episodes=(episode,)))
        return Noted(episode, next(iter(saved), None), next(iter(admitted.left), None))


def _stated(text: str, name: str, now: datetime, caller: Caller) -> Memory | None:
    """The rule that the note states, in the words of its writer; None when it states none."""
    session = Session(AGENT, name)
    heard = listen(Said(text, 1), SPOKEN)
    found = draft.from_words(heard, session, now.date()) if heard else None
    if found is None:
        return None
    body = "" if normal_text(text).rstrip(".!") == normal_text(found.title) else text
    source = Source.USER if caller is Caller.USER else Source.AGENT
    scope = "project" if found.scope.endswith(f":{AGENT}") else found.scope
    return replace(found, body=body, source=source, scope=scope, extra=())
