"""From ways of speaking to the positive imperative of a title, applied in this order."""

from __future__ import annotations

from typing import Final

from mdmem.extract.languages.english.grammar import IMPERATIVES
from mdmem.extract.languages.language import Rewrite, pattern

BANNED: Final = r"(?:never|don'?t|do not)"
ALONE: Final = rf"(?!.*[,;.:—] ?(?:but |please |just )?(?:{IMPERATIVES}|that's|only)\b)"
"""Nothing that follows says what to do instead: only then a ban is put as what to avoid."""
DOUBLED: Final = "pu|ru|se|ge|cu|spli|commi|submi|ski|dro|shi|pi|wra|lo|ta|swa|tri|sto"
"""Verbs without their last letter, which -ing doubles."""

REWRITES: Final = (
    Rewrite(
        pattern(r"""
        ^(?:don'?t|do not|never|stop) us(?:e|ing) (?P<bad>[^,;.]+?)(?: for (?:that|this
        |it))?[,;.]+ (?:but )?(?:please )?(?:always )?use (?P<good>[^,;.]+?)(?: instead)?(?P<rest>[,;.].*)?$
    """),
        r"Use \g<good> instead of \g<bad>\g<rest>",
    ),
    Rewrite(
        pattern(r"""
        ^use (?P<good>[^,;.]+?)[,;.]+ (?:don'?t|do not|never) use (?P<bad>[^,;.]+)
    """),
        r"Use \g<good> instead of \g<bad>",
    ),
    Rewrite(
        pattern(r"""
        ^(?:for|in|on) (?P<where>(?:every|each|all) [^,]+?),? i(?:'d| would) (?:like|want
        |prefer)(?: us)? to (?:see|have|use) (?P<what>.+)$
    """),
        r"Use \g<what> in \g<where>",
    ),
    Rewrite(pattern(r"^i(?:'d| would)? (?:like|want|prefer|expect)(?: us)? to (?:see|have) "), r"Use "),
    Rewrite(pattern(r"^i(?:'d| would)? (?:like|want|prefer)(?: us| you)? to "), r""),
    Rewrite(
        pattern(r"""
        ^i(?:'d| would)? (?:prefer|like|want|rather)(?: that| if| it if)? you(?: would)?[ ]
    """),
        r"",
    ),
    Rewrite(pattern(r"^i(?:'d| would) rather (?:have|see) "), r"Prefer "),
    Rewrite(pattern(r"^i(?:'d| would)? (?:prefer|like|want) "), r"Prefer "),
    Rewrite(pattern(r"^we(?:'ve| have)? (?:decided|agreed|settled) (?:on|for) "), r"Use "),
    Rewrite(pattern(r"^we(?:'ve| have)? (?:decided|agreed) to "), r""),
    Rewrite(pattern(r"^(?:would|could|can|will) you (?:please )?(?:always )(?P<what>.+)$"), r"Always \g<what>"),
    Rewrite(
        pattern(r"""
        ^(?:would|could|can|will) you (?:please )?(?P<what>(?:never|stop) .+)$
    """),
        r"\g<what>",
    ),
    Rewrite(
        pattern(r"""
        ^(?:(?:would|could|can|will) you )?(?:please )?(?:review|check|verify|ensure
        |make sure)(?: that)? (?:the |all |our )?(?:added |new |changed )?(?P<noun>\w+s) (?:so )?that they (?P<what>.+)$
    """),
        r"Write \g<noun> that \g<what>",
    ),
    Rewrite(
        pattern(r"""
        ^let(?:'s| us) (?:decide (?:for|on)|go (?:with|for)|settle on|stick (?:with|to)
        |standardi[sz]e on|adopt|use)[ ]
    """),
        r"Use ",
    ),
    Rewrite(pattern(r"^(?:would|could|can|will) you (?:please |kindly )?(?!\w+s they)"), r""),
    Rewrite(
        pattern(r"""
        ^(?:could|can|shall) we (?:please )?(?:agree|settle)(?: on)?(?: that)?[ ]
    """),
        r"",
    ),
    Rewrite(
        pattern(r"""
        ^that(?:'s| is) (?:exactly |just )?how (?:i|we) (?:want|like|do)(?: the)? (?P<x>[^,:]+):[ ]
    """),
        r"\g<x>: ",
    ),
    Rewrite(pattern(rf"^always (?=(?:{IMPERATIVES})\b)"), r""),
    Rewrite(pattern(r"^let(?:'s| us) "), r""),
    Rewrite(pattern(r"^do (?:that|this|it) (?:with|through|via) "), r"Use "),
    Rewrite(pattern(r"^we(?:'ll| will)? (?:always )?(?:go|stick|stay) (?:with|to|on) "), r"Stay on "),
    Rewrite(pattern(r"^we(?:'ll| will)? (?:go for|go with|use) "), r"Use "),
    Rewrite(
        pattern(r"""
        ^we (?:are going to |will |now |'ll )?(?:move|switch|moved|switched) to[ ]
    """),
        r"Use ",
    ),
    Rewrite(pattern(r"^(?:not|no) more than "), r"At most "),
    Rewrite(pattern(r"^(?:don'?t|do not|never) (?P<verb>\w+) more than (?P<rest>.+)$"), r"\g<verb> at most \g<rest>"),
    Rewrite(
        pattern(r"""
        ^(?:don'?t|do not|never) (?P<what>(?!skip\b|forget\b).+?) (?:without|unless|before|until) (?P<rest>.+)$
    """),
        r"\g<what> only once \g<rest>",
    ),
    Rewrite(
        pattern(r"""
        ^(?P<what>(?!use\b)\w+[^,]*), (?:this|it|that)(?:'s| is) (?:now|already
        |getting) (?P<state>[^,.;]+).*$
    """),
        r"\g<what> once it is \g<state>",
    ),
    Rewrite(
        pattern(r"""
        ^"(?P<said>[^"]{12,})".*$
    """),
        r"\g<said>",
    ),
    Rewrite(pattern(r"^(?:in addition to|besides|apart from|according to|as per) [^,]+, "), r""),
    Rewrite(pattern(r"^you (?:should|must|have to|need to) "), r""),
    Rewrite(pattern(r"^you (?:can|may) "), r""),
    Rewrite(pattern(r" ?(?:->|=>|→)? ?https?://\S+"), r""),
    Rewrite(pattern(r" ?\((?:don'?t|do not|stop|pls|please|sorry|lol|again)[^)]*\)"), r""),
    Rewrite(pattern(rf"^{BANNED} use {ALONE}(?P<what>.+)$"), r"Avoid \g<what>"),
    Rewrite(
        pattern(rf"^{BANNED} (?:touch|edit|change|modify) {ALONE}(?P<what>[^,;.]+)(?P<rest>.*)$"),
        r"Leave \g<what> alone\g<rest>",
    ),
    Rewrite(
        pattern(rf"^{BANNED} (?P<verb>{DOUBLED})(?P<last>[tnpgm])\b{ALONE}(?P<what>.+)$"),
        r"Avoid \g<verb>\g<last>\g<last>ing\g<what>",
    ),
    Rewrite(
        pattern(rf"^{BANNED} (?P<verb>(?!be\b|see\b)\w+[b-df-hj-np-tv-z])e\b{ALONE}(?P<what>.+)$"),
        r"Avoid \g<verb>ing\g<what>",
    ),
    Rewrite(pattern(rf"^{BANNED} (?P<verb>{IMPERATIVES})\b{ALONE}(?P<what>.+)$"), r"Avoid \g<verb>ing\g<what>"),
)
