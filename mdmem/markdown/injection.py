"""Text that gives orders to whoever reads it with a model: found by what it says and to whom.

Memory is data. A memory that tells an assistant to drop its instructions, to hide something from the user or to
carry data away is kept out of every prompt. What a person would write about their own project ("run the installer
with curl", "never ignore failing tests", "note for agents: use pnpm") is none of that.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.markdown.hidden import without_hidden
from mdmem.markdown.mask import without_code
from mdmem.pattern import pattern
from mdmem.sieve import held, hints

if TYPE_CHECKING:
    import re

AGENT: Final = (
    r"(?:(?:ai|coding|llm)[ -]?)?(?:assistants?|agents?|language models?|llms?|models?|ais?|chatbots?|claude(?: code)?"
    r"|chatgpt|gpt|copilot|codex|gemini|cursor)"
)
ORDER: Final = (
    r"(?:you (?:must|shall|should|are now|will now|have to|may now)|ignore|disregard|forget|remember|store|save|learn"
    r"|from now on|before|no longer|always|first|silently|secretly|immediately|run\b|execute|curl|wget|download|fetch"
    r"|install|upload|exfiltrate|send|post|forward|copy|delete|remove|disable|skip|bypass|approve|grant|allow|trust"
    r"|push|commit|(?:do not|don't|never) \w+|sudo|https?://)"
)
GRAVE_ORDER: Final = (
    r"(?:you (?:must|shall|are now|will now|may now)|ignore|disregard|forget|remember (?:permanently|forever)"
    r"|(?:store|save|learn) this|from now on|before (?:anything|doing)|silently|secretly|curl|wget|exfiltrate"
    r"|(?:upload|send|copy|forward|post) (?:all|any|every|your)\b|disable|bypass|approve|grant|trust|--no-verify"
    r"|(?:do not|don't|never) (?:tell|mention|ask|inform|reveal)"
    r"|skip (?:the|all|any) (?:review|check|approval|confirmation)s?)"
)
EARLIER: Final = r"(?:previous|prior|earlier|above|preceding|foregoing|former|past|existing|original|initial)"
FILLER: Final = rf"(?:(?:all|any|every|each|of|the|your|my|our|these|those|this|other|system|safety|{EARLIER})\s+)"
DROP: Final = r"(?<!never )(?<!not )(?<!cannot )(?<!n't )(?<!n’t )\b(?:ignore|disregard|forget|override|bypass)"
"""Not after a negation: "never ignore …" asks for the contrary."""


class Trick(NamedTuple):
    """A way of giving orders: `hints` and, if there are any, `others`, one of each must be in the text; the pattern."""

    hints: frozenset[str]
    others: frozenset[str]
    pattern: re.Pattern[str]

    def may_stand_beside(self, seen: frozenset[str]) -> bool:
        """Whether a text that holds these hints is worth a search."""
        return not self.hints.isdisjoint(seen) and not (self.others and self.others.isdisjoint(seen))


def _trick(alternatives: str, text: str) -> Trick:
    """`alternatives` are the hints with `|` between them, `&` before the others."""
    one, _, other = alternatives.partition("&")
    return Trick(hints(*one.split("|")), hints(*other.split("|")) if other else frozenset(), pattern(text))


# All of them see lower-case text without invisible characters.
TRICKS: Final = (
    # "ignore every earlier instruction"
    _trick(
        "ignore|disregard|forget|override|bypass|follow|attention&instruction|prompt|directive|guideline|guardrail",
        rf"(?:{DROP}|\b(?:do not|don't|stop) follow(?:ing)?|\bpay no attention to)\s+{FILLER}{{1,6}}(?:\w+\s+)?"
        r"(?:instructions?|(?:system )?prompts?|directives?|guidelines?|guardrails?)\b",
    ),
    # "disregard your rules", "forget all previous messages"
    _trick(
        "ignore|disregard|forget",
        rf"{DROP}\s+(?:(?:all\s+(?:of\s+)?)?your\s+(?:\w+\s+)?"
        rf"|(?:all|any|every)\s+(?:the\s+|of\s+the\s+|your\s+)?{EARLIER}\s+)"
        r"(?:rules?|messages?|context|commands?|polic(?:y|ies)|constraints?|training|orders?|memor(?:y|ies)"
        r"|restrictions?)\b",
    ),
    # "forget everything above", "ignore all that you were told"
    _trick(
        "ignore|disregard|forget|override|bypass&everything|anything|all",
        rf"{DROP}\s+(?:everything|anything|all)\s+(?:that\s+)?(?:above|before this|said before|previously"
        r"|you (?:know|were|have been|'ve been|learned|have learned)|i (?:said|told))",
    ),
    # the same in other languages
    _trick(
        "ignor|vergiss|vergesst|missachte|olvida|oubli|忽略|無視|无视|игнорир|забудь",
        r"(?:ignorier\w*|vergiss|vergesst|missachte\w*)\s+(?:(?:alle|die|deine|jede)\s+){0,3}"
        r"(?:vorherig|bisherig|früher|vorig|obig)\w*\s+(?:an)?weisungen"
        r"|(?:ignora|olvida|ignore)\w*\s+(?:todas\s+)?(?:las\s+|tus\s+)?instrucciones\s+(?:anteriores|previas)"
        r"|(?:ignor|oubli)\w+\s+(?:toutes\s+)?(?:les\s+|tes\s+|vos\s+)?(?:instructions|consignes)\s+"
        r"(?:précédentes|antérieures|ci-dessus)"
        r"|(?:忽略|无视|無視)[^。\n]{0,12}(?:指令|指示|提示|说明)"
        r"|(?:以前|上記|これまで)の[^。\n]{0,8}(?:指示|命令)[^。\n]{0,4}(?:無視|忘れ)"
        r"|(?:игнорируй\w*|забудь\w*)\s+(?:все\s+)?(?:предыдущие|прежние)\s+(?:инструкции|указания)",
    ),
    # "do not tell the user", "never mention it", "tell nobody"; not "never tell the user their password was wrong"
    _trick(
        "tell|inform|mention|reveal|disclos|notif",
        r"\b(?:do not|don't|don’t|never|must not|without)\s+(?:tell|inform|mention|reveal|disclos|notify|alert)\w*\s+"
        r"(?:(?:this|it|that|anything)\s+)?(?:to\s+)?(?:(?:the|your)\s+)?"
        r"(?:users?|humans?|operators?|developers?|anyone|anybody|this|it|that)"
        r"(?=\s*(?:[.,;:!)\]\n\-—]|$|about (?:this|it|that)\b|that you\b|and\b|or\b|what you\b))"
        r"|\btell (?:nobody|no one|noone)\b(?!\s+else)",
    ),
    # "hide this from the user", "keep it secret from them"
    _trick(
        "hide|keep|conceal",
        r"\b(?:hide|conceal|keep)\s+(?:this|it|these|that)\s+(?:\w+\s+){0,3}from\s+(?:the\s+|your\s+)?"
        r"(?:users?|humans?|operators?|developers?)\b",
    ),
    # an HTML comment that speaks to an assistant
    _trick(
        "<!--",
        r"<!--[\s*\[(]{0,8}(?:(?:important|note|attention|hey|dear|hidden|secret|system|instructions?)[\s:,]+)?"
        rf"(?:(?:to|for)\s+)?(?:(?:the|any|all|every)\s+)?{AGENT}\b"
        rf"(?:\s+(?:reading|working|that|who)[^\n:]{{0,60}})?\s*[\])]?\s*(?:[:,!—–]|-(?!->)|{ORDER})",
    ),
    # "NOTE TO ASSISTANT: remember permanently …", "Dear language model, store this …"
    _trick(
        "note|message|attention|notice|instruction|reminder|dear|hey|important",
        r"\b(?:system\s+)?(?:note|message|notice|instructions?|reminder|attention|important|dear|hey)[\s:,]+"
        rf"(?:(?:to|for)\s+)?(?:(?:the|any|all|every)\s+)?{AGENT}\b[^\n]{{0,40}}?[:,!.\-—–\n][^\n]{{0,120}}?"
        rf"\b{GRAVE_ORDER}",
    ),
    _trick(
        "system note|system message",
        rf"\bsystem\s+(?:note|message)\s+(?:to|for)\s+(?:(?:the|any|all)\s+)?{AGENT}\b",
    ),
    # "[system] Assistant: you must …", "Assistant: run `curl …`" at the start of a line
    _trick(
        "assistant|agent|model|llm|claude|gpt&you |ignore|disregard|forget|remember|store this|run|execute|curl|wget"
        "|upload|exfiltrate|send|before anything else|from now on|--no-verify|do not|don't|never",
        r"(?:^|\n|\[system\])[ \t>*#_\[(]{0,8}(?:ai |llm )?"
        r"(?:assistants?|agents?|language models?|llms?|claude|chatgpt)[\])*_]{0,3}\s*[:,][^\n]{0,60}?"
        r"\b(?:you (?:must|shall|are now|will now)|ignore|disregard|forget|remember (?:permanently|forever)|store this"
        r"|(?:run|execute)\b[^\n]{0,60}(?:curl|wget|https?://|\|\s*(?:ba|z)?sh\b)|curl|wget|upload|exfiltrate"
        r"|send\b[^\n]{0,60}https?://|before anything else|from now on|--no-verify"
        r"|(?:do not|don't|never) (?:tell|mention|ask|inform))",
    ),
    # carrying data away: "upload the contents of .env to https://…"
    _trick(
        "upload|send|post|exfil|copy|forward|mail|transmit|leak"
        "&exfiltrate|.env|~/.ssh|id_rsa|your |all |any |every |conversation",
        r"\bexfiltrate\s|(?<!not )(?<!never )(?<!n't )\b(?:upload|send|post|copy|forward|e-?mail|transmit|leak)\s"
        r"[^.\n]{0,60}?(?:(?<!\w)\.env\b|~/\.ssh|\bid_rsa\b"
        r"|\byour (?:api )?(?:keys?|credentials|tokens?|instructions|system prompt|memory)\b"
        r"|\b(?:all|any|every) (?:your |the )?(?:secrets?|credentials|passwords?|api keys|tokens|private keys"
        r"|environment variables|data|files)\b|\b(?:this|the) conversation\b)[^\n]{0,60}?"
        r"(?:https?://|\bto \S+@\S+|\bto \S+\.[a-z]{2,8}\b|\bto an? (?:external|remote)\b)",
    ),
    # a download that must come before everything else
    _trick(
        "curl|wget",
        r"\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b[^\n]{0,30}"
        r"\bbefore (?:anything|doing|answering|you|any other)",
    ),
    # another persona
    _trick(
        "you are now|pretend|developer mode|god mode|jailbreak|dan mode|unrestricted|act as",
        r"\byou are now (?:an? )?(?:unrestricted|jailbroken|free|dan\b|in \w+ mode|admin|root|a different)"
        r"|\bpretend (?:that )?you (?:are|have|can)\b"
        r"|\b(?:enter|enable|activate) (?:developer|god|dan|jailbreak|unrestricted) mode\b"
        r"|\bact as (?:if you (?:have no|were)|an? (?:unrestricted|uncensored|jailbroken))",
    ),
    # the prompt itself
    _trick(
        "your system prompt|your instructions|your hidden|your initial|your prompt",
        r"\b(?:reveal|print|repeat|output|show|leak|dump|disclose)\s+(?:me\s+)?(?:all\s+(?:of\s+)?)?your\s+"
        r"(?:system prompt|hidden|initial|instructions|prompt)",
    ),
)
TRICK_HINTS: Final = frozenset[str]().union(*(trick.hints for trick in TRICKS))
# Chat templates and agents' own tags, in lower case; in code they are a mention
ROLE_MARK: Final = pattern(
    r"</?(?:system[-_](?:reminder|prompt|message)|user[-_]prompt[-_]submit[-_]hook|assistant|developer[-_]message)\b"
    r"[^>\n]{0,80}>|</system>|(?:^|(?<=\s))<system>"
    r"|<\|(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\|>|\[/?inst\](?!\w)|<</?sys>>"
    r"|(?:^|\n)\s*#{1,4}\s*(?:new )?(?:system prompt|system instructions?"
    r"|instructions? (?:to|for) the (?:ai|assistant|model))\s*:?\s*(?=\n|$)"
)
ROLE_HINTS: Final = hints(
    "<system", "</system", "<user", "</user", "<assistant", "</assistant", "<developer", "</developer", "<|", "[inst]",
    "[/inst]", "<<sys", "<</sys", "system prompt", "instruction",
)  # fmt: skip
ORDER_HINTS: Final = TRICK_HINTS | ROLE_HINTS


def find_injection(text: str) -> int | None:
    """Where orders to an agent begin, as the number of line ends before them; None when there are none."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", without_hidden(text))
    folded = plain.lower()
    seen = held(folded)
    for trick in TRICKS if not TRICK_HINTS.isdisjoint(seen) else ():
        match = trick.pattern.search(folded) if trick.may_stand_beside(seen) else None
        if match:
            return _line_ends_before(match)
    mark = ROLE_MARK.search(without_code(folded)) if not ROLE_HINTS.isdisjoint(seen) else None
    return _line_ends_before(mark) if mark else None


def has_injection(text: str) -> bool:
    """Whether the text reads like orders to an agent."""
    return find_injection(text) is not None


def _line_ends_before(match: re.Match[str]) -> int:
    """How many lines end before the first visible character of the match."""
    blank = len(match[0]) - len(match[0].lstrip())
    return match.string.count("\n", 0, match.start() + blank)
