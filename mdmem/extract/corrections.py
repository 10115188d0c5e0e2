"""What the user corrected, ruled, decided and took back, found by the cues of a language's table.

Every finding is an episode; one whose words carry enough signs of a lasting rule states a rule too. A sign counts
more where corrections stand (a refused call, a message queued meanwhile, an answer to what the agent did) and
less in an opening request, where "always" is usually a part of the task.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem.extract.languages.english import ENGLISH
from mdmem.extract.phrasing import joined
from mdmem.extract.speech import LONG, SHORT, own_text, units
from mdmem.extract.transcripts.session import Voice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdmem.extract.languages.language import Language
    from mdmem.extract.transcripts.session import Said, Session, ToolCall, Turn

LANGUAGES: Final[tuple[Language, ...]] = (ENGLISH,)
RULE_SCORE: Final = 3.0
ENDS: Final = 1.0
"""What it weighs against a rule that the words next to it end another."""
WHOLE_CUES: Final = frozenset({"generic", "kind", "habit"})
"""Cues of a sentence with subject and verb: it makes a better title than a remark that only stresses it."""
TITLE_WORDS: Final = 10
WORD_WEIGHT: Final = 0.2
OBJECTION: Final = 1.0
QUESTION: Final = -4.0
OPENING: Final = -1.0
TALK: Final = -1.0
BRIEF: Final = 160
"""Where nothing was written, run or refused yet, longer texts weigh things up more than they rule."""
LENGTHY: Final = -1.0
PLACE_WEIGHTS: Final = {Voice.PROMPT: 0.0, Voice.QUEUED: 1.0, Voice.REJECTION: 1.0, Voice.ANSWER: 0.0}
ANSWER_WORDS: Final = 3
"""A refusal of so few words that neither objects nor commands fills in a value."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Something the user said that matters: `rule` is the sentence that states it, '' when nothing lasts.

    `call` is the tool call that was refused with these words, `before` what the user had said before.
    """

    kind: str
    said: Said
    text: str
    language: Language
    rule: str = ""
    score: float = 0.0
    cues: frozenset[str] = frozenset()
    call: ToolCall | None = None
    before: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where words were said: after which call, whether the agent had acted, spoken or asked by then."""

    call: ToolCall | None
    has_acted: bool
    has_spoken: bool
    before: str = ""


def heard(session: Session) -> tuple[Heard, ...]:
    """What of the user's words is a correction, a rejection, a decision, a revocation or a rule, in order."""
    found = (_judged(said, setting) for said, setting in _settings(session))
    return tuple(finding for finding in found if finding)


def _settings(session: Session) -> Iterator[tuple[Said, Setting]]:
    before: Turn | None = None
    said = ""
    has_acted = has_spoken = False
    for turn in session.turns:
        if turn.said:
            call = before.calls[-1] if before and before.calls else None
            rejected = call if call and call.is_rejected else None
            is_refusal = turn.said.voice is Voice.REJECTION
            yield turn.said, Setting(rejected if is_refusal else None, has_acted, has_spoken, said)
            said = " ".join(turn.said.text.split())
        has_acted = has_acted or any(call.acts or call.is_rejected for call in turn.calls)
        has_spoken = has_spoken or bool(turn.steps)
        before = turn


def _judged(said: Said, setting: Setting) -> Heard | None:
    for language in LANGUAGES:
        text = own_text(said.text, language)
        finding = _finding(said, text, setting, language) if text else None
        if finding:
            return finding
    return None


def _finding(said: Said, text: str, setting: Setting, language: Language) -> Heard | None:
    if said.voice is Voice.ANSWER or (language.dismissals.match(text) and len(text) < 60):
        return None
    is_objection = bool(language.objections.match(text))
    rule, score, cues = _rule(said, text, setting, language, is_objection=is_objection)
    if language.revocations.search(text) and len(text) < LONG and not rule:
        return Heard("revocation", said, text, language, call=setting.call)
    kind = _kind(said, text, setting, language, is_objection=is_objection, has_rule=bool(rule))
    if not kind:
        return None
    return Heard(kind, said, text, language, rule, score, cues, setting.call, setting.before)


def _kind(said: Said, text: str, setting: Setting, language: Language, *, is_objection: bool, has_rule: bool) -> str:
    """Which episode the words are, '' when they are none."""
    if said.voice is Voice.REJECTION:
        return "" if _is_value(text, language) and not (is_objection or has_rule) else "rejection"
    if has_rule:
        return "decision" if language.choices.search(text) else "correction"
    is_question = bool(language.questions.match(text)) and not language.requests.search(text)
    if is_objection and setting.has_spoken and not (is_question and not text.lower().startswith("no")):
        return "correction"
    if said.voice is Voice.QUEUED and setting.has_spoken and not is_question and len(text) < LONG:
        return "correction" if is_objection or language.imperatives.match(text) else ""
    is_doubt = setting.has_acted and (language.doubts.search(text) or language.requests.search(text))
    return "correction" if is_doubt and not is_question and len(text) < LONG else ""


def _rule(
    said: Said, text: str, setting: Setting, language: Language, *, is_objection: bool
) -> tuple[str, float, frozenset[str]]:
    """The sentence that states a lasting rule with its score and cues; '' below RULE_SCORE."""
    if len(text) > LONG or (not setting.has_spoken and not language.standing.search(text)):
        return "", 0.0, frozenset()
    place = PLACE_WEIGHTS[said.voice] + (OBJECTION if is_objection else 0.0)
    place += (0.0 if setting.has_spoken else OPENING) + (0.0 if setting.has_acted or len(text) < BRIEF else TALK)
    place += LENGTHY if len(text) > SHORT else 0.0
    best: tuple[str, float, frozenset[str]] = ("", 0.0, frozenset())
    for unit in units(text):
        weights = [{} if language.revocations.search(sentence) else _cues(sentence, language) for sentence in unit]
        questions = [found for found in weights if "question" in found]
        weights = [{} if "question" in found and len(questions) < len(unit) else found for found in weights]
        together = {name: weight for found in weights for name, weight in found.items()}
        score = place + sum(together.values()) - (ENDS if any(map(language.revocations.search, unit)) else 0.0)
        own = [_weight_of_title(sentence, found) for sentence, found in zip(unit, weights, strict=True)]
        if score >= RULE_SCORE and score > best[1] and max(own) > 0:
            best = joined(unit, own.index(max(own)), language), score, frozenset(together)
    return best


def _cues(sentence: str, language: Language) -> dict[str, float]:
    """The weight of each cue found in a sentence; a question that asks for nothing weighs against it."""
    bare = language.openers.sub("", sentence).strip() or sentence
    found = {cue.name: cue.weight for cue in language.cues if cue.pattern.search(bare) or cue.pattern.search(sentence)}
    if language.questions.match(sentence) and not language.requests.search(sentence):
        found = {"question": QUESTION}
    return found


def _weight_of_title(sentence: str, cues: dict[str, float]) -> float:
    """How well a sentence stands for the others: its own cues first, then whether it is a whole one."""
    if not cues:
        return 0.0
    return sum(cues.values()) + bool(cues.keys() & WHOLE_CUES) + WORD_WEIGHT * min(len(sentence.split()), TITLE_WORDS)


def _is_value(text: str, language: Language) -> bool:
    """Whether a refusal only fills in what the agent had wrong, as a name or a number does."""
    return len(text.split()) <= ANSWER_WORDS and not language.imperatives.match(text) and "?" not in text
