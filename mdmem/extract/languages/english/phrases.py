"""How sentences begin, end and fill up; how people object, dismiss, ask, quote, decide and take back."""

from __future__ import annotations

from typing import Final

from mdmem.extract.languages.english.grammar import IMPERATIVES
from mdmem.extract.languages.language import part, pattern, words

OPENERS: Final = pattern(r"""
    ^(?:(?:no+|nope|nah|yes+|yep|yeah|yup|hm+|ooh+|oh|ah|uh|wait|hold on|oops|don'?t|do not|ok(?:ay)?|k
    |right|well|careful|sorry|alright|great|perfect|cool|nice|good|fine|splendid|very well|exactly|sure
    |thanks|thank you|hey|stop|wrong|really|huh|look|remember|note|btw|fyi|decided|agreed|settled|again
    |actually|all right|fair enough|seriously|come on|for (?:next time|the record|(?:future )?reference)
    |one (?:remark|thing|note|more thing)|reminder|decision|promise|(?:new )?(?:rule|scheme|policy)
    |here too|once again|almost there|i told you(?: (?!no|not|to|that)\w+){0,2}|as i said|i(?:'ve
    | have)? (?:already )?said|keep in mind|bear in mind|in (?:the )?future|going forward|from now on
    |from today(?: on)?|so you know|you(?:'re| are) (?:not correct|wrong|mistaken|incorrect)|(?:that
    |this)(?:'s| is) (?:wrong|not (?:right|correct|true|ok|okay)|incorrect)|leave it|let(?:'s| us) do it
    |let(?:'s| us) (?:settle|decide) (?:it|this|that))(?:\s*[,.;:!?…—–-]+\s*|\s+(?=that\b))
    |(?:for (?:next time|the record|(?:future )?reference)|from now on|from today(?: on)?|in future
    |going forward|fyi|as of \w+)\s+|(?:so|then|and|but|also|please|pls|plz|kindly|just|hm+|ooh+|oh|wait
    |ok|okay|well|yes+|actually|now)\s+(?!is\b|are\b|was\b|has\b|channel\b))+
""")

FILLERS: Final = pattern(r"""
    (?:,\s*)?\b(?:please|pls|plz|kindly|remember|again|thanks)\b(?=\s*(?:[,.;!]|$))|\b(?:please|pls|plz
    |kindly|totally)\b,? ?|\s[:;]-?[)(DP](?!\w)
""")

CLOSERS: Final = pattern(r"""
    (?:,?\s+(?:please|pls|thanks|thank you|ok\?|okay\?|instead|from now on(?:wards?)?|from today(?: on)?
    |then|now|too|again|right\?|going forward|in (?:the )?future|anymore|any more|any longer
    |next time))+$
""")

OBJECTIONS: Final = pattern(r"""
    ^(?:(?:hm+|ooh+|oh|uh|wait|ok|huh|alright|well|sorry|hey|careful)[,.!]? )*(?:no+[,.!;:—-]|no (?:i
    |that|it|this|don't|use|not|we|you)\b|nope\b|nah\b|wrong\b|not (?:like )?that\b|you(?:'re
    | are) (?:not correct|not right|wrong|mistaken|incorrect|missing)|(?:that|this)(?:'s| is)? (?:wrong
    |not (?:what|right|how|correct|it\b|ok)|incorrect|overkill)|please (?:stop|don't)|stop \w+ing
    |i (?:told|asked|said)\b|i(?:'ve| have) (?:told|asked|said)|you (?:forgot|missed|broke|ignored
    |should(?:n't| not| have)|did(?:n't| not)|always|keep)|(?:way )?too (?:long|short|much|many|verbose
    |complex|slow|big|complicated|fancy|wordy)\b|almost\b|not quite\b|undo (?:that|this|it)
    |revert (?:that|this|it)|careful\b|actually\b|shorter\b
    |longer\b|why (?:did|would|are|do) you\b|that is not\b)
""")

DOUBTS: Final = words(r"""
    instead of | i(?:'d| would) like (?:us to|to see) | rather than | should(?:n't| not) (?:have|be)
    not what i | i meant | that they (?:don't|do not|aren't) | wasn't what | why (?:did|would) you
    did you (?:do|run|forget|check) | ^(?:don't|do not) (?!worry|bother|we\b|you\b)\w+
""")

DISMISSALS: Final = pattern(r"""
    ^(?:(?:stop|ok(?:ay)?|no|hm+|wait|that's (?:fine|ok(?:ay)?)|fine|no worries|never ?mind
    |all right)[,.! ]+)*(?:i(?:'ll| will|'ve| have|'d rather| can)? (?:\w+ )?(?:take|takes|do|did|handle
    |finish|continue|manage|fix|got|have|think|look)\b.{0,40}\b(?:from (?:here|there)|myself|on my own
    |over|about it|the rest|later|the number|it)\b|never ?mind|don't (?:bother|worry)|forget (?:it
    |about it)|leave it(?:,? wrong \w+)?[.!]?$|later then|no worries)
""")

QUESTIONS: Final = pattern(
    r"""
    ^(?:(?:but|and|so|ok|hm+|wait|oh)[, ]+)?(?:(?:what|why|how|who)\b|(?:when|where
    |which)(?: \w+)? (?:is|are|was|were|do|does|did|can|should|would|will|has|have)\b|(?:is|are|was|were
    |do(?! not)|does|did|can|could|would|will|should|has|have|shall|am|isn't|aren't|couldn't|can't
    |don't we|didn't)\b).*$|.*\?\s*$
""",
    whole=True,
)

REQUESTS: Final = pattern(r"""
    (?:would|could|can|will) you (?:please )?(?:always|never|stop)\b|\b(?:could|can
    |shall) we (?:please )?(?:agree|settle|always|never)\b|(?:can|could|would) you (?:please )?(?:review
    |check|verify|ensure|make sure).* that they (?:don't|do not|aren't|are|have|use|only|never)\b
""")

ORDERS: Final = pattern(rf"^(?:{IMPERATIVES})\b")

NEGATIVES: Final = pattern(r"^(?:no|not|never|don'?t|do not)\b")

DEICTICS: Final = pattern(r"^(?:it|this|that|they|those|these)\b")

POLITE: Final = pattern(r"^(?:would|could|can|will) you (?:please |kindly )?(?!.*\bor\b)(?=\w+ ).*")

FRAGMENTS: Final = pattern(r"""
    ^(?:(?:all|never|only|every|each|both|for|and|or|nothing|until|unless)\b[^,;:]{0,60}$
    |all \w+ \w+, |no longer\b.{0,60}$
    |(?:decided|agreed|settled)\b.{0,40}$|(?:always|never) (?:\d|at|on|in|from|the|a)\b)
""")

STRANGERS: Final = words(r"""
    e?-?mails? | reviews? | reviewers? | comments? | scan(?:ner)? | colleagues? | log(?:s)? | output
    message | feedback | ticket | issue | report | wrote | writes | says | said | told | article | blog
    docs? | readme | changelog | slack | customer | quote | pasted? | the following | response | answer
    suggest(?:s|ed|ions?)? | got this | scenario | linter | bot | from (?:the|a|my) \w+
""")

PASTED: Final = pattern(
    r"""
    \bconsider \w+ing\b|^\W*nits?:|\bLGTM\b|\bsuggested change\b|^dear \w+|\bregards\b
    |\bTraceback \(most recent|^this:[ ]
""",
    lines=True,
)

PERSONS: Final = words(r"""
    i | i'[a-z]+ | we | we'[a-z]+ | you | our | my | me | us | let's | please | pls
""")

RULES: Final = r"rule|policy|pin|workaround|restriction|convention|ban|exception|limit|requirement|freeze"
ENDED: Final = r"void|gone|over|dropped|lifted|obsolete|history|removed|cancell?ed|withdrawn|applies"
REVOCATIONS: Final = words(rf"""
    (?:{RULES}) (?:is|are|was|has been|no longer)(?: now)? (?:{ENDED})
    (?:you can |please )?forget (?:about )?(?:that|the|this|about|my)\b
    no longer (?:applies|needed|necessary|true|required|valid|holds)
    need(?:s)? (?:nobody|no one|no)\b.*(?:any ?more|any longer)
    (?:is|are) not (?:needed|necessary|required) any ?(?:more|longer)
    don't (?:need|have) to .* any ?more | (?:is|are) void | you (?:can|may) .*\bagain
    (?:is|are|it's) (?:over|fixed)(?=,)
    (?:is|are) (?:gone|removed|deleted|dropped)[,;] .*don't \w+ (?:it|them) | scrap that rule
    ignore that rule | no more (?-i:[A-Z_]{{4,}})
""")

NEXT: Final = r"(?:message|reply|answer|response|question|commit|run)"
PIECE: Final = r"(?:branch|file|test|function|class|case|step|module)"
OCCASION: Final = part(r"""
    message|reply|answer|response|question|request|prompt|turn|session|conversation|chat|run|task|ticket|pr|pull request
    |change|commit|demo|trial|moment|meeting|sprint
""")
ONCE: Final = pattern(rf"""
    ^today,|(?<!\w)(?:this once(?: only)?|this one time|(?:just|only) this time|this time (?:only|around)
    |for (?:the )?(?:now|moment|time being|next {NEXT})(?: only)?
    |(?:for|in|with|on) (?:this|the current|the rest of (?:this|the|our|today'?s?)) (?:one |single )?(?:{OCCASION})
    |(?:just|only) (?:for|in|on) this(?: one)?(?: {PIECE})?(?=[,.;:!]|$)|(?:for|in|on) this {PIECE} only
    |as an exception|as a one-?off|temporarily|(?:just|only|for) today|today only
    |until (?:i(?:'m| am)|we(?:'re| are)) (?:back|done|finished|through)|until (?:tomorrow|tonight))(?!\w)
""")
"""What is said to hold but once, or for a while that ends by itself."""

WITHDRAWALS: Final = pattern(r"""
    (?:^|[.!?…;,—–-]+\s*)(?:(?:no+|nope|oh|ah|hm+|wait|hold on|actually|sorry|ok(?:ay)?|and|but|well
    |on second thoughts?|my (?:bad|mistake)|wrong (?:project|repo|window|chat|thread))[,.!…]*\s+)*
    (?:(?:forget|scratch|strike|disregard|cancel|belay) (?:that|it|this|what i(?:'ve)? (?:just )?said
    |i (?:said|asked) (?:that|it|this|anything)|my last (?:message|one))|(?:no|wait|actually|sorry|nope)[,.!]*
    (?:\s+no[,.!]*)? (?:ignore|leave|skip|drop) (?:that|it)
    |ignore (?:that|what i said|my last (?:message|one))(?=[.!]*$)
    |(?:i(?:'ll)? )?take (?:that|it) back|never ?mind|nvm
    |on second thoughts?,? (?:no|leave|keep|don'?t|forget|let'?s not|maybe not)\b[^.!?]*
    |(?:no,? wait|wait,? no|wait,? wait)[,.!]*(?:\s+(?:keep|stay|leave|stick)\b[^.!?]*)?)(?=\s*(?:$|[.,;!?…—–-]))
""")
"""What takes back all that was said before it in the same breath."""

AS_BEFORE: Final = words(
    "again | as (?:before|always|usual|with|last) | once more | same (?:as|thing|problem|cause) | like (?:before|last)"
)
"""That something is as it was another time."""

STANDING: Final = pattern(r"""
    (?:^|[.!?\n]\s*|[,;:]\s+)(?:please |pls )?(?:always|never|remember|from (?:now|today) on|from today
    |going forward|in (?:the )?future|we (?:always|never|only|use|don't)|in this (?:project|repo)
    |as a rule|our (?:rule|convention|policy)|note that|keep in mind|for next time|i told you|fyi
    |let(?:'s| us) (?:settle|decide))\b
""")

CHOICES: Final = words(r"""
    let(?:'s| us) (?:keep|do|have)
    let(?:'s| us) (?:just )?(?:settle|decide|go with|go for|stick|stay|standardi[sz]e|agree|adopt|use)
    decided | decision | settled | agreed | we(?:'ll| will)? (?:go|stick|stay|move|switch)\b | promise
    that's how we | in favou?r of | from (?:now|today)(?: on)?
""")

REASONS: Final = pattern(r"""
    (?:^|,\s*|\s+)(?:because|since(?! (?:last|this|yesterday|\d))|so that|otherwise|or else|reason:
    |as (?:the|it|they)\b|or (?:they|it|we)\b)\s*
""")

KINDS: Final = (
    (
        words(r"""
        the \w+ tool | apply_patch | answer | reply | respond | explain | ask me | ask before
        sentences | i (?:prefer|like|want) | invent | guess | show me | i ask
    """),
        "feedback",
    ),
    (
        words(r"""
        (?:run|use|call) [`"]?(?:make|npm|uv|pip|poetry|pytest|cargo|go|yarn|pnpm|docker|git) [\w:.-]+
        (?:run|use|call) [`"]?(?:just|tox|nox|mise|bun|npx) [\w:.-]+
    """),
        "command",
    ),
    (
        words(r"""
        ports? \d+ | listens? on | localhost | environment variable | env(?:ironment)? var | on this machine | flaky
        only works? (?:with|on|in) | [A-Z_]{4,}=
    """),
        "env_quirk",
    ),
)

RELATIVE_DAYS: Final = (
    (words(r"today | tonight | this (?:morning|afternoon|evening) | right now"), 0),
    (words(r"yesterday | last night"), -1),
    (words(r"tomorrow"), 1),
)

CHANGES: Final = words(r"""
        from (?:now|today|here|this week|next week)(?: on(?:wards?)?)? | no longer | any ?more | any longer
        now | new (?:scheme|rule|policy|way)
        (?:have|has|had|been) (?:moved|switched|changed|agreed|decided|replaced)
        we (?:move|moved|switch|switched|stopped|changed) | (?:moved|switched|migrated) (?:from|to|away)
        as of | going forward | in (?:the )?future | the old (?:way|one)s? | instead of the old | replaces?
        replaced | done with | then we | stopped (?:that|using|doing)
    """)

THING: Final = r"(?:the |our |all |its )?(?:old )?([\w.#/@-]+(?: [\w.#/@-]+)?(?: and [\w ]+?)?)"
ENDINGS: Final = pattern(rf"""
    \b(?:done with|no more|no longer (?:use|using|need)|stopped using|moved? (?:away )?from|switch(?:ed)? from
    |migrated from|goodbye to|replaces?|get rid of) {THING}
    |\b{THING} (?:is|are) (?:now )?(?:out|gone|dead|retired|archived|deprecated|history|obsolete|over|dropped|void
    |read-only|no longer)\b|\bold ([\w.-]+)|\bno ([\w .-]+?) any ?more
""")

FUNCTION_WORDS: Final = frozenset(
    """
    the a an and or but not to of in on at for with from by is are was were be been it this that these those we you i
    they he she my our your do does did don' doesn' it' that' let' we' i' can could should would will must may have has
    had if when then than as so no yes please always never only use every all any just now here there what which who
    how why because before after into out up more some them its
    """.split()  # noqa: SIM905 (a page of words)
)
