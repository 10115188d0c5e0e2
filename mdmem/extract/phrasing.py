"""From the way people talk to the way a title reads: fillers off, positive, imperative, short."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mdmem.memory import TITLE_LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.extract.languages.language import Language

TITLE_ASKED: Final = 80
CLAUSE: Final = re.compile(
    r"(?:\s*[;—–]\s+|,\s+|\s+-\s+|\s*\((?=[^)]{12,}\))|(?<!\be\.g)(?<!\bi\.e)[.!?]\s+|[，；。、！？])"
)
ASIDE: Final = re.compile(r"\s*\([^)]*\)")
WORD: Final = re.compile(r"[\w#@/.$-]*\w")
UNSPACED: Final = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
UNSPACED_WORD: Final = 2
"""Characters of a word in a script without blanks, on the average."""
ENDS: Final = " .!?,;:…。！？，、；："
LEAST_WORDS: Final = 3


def plain(sentence: str, language: Language) -> str:
    """The sentence without what people wrap around its matter, its first letter upper case, no final stop."""
    bare = _without_openers(language.fillers.sub("", sentence), language)
    bare = language.closers.sub("", bare.rstrip(ENDS))
    return _capitalised(" ".join(bare.split()).strip(" ,;:—–，、；：。¿¡"))


def statement(sentence: str, language: Language) -> str:
    """The whole sentence, reason and all, in the positive, imperative form of a title."""
    return _capitalised(_rewritten(plain(sentence, language), language))


def title(sentence: str, language: Language) -> str:
    """The sentence as a title of at most 120 characters; asides are left out of one above 80, then last clauses."""
    said = statement(sentence, language)
    head, _ = split_reason(said, language)
    shorter = head if has_matter(head) else said
    shorter = shorter if len(shorter) <= TITLE_ASKED else " ".join(ASIDE.sub("", shorter).split())
    shorter = _first_clauses(shorter, TITLE_LENGTH)
    return shorter if len(shorter) <= TITLE_LENGTH else shorter[: TITLE_LENGTH - 1].rsplit(" ", 1)[0] + "…"


def joined(unit: Sequence[str], at: int, language: Language) -> str:
    """The sentence that carries a rule, with the neighbour that completes it.

    A bare prohibition goes after the sentence that says what to do instead; a fragment after the one before it.
    """
    best = plain(unit[at], language)
    if not has_matter(best) and len(unit) > 1:
        return ", ".join(plain(sentence, language) for sentence in unit)
    others = [plain(sentence, language) for n, sentence in enumerate(unit) if n != at]
    positive = next((other for other in others if language.imperatives.match(other) and has_matter(other)), "")
    if language.negatives.match(best) and positive:
        short = CLAUSE.split(positive)[0]
        return f"{short if has_matter(short) else positive}: {best[:1].lower()}{best[1:]}"
    before = plain(unit[at - 1], language) if at else ""
    needs_it = language.fragments.match(best) or language.deictics.match(best)
    is_asked = at and language.questions.match(unit[at - 1]) and not language.polite.match(before)
    if needs_it and before and not is_asked and word_count(before) > 1:
        return f"{before}, {best[:1].lower()}{best[1:]}"
    return best


def split_reason(sentence: str, language: Language) -> tuple[str, str]:
    """The rule and the reason given for it in the same sentence, '' when there is none."""
    found = language.reasons.search(sentence)
    if found is None:
        return sentence, ""
    if found.start() == 0:
        _, _, rest = sentence.partition(", ")
        return (_capitalised(rest), sentence[found.end() : len(sentence) - len(rest) - 2]) if rest else (sentence, "")
    return sentence[: found.start()].rstrip(" ,;"), sentence[found.end() :].strip(" ,;.")


def has_matter(text: str) -> bool:
    """Whether a title has enough words to be understood."""
    return word_count(text) >= LEAST_WORDS


def word_count(text: str) -> int:
    """How many words a text has; of a script without blanks, about how many."""
    spaced, characters = UNSPACED.subn(" ", text)
    return len(WORD.findall(spaced)) + -(-characters // UNSPACED_WORD)


def _without_openers(sentence: str, language: Language) -> str:
    before = ""
    bare = sentence.strip(" ,;:—–-，、。") if not sentence.lstrip().startswith("--") else sentence.strip()
    while before != bare:
        before, bare = bare, language.openers.sub("", bare).strip(" ,;:—–，、")
    return bare or sentence


def _rewritten(sentence: str, language: Language) -> str:
    for rule in language.rewrites:
        sentence = rule.pattern.sub(rule.replacement, sentence)
    return sentence.strip(" .,;:—–，、；：。")


def _first_clauses(sentence: str, length: int) -> str:
    """As many whole clauses as fit the length; all of the sentence when not even the first does."""
    if len(sentence) <= length:
        return sentence
    ends = [found.start() for found in CLAUSE.finditer(sentence) if found.start() <= length]
    return sentence[: ends[-1]].rstrip(" ,;:(，、；") if ends and has_matter(sentence[: ends[-1]]) else sentence


def _capitalised(text: str) -> str:
    """First letter upper case, unless the first word is a name, a flag or a path as it stands."""
    first = text.split(" ", 1)[0]
    return text if not first.strip(",.:").replace("'", "").isalpha() else text[:1].upper() + text[1:]
