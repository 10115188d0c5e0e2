"""What is not saved: what says nothing, what is known, what was forgotten on purpose.

Pure: drafts and what is known come in as values, what may be saved and what was left comes out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from mdmem.extract.restating import parted
from mdmem.extract.superseding import contradicted, is_change
from mdmem.index.similar import Likeness, likeness, statement, stems
from mdmem.markdown.screen import is_low_value, screen
from mdmem.memory import Source, Status, normal_text
from mdmem.store.vetoes import is_vetoed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdmem.extract.rule_files import Line
    from mdmem.index.similar import Nearness
    from mdmem.memory import Memory
    from mdmem.store.vetoes import Veto

LOW_VALUE: Final = re.compile(
    r"^(?:(?:all )?tests? (?:passed|pass|are green)|i(?:'m| am) sorry|i can(?:'t|not) (?:help|assist)|as an ai\b|done"
    r"|ok(?:ay)?|fixed|completed|looks good|thanks|[\[{\"'].*[\]}\"'])\W*$"
    r"|\b(?:can't|cannot|won't) help with\b|\bhappy to help\b",
    re.IGNORECASE,
)
INJECTION: Final = re.compile(
    r"\bignore (?:all |your |any )*(?:previous|prior|earlier|above) (?:instructions?|rules?|prompts?)"
    r"|\b(?:dear|attention,?) (?:language model|assistant|ai)\b|\bsystem (?:note|prompt|message)\b|\btell nobody\b"
    r"|\b(?:do not|don't) tell the user\b|\bcurl\b[^|]*\|\s*(?:ba|z)?sh\b",
    re.IGNORECASE,
)
ERROR: Final = "error/"
"""How the topics of lessons of errors begin."""
SWITCH: Final = re.compile(r"(?<!\S)--\w|\b[A-Z][A-Z_]+=")
"""A switch or a setting: as good as a name."""
CODE: Final = re.compile(r"`([^`]+)`")
FEW: Final = 3
"""Letters of a stem that says nothing when it is found inside another text."""
REMEDY: Final = re.compile(r"(?:Pass|Set|Run) `(?P<part>[^`]+)`")
REDACTED_ONLY: Final = re.compile(r"\[redacted:[\w-]+\]")
LEAST_STEMS: Final = 2
ECHO_WORDS: Final = 3
"""A recalled title of fewer words is said again by chance."""

VETOED: Final = "it was forgotten on purpose"
KNOWN: Final = "this run already taught it"
USERS: Final = "the user has written it down"
TWICE: Final = "the same run says it twice"
NOTHING: Final = "it says nothing worth remembering"
INJECTED: Final = "it reads like instructions to an agent"
SENSITIVE: Final = "it holds what looks like a secret"
ECHO: Final = "it repeats what was recalled for the run"
SAID: Final = "{file} says it already (line {line})"
SCREENED: Final = {"E_SECRET": SENSITIVE, "E_SELF_REFERENCE": ECHO, "W_INJECTION": INJECTED}


@dataclass(frozen=True, slots=True)
class Left:
    """A draft that is not saved, and why."""

    memory: Memory
    reason: str

    def as_json(self) -> dict[str, object]:
        """The shape of a draft that was left in `extract --json`."""
        return {"title": self.memory.title, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Admission:
    """What may be saved, and what was left. A rule the store has already is admitted in the store's own words,
    so that saving it confirms."""

    admitted: tuple[Memory, ...]
    left: tuple[Left, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a draft is compared with: the store's memories and vetoes, what the project's rule files say, the titles
    that were recalled for the run; `nearness` is the cosine of two texts where a model is at hand."""

    stored: Sequence[Memory] = ()
    vetoes: Sequence[Veto] = ()
    said: Sequence[Line] = ()
    recalled: Sequence[str] = ()
    nearness: Nearness | None = field(default=None, compare=False)


def worth(memory: Memory) -> str:
    """Why a draft is not worth saving wherever it goes; '' when it is."""
    text = REDACTED_ONLY.sub("", memory.title)
    if LOW_VALUE.search(text) or is_low_value(text, memory.body) or len(stems(text)) < LEAST_STEMS:
        return NOTHING
    if INJECTION.search(f"{memory.title}\n{memory.body}"):
        return INJECTED
    found = (SCREENED.get(problem.code, "") for problem in screen(memory.title, memory.body, 1, 1))
    return next(filter(None, found), "")


def admit(drafts: Iterable[Memory], known: Knowledge) -> Admission:
    """Sorts drafts into what is saved and what is left, each with its reason."""
    admitted: list[Memory] = []
    left: list[Left] = []
    for draft in [part for given in drafts for part in parted(given, known.stored)]:
        twin = same(draft, known.stored, None if is_change(draft) else known.nearness)
        reason = worth(draft) or _refused(draft, known) or _known(draft, twin)
        if not reason and same(draft, admitted, known.nearness):
            reason = TWICE
        if reason:
            left.append(Left(draft, reason))
        else:
            admitted.append(_as_confirmation(draft, twin) if twin else contradicted(draft, known.stored))
    return Admission(tuple(admitted), tuple(left))


def same(draft: Memory, others: Iterable[Memory], nearness: Nearness | None = None) -> Memory | None:
    """The memory that states the draft's rule already, in the same or in other words; None when none does."""
    near = [one for one in others if one.scope == draft.scope]
    own = stems(draft.title)
    exact = next((one for one in near if stems(one.title) == own and says_the_same(one, draft)), None)
    return exact or next((one for one in near if says_the_same(one, draft, nearness)), None)


def says_the_same(one: Memory, other: Memory, nearness: Nearness | None = None) -> bool:
    """Whether two memories state one rule, by their titles; error lessons of one cause do."""
    if one.topic and one.topic == other.topic and one.source is other.source:
        return True
    if other.topic.startswith(ERROR) and has_remedy(one, other):
        return True
    return likeness(one.title, other.title, nearness) is Likeness.SAME


def has_remedy(known: Memory, lesson: Memory) -> bool:
    """Whether a memory asks for the very switch, setting or command that a lesson of an error found to help."""
    code = REMEDY.match(lesson.title)
    told = statement(known.title)
    if code is None or told.is_negative:
        return False
    part = statement(code["part"])
    if SWITCH.search(code["part"]) and part.names | part.numbers <= told.names | told.numbers:
        return True
    spans = [span for span in CODE.findall(known.title) if len(span.split()) > 1 and code["part"].startswith(span)]
    is_named = _without_switches(code["part"]) in _without_switches(known.title)
    text = f"{lesson.title}\n{lesson.body}".casefold()
    rest = (told.strong | told.names) - part.weights.keys()
    return bool(spans or is_named) and any(stem in text for stem in rest if len(stem) > FEW)


def _without_switches(command: str) -> str:
    return " ".join(word for word in command.split() if not word.startswith("-"))


def _refused(draft: Memory, known: Knowledge) -> str:
    """Why a draft is not to be learned here: it was forgotten, a rule file says it, or it is an echo."""
    if is_vetoed(draft, known.vetoes) or any(_is_vetoed(draft, veto) for veto in known.vetoes):
        return VETOED
    said = next((line for line in known.said if likeness(line.text, draft.title) is Likeness.SAME), None)
    if said:
        return SAID.format(file=said.file, line=said.line)
    words = normal_text(f"{draft.title}\n{draft.body}").casefold()
    recalled = (normal_text(title).casefold() for title in known.recalled if len(title.split()) > ECHO_WORDS)
    return ECHO if any(title in words for title in recalled) else ""


def _is_vetoed(draft: Memory, veto: Veto) -> bool:
    """Whether a draft says in other words what was forgotten."""
    return bool(veto.title) and likeness(veto.title, draft.title) is Likeness.SAME


def _known(draft: Memory, twin: Memory | None) -> str:
    if twin is None or twin.status not in (Status.ACTIVE, Status.PENDING):
        return ""
    if set(draft.origin) <= set(twin.origin):
        return KNOWN
    return USERS if twin.source is Source.USER else ""


def _as_confirmation(draft: Memory, twin: Memory) -> Memory:
    """The draft in the words of the memory that it confirms, so that the store sees a duplicate.

    A draft of the same topic replaces as it is; a memory that is no longer active is not woken by this.
    """
    if (draft.topic and draft.topic == twin.topic) or twin.status not in (Status.ACTIVE, Status.PENDING):
        return draft
    return replace(draft, type=twin.type, title=twin.title, body=twin.body, topic=twin.topic, status=twin.status)
