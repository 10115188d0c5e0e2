"""Whether two short texts say the same rule, or another one of the same thing.

Words decide, so that it works without a model and can be explained; a model's cosine may only lower the bar.
What makes a rule another one is looked at first: polarity, numbers, names of code, opposites, what is ruled out.
A wrong merge loses a rule, a missed one only repeats it: in doubt two texts differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mdmem.index.analysis import pairs, without_accents
from mdmem.index.common import COUNTS, FAINT_WORDS, OPPOSITES, SILENT_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Nearness = Callable[[str, str], float]
    """The cosine of two texts, from a model where there is one."""


class Likeness(StrEnum):
    """How two texts stand to each other."""

    SAME = "same"
    RIVAL = "rival"
    """The same subject with another value: both can't hold."""
    OTHER = "other"


FAINT: Final = 0.5
EXACT: Final = 2.0
CONTAINED: Final = 0.7
"""How much of the shorter text's weight the longer one must hold."""
CONTAINED_NEAR: Final = 0.5
"""The same, where a model finds the texts as near as NEAR."""
NEAR: Final = 0.8
ALIKE: Final = 0.6
"""From this share of common weight (Jaccard) on, even short texts say the same."""
LEAST: Final = 2.0
"""The least common weight that says anything."""
WHOLE: Final = 3.0
"""A text of less weight is too short to be contained in another: it must be alike."""

TELLING: Final = frozenset({"before", "after", "above", "below"})
"""Small words that turn a rule around."""
TOKEN: Final = re.compile(r"\S+")
EDGES: Final = "`'\"“”„«»‘’()[]{}.,;:!?…。，、；：！？*"
NUMBER: Final = re.compile(r"(?P<number>\d+(?:[.:,]\d+)*)(?P<unit>%|[a-zA-Z]{0,9})")
MADE_OF: Final = re.compile(r"[/_=<>@\\.$]|^--\w|[a-z][A-Z]|[A-Z]{2,}-?\d|^#\w|[A-Za-z]\d|\d[A-Za-z]")
"""What stands in names of code, paths, flags and tickets, but in no plain word."""
CAUSE: Final = re.compile(r"\(?“[^”]*”\)?")
"""An error that a title quotes: how it is worded is no part of the rule."""
REDACTED: Final = re.compile(r"\[redacted:[\w-]+\]")
"""What stands for a secret, nobody knows which."""
TICKET: Final = re.compile(r"(?P<team>[A-Z]{2,}-)\d+(?:-[\w-]+)?$")
"""A ticket's number is an example of one."""
UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
ENDING: Final = re.compile(
    r"(?:ations?|ating|ated|ions?|ingly|ings?|edly|ed|ies|iness|ments?|ly|ers?|est|es|s|e|y|en|em|er|(?<=[lr])n)$"
)
ENDINGS: Final = 2
"""So many endings stand one after the other: `partition-ed`."""
STEM: Final = 4
"""Letters that a stem keeps at least."""

FIRST_CLAUSE: Final = re.compile(
    r"\s*(?:[,;:—–。，；、]|\.\s| \(| instead of | rather than | statt | anstatt | en vez de | en lugar de"
    r"| au lieu d| plutôt qu| \bnot (?=the |a |in |with )| because | weil | porque | parce qu"
    r"| (?:and|und|y|et) (?:must|may|should|never|not|no|don't|nie|nicht|nunca|pas|jamais) )",
    re.IGNORECASE,
)
AGAINST: Final = re.compile(
    r"(?:\b(?:instead of|rather than|not|never|in place of|no longer|as opposed to|(?:an)?statt|nicht|kein\w*|en vez de"
    r"|en lugar de|no|nunca|au lieu d[e']|plutôt qu[e']|pas|jamais)\b|而不是|不要|不用|ではなく|じゃなくて)"
    r"\s*(?P<what>[^,;.:。，]+)",
    re.IGNORECASE,
)
CONDITION: Final = re.compile(
    r"(?:if|when|whenever|for|before|after|once|until|unless|in|on|at|wenn|falls|bevor|vor|nach|bei|für|in|si|cuando|antes"
    r"|para|en|quand|avant|après|pour|dans|lorsque)\b|如果|若|当",
    re.IGNORECASE,
)
BOUND: Final = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|longer|later|earlier|bigger|larger|older|only)\b"
    r"|\bnicht (?:mehr|länger|nur) als\b|\bno más de\b|\bpas plus d[e']",
    re.IGNORECASE,
)
NEGATION: Final = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|don'?t|doesn'?t|do not|must ?n'?t|can'?t|cannot|shouldn'?t|avoid|stop"
    r"|without|forbidden|nicht|nie(?:mals)?|kein\w*|niemand|nunca|jamás|ning[uú]n\w*|sin|prohibido|pas|jamais|aucun\w*|sans"
    r"|interdit\w*|verboten|leave|skip)\b|不要|不能|不得|不准|禁止|别|从不|不许|しない|するな|禁止|せず|ません|ないで",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text says as far as words tell: stem → weight, the numbers and the names of code among them, the
    stems of its first clause in order, those of its subject (what stands before the first verb), what it rules out, and
    whether its first clause forbids."""

    weights: Mapping[str, float]
    numbers: frozenset[str]
    names: frozenset[str]
    head: tuple[str, ...]
    subject: frozenset[str]
    against: frozenset[str]
    is_negative: bool

    @property
    def strong(self) -> frozenset[str]:
        """The stems that are more than faint."""
        return frozenset(stem for stem, weight in self.weights.items() if weight > FAINT)


def likeness(one: str, other: str, nearness: Nearness | None = None) -> Likeness:
    """How two texts stand to each other; texts of other scripts than Latin, Chinese and Japanese are OTHER."""
    first, second = statement(one), statement(other)
    swaps = _swapped(first, second)
    if any(swaps):
        shared = set(first.head) & set(second.head) & first.strong - swaps[0] - swaps[1]
        return Likeness.RIVAL if shared or all(swaps) else Likeness.OTHER
    if _is_rival(first, second):
        return Likeness.RIVAL
    if _differs(first, second):
        return Likeness.OTHER
    if _has_same_head(one, other) or is_covered(first, second, CONTAINED):
        return Likeness.SAME
    is_near = nearness is not None and is_covered(first, second, CONTAINED_NEAR) and nearness(one, other) >= NEAR
    return Likeness.SAME if is_near else Likeness.OTHER


def is_covered(first: Statement, second: Statement, share: float) -> bool:
    """Whether the shorter of two texts says little that the longer does not."""
    common = sum(min(weight, second.weights[stem]) for stem, weight in first.weights.items() if stem in second.weights)
    sizes = sorted((sum(first.weights.values()), sum(second.weights.values())))
    if common < LEAST:
        return False
    if common / (sum(sizes) - common) >= ALIKE:
        return True
    return sizes[0] >= WHOLE and common / sizes[0] >= share and (first.numbers != second.numbers) <= (common >= WHOLE)


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """What a text says, by its words."""
    bare = BOUND.sub(" ", text)
    first = clause(bare)
    weights: dict[str, float] = {}
    names: set[str] = set()
    numbers: set[str] = set()
    for stem, kind in _stems(text):
        weights[stem] = max(weights.get(stem, 0.0), _weight(stem, kind))
        (names if kind == "name" else numbers if kind == "number" else set()).add(stem)
    against = {stem for found in AGAINST.finditer(bare) for stem, _ in _stems(found["what"])}
    return Statement(
        weights,
        frozenset(numbers),
        frozenset(names),
        tuple(stem for stem, _ in _stems(first)),
        _subject(bare),
        frozenset(against - {stem for stem, _ in _stems(AGAINST.sub(" ", bare))}),
        bool(NEGATION.search(first)),
    )


def stems(text: str) -> frozenset[str]:
    """The stems of a text that carry meaning: numbers and names of code as they stand, other words folded."""
    return frozenset(statement(text).weights)


def _differs(first: Statement, second: Statement) -> bool:
    """Whether something says that these are two rules, however many words they share."""
    if first.is_negative != second.is_negative:
        return True
    if _are_apart(first.numbers, second.numbers) or _are_apart(first.names, second.names):
        return True
    if _is_parallel(first, second):
        return True
    left, right = first.weights.keys() - second.weights.keys(), second.weights.keys() - first.weights.keys()
    return any(frozenset((one, other)) in OPPOSED for one in left for other in right)


def _is_parallel(first: Statement, second: Statement) -> bool:
    """Whether both are built alike over other things: `number cranes from 1`, `number berths from 1`."""
    steps = SequenceMatcher(None, first.head, second.head, autojunk=False).get_opcodes()
    swaps = [(first.head[a:b], second.head[c:d]) for step, a, b, c, d in steps if step == "replace" and b - a == d - c]
    own, other = first.strong - second.weights.keys(), second.strong - first.weights.keys()
    return any(own.intersection(left) and other.intersection(right) for left, right in swaps)


def _are_apart(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether neither of two sets holds the other; an empty one is held by all."""
    return not (some <= others or others <= some)


def _swapped(first: Statement, second: Statement) -> tuple[frozenset[str], frozenset[str]]:
    """What the first asks for and the second rules out, and the other way round."""
    wanted, other = (set() if one.is_negative else set(one.head) - one.against for one in (first, second))
    if first.is_negative != second.is_negative:
        return frozenset(), frozenset()
    return frozenset(wanted & second.against - other), frozenset(other & first.against - wanted)


def _is_rival(first: Statement, second: Statement) -> bool:
    """Whether both give other numbers or periods for the same: nothing else tells them apart."""
    values = [one.numbers or one.weights.keys() & PERIODS for one in (first, second)]
    if not all(values) or values[0] & values[1] or first.is_negative != second.is_negative:
        return False
    small, large = sorted((first.strong - first.numbers, second.strong - second.numbers), key=len)
    return len(small) > 1 and small <= large


def _has_same_head(one: str, other: str) -> bool:
    """Whether the first clauses say the same, and only what explains them differs; a condition is no rule yet."""
    heads = clause(one), clause(other)
    if any(map(CONDITION.match, heads)):
        return False
    first, second = map(statement, heads)
    return is_covered(first, second, 1.0) and not _differs(first, second)


def clause(text: str) -> str:
    """The first clause of a text; what follows explains, contrasts or adds."""
    return FIRST_CLAUSE.split(REDACTED.sub("", text), maxsplit=1)[0] or text


def _weight(stem: str, kind: str) -> float:
    if kind != "word":
        return EXACT
    return FAINT if stem in FAINT_STEMS or UNSPACED.fullmatch(stem) else 1.0


def _subject(text: str) -> frozenset[str]:
    """The stems before the first verb of a rule, in the first clause that has one; none for an order."""
    clauses = [part for part in FIRST_CLAUSE.split(text) if part.strip()]
    for part in clauses:
        tokens = TOKEN.findall(part)
        at = next((n for n, token in enumerate(tokens) if token.strip(EDGES).casefold() in VERBS), 0)
        if at:
            return frozenset(stem for token in tokens[:at] for stem, _ in _stems(token))
    return frozenset()


PERIODS: Final = frozenset(
    {"hour", "day", "week", "month", "year", "tag", "woch", "monat", "jahr", "dia", "semana", "mes"}
)
"""Stems of periods: what is done by the day is not done by the month."""
VERBS: Final = frozenset(
    """
    is are was use uses go goes run runs start starts begin begins live lives stay stays must should may need needs
    come comes belong belongs have has get gets take takes listen listens ist sind werden wird liegt liegen läuft
    laufen kommt kommen muss müssen soll sollen es son va van está están debe deben vive usa usan est sont va vont
    doit doivent utilise utilisent reste restent
    """.split()  # noqa: SIM905 (a table of words)
)


def _stems(text: str) -> Iterator[tuple[str, str]]:
    """Each word's stem and kind: word, number or name."""
    for token in TOKEN.findall(CAUSE.sub(" ", REDACTED.sub("", text))):
        for run in UNSPACED.findall(token):
            yield from ((pair, "word") for pair in pairs(run))
        yield from _of_token(UNSPACED.sub(" ", token).split())


def _of_token(parts: Iterable[str]) -> Iterator[tuple[str, str]]:
    for part in parts:
        bare = part.strip(EDGES)
        if number := NUMBER.fullmatch(bare):
            yield number["number"], "number"
            if number["unit"].isalpha():
                yield stemmed(number["unit"].casefold()), "word"
        elif ticket := TICKET.match(bare):
            yield ticket["team"].casefold(), "name"
        elif MADE_OF.search(bare):
            name, _, value = bare.partition("=")
            yield from ((side.strip(f"{EDGES}#/").casefold(), "name") for side in (name, value) if side.strip(EDGES))
        else:
            yield from _of_word(without_accents(bare).casefold())


def _of_word(folded: str) -> Iterator[tuple[str, str]]:
    """A plain word; one that begins with a number, such as `400-day`, is taken apart."""
    if folded in COUNTS:
        yield COUNTS[folded], "number"
        return
    for piece in re.findall(r"\d+|[^\W\d]+", folded) if folded[:1].isdigit() else [folded]:
        if piece.isdigit():
            yield piece, "number"
        elif len(piece) > 1 and (piece not in SILENT_WORDS or piece in TELLING):
            yield stemmed(piece), "word"


@lru_cache(maxsize=1 << 14)
def stemmed(word: str) -> str:
    """A folded word without its ending: enough to know `partitioned` and `partition`, `Tabellen` and `Tabelle`."""
    stem = word.removesuffix("s") if len(word) == STEM else word
    for _ in range(ENDINGS):
        found = ENDING.search(stem, STEM)
        stem = stem[: found.start()] if found else stem
    return stem[:-1] if len(stem) > STEM and stem[-1] == stem[-2] else stem


FAINT_STEMS: Final = frozenset(map(stemmed, FAINT_WORDS))
OPPOSED: Final = frozenset(frozenset(map(stemmed, pair)) for pair in OPPOSITES)
