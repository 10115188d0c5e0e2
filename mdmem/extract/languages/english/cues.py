"""Signs that words hold a lasting rule, or do not, with their weights; three points make a rule."""

from __future__ import annotations

from typing import Final

from mdmem.extract.languages.english.grammar import (
    CHOSEN,
    HAPPENS,
    IMPERATIVES,
    MODALS,
    NUMBER,
    PASSING,
    PLACE,
    SEEN,
    STATES,
    SUBJECT,
)
from mdmem.extract.languages.language import Cue, pattern, words

CUES: Final = (
    Cue(
        "standing",
        3,
        words(r"""
        always | never(?! mind) | from (?:now|today|here) on(?:wards?)? | from today | going forward
        in (?:the )?future | every (?:single )?time | each time | as a rule | by (?:default|convention)
        no longer | any ?more | any longer | whenever | everywhere | anywhere(?: else)?
        (?:for )?next time | without exception
        (?:that|this)(?:'s| is) (?:exactly |just )?how (?:we|this|it|i) | under no circumstances?
        at all times | our (?:rule|convention|policy|standard)s? | in all cases | (?:new )?rule:
        only (?:\w+ ){1,2}(?:can|may|should|approves?|decides?) | from (?:version|the next) ?[\d\w.]*
        (?:house|project|team) (?:rule|convention)s?
        (?:we|nobody|no one|one) (?:do not|don't|never|only)
    """),
    ),
    Cue(
        "reminder",
        3,
        words(r"""
        remember(?: that| this|,|:) | remember(?=[;.!]|$) | keep in mind | bear in mind | for the record
        for (?:future )?reference | (?:please )?note that
        i(?:'ve| have)? (?:already )?(?:told you|said) | as (?:i )?(?:said|mentioned|agreed)
        how (?:many times|often) | fyi | so you know | once again | (?:don't|do not) forget
    """),
    ),
    Cue(
        "decision",
        3,
        words(rf"""
        let(?:'s| us) (?:just )?(?:settle|decide|stick (?:with|to)|stay (?:with|on)|standardi[sz]e)
        let(?:'s| us) (?:just )?(?:agree|adopt|switch to|move to) | decided
        let(?:'s| us) (?:just )?use (?!(?:an?|the|this|that|it|your|my|two|three|\d+)\b)[\w.@/-]+
        (?<!before )(?<!if )(?<!until )i (?:choose|pick|vote for|(?:have|'ve) decided) | wins
        (?:could|can|shall) we (?:please )?(?:agree|settle) | go (?:with|for)(?! {CHOSEN})
        ^(?:[\w.-]+ ){{1,4}}it is | decision(?=:| ) | settled
        we(?:'ll| will)? (?:go|stick|stay|went|decided|settled|agreed|chose|move)(?: with| for| on| to)
        agreed | we(?:'re| are) (?:going|sticking|staying|done) with | promise:
        final(?:ly)? (?:answer|decision) | the (?:choice|verdict) is | we (?:pick|choose|take|keep)
    """),
    ),
    Cue("choice", 2, pattern(r"\buse (?!(?:an?|the|this|that|it|your|my|two|three)\b)[\w.@/:-]+(?: \w+)? instead\b")),
    Cue(
        "swap",
        2,
        pattern(r"""
        (?:don'?t|do not|stop|never|no) us(?:e|ing) [^,;.]+[,;.]+ (?:but )?(?:please )?use[ ]
    """),
    ),
    Cue("tool", 1, pattern(r"\buse (?:the|our) [^,;.]+ instead\b")),
    Cue("local", -1, pattern(r"^use (?:an?|the) [\w-]+ instead\b")),
    Cue("proposal", 2, words(r"let(?:'s| us) (?:just )?(?:use|keep|do|have)")),
    Cue("stay", 2, words(r"stick (?:to|with) | keep (?:to|using) | stay (?:on|with)")),
    Cue(
        "command",
        1,
        words(r"""
        (?:run|use|call|with|via|through|by) [`"]?(?:make|npm|uv|npx|pnpm|yarn|poetry|cargo|just|tox|python -m|\./)\S*
    """),
    ),
    Cue(
        "where",
        1,
        words(r"""
        (?:in|under|below|inside) [`"]?[\w.*-]+/[\w./*-]*
    """),
    ),
    Cue(
        "recipe",
        1,
        pattern(rf"""
        ^(?:when(?:ever)?|if|before|after|once|for) [^,]+, (?:please |always )?(?:{IMPERATIVES})\b
    """),
    ),
    Cue(
        "ellipsis",
        2,
        pattern(rf"""
        ^(?!{IMPERATIVES}){SUBJECT}(?!(?:two|three|some|many) )(?:[\w-]+ ){{0,3}}[\w-]+(?<!s)s (?:in
        |with|without|as|per|by|under|before|after|from|only) (?!the\b|this\b|that\b|my\b
        |your\b)[^?]{{2,60}}$
    """),
    ),
    Cue(
        "obligation",
        2,
        words(r"""
        must(?:n't| not)? | may (?:not|only|never) | ha(?:ve|s) to | needs? to be | (?:is|are) required
        (?:is|are|was) forbidden | not allowed | allowed only | (?:is|are|be) only | exclusively
        mandatory | only (?:if|when|from|via|through|with|after|in|for|on|by|as|be) | off limits
        only ever | shouldn't | (?:should|can) only | should (?:never|always|not) | is up to
        belongs? (?:in|to|under|on)
        (?:is|are) (?:totally |perfectly |always )?(?:fine|ok|okay|allowed)
        nobody (?:\w+s|may|should|can) | no one (?:\w+s|may|should|can)
    """),
    ),
    Cue(
        "bound",
        3,
        words(rf"""
        (?:at (?:most|least|the most)|max(?:imum)?|min(?:imum)?)(?: of)? {NUMBER}
        (?:no|not) (?:more|less|fewer|longer|later|earlier|older|bigger|larger) than {NUMBER}
    """),
    ),
    Cue(
        "limit",
        2,
        words(rf"""
        at (?:most|least|the most|the latest)
        (?:no|not) (?:more|less|fewer|longer|later|earlier|older) than | up to {NUMBER}
        within {NUMBER} | {NUMBER} (?:[a-z]+ )?for [a-z]+ | one (?:[\w-]+ ){{1,3}}(?:per|each)
        {NUMBER} (?:\w+ )?(?:per|a|an) (?:\w+) | percent | (?:\w+ )?maximum
        (?:above|below|under|over) {NUMBER} | anything (?:above|below|more|else|over|under)
        limit(?:ed)? (?:is|to)
    """),
    ),
    Cue(
        "universal",
        2,
        words(r"""
        (?:every|each) (?!time|single time|other (?:day|week))[a-z]\w*
        all (?:the |our |other |new )?[a-z]\w*s | any(?:thing|one|body) (?:that|who|in|under|else)
        any (?!ideas?|of|more|longer|chance|luck|reason)[a-z]\w+ | both \w+ and \w+ | alike
        new and (?:old|touched|changed) | across the (?:board|repo) | throughout | project[- ]wide
        for (?:all|both) | whatever | regardless | no matter
    """),
    ),
    Cue(
        "contrast",
        2,
        pattern(r"""
        \binstead of\b|\brather than\b|\buse [\w ./-]{2,40}? not (?!only|just)[\w-]+
        |, (?:not|never) (?!sure|yet|only|really|quite|that
        |because)[\w"'`./#-]+|\band not (?:with|in|by|from|to|the|a)\b|\b(?:is|are) (?:out|gone|dead
        |archived|deprecated|retired|history)\b|\bno more [\w-]+|\bin place of\b|\bas opposed to\b
        |\breplaces?\b|\bin favou?r of\b|\breplaced by\b|\b(?:is|are) (?:not|no) (?:part|used|allowed
        |supported|welcome|an option|good enough|longer|needed)\b|\bno \w+, (?:just|only)\b
    """),
    ),
    Cue(
        "change",
        1,
        words(r"""
        now(?=[.,;:!]|$| :|-| instead) | (?:is|are|we|use|uses|go|goes) now
        now (?:is|are|use|go|goes|uses) | new (?:scheme|rule|policy|way) | as of
        since (?:last|this|mon|tues|wednes|thurs|fri|spring|summer|autumn|fall|winter|version|v\d)\w*
        since (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*
        then(?=[.!]|$) | ha(?:s|ve) (?:moved|changed|been \w+ed)
        (?:we|then we) (?:move|switch|moved|switched) to | raise | renamed to | (?:moved|switched) to
        new(?:ly)? \w+s (?:are|go|get|use|have)
    """),
    ),
    Cue(
        "generic",
        2,
        pattern(rf"""
        (?:^|[,;:.!] ){SUBJECT}(?:the |our |all |any |new |old |a |an )?
        (?:(?!{MODALS})[\w"'`./#<>*-]+ ){{1,5}}?(?:{STATES}) +[\w`'"#/.-]
    """),
    ),
    Cue(
        "kind",
        1,
        pattern(rf"""
        ^(?!(?:the|this|that|a|an|my|your|{IMPERATIVES})\b){SUBJECT}
        (?:[\w"'`./#<>*-]+ ){{1,5}}?(?:{STATES}) +[\w`'"#/.-]
    """),
    ),
    Cue(
        "tongue",
        1,
        pattern(r"\b(?:is|are|stays?) (?:always |written )?in (?:[A-Z]\w+ )?(?:english|german|french|spanish|utc)\b"),
    ),
    Cue("value", 1, pattern(rf"\b(?:{STATES}) (?:[\w-]+ )?(?:at|on|to|in|after|from|for|by|with) [^ ]*\d")),
    Cue(
        "state",
        -2,
        pattern(r"""
        ^[^,;:]*(?:is|are|looks?|seems?) (?:now |still |all |too |a bit |very |so |again )*(?:red|green
        |failing|broken|empty|slow|missing|wrong|off(?! limits)|down|stuck|big|small|done|back|gone
        |fixed|weird|ugly|nice|good|better|fine now|long|short|dark)\b
    """),
    ),
    Cue("norm", 2, pattern(r"(?:^|[,;:.!] )(?!the |this |that |it |these |those )(?:\w+ ){0,3}\w+s should\b")),
    Cue(
        "ours",
        2,
        words(rf"""
        we (?!{PASSING}\b)[a-z]+(?:-\w+)?
        our (?!next|last|first)[\w-]+ | around here | here too | on this (?:machine|project|team)
        in (?:this|the) (?:project|repo|repository|codebase|team|code base)
        (?:names?|files?|code|tests?|commits?|branches|style|way|tables?|people|things|rule) here
        use \S+ here
    """),
    ),
    Cue(
        "alike",
        2,
        words(r"""
        (?:as|like) (?:with |in )?(?:the |all )*others? | same (?:as|way|for)
        as (?:usual|everywhere|elsewhere) | like (?:everywhere|elsewhere|all|we (?:always )?do|the rest)
        consistent(?:ly)? with | the way (?:\w+ )+(?:do|does|want|wants|like|likes)(?: it| them)?
        (?:as|like) (?:we|everyone|everybody) (?:do|agreed)
    """),
    ),
    Cue(
        "condition",
        2,
        words(r"""
        (?:before|after) (?:any|every|each|you|\w+ing) | until | unless | as soon as | once (?:it|the|a|you)
        when(?:ever)? you \w+
        when(?:ever)? (?:it|a|an|the|we|they|one|\w+s?) (?:\w+ )?(?:fails?|change[sd]?|add|edit|write|touch|run|is|are)
        if \w+ (?:\w+ ){0,2}(?:fails?|changes?|adds?|edits?|writes?|touch|runs?|is|are|asked)
        when in doubt | for (?:new|old|existing) \w+s?
    """),
    ),
    Cue(
        "ban",
        2,
        pattern(r"""
        (?:^|[,;:.!] ?)(?:no|not) (?!one|way|need|idea|problem|worries|sure|yet|thanks|matter|that|so
        |really|bad|what|quite|only|i\b|it\b|right|correct|true|fully|a |the )[\w-]+(?: [\w-]+)* (?:in|on|to
        |from|with|for|past|into|at|before|after|until|than)\b|(?:^|[;:.!] ?)no (?!one|way|need|idea
        |problem|worries|thanks|matter|i\b|it\b|that)[\w-]+s[.!]?$
    """),
    ),
    Cue("refusal", 1, words(r"don'?t | do not | avoid | stop \w+ing | please stop | without")),
    Cue(
        "habit",
        2,
        pattern(rf"""
        ^(?:(?:don'?t|do not|please|pls|only) )*(?:{IMPERATIVES}) (?:the |all |our |new |your )?
        (?:[\w-]+ )?[\w-]+(?<!s)s (?:in
        |with|to|as|on|from|by|before|after|at|under|into|via|through|when|if)\b|^(?:don'?t
        |do not) (?:{IMPERATIVES}|\w+) (?:[\w-]+ )?[\w-]+(?<!s)s[.!]?$
        |\buse [\w.`'"-]+(?: [\w.-]+){{0,4}} (?:for|when|in) (?!this|that|it|now|the\b)[\w-]+
    """),
    ),
    Cue(
        "conduct",
        3,
        pattern(r"""
        \b(?:short(?:er)?|brief|concise) (?:answers?|replies|summar\w+|explanations?)\b
        |\bask (?:me )?(?:first|before)\b|\bno (?:emojis?|apolog\w+|small talk|explanations?|summar\w+
        |preambles?|praise)\b|\bat a time\b|\b(?:don'?t|do not|stop|never|no) (?:guess|invent|assum|mak(?:e
        |ing) up|apologi[sz]|repeat|reformat)\w*|\bi (?:like|love|hate) (?!this|that|it|the|these
        |those)[\w-]+|^you (?:keep|always|still keep) \w+ing\b|^(?:please |just |only |and )?(?:answer|reply
        |respond|explain|summari[sz]e|speak|write|talk|ask|comment|document
        |report) (?:me |to me |us )?(?:(?:all|my|your|the|to|in|with|before|first)\b.*\b)?(?:questions?
        |answers?|replies|responses?|sentences?|words|lines|english|german|french|plain|bullets?|first
        |briefly|short)
    """),
    ),
    Cue(
        "preference",
        1,
        words(r"""
        i(?:'d| would)? (?:like|prefer|rather|expect|ask for) | prefer
        (?:please|pls) (?:use|keep|put)
    """),
    ),
    Cue(
        "reason",
        1,
        words(r"""
        because | since (?!last|this|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day) | so that
        otherwise | or else | or (?:they|it|we|you|he|she) | (?:the )?reason:? | that'll
        as (?:the|it|they)
        (?:people|customers|users|they|analysts|ops|legal) (?:want|need|expect|read|said|says|asked)
    """),
    ),
    Cue(
        "backing",
        2,
        pattern(rf"""
        [,.;] (?!(?:{IMPERATIVES})\b)(?:the |their |our |its )?{SUBJECT}(?:[\w-]+ ){{1,3}}(?:relies|rely
        |ignores?|expects?|checks?|reads?|rejects?|refuses?|chokes?|drops?|blocks?|breaks?|times? out
        |complains?|can't|cannot|depends?|parses?|insists?|wants?|forbids?|counts?
        |needs?(?! a)) (?!to\b)[\w-]+|\bthat's what (?!i\b|you\b|my\b|it\b)
    """),
    ),
    Cue("want", 2, pattern(r"^(?:it |this |that )?(?:needs?|wants?|takes?) (?:the|a|an) [\w-]+[,.;:]")),
    Cue(
        "place",
        2,
        words(rf"""
        (?:lives?|belongs?|goes?|sits?|is|are) (?:kept |found |stored |written |read )?{PLACE}
        (?:listens?|runs?) on (?:port )?\d+
    """),
    ),
    Cue("matter of", 1, pattern(r"^(?!next\b|perfect\b|great\b|ok\b)[\w#./-]+(?: [\w#./-]+){0,3}: \S")),
    Cue("whole", 2, words(r"that (?:they|it) (?:don't|do not|doesn't|aren't|are not|never|only)")),
    Cue(
        "defect",
        2,
        pattern(r"""
        , (?:this|it|that)(?:'s| is) (?:now |too |already |getting |all )+(?:too )?(?!there|done|in|here|on)[a-z]+
    """),
    ),
    Cue(
        "fact",
        3,
        pattern(r"""
        ^you(?:'re| are) (?:not correct|not right|wrong|mistaken|incorrect)\b(?:\W+\w+){6}
    """),
    ),
    Cue("argument", -2, words(r"but", start=True)),
    Cue(
        "hedge",
        -4,
        words(r"""
        maybe | perhaps | probably | i (?:think|guess|feel|wonder|believe|suppose|assume) | might
        not sure | would (?:it|that|this|never|always|not|be|only|break|describe|have|mean|need)
        could (?:we(?! agree| settle)|it) | what if | how about | i was (?:more )?wondering | i mean
        any ideas? | if possible | as if | if we | still (?!\w+ not)
    """),
    ),
    Cue(
        "report",
        -3,
        pattern(r"""
        ^(?!.*\b(?:when|if|otherwise|unless|or else|until|skip|must|never|always|only
        |not)\b)(?!wrong\b).*\b(?:(?:an|the|this|that|same) errors?|errors? (?:in|when|on|at)|bugs?|problem
        |crash\w*|broken|fail(?:s|ed|ing)?|wrong|twice|duplicated|a duplicate|doesn't work|not working
        |missing|stuck|hangs?|weird|looks like|nil|regression|nothing happens|return(?:s|ed)? [45]\d\d)\b
        |^the [\w ]{1,30}? (?:takes|shows|returns|uses|loads|prints|opens|writes|reads|sends
        |drops)\b.*\binstead of\b|^(?:the|this|that|it)\b[^,.;]{0,40} (?:is|are|was|gets?) never (?:called
        |used|read|set|reached|run|closed)\b
    """),
    ),
    Cue(
        "behaviour",
        -3,
        pattern(rf"""
        ^(?!.*(?:\d|\b(?:must|should|may|our|we|instead of your|in this (?:product|project|app)|everywhere)\b))
        (?:(?:the|this|that|all|every|old|half of the|both|clicking) )?(?:[\w-]+ ){{0,2}}?{SEEN}
        (?: (?:in|on|at|of|for) the [\w-]+)? (?:(?:always|never|only|just|still|now|also|often) )*(?:{HAPPENS})\b
    """),
    ),
    Cue(
        "spec",
        -5,
        pattern(r"""
        ^the (?!.*\b(?:always|never|only|every|all|any|each|before|after|until|unless|without|at (?:least|most))\b)
        (?:[\w-]+ ){1,3}?(?:must|has to|have to|needs? to|should) (?!not\b)
        |^the (?:new|first|second|next|last) (?:[\w-]+ ){1,3}?(?:must|has to|needs? to|should)\b
        |^(?:we|i) (?:need|want) (?:an?|the|another)\b|^(?:it|there) (?:must|should|has to|needs to)\b
    """),
    ),
    Cue("plan", -2, words(r"we should (?!never|always|not|only)[a-z]+")),
    Cue("sweep", -3, pattern(r"^(?:replace|rename|remove|fix|delete|convert|update|change|move) .*\b(?:all|every)\b")),
    Cue("thanks", -2, words(r"thanks | thank you | thx | ship it | works now | it works")),
    Cue(
        "once",
        -4,
        words(r"""
        for now | yet | this time | (?:just (?:this )?)?once(?! (?:it|the|a|you)\b) | temporar(?:y|ily)
        (?:for )?today only | for (?:the|this) (?:trial|moment|run|once|demo|pr|commit|time)
        only today | for today | quickly | in this (?:pr|commit|case|run|change|file) | one more time
        in func(?:tion)? | before you (?:continue|start|go on|proceed|begin) | the current state
        do the same | check (?:whether|if)
    """),
    ),
    Cue(
        "matter",
        -2,
        pattern(r"""
        ^(?:please |pls |just |and |then |ok |hm+ ?)*(?:\w+ )(?:it|this|that|them|these|those
        |one)(?: \w+){0,3}[.!]?$
    """),
    ),
    Cue("past", -1, pattern(r"^(?:i|it|that|this|you) (?:\w+ed|was|were|did|had|got|liked)\b")),
)
