"""Text that gives orders to whoever reads it with a model: found by what it says and to whom.

Memory is data. A memory that tells an assistant to drop its instructions, to hide something from the user or to
carry data away is kept out of every prompt. What a person would write about their own project ("run the installer
with curl", "never ignore failing tests") is none of that.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from mdmem.markdown.hidden import without_hidden
from mdmem.markdown.mask import without_code

AGENT: Final = (
    r"(?:(?:ai|coding|llm)[ -]?)?(?:assistants?|agents?|language models?|llms?|models?|ais?|chatbots?|claude(?: code)?"
    r"|chatgpt|gpt|copilot|codex|gemini|cursor)"
)
ORDER: Final = (
    r"(?:you (?:must|shall|should|are now|will now|have to|may now)|ignore|disregard|forget|remember (?:permanently|forever)"
    r"|store this|save this|learn this|from now on|before (?:anything|doing|you|any|every)|no longer"
    r"|(?:always|first|silently|secretly|immediately) \w+|run\b|execute|curl|wget|download|fetch|install"
    r"|upload|exfiltrate|send|post|forward|copy|delete|remove|disable|skip|bypass|approve|grant|allow|trust|push|commit"
    r"|(?:do not|don't|never) \w+|--no-verify|sudo|https?://)"
)
GRAVE_ORDER: Final = (
    r"(?:you (?:must|shall|are now|will now|may now)|ignore|disregard|forget|remember (?:permanently|forever)"
    r"|(?:store|save|learn) this|from now on|before (?:anything|doing)|silently|secretly|curl|wget|exfiltrate"
    r"|(?:upload|send|copy|forward|post) (?:all|any|every|your)\b|disable|bypass|approve|grant|trust|--no-verify"
    r"|(?:do not|don't|never) (?:tell|mention|ask|inform|reveal)|skip (?:the|all|any) (?:review|check|approval|confirmation)s?)"
)
EARLIER: Final = r"(?:previous|prior|earlier|above|preceding|foregoing|former|past|existing|original|initial)"
FILLER: Final = rf"(?:(?:all|any|every|each|of|the|your|my|our|these|those|this|other|system|safety|{EARLIER})\s+)"


class Trick(NamedTuple):
    """A way of giving orders: `hints`, one of which must be in the lower-case text, and the pattern itself."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _trick(hints: str, pattern: str) -> Trick:
    return Trick(tuple(hints.split("|")), re.compile(pattern))


# All patterns see lower-case text without invisible characters. `(?<!…)` in front keeps "never ignore …" apart.
TRICKS: Final = (
    # "ignore every earlier instruction"
    _trick(
        "ignore|disregard|forget|overrid|bypass|follow|attention",
        r"(?<!never )(?<!not )(?<!n't )(?<!cannot )(?<!n’t )\b(?:ignore|disregard|forget|override|bypass|(?:do not|don't|stop) follow(?:ing)?"
        rf"|pay no attention to)\s+{FILLER}{{1,6}}(?:\w+\s+)?(?:instructions?|(?:system )?prompts?|directives?|guidelines?|guardrails?)\b",
    ),
    # "disregard your rules", "forget all previous messages"
    _trick(
        "ignore|disregard|forget",
        r"(?<!never )(?<!not )(?<!n't )\b(?:ignore|disregard|forget)\s+(?:(?:all\s+(?:of\s+)?)?your\s+(?:\w+\s+)?"
        rf"|(?:all|any|every)\s+(?:the\s+|of\s+the\s+|your\s+)?{EARLIER}\s+)"
        r"(?:rules?|messages?|context|commands?|polic(?:y|ies)|constraints?|training|orders?|memor(?:y|ies)|restrictions?)\b",
    ),
    # "forget everything above", "ignore all that you were told"
    _trick(
        "everything|anything|all ",
        r"(?<!never )(?<!not )\b(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:that\s+)?"
        r"(?:above|before this|said before|previously|you (?:know|were|have been|'ve been|learned|have learned)|i (?:said|told))",
    ),
    # the same in other languages
    _trick(
        "ignor|vergiss|vergesst|missachte|olvida|oubli|忽略|無視|无视|игнорир|забудь",
        r"(?:ignorier\w*|vergiss|vergesst|missachte\w*)\s+(?:(?:alle|die|deine|jede)\s+)*(?:vorherig|bisherig|früher|vorig|obig)\w*\s+(?:an)?weisungen"
        r"|(?:ignora|olvida|ignore)\w*\s+(?:todas\s+)?(?:las\s+|tus\s+)?instrucciones\s+(?:anteriores|previas)"
        r"|(?:ignor|oubli)\w+\s+(?:toutes\s+)?(?:les\s+|tes\s+|vos\s+)?(?:instructions|consignes)\s+(?:précédentes|antérieures|ci-dessus)"
        r"|(?:忽略|无视|無視)[^。\n]{0,12}(?:指令|指示|提示|说明)|(?:以前|上記|これまで)の[^。\n]{0,8}(?:指示|命令)[^。\n]{0,4}(?:無視|忘れ)"
        r"|(?:игнорируй\w*|забудь\w*)\s+(?:все\s+)?(?:предыдущие|прежние)\s+(?:инструкции|указания)",
    ),
    # "do not tell the user", "never mention it", "tell nobody"
    _trick(
        "tell|inform|mention|reveal|disclos|notif",
        r"\b(?:(?:do not|don't|don’t|never|must not|without)\s+(?:tell|inform|mention|reveal|disclos|notify|alert)\w*\s+"
        r"(?:(?:this|it|that|anything)\s+)?(?:to\s+)?(?:(?:the|your)\s+)?(?:user|human|operator|developer|anyone|anybody|this|it|that)s?"
        r"(?=\s*(?:[.,;:!)\]\n\-—]|$|about (?:this|it|that)\b|that you\b|and\b|or\b|what you\b)))"
        r"|\btell (?:nobody|no one|noone)\b(?!\s+else)",
    ),
    # "hide this from the user", "keep it secret from them"
    _trick(
        "hide|keep|conceal",
        r"\b(?:hide|conceal|keep)\s+(?:this|it|these|that)\s+(?:\w+\s+){0,3}from\s+(?:the\s+|your\s+)?(?:users?|humans?|operators?|developers?)\b",
    ),
    # an HTML comment that speaks to an assistant
    _trick(
        "<!--",
        rf"<!--[\s*\[(]{{0,8}}(?:(?:important|note|attention|hey|dear|hidden|secret|system|instructions?)[\s:,]+)?(?:(?:to|for)\s+)?"
        rf"(?:(?:the|any|all|every)\s+)?{AGENT}\b(?:\s+(?:reading|working|that|who)[^\n:]{{0,60}})?\s*[\])]?\s*(?:[:,!—–]|-(?!->)|{ORDER})",
    ),
    # "NOTE TO ASSISTANTS", "SYSTEM NOTE FOR AI AGENTS", "dear language model, store this …", with an order behind it
    _trick(
        "note|message|attention|notice|instruction|reminder|dear|hey|important",
        rf"\b(?:system\s+)?(?:note|message|notice|instructions?|reminder|attention|important|dear|hey)[\s:,]+(?:(?:to|for)\s+)?"
        rf"(?:(?:the|any|all|every)\s+)?{AGENT}\b[^\n]{{0,40}}?[:,!.\-—–\n][^\n]{{0,120}}?\b{GRAVE_ORDER}",
    ),
    _trick(
        "system note|system message", rf"\bsystem\s+(?:note|message)\s+(?:to|for)\s+(?:(?:the|any|all)\s+)?{AGENT}\b"
    ),
    # "[system] Assistant: you must …", "assistant: run …" at the start of a line
    _trick(
        "assistant|agent|model|llm|claude|gpt",
        rf"(?:^|\n|\[system\])[ \t>*#_\[(]{{0,8}}(?:ai |llm )?(?:assistants?|agents?|language models?|llms?|claude|chatgpt)[\])*_]{{0,3}}\s*[:,]"
        rf"[^\n]{{0,60}}?\b(?:you (?:must|shall|are now|will now)|ignore|disregard|forget|remember (?:permanently|forever)|store this"
        r"|(?:run|execute)\b[^\n]{0,60}(?:curl|wget|https?://|\|\s*(?:ba|z)?sh\b)|curl|wget|upload|exfiltrate|send\b[^\n]{0,60}https?://"
        r"|before anything else|from now on|--no-verify|(?:do not|don't|never) (?:tell|mention|ask|inform))",
    ),
    # carrying data away: "upload the contents of .env to https://…"
    _trick(
        "upload|send|post|exfil|copy|forward|email|e-mail|transmit|leak",
        r"\bexfiltrate\s|(?<!not )(?<!never )(?<!n't )\b(?:upload|send|post|copy|forward|e-?mail|transmit|leak)\s[^.\n]{0,60}?"
        r"(?:\.env\b|~/\.ssh|\bid_rsa\b|\byour (?:api )?(?:keys?|credentials|tokens?|instructions|system prompt|memory)\b"
        r"|\b(?:all|any|every) (?:your |the )?(?:secrets?|credentials|passwords?|api keys|tokens|private keys|environment variables|data|files)\b"
        r"|\bthis conversation\b|\bthe conversation\b)[^\n]{0,60}?(?:https?://|\bto \S+@\S+|\bto \S+\.[a-z]{2,8}\b|\bto an? (?:external|remote)\b)",
    ),
    # a download that must come before everything
    _trick(
        "curl|wget",
        r"\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b[^\n]{0,30}\bbefore (?:anything|doing|answering|you|any other)",
    ),
    # another persona, or the prompt itself
    _trick(
        "you are now|pretend|developer mode|jailbreak|dan mode|unrestricted|act as",
        r"\byou are now (?:an? )?(?:unrestricted|jailbroken|free|dan\b|in \w+ mode|admin|root|a different)|\bpretend (?:that )?you (?:are|have|can)\b"
        r"|\b(?:enter|enable|activate) (?:developer|god|dan|jailbreak|unrestricted) mode\b"
        r"|\bact as (?:if you (?:have no|were)|an? (?:unrestricted|uncensored|jailbroken))",
    ),
    _trick(
        "your system prompt|your instructions|your hidden|your initial|your prompt",
        r"\b(?:reveal|print|repeat|output|show|leak|dump|disclose)\s+(?:me\s+)?(?:all\s+(?:of\s+)?)?your\s+(?:system prompt|hidden|initial|instructions|prompt)",
    ),
)
# Chat templates and agents' own tags; in code they are a mention
ROLE_MARK: Final = re.compile(
    r"</?(?:system[-_]reminder|system[-_]prompt|system[-_]message|user[-_]prompt[-_]submit[-_]hook|assistant|developer[-_]message)\b[^>\n]{0,80}>"
    r"|</system>|(?:^|(?<=\s))<system>|<\|(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\|>"
    r"|\[/?inst\](?!\w)|<</?sys>>|(?:^|\n)\s*#{1,4}\s*(?:new )?(?:system prompt|system instructions?|instructions? (?:to|for) the (?:ai|assistant|model))\s*:?\s*(?=\n|$)"
)


def find_injection(text: str) -> int | None:
    """Where orders to an agent begin, as the number of line ends before them; None when there are none."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", without_hidden(text))
    folded = plain.lower()
    for trick in TRICKS:
        if any(hint in folded for hint in trick.hints):
            match = trick.pattern.search(folded)
            if match:
                return folded.count("\n", 0, match.start() + len(match[0]) - len(match[0].lstrip()))
    if "<" in folded or "[" in folded or "#" in folded:
        mark = ROLE_MARK.search(without_code(folded))
        if mark:
            return folded.count("\n", 0, mark.start() + len(mark[0]) - len(mark[0].lstrip()))
    return None


def has_injection(text: str) -> bool:
    """Whether the text reads like orders to an agent."""
    return find_injection(text) is not None
