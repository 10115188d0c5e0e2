"""Whether a sentence states a rule that will matter again, or only tells of something. English."""

from __future__ import annotations

import re
from typing import Final

WORDS_LEAST: Final = 3
IMPERATIVE: Final = re.compile(
    r"^(?:please |then )?(?:add|always|ask|avoid|build|call|check|choose|commit|configure|create|define|deploy|do|don't"
    r"|ensure|execute|fix|follow|format|handle|import|include|install|keep|leave|let|limit|log|make|mark|mock|name"
    r"|never|only|pass|place|prefer|put|read|regenerate|remember|rename|return|run|set|skip|sort|start|stick|stop|store"
    r"|test|treat|update|use|validate|verify|wait|wrap|write)\b",
    re.IGNORECASE,
)
MODAL: Final = re.compile(
    r"\b(?:must(?:n't)?|should(?:n't)?|shall|always|never|do not|don't|has to|have to|needs? to|required?|forbidden"
    r"|not allowed|only (?:use|run|in|on|via|through|with)|prefer(?:red)?|instead of|rather than|no longer"
    r"|by convention)\b",
    re.IGNORECASE,
)
GENERAL: Final = re.compile(
    r"\b(?:always|never|must(?:n't)?|prefer|convention|in this (?:repo|project|codebase|package|module)|our style"
    r"|we (?:use|don't|do not|never|always|prefer|avoid|keep|want|try to|have to|need to)|instead of|rather than"
    r"|should (?:always|never|not|be|go|live|use)|shouldn't|please (?:use|don't|do not|avoid|keep))\b",
    re.IGNORECASE,
)


def states_rule(text: str) -> bool:
    """Whether a line of a rule file tells what to do or what to leave."""
    return len(text.split()) >= WORDS_LEAST and bool(IMPERATIVE.search(text) or MODAL.search(text))


def states_general_rule(sentence: str) -> bool:
    """Whether a sentence of a discussion holds beyond the place that it is about."""
    is_question = sentence.rstrip().endswith("?")
    return not is_question and len(sentence.split()) >= WORDS_LEAST and bool(GENERAL.search(sentence))
