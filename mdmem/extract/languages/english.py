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
    r"|connect|connects|expire|expires|remain|remains|contain|contains|hold|holds|talk|talks|alert|alerts|never|always"
    r"|must|may|can't|cannot|can only|shouldn't|don't|doesn't|do not|does not"
)
SUBJECT: Final = (
    r"(?!(?:it|this|that|these|those|he|she|they|i|you|we|there|here|which|what|who|why|how|when|where|does|do|did"
    r"|is|are|can|could|would|will|should|has|have|not|if|let|let's|so|but|and|some|nobody|somebody|someone|don't|yeah)\b)"
)
MODALS: Final = r"(?:should|would|could|can|will|to|not|that|if|which|who)\b"
IMPERATIVES: Final = (
    r"use|add|put|keep|make|run|write|do|let|try|show|give|call|name|start|stop|set|move|read|check|test|skip|leave"
    r"|remove|delete|drop|avoid|prefer|commit|push|pull|merge|rebase|squash|split|break|extract|return|log|answer"
    r"|reply|respond|explain|ask|wait|follow|stick|go|wrap|format|document|mention|include|exclude|ignore|pin|install"
    r"|build|deploy|open|close|create|store|save|send|fix|replace|rename|revert|undo|look|focus|list|mark|treat|pass"
    r"|partition|sort|group|bump|update|upgrade|mock|cover|assert|validate|import|export|load|fetch|cache|restart"
    r"|limit|cap|round|convert|escape|quote|sign|tag|draft|describe|summarise|summarize|cite|link|verify|confirm"
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
            r"for next time",
            r"next time",
            r"without exception",
            r"that's how we",
            r"this is how we",
            r"under no",
            r"at all times",
            r"our (?:rule|convention|policy|standard)s?",
            r"(?:house|project|team) (?:rule|convention)s?",
            r"(?:we|nobody|no one|one) (?:do not|don't|never|only)",
            r"in all cases",
            r"(?:new )?rule:",
        ),
    ),
    Cue(
        "reminder",
        3,
        words(
            r"remember(?: that| this|,|:)",
            r"remember(?=[;.!]|$)",
            r"keep in mind",
            r"for the record",
            r"for (?:future )?reference",
            r"(?:please )?note that",
            r"i(?:'ve| have)? (?:already )?told you",
            r"i(?:'ve| have)? (?:already )?said",
            r"as (?:i )?(?:said|mentioned|agreed)",
            r"how (?:many times|often)",
            r"fyi",
            r"so you know",
            r"bear in mind",
            r"don't forget",
            r"do not forget",
            r"once again",
        ),
    ),
    Cue(
        "decision",
        3,
        words(
            r"let(?:'s| us) (?:just )?(?:settle|decide|go with|go for|stick (?:with|to)|stay (?:with|on)|standardi[sz]e"
            r"|agree|use|adopt|switch to|move to)",
            r"decided",
            r"decision(?=:| )",
            r"we(?:'ll| will)? (?:go|stick|stay|went|decided|settled|agreed|chose|move)"
            r"(?: with| for| on| to)",
            r"we(?:'re| are) (?:going|sticking|staying|done) with",
            r"settled",
            r"agreed",
            r"promise:",
            r"final(?:ly)? (?:answer|decision)",
            r"it(?:'s| is) decided",
            r"the (?:choice|verdict) is",
        ),
    ),
    Cue(
        "obligation",
        2,
        words(
            r"must(?:n't| not)?",
            r"may (?:not|only|never)",
            r"ha(?:ve|s) to",
            r"need(?:s)? to be",
            r"(?:is|are) required",
            r"(?:is|are|was) forbidden",
            r"not allowed",
            r"allowed only",
            r"only (?:if|when|from|via|through|with|after|in"
            r"|for|on|by|as|be)",
            r"(?:is|are|be) only",
            r"exclusively",
            r"mandatory",
            r"off limits",
            r"(?:should|can) only"
            r"|only ever",
            r"should (?:never|always|not)",
            r"shouldn't",
            r"(?:is|are) (?:totally |perfectly |always )?"
            r"(?:fine|ok|okay|allowed)",
        ),
    ),
    Cue(
        "limit",
        2,
        words(
            r"at (?:most|least|the most|the latest)",
            r"(?:max|min|maximum|minimum|maximal|minimal)(?: of)?",
            r"(?:no|not) (?:more|less|fewer|longer|later|earlier|older|bigger|larger) than",
            r"up to " + NUMBER,
            r"within " + NUMBER,
            NUMBER + r" (?:\w+ )?(?:per|a|an) (?:\w+)",
            r"(?:above|below|under|over) " + NUMBER,
            r"(?:with )?anything (?:above|below|more|else|over|under)",
            r"latest",
        ),
    ),
    Cue(
        "universal",
        2,
        words(
            r"(?:every|each) (?!time|single time|other (?:day|week))[a-z]\w*",
            r"(?:for |in |on )?all (?:the |our |other |new )"
            r"?[a-z]\w*s",
            r"any(?:thing|one|body) (?:that|who|in|under|else)",
            r"any (?!ideas?|of|more|longer|chance|luck|reason)"
            r"[a-z]\w+",
            r"both \w+ and \w+",
            r"alike",
            r"new and (?:old|touched|changed)",
            r"across the (?:board|repo)",
            r"throughout",
            r"project[- ]wide",
            r"for (?:all|both)",
        ),
    ),
    Cue(
        "contrast",
        2,
        words(
            r"instead(?: of)?",
            r"rather than",
            r", not (?!sure|yet|only|really|quite|that|because)[\w\"'`./-]+",
            r"and not (?:with|in|by|from|to|the|a)?",
            r"(?:is|are) (?:out|gone|dead|archived|deprecated)",
            r"no more [\w-]+",
            r"in place of",
            r"as opposed to",
            r"replaces?",
            r"in favou?r of",
            r"not (?:the )?default",
        ),
    ),
    Cue(
        "change",
        1,
        words(
            r"now(?=[.,;:!]|$| :|-| instead)",
            r"(?:is|are|we|use|uses|go|goes) now",
            r"new (?:scheme|rule|policy|way)",
            r"as of",
            r"since (?:last|this|monday|tuesday|wednesday|thursday|friday)",
            r"has (?:moved|changed|been \w+ed)",
            r"have (?:moved|changed)",
            r"(?:we|then we) (?:move|switch|moved|switched) to",
            r"then(?=[.!]|$)",
            r"raise",
        ),
    ),
    Cue(
        "generic",
        2,
        re.compile(
            rf"^{SUBJECT}(?:the |our |all |any |new |old |a |an )?(?:(?!{MODALS})[\w\"'`./#<>*-]+ ){{1,5}}?(?:{STATES})(?!\w)",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "ours",
        2,
        words(
            r"we (?:use|have|keep|call|put|write|name|run|deploy|only|don't|do not|also|rebase|merge|squash|need|prefer|want"
            r"|follow|avoid|test|pin|log|store|build|ship)[\w-]*",
            r"we [\w]+-\w+",
            r"our (?!next|last|first)[\w-]+",
            r"in this (?:project|repo|repository|codebase|team|code base)",
            r"around here",
            r"(?:names?|files?|code|tests?|commits?|branches|style|way|tables?|people|things|rule) here",
            r"here too",
            r"in our",
            r"on this (?:machine|project|team)",
        ),
    ),
    Cue(
        "alike",
        2,
        words(
            r"(?:as|like) (?:with )?(?:the |all )*others?",
            r"same (?:as|way|for)",
            r"as (?:usual|everywhere|elsewhere)",
            r"like (?:everywhere|elsewhere|all|we (?:always )?do|the rest)",
            r"the way (?:\w+ )+(?:do|does|want|wants|like|likes)"
            r"(?: it| them)?",
            r"(?:as|like) (?:we|everyone|everybody) (?:do|does|did|agreed)",
            r"consistent(?:ly)? with",
        ),
    ),
    Cue(
        "condition",
        2,
        words(
            r"(?:before|after) (?:any|every|each|you|committing|pushing|merging|running|deploying|publishing|\w+ing)",
            r"when(?:ever)? (?:it|you|a|an|the|we|they|one|\w+s?) (?:\w+ )?(?:fails?|change[sd]?|add|edit|write|touch|run|is|are)",
            r"if (?:it|you|a|an|the|we|they|one) (?:\w+ ){0,2}(?:fails?|changes?|adds?|edits?|writes?|touch|runs?|is|are)",
            r"until",
            r"unless",
            r"as soon as",
            r"once (?:it|the|a|you)",
        ),
    ),
    Cue(
        "ban",
        2,
        re.compile(
            r"(?:^|[,;:.!] ?)(?:no|not) (?!one|way|need|idea|problem|worries|sure|yet|thanks|matter|that|so|really|bad|what"
            r"|quite|only|i|it|right|correct|true|fully|a |the )[\w-]+(?: [\w-]+)* (?:in|on|to|from|with|for|past|into|at"
            r"|before|after|until|than)\b|(?:^|[,;:.!] ?)(?:no|not) (?:select|network|cron|mock)\b",
            re.IGNORECASE,
        ),
    ),
    Cue("refusal", 1, words(r"don'?t", r"do not", r"avoid", r"stop \w+ing", r"please stop", r"without")),
    Cue(
        "conduct",
        3,
        re.compile(
            r"^(?:please |just |only |and )?(?:answer|reply|respond|explain|summari[sz]e|speak|write|talk|ask|comment"
            r"|document|report) (?:me |to me |us )?(?:(?:all|my|your|the|to|in|with|before|first)\b.*\b)?(?:questions?|answers?"
            r"|replies|responses?|sentences?|words|lines|english|german|french|plain|bullets?|first|briefly|short)",
            re.IGNORECASE,
        ),
    ),
    Cue(
        "preference",
        1,
        words(
            r"i(?:'d| would)? (?:like|prefer|rather|want|expect)",
            r"i(?:'d| would) like (?:us )?to(?: see)?",
            r"prefer",
            r"please use",
            r"pls use",
        ),
    ),
    Cue(
        "reason",
        1,
        words(
            r"because",
            r"since (?!last|this|yesterday|monday|tuesday|wednesday|thursday|friday)",
            r"so that",
            r"otherwise",
            r"or else",
            r"or (?:they|it|we|you|he|she)",
            r"the reason",
            r"reason:",
            r"that'll",
            r"as (?:the|it|they)",
        ),
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
    Cue(
        "whole",
        2,
        words(
            r"(?:the )?(?:tests?|files?|functions?|types?|modules?|classes|commits?|branches|names?|messages?|comments?|docs)"
            r" (?:that|must|should|have to|need to) ",
            r"that (?:they|it) (?:don't|do not|doesn't|aren't|are not|never|only)",
        ),
    ),
    Cue(
        "defect",
        2,
        re.compile(
            r",? (?:this|it|that)(?:'s| is) (?:now |too |already |getting |all )+(?:too )?[a-z]+", re.IGNORECASE
        ),
    ),
    Cue(
        "hedge",
        -3,
        words(
            r"maybe",
            r"perhaps",
            r"probably",
            r"i (?:think|guess|feel|wonder|believe|suppose|assume)",
            r"would (?:it|that|this)",
            r"could (?:we|it|you)",
            r"might",
            r"not sure",
            r"i was (?:more )?wondering",
            r"what if",
            r"how about",
            r"i mean",
            r"would (?:be|only|break|describe|have|mean|need)",
            r"any ideas?",
            r"if possible",
            r"as if",
            r"if we",
            r"still",
        ),
    ),
    Cue(
        "fact",
        3,
        re.compile(
            r"^you(?:'re| are) (?:not correct|not right|wrong|mistaken|incorrect)\b(?:\W+\w+){6}", re.IGNORECASE
        ),
    ),
    Cue(
        "once",
        -4,
        words(
            r"for now",
            r"this time",
            r"just (?:this )?once",
            r"for (?:the|this) (?:trial|moment|run|once|demo|pr|commit|time)",
            r"temporar(?:y|ily)",
            r"today only",
            r"only today",
            r"for today",
            r"in this (?:pr|commit|case|run|change|file)",
            r"quickly",
            r"once",
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
)

OPENERS: Final = re.compile(
    r"^(?:(?:no+|nope|nah|yes+|yep|yeah|yup|hm+|ooh+|oh|ah|uh|wait|ok(?:ay)?|k|right|well|careful|sorry|alright|great"
    r"|perfect|cool|nice|good|fine|splendid|very well|exactly|sure|thanks|thank you|hey|stop|wrong|really|huh|look"
    r"|remember|note|btw|fyi|decided|agreed|settled|again|actually|all right|fair enough|seriously|come on"
    r"|for (?:next time|the record|(?:future )?reference)|one (?:remark|thing|note|more thing)|reminder"
    r"|decision|promise|(?:new )?(?:rule|scheme|policy)|here too|once again|almost there|i told you|as i said"
    r"|i(?:'ve| have)? (?:already )?said|keep in mind|bear in mind|in (?:the )?future|going forward|from now on"
    r"|from today(?: on)?|so you know|you(?:'re| are) (?:not correct|wrong|mistaken|incorrect)"
    r"|(?:that|this)(?:'s| is) (?:wrong|not (?:right|correct|true|ok|okay)|incorrect)|leave it|let(?:'s| us) do it"
    r"|let(?:'s| us) (?:settle|decide) (?:it|this|that))"
    r"(?:\s*[,.;:!?…—–-]+\s*|\s+(?=that\b))"
    r"|(?:so|then|and|but|also|please|pls|plz|kindly|just|hm+|ooh+|oh|wait|ok|okay|well|yes+|that|actually|now)\s+"
    r"(?!is\b|are\b|was\b|has\b|channel\b))+",
    re.IGNORECASE,
)
FILLERS: Final = re.compile(
    r"(?:,\s*)?\b(?:please|pls|plz|kindly)\b,?|\s[:;]-?[)(DP](?!\w)|,?\s*\bremember\b(?=[,;.!]|$)|\btotally\b ?"
    r"|\bagain\b(?=[,.;!]|$)",
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
        (r"^i(?:'d| would)? (?:prefer|like|want) ", r"Prefer "),
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
        (r"^let(?:'s| us) ", r""),
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
        r"^(?:(?:but|and|so|ok|hm+|wait|oh)[, ]+)?(?:what|why|how|who|when|where|which|is|are|was|were|do|does|did|can|could"
        r"|would|will|should|has|have|shall|any|am|isn't|aren't|couldn't|can't|don't we|didn't)\b.*$|.*\?\s*$",
        re.IGNORECASE | re.DOTALL,
    ),
    requests=re.compile(
        r"(?:would|could|can|will) you (?:please )?(?:always|never|stop)\b"
        r"|(?:can|could|would) you (?:please )?(?:review|check|verify|ensure|make sure).* that they (?:don't|do not|aren't|are"
        r"|have|use|only|never)\b",
        re.IGNORECASE,
    ),
    imperatives=re.compile(rf"^(?:{IMPERATIVES})\b", re.IGNORECASE),
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
        r"(?:is|are) over",
        r"scrap that rule",
        r"ignore that rule",
        r"no more [A-Z_]{3,}",
    ),
    standing=re.compile(
        r"(?:^|[.!?\n]\s*|[,;:]\s+)(?:please |pls )?(?:always|never|remember|from (?:now|today) on|from today|going forward|in (?:the )?future"
        r"|we (?:always|never|only|use|don't)|in this (?:project|repo)|as a rule|our (?:rule|convention|policy)|note that"
        r"|keep in mind|for next time|i told you|fyi|let(?:'s| us) (?:settle|decide))\b",
        re.IGNORECASE,
    ),
    choices=words(
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
        r"(?:,\s*|\s+)(?:because|since(?! (?:last|this|yesterday|\d))|so that|otherwise|or else|reason:|as (?:the|it|they)\b"
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
