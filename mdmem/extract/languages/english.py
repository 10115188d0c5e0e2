"""English: the table that all others are modelled on."""

from __future__ import annotations

import re
from typing import Final

from mdmem.extract.languages.language import Cue, Language, Rewrite, words

NUMBER: Final = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|sixty)"
STATES: Final = (
    r"is|are|isn't|aren't|use|uses|go|goes|start|starts|stay|stays|get|gets|live|lives|run|runs|need|needs|have|has"
    r"|take|takes|come|comes|belong|belongs|listen|listens|read|reads|log|logs|return|returns|become|becomes"
    r"|require|requires|write|writes|begin|begins|end|ends|keep|keeps|carry|carries|follow|follows|work|works"
    r"|count|counts|point|points|expect|expects|accept|accepts|send|sends|store|stores|build|builds|receive|receives"
    r"|include|includes|support|supports|mean|means|hate|hates|cover|covers|own|owns|serve|serves|handle|handles|match|matches"
    r"|cost|costs|depend|depends|lasts|die|dies|fail|fails|break|breaks|stand|stands|wait|waits|pay|pays|show|shows|ask|asks"
    r"|connect|connects|expire|expires|remain|remains|contain|contains|hold|holds|talk|talks|alert|alerts|never|always"
    r"|must|may|can't|cannot|can only|shouldn't|don't|doesn't|do not|does not"
)
SUBJECT: Final = (
    r"(?!(?:it|this|that|these|those|he|she|they|i|you|we|there|here|which|what|who|why|how|when|where|does|do|did"
    r"|is|are|can|could|would|will|should|has|have|not|if|let|let's|so|but|and|some|nobody|somebody|someone|don't|yeah|now|nice|both|(?:two|three|some|many|most|one|all) of)\b)"
)
MODALS: Final = r"(?:should|would|could|can|will|to|not|that|if|which|who)\b"
IMPERATIVES: Final = (
    r"use|add|put|keep|make|run|write|do|let|try|show|give|call|name|start|stop|set|move|read|check|test|skip|leave"
    r"|remove|delete|drop|avoid|prefer|commit|push|pull|merge|rebase|squash|split|break|extract|return|log|answer"
    r"|reply|respond|explain|ask|wait|follow|stick|go|wrap|format|document|mention|include|exclude|ignore|pin|install"
    r"|build|deploy|open|close|create|store|save|send|fix|replace|rename|revert|undo|look|focus|list|mark|treat|pass"
    r"|partition|sort|group|bump|update|upgrade|mock|cover|assert|validate|import|export|load|fetch|cache|restart"
    r"|limit|cap|round|convert|escape|quote|sign|tag|draft|describe|summarise|summarize|cite|link|verify|confirm"
    r"|plot|draw|print|compute|count|compare|translate|scan|search|find|get|calculate|measure|rewrite|shorten|repeat|finish"
    r"|publish|release|rerun|regenerate|reset|restore|upload|download|mail|email|tell|pick|choose|implement|refactor|simplify"
    r"|turn|change|switch|swap|join|migrate|enable|disable|clean|kill|bring|think|consider|reduce|increase|raise|lower|hide"
    r"|align|trim|cut|copy|paste|schedule|backfill|query|select|focus|never|always|only"
)

CUES: Final = (
    Cue(
        "standing",
        3,
        words(
            r"always",
            r"never(?! mind)",
            r"from (?:now|today|here) on(?:wards?)?",
            r"from today",
            r"going forward",
            r"in (?:the )?future",
            r"every (?:single )?time",
            r"each time",
            r"as a rule",
            r"by (?:default|convention)",
            r"no longer",
            r"any ?more",
            r"any longer",
            r"whenever",
            r"everywhere",
            r"anywhere(?: else)?",
            r"(?:for )?next time",
            r"without exception",
            r"(?:that|this)(?:'s| is) (?:exactly |just )?how (?:we|this|it|i)",
            r"under no circumstances?",
            r"at all times",
            r"our (?:rule|convention|policy|standard)s?",
            r"in all cases",
            r"(?:new )?rule:",
            r"only (?:\w+ ){1,2}(?:can|may|should|approves?|decides?)",
            r"from (?:version|the next) ?[\d\w.]*",
            r"(?:house|project|team) (?:rule|convention)s?",
            r"(?:we|nobody|no one|one) (?:do not|don't|never|only)",
        ),
    ),
    Cue(
        "reminder",
        3,
        words(
            r"remember(?: that| this|,|:)",
            r"remember(?=[;.!]|$)",
            r"keep in mind",
            r"bear in mind",
            r"for the record",
            r"for (?:future )?reference",
            r"(?:please )?note that",
            r"i(?:'ve| have)? (?:already )?(?:told you|said)",
            r"as (?:i )?(?:said|mentioned|agreed)",
            r"how (?:many times|often)",
            r"fyi",
            r"so you know",
            r"once again",
            r"(?:don't|do not) forget",
        ),
    ),
    Cue(
        "decision",
        3,
        words(
            r"let(?:'s| us) (?:just )?(?:settle|decide|go (?:with|for)|stick (?:with|to)|stay (?:with|on)|standardi[sz]e)",
            r"let(?:'s| us) (?:just )?(?:agree|adopt|switch to|move to)",
            r"decided",
            r"(?<!before )(?<!if )(?<!until )i (?:choose|pick|vote for|(?:have|'ve) decided)",
            r"wins",
            r"(?:could|can|shall) we (?:please )?(?:agree|settle)",
            r"go (?:with|for)",
            r"^(?:[\w.-]+ ){1,4}it is",
            r"decision(?=:| )",
            r"settled",
            r"we(?:'ll| will)? (?:go|stick|stay|went|decided|settled|agreed|chose|move)(?: with| for| on| to)",
            r"agreed",
            r"we(?:'re| are) (?:going|sticking|staying|done) with",
            r"promise:",
            r"final(?:ly)? (?:answer|decision)",
            r"the (?:choice|verdict) is",
            r"we (?:pick|choose|take|keep) ",
        ),
    ),
    Cue("proposal", 2, words(r"let(?:'s| us) (?:just )?(?:use|keep|do|have)")),
    Cue("stay", 2, words(r"stick (?:to|with)", r"keep (?:to|using)", r"stay (?:on|with)")),
    Cue(
        "command",
        1,
        words(
            r"(?:run|use|call|with|via|through|by) [`\"]?(?:make|npm|uv|npx|pnpm|yarn|poetry|cargo|just|tox|python -m|\./)\S*"
        ),
    ),
    Cue("where", 1, words(r"(?:in|under|below|inside) [`\"]?[\w.*-]+/[\w./*-]*")),
    Cue(
        "recipe",
        1,
        re.compile(
            rf"^(?:when(?:ever)?|if|before|after|once|for) [^,]+, (?:please |always )?(?:{IMPERATIVES})\b",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "ellipsis",
        2,
        re.compile(
            rf"^(?!{IMPERATIVES}){SUBJECT}(?!(?:two|three|some|many) )(?:[\w-]+ ){{0,3}}[\w-]+(?<!s)s (?:in|with|without|as|per|by|under|before"
            rf"|after|from|only) (?!the\b|this\b|that\b|my\b|your\b)[^?]{{2,60}}$",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "obligation",
        2,
        words(
            r"must(?:n't| not)?",
            r"may (?:not|only|never)",
            r"ha(?:ve|s) to",
            r"needs? to be",
            r"(?:is|are) required",
            r"(?:is|are|was) forbidden",
            r"not allowed",
            r"allowed only",
            r"(?:is|are|be) only",
            r"exclusively",
            r"mandatory",
            r"only (?:if|when|from|via|through|with|after|in|for|on|by|as|be)",
            r"off limits",
            r"only ever",
            r"shouldn't",
            r"(?:should|can) only",
            r"should (?:never|always|not)",
            r"is up to",
            r"belongs? (?:in|to|under|on)",
            r"(?:is|are) (?:totally |perfectly |always )?(?:fine|ok|okay|allowed)",
            r"nobody (?:\w+s|may|should|can)",
            r"no one (?:\w+s|may|should|can)",
        ),
    ),
    Cue(
        "bound",
        3,
        words(
            rf"(?:at (?:most|least|the most)|max(?:imum)?|min(?:imum)?|(?:no|not) (?:more|less|fewer|longer|later|earlier|older"
            rf"|bigger|larger) than)(?: of)? {NUMBER}",
        ),
    ),
    Cue(
        "limit",
        2,
        words(
            r"at (?:most|least|the most|the latest)",
            r"(?:no|not) (?:more|less|fewer|longer|later|earlier|older) than",
            rf"up to {NUMBER}",
            rf"within {NUMBER}",
            rf"{NUMBER} (?:[a-z]+ )?for [a-z]+",
            r"one (?:[\w-]+ ){1,3}(?:per|each)",
            rf"{NUMBER} (?:\w+ )?(?:per|a|an) (?:\w+)",
            r"percent",
            r"(?:\w+ )?maximum",
            rf"(?:above|below|under|over) {NUMBER}",
            r"anything (?:above|below|more|else|over|under)",
            r"limit(?:ed)? (?:is|to)",
        ),
    ),
    Cue(
        "universal",
        2,
        words(
            r"(?:every|each) (?!time|single time|other (?:day|week))[a-z]\w*",
            r"all (?:the |our |other |new )?[a-z]\w*s",
            r"any(?:thing|one|body) (?:that|who|in|under|else)",
            r"any (?!ideas?|of|more|longer|chance|luck|reason)[a-z]\w+",
            r"both \w+ and \w+",
            r"alike",
            r"new and (?:old|touched|changed)",
            r"across the (?:board|repo)",
            r"throughout",
            r"project[- ]wide",
            r"for (?:all|both)",
            r"whatever",
            r"regardless",
            r"no matter",
        ),
    ),
    Cue(
        "contrast",
        2,
        re.compile(
            r"\binstead\b|\brather than\b|, (?:not|never) (?!sure|yet|only|really|quite|that|because)[\w\"'`./#-]+"
            r"|\band not (?:with|in|by|from|to|the|a)\b|\b(?:is|are) (?:out|gone|dead|archived|deprecated|retired|history)\b"
            r"|\bno more [\w-]+|\bin place of\b|\bas opposed to\b|\breplaces?\b|\bin favou?r of\b|\breplaced by\b"
            r"|\b(?:is|are) (?:not|no) (?:part|used|allowed|supported|welcome|an option|good enough|longer|needed)\b"
            r"|\bno \w+, (?:just|only)\b",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "change",
        1,
        words(
            r"now(?=[.,;:!]|$| :|-| instead)",
            r"(?:is|are|we|use|uses|go|goes) now",
            r"now (?:is|are|use|go|goes|uses)",
            r"new (?:scheme|rule|policy|way)",
            r"as of",
            r"since (?:last|this|mon|tues|wednes|thurs|fri|spring|summer|autumn"
            r"|fall|winter|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|version|v\d)\w*",
            r"then(?=[.!]|$)",
            r"ha(?:s|ve) (?:moved|changed|been \w+ed)",
            r"(?:we|then we) (?:move|switch|moved|switched) to",
            r"raise",
            r"renamed to",
            r"(?:moved|switched) to",
            r"new(?:ly)? \w+s (?:are|go|get|use|have)",
        ),
    ),
    Cue(
        "generic",
        2,
        re.compile(
            rf"(?:^|[,;:.!] ){SUBJECT}(?:the |our |all |any |new |old |a |an )?(?:(?!{MODALS})[\w\"'`./#<>*-]+ ){{1,5}}?(?:{STATES})"
            rf" +[\w`'\"#/.-]",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "kind",
        1,
        re.compile(
            rf"^(?!the |this |that |a |an |my |your |{IMPERATIVES}){SUBJECT}(?:[\w\"'`./#<>*-]+ ){{1,5}}?(?:{STATES}) +[\w`'\"#/.-]",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "value",
        1,
        re.compile(rf"\b(?:{STATES}) (?:[\w-]+ )?(?:at|on|to|in|after|from|for|by|with) [^ ]*\d", re.IGNORECASE),
    ),
    Cue(
        "state",
        -2,
        re.compile(
            r"^[^,;:]*(?:is|are|looks?|seems?) (?:now |still |all |too |a bit |very |so |again )*(?:red|green|failing|broken|empty|slow|missing"
            r"|wrong|off(?! limits)|down|stuck|big|small|done|back|gone|fixed|weird|ugly|nice|good|better|fine now|long|short|dark)\b",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "norm",
        2,
        re.compile(r"(?:^|[,;:.!] )(?!the |this |that |it |these |those )(?:\w+ ){0,3}\w+s should\b", re.IGNORECASE),
    ),
    Cue(
        "ours",
        2,
        words(
            r"we (?!are|were|had|can|could|should|would|will|might|just|did|want to|need to|have to|had|got|saw|now|go|went)[a-z]+"
            r"(?:-\w+)?",
            r"our (?!next|last|first)[\w-]+",
            r"around here",
            r"here too",
            r"on this (?:machine|project|team)",
            r"in (?:this|the) (?:project|repo|repository|codebase|team|code base)",
            r"(?:names?|files?|code|tests?|commits?|branches|style|way|tables?|people|things|rule) here",
            r"use \S+ here",
        ),
    ),
    Cue(
        "alike",
        2,
        words(
            r"(?:as|like) (?:with |in )?(?:the |all )*others?",
            r"same (?:as|way|for)",
            r"as (?:usual|everywhere|elsewhere)",
            r"like (?:everywhere|elsewhere|all|we (?:always )?do|the rest)",
            r"consistent(?:ly)? with",
            r"the way (?:\w+ )+(?:do|does|want|wants|like|likes)(?: it| them)?",
            r"(?:as|like) (?:we|everyone|everybody) (?:do|agreed)",
        ),
    ),
    Cue(
        "condition",
        2,
        words(
            r"(?:before|after) (?:any|every|each|you|\w+ing)",
            r"until",
            r"unless",
            r"as soon as",
            r"once (?:it|the|a|you)",
            r"when(?:ever)? you \w+",
            r"when(?:ever)? (?:it|a|an|the|we|they|one|\w+s?) (?:\w+ )?(?:fails?|change[sd]?|add|edit|write|touch|run|is|are)",
            r"if (?:it|you|a|an|the|we|they|one|\w+) (?:\w+ ){0,2}(?:fails?|changes?|adds?|edits?|writes?|touch|runs?|is|are|asked)",
            r"when in doubt",
            r"for (?:new|old|existing) \w+s?",
        ),
    ),
    Cue(
        "ban",
        2,
        re.compile(
            r"(?:^|[,;:.!] ?)(?:no|not) (?!one|way|need|idea|problem|worries|sure|yet|thanks|matter|that|so|really|bad|what|quite"
            r"|only|i|it|right|correct|true|fully|a |the )[\w-]+(?: [\w-]+)* (?:in|on|to|from|with|for|past|into|at|before|after"
            r"|until|than)\b|(?:^|[;:.!] ?)no (?!one|way|need|idea|problem|worries|thanks|matter|i|it|that)[\w-]+s[.!]?$",
            re.IGNORECASE,
        ),
    ),
    Cue("refusal", 1, words(r"don'?t", r"do not", r"avoid", r"stop \w+ing", r"please stop", r"without")),
    Cue(
        "habit",
        2,
        re.compile(
            rf"^(?:(?:don'?t|do not|please|pls|only) )*(?:{IMPERATIVES}) (?:the |all |our |new |your )?(?:[\w-]+ )?[\w-]+(?<!s)s "
            r"(?:in|with|to|as|on|from|by|before|after|at|under|into|via|through|when|if)\b"
            rf"|^(?:don'?t|do not) (?:{IMPERATIVES}|\w+) (?:[\w-]+ )?[\w-]+(?<!s)s[.!]?$"
            r"|\buse [\w.`'\"-]+(?: [\w.-]+){0,4} (?:for|when|in) (?!this|that|it|now|the\b)[\w-]+",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "conduct",
        3,
        re.compile(
            r"\b(?:short(?:er)?|brief|concise) (?:answers?|replies|summar\w+|explanations?)\b|\bask (?:me )?(?:first|before)\b"
            r"|\bno (?:emojis?|apolog\w+|small talk|explanations?|summar\w+|preambles?|praise)\b|\bat a time\b"
            r"|\b(?:don'?t|do not|stop|never|no) (?:guess|invent|assum|mak(?:e|ing) up|apologi[sz]|repeat|reformat)\w*"
            r"|\bi (?:like|love|hate) (?!this|that|it|the|these|those)[\w-]+|^you (?:keep|always|still keep) \w+ing\b|^(?:please |just |only |and )?(?:answer|reply|respond|explain|summari[sz]e|speak|write|talk|ask|comment|document|report) "
            r"(?:me |to me |us )?(?:(?:all|my|your|the|to|in|with|before|first)\b.*\b)?(?:questions?|answers?|replies|responses?"
            r"|sentences?|words|lines|english|german|french|plain|bullets?|first|briefly|short)",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "preference",
        1,
        words(
            r"i(?:'d| would)? (?:like|prefer|rather|want|expect|ask for|need)",
            r"prefer",
            r"(?:please|pls) (?:use|keep|put)",
        ),
    ),
    Cue(
        "reason",
        1,
        words(
            r"because",
            r"since (?!last|this|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
            r"so that",
            r"otherwise",
            r"or else",
            r"or (?:they|it|we|you|he|she)",
            r"(?:the )?reason:?",
            r"that'll",
            r"as (?:the|it|they)",
            r"(?:people|customers|users|they|analysts|ops|legal) (?:want|need|expect|read|said|says|asked)",
        ),
    ),
    Cue(
        "backing",
        2,
        re.compile(
            rf"[,.;] (?!{IMPERATIVES})(?:the |their |our |its )?{SUBJECT}(?:[\w-]+ ){{1,3}}(?:relies|rely|ignores?|expects?|checks?|reads?"
            r"|rejects?|refuses?|chokes?|drops?|blocks?|breaks?|times? out|complains?|can't|cannot|depends?|parses?|insists?|wants?"
            r"|forbids?|counts?|needs?(?! a)) (?!to\b)[\w-]+|\bthat's what (?!i\b|you\b|my\b|it\b)",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "want", 2, re.compile(r"^(?:it |this |that )?(?:needs?|wants?|takes?) (?:the|a|an) [\w-]+[,.;:]", re.IGNORECASE)
    ),
    Cue(
        "place",
        2,
        words(
            r"(?:lives?|belongs?|goes?|sits?|is|are) (?:kept |found |stored |written |read )?(?:in|under|at|from|to) "
            r"[`\"']?[\w#*.~<>$-]*[/.:#][\w./*<>#-]+",
            r"(?:listens?|runs?) on (?:port )?\d+",
        ),
    ),
    Cue("matter of", 1, re.compile(r"^(?!next\b|perfect\b|great\b|ok\b)[\w#./-]+(?: [\w#./-]+){0,3}: \S")),
    Cue("whole", 2, words(r"that (?:they|it) (?:don't|do not|doesn't|aren't|are not|never|only)")),
    Cue(
        "defect",
        2,
        re.compile(r", (?:this|it|that)(?:'s| is) (?:now |too |already |getting |all )+(?:too )?[a-z]+", re.IGNORECASE),
    ),
    Cue(
        "fact",
        3,
        re.compile(
            r"^you(?:'re| are) (?:not correct|not right|wrong|mistaken|incorrect)\b(?:\W+\w+){6}", re.IGNORECASE
        ),
    ),
    Cue("argument", -2, words(r"but", start=True)),
    Cue(
        "hedge",
        -4,
        words(
            r"maybe",
            r"perhaps",
            r"probably",
            r"i (?:think|guess|feel|wonder|believe|suppose|assume)",
            r"might",
            r"not sure",
            r"would (?:it|that|this|be|only|break|describe|have|mean|need)",
            r"could (?:we(?! agree| settle)|it)",
            r"what if",
            r"how about",
            r"i was (?:more )?wondering",
            r"i mean",
            r"any ideas?",
            r"if possible",
            r"as if",
            r"if we",
            r"still (?!\w+ not)",
        ),
    ),
    Cue(
        "once",
        -4,
        words(
            r"for now",
            r"this time",
            r"(?:just (?:this )?)?once(?! (?:it|the|a|you)\b)",
            r"temporar(?:y|ily)",
            r"(?:for )?today only",
            r"for (?:the|this) (?:trial|moment|run|once|demo|pr|commit|time)",
            r"only today",
            r"for today",
            r"quickly",
            r"in this (?:pr|commit|case|run|change|file)",
            r"one more time",
            r"in func(?:tion)?",
        ),
    ),
    Cue(
        "matter",
        -2,
        re.compile(
            r"^(?:please |pls |just |and |then |ok |hm+ ?)*(?:\w+ )(?:it|this|that|them|these|those|one)(?: \w+){0,3}[.!]?$",
            re.IGNORECASE,
        ),
    ),
    Cue("past", -1, re.compile(r"^(?:i|it|that|this|you) (?:\w+ed|was|were|did|had|got|liked)\b", re.IGNORECASE)),
)

OPENERS: Final = re.compile(
    r"^(?:(?:no+|nope|nah|yes+|yep|yeah|yup|hm+|ooh+|oh|ah|uh|wait|hold on|oops|don'?t|do not|ok(?:ay)?|k|right|well|careful|sorry|alright|great"
    r"|perfect|cool|nice|good|fine|splendid|very well|exactly|sure|thanks|thank you|hey|stop|wrong|really|huh|look"
    r"|remember|note|btw|fyi|decided|agreed|settled|again|actually|all right|fair enough|seriously|come on"
    r"|for (?:next time|the record|(?:future )?reference)|one (?:remark|thing|note|more thing)|reminder"
    r"|decision|promise|(?:new )?(?:rule|scheme|policy)|here too|once again|almost there|i told you(?: (?!no|not|to|that)\w+){0,2}|as i said"
    r"|i(?:'ve| have)? (?:already )?said|keep in mind|bear in mind|in (?:the )?future|going forward|from now on"
    r"|from today(?: on)?|so you know|you(?:'re| are) (?:not correct|wrong|mistaken|incorrect)"
    r"|(?:that|this)(?:'s| is) (?:wrong|not (?:right|correct|true|ok|okay)|incorrect)|leave it|let(?:'s| us) do it"
    r"|let(?:'s| us) (?:settle|decide) (?:it|this|that))"
    r"(?:\s*[,.;:!?…—–-]+\s*|\s+(?=that\b))"
    r"|(?:for (?:next time|the record|(?:future )?reference)|from now on|from today(?: on)?|in future|going forward|fyi|as of \w+)\s+"
    r"|(?:so|then|and|but|also|please|pls|plz|kindly|just|hm+|ooh+|oh|wait|ok|okay|well|yes+|actually|now)\s+"
    r"(?!is\b|are\b|was\b|has\b|channel\b))+",
    re.IGNORECASE,
)
FILLERS: Final = re.compile(
    r"(?:,\s*)?\b(?:please|pls|plz|kindly|remember|again|thanks)\b(?=\s*(?:[,.;!]|$))|\b(?:please|pls|plz|kindly|totally)\b,? ?"
    r"|\s[:;]-?[)(DP](?!\w)",
    re.IGNORECASE,
)
CLOSERS: Final = re.compile(
    r"(?:,?\s+(?:please|pls|thanks|thank you|ok\?|okay\?|instead|from now on(?:wards?)?|from today(?: on)?|then|now|too|again"
    r"|right\?|going forward|in (?:the )?future|anymore|any more|any longer|next time))+$",
    re.IGNORECASE,
)

REWRITES: Final = tuple(
    Rewrite(re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (
            r"^(?:don'?t|do not|never|stop) us(?:e|ing) (?P<bad>[^,;.]+?)(?: for (?:that|this|it))?[,;.]+ (?:but )?(?:please )?use "
            r"(?P<good>[^,;.]+?)(?: instead)?(?P<rest>[,;.].*)?$",
            r"Use \g<good> instead of \g<bad>\g<rest>",
        ),
        (
            r"^use (?P<good>[^,;.]+?)[,;.]+ (?:don'?t|do not|never) use (?P<bad>[^,;.]+)",
            r"Use \g<good> instead of \g<bad>",
        ),
        (
            r"^(?:for|in|on) (?P<where>(?:every|each|all) [^,]+?),? i(?:'d| would) (?:like|want|prefer)(?: us)? to (?:see|have|use) "
            r"(?P<what>.+)$",
            r"Use \g<what> in \g<where>",
        ),
        (r"^i(?:'d| would)? (?:like|want|prefer|expect)(?: us)? to (?:see|have) ", r"Use "),
        (r"^i(?:'d| would)? (?:like|want|prefer)(?: us| you)? to ", r""),
        (r"^i(?:'d| would)? (?:prefer|like|want|rather)(?: that| if| it if)? you(?: would)? ", r""),
        (r"^i(?:'d| would) rather (?:have|see) ", r"Prefer "),
        (r"^i(?:'d| would)? (?:prefer|like|want) ", r"Prefer "),
        (r"^we(?:'ve| have)? (?:decided|agreed|settled) (?:on|for) ", r"Use "),
        (r"^we(?:'ve| have)? (?:decided|agreed) to ", r""),
        (r"^(?:would|could|can|will) you (?:please )?(?:always )(?P<what>.+)$", r"Always \g<what>"),
        (r"^(?:would|could|can|will) you (?:please )?(?P<what>(?:never|stop) .+)$", r"\g<what>"),
        (
            r"^(?:(?:would|could|can|will) you )?(?:please )?(?:review|check|verify|ensure|make sure)(?: that)? (?:the |all |our )?"
            r"(?:added |new |changed )?(?P<noun>\w+s) (?:so )?that they (?P<what>.+)$",
            r"Write \g<noun> that \g<what>",
        ),
        (
            r"^let(?:'s| us) (?:decide (?:for|on)|go (?:with|for)|settle on|stick (?:with|to)|standardi[sz]e on|adopt|use) ",
            r"Use ",
        ),
        (r"^(?:would|could|can|will) you (?:please |kindly )?(?!\w+s they)", r""),
        (r"^(?:could|can|shall) we (?:please )?(?:agree|settle)(?: on)?(?: that)? ", r""),
        (r"^that(?:'s| is) (?:exactly |just )?how (?:i|we) (?:want|like|do)(?: the)? (?P<x>[^,:]+): ", r"\g<x>: "),
        (rf"^always (?=(?:{IMPERATIVES})\b)", r""),
        (r"^let(?:'s| us) ", r""),
        (r"^do (?:that|this|it) (?:with|through|via) ", r"Use "),
        (r"^we(?:'ll| will)? (?:always )?(?:go|stick|stay) (?:with|to|on) ", r"Stay on "),
        (r"^we(?:'ll| will)? (?:go for|go with|use) ", r"Use "),
        (r"^we (?:are going to |will |now |'ll )?(?:move|switch|moved|switched) to ", r"Use "),
        (r"^(?:not|no) more than ", r"At most "),
        (r"^(?:don'?t|do not|never) (?P<verb>\w+) more than (?P<rest>.+)$", r"\g<verb> at most \g<rest>"),
        (
            r"^(?:don'?t|do not|never) (?P<what>.+?) (?:without|unless|before|until) (?P<rest>.+)$",
            r"\g<what> only once \g<rest>",
        ),
        (
            r"^(?P<what>(?!use\b)\w+[^,]*), (?:this|it|that)(?:'s| is) (?:now|already|getting) (?P<state>[^,.;]+).*$",
            r"\g<what> once it is \g<state>",
        ),
        (r"^\"(?P<said>[^\"]{12,})\".*$", r"\g<said>"),
        (r"^(?:in addition to|besides|apart from|according to|as per) [^,]+, ", r""),
        (r"^you (?:should|must|have to|need to) ", r""),
        (r"^you (?:can|may) ", r""),
        (r" ?(?:->|=>|→)? ?https?://\S+", r""),
        (r" ?\((?:don'?t|do not|stop|pls|please|sorry|lol|again)[^)]*\)", r""),
    )
)

ENGLISH: Final = Language(
    code="en",
    cues=CUES,
    openers=OPENERS,
    fillers=FILLERS,
    closers=CLOSERS,
    objections=re.compile(
        r"^(?:(?:hm+|ooh+|oh|uh|wait|ok|huh|alright|well|sorry|hey|careful)[,.!]? )*(?:"
        r"no+[,.!;:—-]|no (?:i|that|it|this|don't|use|not|we|you)\b|nope\b|nah\b|wrong\b|not (?:like )?that\b"
        r"|you(?:'re| are) (?:not correct|not right|wrong|mistaken|incorrect|missing)"
        r"|(?:that|this)(?:'s| is)? (?:wrong|not (?:what|right|how|correct|it\b|ok)|incorrect|overkill)|please (?:stop|don't)"
        r"|stop \w+ing|i (?:told|asked|said)\b|i(?:'ve| have) (?:told|asked|said)|you (?:forgot|missed|broke|ignored|"
        r"should(?:n't| not| have)|did(?:n't| not)|always|keep)|(?:way )?too (?:long|short|much|many|verbose|complex|slow|big"
        r"|complicated|fancy|wordy)\b|almost\b|not quite\b|undo (?:that|this|it)|revert (?:that|this|it)|careful\b"
        r"|don't (?!worry|bother|we\b|you\b)|do not\b|actually\b|shorter\b|longer\b|why (?:did|would|are|do) you\b|that is not\b)",
        re.IGNORECASE,
    ),
    doubts=words(
        r"instead of",
        r"i(?:'d| would) like (?:us to|to see)",
        r"rather than",
        r"should(?:n't| not) (?:have|be)",
        r"not what i",
        r"i meant",
        r"that they (?:don't|do not|aren't)",
        r"wasn't what",
        r"why (?:did|would) you",
        r"did you (?:do|run|forget|check)",
    ),
    dismissals=re.compile(
        r"^(?:(?:stop|ok(?:ay)?|no|hm+|wait|that's (?:fine|ok(?:ay)?)|fine|no worries|never ?mind|all right)[,.! ]+)*"
        r"(?:i(?:'ll| will|'ve| have|'d rather| can)? (?:\w+ )?(?:take|takes|do|did|handle|finish|continue|manage|fix|got|have"
        r"|think|look)\b.{0,40}\b(?:from (?:here|there)|myself|on my own|over|about it|the rest|later|the number|it)\b"
        r"|never ?mind|don't (?:bother|worry)|forget (?:it|about it)|leave it(?:,? wrong \w+)?[.!]?$|later then|no worries)",
        re.IGNORECASE,
    ),
    questions=re.compile(
        r"^(?:(?:but|and|so|ok|hm+|wait|oh)[, ]+)?(?:(?:what|why|how|who)\b|(?:when|where|which)(?: \w+)? (?:is|are|was|were|do"
        r"|does|did|can|should|would|will|has|have)\b|(?:is|are|was|were|do(?! not)|does|did|can|could|would|will|should|has|have"
        r"|shall|am|isn't|aren't|couldn't|can't|don't we|didn't)\b).*$|.*\?\s*$",
        re.IGNORECASE | re.DOTALL,
    ),
    requests=re.compile(
        r"(?:would|could|can|will) you (?:please )?(?:always|never|stop)\b|\b(?:could|can|shall) we (?:please )?(?:agree|settle|always|never)\b"
        r"|(?:can|could|would) you (?:please )?(?:review|check|verify|ensure|make sure).* that they (?:don't|do not|aren't|are"
        r"|have|use|only|never)\b",
        re.IGNORECASE,
    ),
    imperatives=re.compile(rf"^(?:{IMPERATIVES})\b", re.IGNORECASE),
    negatives=re.compile(r"^(?:no|not|never|don'?t|do not)\b", re.IGNORECASE),
    deictics=re.compile(r"^(?:it|this|that|they|those|these)\b", re.IGNORECASE),
    polite=re.compile(r"^(?:would|could|can|will) you (?:please |kindly )?(?!.*\bor\b)(?=\w+ ).*", re.IGNORECASE),
    fragments=re.compile(
        r"^(?:(?:all|never|only|every|each|both|for|and|or|nothing|until|unless)\b[^,;:]{0,60}$|all \w+ \w+, |no longer\b.{0,60}$|(?:decided|agreed|settled)\b.{0,40}$"
        r"|(?:always|never) (?:\d|at|on|in|from|the|a)\b)",
        re.IGNORECASE,
    ),
    strangers=words(
        r"e?-?mails?",
        r"reviews?",
        r"reviewers?",
        r"comments?",
        r"scan(?:ner)?",
        r"colleagues?",
        r"log(?:s)?",
        r"output",
        r"message",
        r"feedback",
        r"ticket",
        r"issue",
        r"report",
        r"wrote",
        r"writes",
        r"says",
        r"said",
        r"told",
        r"article",
        r"blog",
        r"docs?",
        r"readme",
        r"changelog",
        r"slack",
        r"customer",
        r"quote",
        r"pasted?",
        r"the following",
        r"response",
        r"answer",
        r"suggest(?:s|ed|ions?)?",
        r"got this",
        r"scenario",
        r"linter",
        r"bot",
        r"from (?:the|a|my) \w+",
    ),
    pasted=re.compile(
        r"\bconsider \w+ing\b|^\W*nits?:|\bLGTM\b|\bsuggested change\b|^dear \w+|\bregards\b|\bTraceback \(most recent"
        r"|^this: ",
        re.IGNORECASE | re.MULTILINE,
    ),
    persons=words(
        r"i", r"i'[a-z]+", r"we", r"we'[a-z]+", r"you", r"our", r"my", r"me", r"us", r"let's", r"please", r"pls"
    ),
    revocations=words(
        r"(?:rule|policy|restriction|convention|ban|exception|limit|requirement|freeze) (?:is|are|was|has been|no longer)"
        r"(?: now)? (?:void|gone|over|dropped|lifted|obsolete|history|removed|cancelled|canceled|withdrawn|applies)",
        r"(?:you can |please )?forget (?:about )?(?:that|the|this|about|my)\b",
        r"no longer (?:applies|needed|necessary|true"
        r"|required|valid|holds)",
        r"need(?:s)? (?:nobody|no one|no)\b.*(?:any ?more|any longer)",
        r"(?:is|are) not (?:needed|necessary|required) any ?(?:more|longer)",
        r"don't (?:need|have) to .* any ?more",
        r"(?:is|are) void",
        r"you (?:can|may) .*\bagain",
        r"(?:is|are|it's) (?:over|fixed)(?=,)",
        r"(?:is|are) (?:gone|removed|deleted|dropped)[,;] .*don't \w+ (?:it|them)",
        r"scrap that rule",
        r"ignore that rule",
        r"no more (?-i:[A-Z_]{4,})",
    ),
    standing=re.compile(
        r"(?:^|[.!?\n]\s*|[,;:]\s+)(?:please |pls )?(?:always|never|remember|from (?:now|today) on|from today|going forward|in (?:the )?future"
        r"|we (?:always|never|only|use|don't)|in this (?:project|repo)|as a rule|our (?:rule|convention|policy)|note that"
        r"|keep in mind|for next time|i told you|fyi|let(?:'s| us) (?:settle|decide))\b",
        re.IGNORECASE,
    ),
    choices=words(
        r"let(?:'s| us) (?:keep|do|have)",
        r"let(?:'s| us) (?:just )?(?:settle|decide|go with|go for|stick|stay|standardi[sz]e|agree|adopt|use)",
        r"decided",
        r"decision",
        r"settled",
        r"agreed",
        r"we(?:'ll| will)? (?:go|stick|stay|move|switch)\b",
        r"promise",
        r"that's how we",
        r"in favou?r of",
        r"from (?:now|today)(?: on)?",
    ),
    reasons=re.compile(
        r"(?:^|,\s*|\s+)(?:because|since(?! (?:last|this|yesterday|\d))|so that|otherwise|or else|reason:|as (?:the|it|they)\b"
        r"|or (?:they|it|we)\b)\s*",
        re.IGNORECASE,
    ),
    kinds=(
        (
            words(
                r"the \w+ tool",
                r"apply_patch",
                r"answer",
                r"reply",
                r"respond",
                r"explain",
                r"ask me",
                r"ask before",
                r"sentences",
                r"i (?:prefer|like|want)",
                r"invent",
                r"guess",
                r"show me",
                r"i ask",
            ),
            "feedback",
        ),
        (
            words(
                r"(?:run|use|call) [`\"]?(?:make|npm|uv|pip|poetry|pytest|cargo|go|yarn|pnpm|docker|git|just|tox|nox|mise|bun)"
                r" [\w:.-]+"
            ),
            "command",
        ),
        (
            words(
                r"port",
                r"localhost",
                r"environment variable",
                r"env(?:ironment)? var",
                r"on this machine",
                r"flaky",
                r"only works? (?:with|on|in)",
                r"[A-Z_]{4,}=",
            ),
            "env_quirk",
        ),
    ),
    rewrites=REWRITES,
    relative_days=(
        (words(r"today", r"tonight", r"this (?:morning|afternoon|evening)", r"right now"), 0),
        (words(r"yesterday", r"last night"), -1),
        (words(r"tomorrow"), 1),
    ),
)
