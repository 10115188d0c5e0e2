"""What the user corrected, ruled, decided and took back.

Every finding is an episode; one whose words carry enough signs of a lasting rule states a rule too. A sign counts
more where corrections stand (a refused call, a message queued meanwhile, an objection) and less in an opening
request, where "always" is usually a part of the task.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mdmem.extract.languages.detection import language_of
from mdmem.extract.phrasing import word_count
from mdmem.extract.ruling import NO_RULING, Ruling, ruling
from mdmem.extract.speech import LONG, own_text
from mdmem.extract.transcripts.session import Voice
from mdmem.redact import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.extract.languages.language import Language
    from mdmem.extract.transcripts.session import Said, Session, ToolCall, Turn

VOICE_WEIGHTS: Final = {Voice.PROMPT: 0.0, Voice.QUEUED: 1.0, Voice.REJECTION: 1.0, Voice.ANSWER: 0.0}
OBJECTION_WEIGHT: Final = 1.0
OPENING_WEIGHT: Final = -1.0
TALK_WEIGHT: Final = -1.0
"""Where nothing was written, run or refused yet, longer texts weigh things up more than they rule."""
BRIEF: Final = 160
VALUE_WORDS: Final = 3
"""A refusal of so few words that neither objects nor commands fills in a value."""
DISMISSAL_LENGTH: Final = 60


@dataclass(frozen=True, slots=True)
class Setting:
    """Where words were said: refusing which call, whether the agent had acted or spoken, after which words."""

    call: ToolCall | None = None
    has_acted: bool = False
    has_spoken: bool = False
    before: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """Something the user said that matters, in their own words (`text`) without secrets; `ruling` is the rule that
    they state."""

    kind: str
    said: Said
    text: str
    language: Language
    setting: Setting
    ruling: Ruling = NO_RULING


@dataclass(frozen=True, slots=True)
class _Speech:
    """Words of the user on their way to a verdict."""

    said: Said
    text: str
    language: Language
    setting: Setting

    @property
    def is_objection(self) -> bool:
        return bool(self.language.objections.match(self.text))

    @property
    def is_request(self) -> bool:
        return bool(self.language.requests.search(self.text))

    @property
    def is_question(self) -> bool:
        return bool(self.language.questions.match(self.text)) and not self.is_request

    @property
    def is_value(self) -> bool:
        is_order = self.language.imperatives.match(self.text)
        return word_count(self.text) <= VALUE_WORDS and not is_order and "?" not in self.text

    @property
    def place(self) -> float:
        """What the place weighs where the words were said."""
        weight = VOICE_WEIGHTS[self.said.voice] + OBJECTION_WEIGHT * self.is_objection
        weight += OPENING_WEIGHT * (not self.setting.has_spoken)
        return weight + TALK_WEIGHT * (not self.setting.has_acted and len(self.text) >= BRIEF)


def heard(session: Session) -> tuple[Heard, ...]:
    """What of the user's words is a correction, rejection, decision, revocation or rule, in order."""
    found: list[Heard | None] = []
    for said, setting in _settings(session):
        if found and found[-1] and _withdraws(said.text):
            found[-1] = replace(found[-1], ruling=NO_RULING)
        found.append(listen(said, setting))
    return tuple(finding for finding in found if finding)


def _withdraws(text: str) -> bool:
    """Whether a message only takes back the one before it."""
    taken = language_of(text).withdrawals.match(text.strip())
    return taken is not None and not text.strip()[taken.end() :].strip(" .,!…")


def listen(said: Said, setting: Setting) -> Heard | None:
    """What words of the user mean where they were said; None when there is nothing to keep."""
    language = language_of(said.text)
    text = redact(own_text(said.text, language)).text
    if not text or not _matters(said, text, language):
        return None
    return _finding(_Speech(said, text, language, setting))


def _settings(session: Session) -> Iterator[tuple[Said, Setting]]:
    before: Turn | None = None
    words = ""
    has_acted = has_spoken = False
    for turn in session.turns:
        if turn.said:
            yield turn.said, Setting(_refused(turn.said, before), has_acted, has_spoken, words)
            words = " ".join(turn.said.text.split())
        has_acted = has_acted or any(call.acts or call.is_rejected for call in turn.calls)
        has_spoken = has_spoken or bool(turn.steps)
        before = turn


def _refused(said: Said, before: Turn | None) -> ToolCall | None:
    """The call that was refused with these words."""
    calls = before.calls if before and said.voice is Voice.REJECTION else ()
    return next((call for call in reversed(calls) if call.is_rejected), None)


def _matters(said: Said, text: str, language: Language) -> bool:
    """Whether words may be a finding at all: no answer to a question, nothing pasted, not the end of the work."""
    if said.voice is Voice.ANSWER or (len(text) > LONG and said.voice is not Voice.REJECTION):
        return False
    return not (language.dismissals.match(text) and len(text) < DISMISSAL_LENGTH)


def _finding(speech: _Speech) -> Heard | None:
    rule = _ruling(speech)
    if speech.language.revocations.search(speech.text) and not rule.sentence:
        kind = "revocation"
    else:
        kind = _kind(speech, has_rule=bool(rule.sentence))
    return Heard(kind, speech.said, speech.text, speech.language, speech.setting, rule) if kind else None


def _ruling(speech: _Speech) -> Ruling:
    """The rule that the words state; an opening request states one only when it says so itself."""
    is_opening = not speech.setting.has_spoken
    if len(speech.text) > LONG or (is_opening and not speech.language.standing.search(speech.text)):
        return NO_RULING
    return ruling(speech.text, speech.place, speech.language)


def _kind(speech: _Speech, *, has_rule: bool) -> str:
    """Which episode the words are, '' when they are none."""
    if speech.said.voice is Voice.REJECTION:
        return "" if speech.is_value and not (speech.is_objection or has_rule) else "rejection"
    if has_rule:
        return "decision" if speech.language.choices.search(speech.text) else "correction"
    return "correction" if _is_correction(speech) else ""


def _is_correction(speech: _Speech) -> bool:
    """Whether words without a rule tell the agent that it went wrong."""
    setting, language = speech.setting, speech.language
    if speech.is_objection:
        return setting.has_spoken and not (speech.is_question and not language.negatives.match(speech.text))
    if speech.is_question:
        return False
    if speech.said.voice is Voice.QUEUED:
        return setting.has_spoken and bool(language.imperatives.match(speech.text))
    return setting.has_acted and (speech.is_request or bool(language.doubts.search(speech.text)))
