"""The small grammar that the other tables are built from. Each is a part of a pattern, not a whole one."""

from __future__ import annotations

from typing import Final

from mdmem.extract.languages.language import part

NUMBER: Final = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|sixty)"
STATES: Final = part(r"""
    is|are|isn't|aren't|use|uses|go|goes|start|starts|stay|stays|get|gets|live|lives|run|runs|need|needs
    |have|has|take|takes|come|comes|belong|belongs|listen|listens|read|reads|log|logs|return|returns
    |become|becomes|require|requires|write|writes|begin|begins|end|ends|keep|keeps|carry|carries|follow
    |follows|work|works|count|counts|point|points|expect|expects|accept|accepts|send|sends|store|stores
    |build|builds|receive|receives|include|includes|support|supports|mean|means|hate|hates|cover|covers
    |own|owns|serve|serves|handle|handles|match|matches|cost|costs|depend|depends|lasts|die|dies|fail
    |fails|break|breaks|stand|stands|wait|waits|pay|pays|show|shows|ask|asks|connect|connects|expire
    |expires|remain|remains|contain|contains|hold|holds|talk|talks|alert|alerts|never|always|must|may
    |can't|cannot|can only|shouldn't|don't|doesn't|do not|does not
""")
SUBJECT: Final = part(r"""
    (?!(?:it|this|that|these|those|he|she|they|i|you|we|there|here|which|what|who|why|how|when|where
    |does|do|did|is|are|can|could|would|will|should|has|have|not|if|let|let's|so|but|and|some|nobody
    |somebody|someone|don't|yeah|now|nice|both|(?:two|three|some|many|most|one|all) of)\b)
""")
MODALS: Final = r"(?:should|would|could|can|will|to|not|that|if|which|who)\b"
PASSING: Final = (
    r"(?:are|were|had|can|could|should|would|will|might|just|did|want to|need to|have to|got|saw|now|go|went)"
)
"""What follows "we" when it speaks of now, not of how things are done."""
CHOSEN: Final = r"(?:your|my|option|that|it|this|the (?:first|second|third|other|last))\b"
"""A choice among what was just offered, which means nothing later."""
PLACE: Final = r"(?:in|under|at|from|to) [`\"']?[\w#*.~<>$-]*[/.:#][\w./*<>#-]+"
IMPERATIVES: Final = part(r"""
    use|add|put|keep|make|run|write|do|let|try|show|give|call|name|start|stop|set|move|read|check|test
    |skip|leave|remove|delete|drop|avoid|prefer|commit|push|pull|merge|rebase|squash|split|break|extract
    |return|log|answer|reply|respond|explain|ask|wait|follow|stick|go|wrap|format|document|mention
    |include|exclude|ignore|pin|install|build|deploy|open|close|create|store|save|send|fix|replace
    |rename|revert|undo|look|focus|list|mark|treat|pass|partition|sort|group|bump|update|upgrade|mock
    |cover|assert|validate|import|export|load|fetch|cache|restart|limit|cap|round|convert|escape|quote
    |sign|tag|draft|describe|summarise|summarize|cite|link|verify|confirm|plot|draw|print|compute|count
    |compare|translate|scan|search|find|get|calculate|measure|rewrite|shorten|repeat|finish|publish
    |release|rerun|regenerate|reset|restore|upload|download|mail|email|tell|pick|choose|implement
    |refactor|simplify|turn|change|switch|swap|join|migrate|enable|disable|clean|kill|bring|think
    |consider|reduce|increase|raise|lower|hide|align|trim|cut|copy|paste|schedule|backfill|query|select
    |focus|never|always|only
""")
SEEN: Final = part(r"""
    (?:pages?|buttons?|links?|footer|header|search|login|picker|sidebar|charts?|invoices?|totals?|cursor|tooltips?|lists?
    |spinner|maps?|prices?|cart|uploads?|filters?|tabs?|menus?|notifications?|jobs?|rows?|requests?|downloads?|avatars?
    |forms?|dropdowns?|exports?|dialogs?|counters?|cache|app|icons?|sessions?|modals?|graphs?|build|previews?|e?mails?
    |banners?|imports?|titles?|csv|entry|entries|views?|attachments?|autocomplete|scrolling|screens?|gallery|images?
    |widgets?|site|save|cancel|names|script|video)
""")
"""What a user sees of a program: whoever speaks of it in the present tense reports, more often than not."""
HAPPENS: Final = part(r"""
    shows?|goes|go|redirects?|starts?|stops?|stays?|runs?|loads?|covers?|closes?|opens?|jumps?|hangs?|crashe?s?|leads?
    |expires?|blocks?|disappears?|vanish(?:es)?|appears?|overlaps?|flickers?|ends? up|times? out|takes?|comes?
    |(?:is|are) (?:lost|rounded|cut|never|stretched|broken)|is always|has? (?:the same|no|a)|have (?:the same|no)
    |does not|doesn't|don't|do not|forgets?|loses?|suggests?|keeps?|looks?|reloads?|prints?
""")
