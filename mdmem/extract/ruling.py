"""Whether words hold a lasting rule: the weights of a language's cues, added up.

No cue decides alone. A rule is stated where enough of them meet in one breath: a whole short text, or one sentence
of a longer one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.extract.phrasing import joined
from mdmem.extract.speech import SHORT, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mdmem.extract.languages.language import Language

RULE_SCORE: Final = 3.0
"""From here on a text is taken to state a rule."""
QUESTION: Final = "question"
QUESTION_WEIGHT: Final = -4.0
ENDS: Final = -1.0
"""What it weighs that words in the same breath end another rule."""
LENGTHY: Final = -1.0
"""What it weighs that a text is too long for people who just lay down a rule."""
WHOLE_CUES: Final = frozenset({"generic", "kind", "habit"})
"""Cues of a sentence with subject and verb: it makes a better title than a remark that only stresses it."""
TITLE_WORDS: Final = 10
REMARK: Final = 10
"""So many characters besides saying that something holds but once make no sentence of their own."""
WORD_WEIGHT: Final = 0.2


class Ruling(NamedTuple):
    """The sentence that states a rule, '' when none does, with the score and cues of its breath."""

    sentence: str = ""
    score: float = 0.0
    cues: frozenset[str] = frozenset()


NO_RULING: Final = Ruling()


def ruling(text: str, place: float, language: Language) -> Ruling:
    """The best-founded rule that a text states. `place` is what the place weighs where it was said."""
    place += LENGTHY if len(text) > SHORT else 0.0
    found = [_judged(unit, place, language) for unit in _upheld(units(text), language)]
    return max(found, key=lambda one: one.score, default=NO_RULING)


def _upheld(groups: Iterable[Sequence[str]], language: Language) -> list[tuple[str, ...]]:
    """The groups without what is taken back: of the same group all before, else the group before."""
    kept: list[tuple[str, ...]] = []
    for group in groups:
        upheld: list[str] = []
        for sentence in group:
            taken = None
            for taken in language.withdrawals.finditer(sentence):
                if not upheld and not sentence[: taken.start()].strip() and kept:
                    kept.pop()
                upheld.clear()
            rest = sentence[taken.end() :].lstrip(" .,;!?…—–-") if taken else sentence
            upheld += [rest] if rest else []
        kept += [tuple(upheld)] if upheld else []
    return kept


def _judged(unit: Sequence[str], place: float, language: Language) -> Ruling:
    cues = _cues_of_all(unit, language)
    together = {name: weight for found in cues for name, weight in found.items()}
    ends = ENDS if any(map(language.revocations.search, unit)) else 0.0
    score = place + sum(together.values()) + ends
    fits = [_weight_as_title(sentence, found) for sentence, found in zip(unit, cues, strict=True)]
    if score < RULE_SCORE or max(fits) <= 0:
        return NO_RULING
    return Ruling(joined(unit, fits.index(max(fits)), language), score, frozenset(together))


def _cues_of_all(unit: Sequence[str], language: Language) -> list[Mapping[str, float]]:
    """The cues of each sentence. One that ends a rule states none; a question only counts when nothing else is said."""
    once = _once(unit, language)
    cues = [
        {} if number in once or language.revocations.search(sentence) else _cues(sentence, language)
        for number, sentence in enumerate(unit)
    ]
    if all(QUESTION in found for found in cues):
        return list(cues)
    return [{} if QUESTION in found else found for found in cues]


def _once(unit: Sequence[str], language: Language) -> set[int]:
    """The sentences that hold but once: those that say so, and the one that a remark ("Just this once.") is about."""
    said = {number: found for number, sentence in enumerate(unit) if (found := language.once.search(sentence))}
    remarks = {n for n, found in said.items() if len(unit[n]) - len(found[0]) <= REMARK}
    return {*said, *(max(number - 1, 0) if number else 1 for number in remarks)}


def _cues(sentence: str, language: Language) -> Mapping[str, float]:
    """The weight of each cue in a sentence, looked for with and without its openers."""
    if language.questions.match(sentence) and not language.requests.search(sentence):
        return {QUESTION: QUESTION_WEIGHT}
    bare = language.openers.sub("", sentence).strip() or sentence
    return {cue.name: cue.weight for cue in language.cues if cue.pattern.search(bare) or cue.pattern.search(sentence)}


def _weight_as_title(sentence: str, cues: Mapping[str, float]) -> float:
    """How well a sentence stands for the others: its own cues first, then whether it is a whole one."""
    if not cues:
        return 0.0
    is_whole = bool(cues.keys() & WHOLE_CUES)
    return sum(cues.values()) + is_whole + WORD_WEIGHT * min(len(sentence.split()), TITLE_WORDS)
