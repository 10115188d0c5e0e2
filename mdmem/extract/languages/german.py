"""German: du and Sie, Swiss ss for ß, ae for ä, and the English words that developers mix in."""

from __future__ import annotations

from typing import Final

from mdmem.extract.languages.language import TOOL, Cue, Language, Rewrite, pattern, words

NUMBER: Final = r"(?:\d[\d.,]*|ein(?:e[nr]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|dreißig|dreissig)"
STATES: Final = (
    r"(?:ist|sind|kommt|kommen|gehört|gehören|liegt|liegen|läuft|laufen|heißt|heissen|heißen|beginnt|beginnen"
    r"|endet|enden|bleibt|bleiben|geht|gehen|steht|stehen|wird|werden|hat|haben|braucht|brauchen|nutzt|nutzen"
    r"|verwendet|verwenden|lauscht|hört|gilt|gelten|fängt|fangen|dauert|kostet|muss|müssen|darf|dürfen|soll|sollen"
    r"|zählt|zählen|gibt)"
)
ORDER: Final = (
    r"(?:nimm|nehmt|nehmen sie|verwend(?:e|et|en sie)|benutz(?:e|t|en sie)?|nutz(?:e|t|en sie)?|schreib(?:e|t"
    r"|en sie)?|mach(?:e|t|en sie)?|lass(?:t|en sie)?|leg(?:e|t|en sie)?|pack(?:e|t)?|setz(?:e|t|en sie)?"
    r"|stell(?:e|t)?|ruf(?:e|t)?|führ(?:e|t|en sie)?|start(?:e|et)|prüf(?:e|t)?|test(?:e|et)|lösch(?:e|t)?"
    r"|entfern(?:e|t)?|füg(?:e|t)?|halt(?:e|et)?|bleib(?:t|en sie)?|frag(?:e|t|en sie)?|antwort(?:e|et|en sie)"
    r"|erklär(?:e|t)?|zeig(?:e|t)?|gib|gebt|geh(?:t)?|vermeid(?:e|et|en sie)|commit(?:te|tet)|pushe?(?:t)?"
    r"|merge(?:t)?|rebase(?:t)?|benenn(?:e|t)|nenn(?:e|t)?|sortier(?:e|t)|teil(?:e|t)?|log(?:ge|gt)|ersetz(?:e|t)?"
    r"|änder(?:e|t)|schau(?:t)?|lies|lest|sag(?:t)?|bau(?:e|t)?|behalt(?:e|et)?|fass(?:e|t)?|wart(?:e|et)|such(?:e"
    r"|t)?|formatier(?:e|t)|dokumentier(?:e|t)|kommentier(?:e|t)|mock(?:e|t)|fang)"
)

CUES: Final = (
    Cue(
        "standing",
        3,
        words(r"""
        immer(?! noch| wieder| kleiner| größer) | stets | nie | niemals
        ab (?:jetzt|sofort|heute|morgen|nun) | von (?:jetzt|nun|heute) an | in zukunft | künftig | zukünftig
        grundsätzlich | prinzipiell | jedes mal | jedesmal | nicht mehr(?! als) | generell | standardmäßig
        überall | in jedem fall | auf keinen fall | unter keinen umständen | ausnahmslos | ohne ausnahme
        die regel (?:ist|lautet) | (?:neue )?regel(?=:| ist) | nirgends | keinesfalls
        (?:fürs|für das) nächste mal | nächstes mal | so machen wir das
    """),
    ),
    Cue(
        "reminder",
        3,
        words(r"""
        denk(?:t|en sie)? (?:bitte )?(?:dran|daran) | merk(?:e|t)? (?:dir|euch|es dir) | merken sie sich
        zur erinnerung | wie (?:schon |bereits )?(?:gesagt|besprochen|erwähnt|vereinbart|abgemacht)
        (?:hab|habe) (?:ich )?(?:doch |dir |euch )*(?:schon |bereits )?(?:\w+ )?gesagt | vergiss nicht
        nicht vergessen | beachte(?:t|n sie)? | zur info | fyi | nochmal | noch einmal | zum mitschreiben
    """),
    ),
    Cue(
        "decision",
        3,
        words(r"""
        wir (?:haben (?:uns )?(?:\w+ ){0,6}(?:entschieden|geeinigt|beschlossen|festgelegt)|bleiben bei|nehmen|gehen mit)
        lass(?:t)? uns (?:\w+ ){0,6}(?:bleiben|einigen|festlegen|nehmen|verwenden) | beschlossen
        entschieden | entscheidung | ausgemacht | abgemacht | wir steigen (?:\w+ )*auf
        wir wechseln (?:\w+ )*(?:zu|auf) | einigen wir uns | bleiben wir bei
    """),
    ),
    Cue(
        "contrast",
        2,
        pattern(r"""
        \b(?:nimm|benutze?|verwende?|nutze?) nicht [^,;.]+, (?:nimm|benutze?|verwende?|nutze?|sondern)\b
        |\b(?:statt|anstatt|anstelle)\b|\bsondern\b|\bund nicht\b|, nicht (?!wahr|oder|so|dass
        |nur)[\w"'`./#-]+|\blieber \w+ als\b|\b(?:ist|sind) (?:raus|weg|tot|veraltet|verboten|tabu|passé
        |geschichte|abgeschafft)\b
    """),
    ),
    Cue(
        "obligation",
        2,
        words(r"""
        muss | müssen | musst | darf(?:st)? (?:man |man hier )?(?:nur|nicht|nie|niemals|kein\w*)
        dürfen (?:nur|nicht|nie) | darf (?:\w+ ){0,4}(?:nicht|nie|kein\w*)
        dürfen (?:\w+ ){0,4}(?:nicht|nie) | soll(?:en|st|te|ten)? (?:\w+ ){0,5}(?:nie|immer|nicht|nur)
        verboten | erlaubt | pflicht | verpflichtend | zwingend
        nur (?:mit|über|per|via|durch|aus|in|im|nach|wenn|auf|für) | ausschließlich | tabu
        gehör(?:t|en) (?:nach|in|ins|unter|zu|nicht) | (?:ist|sind) zu \w+en | es reicht | niemand
    """),
    ),
    Cue(
        "bound",
        3,
        words(rf"""
        (?:höchstens|maximal|mindestens|max\.?|min\.?) {NUMBER}
        nicht (?:mehr|länger|weniger|später|früher|größer|älter) als {NUMBER} | bis zu {NUMBER}
    """),
    ),
    Cue(
        "limit",
        2,
        words(r"""
        höchstens | mindestens | maximal | prozent | limit | obergrenze | (?:\d+|eine?n?) pro \w+
    """),
    ),
    Cue(
        "universal",
        2,
        words(r"""
        jede[rsnm]? (?!mal|tag)\w+ | alle (?:neuen |unsere |alten )?\w+ | sämtliche | beide | egal (?:ob|wie|was|wo)
        durchgängig | projektweit | für alle | alles,? was | wer \w+
    """),
    ),
    Cue(
        "ours",
        2,
        words(r"""
        bei uns
        wir (?!haben gerade|können|könnten|sollten|hatten|waren|müssten|sehen|brauchen noch|machen gleich)\w+en
        unser(?:e[nrms]?)? | in (?:diesem|dem|unserem) (?:projekt|repo|team) | hier im (?:projekt|repo|team)
        machen wir hier | hier (?:verwenden|nutzen|benutzen|nehmen|schreiben|machen) wir
    """),
    ),
    Cue(
        "generic",
        2,
        pattern(rf"""
        ^(?!(?:das|dies|dieser|diese|dieses|es|er|sie|was|wer|wie|wo|wann|warum|ich|du|hier|jetzt|da|dann|mir|so
        |der fehler|die seite)\b)(?:[\w"'`./#<>*-]+ ){{1,5}}?{STATES} +[\w`'"#/.-]
    """),
    ),
    Cue(
        "condition",
        2,
        words(r"""
        (?:be)?vor (?:jedem|dem|der|einem|einer|du|ihr|wir|man) | nach (?:jedem|jeder) | bevor | sobald
        solange | wenn (?:du|man|ihr|ein|eine|einer|etwas|sich|die|der|das) (?:\w+ ){0,6}\w+ | falls | außer
        es sei denn | im zweifel | beim (?!nächsten)\w+en
    """),
    ),
    Cue(
        "ban",
        2,
        pattern(r"""
        (?:^|[,;:.!] ?)kein(?:e|en|er)? (?!ahnung|problem|thema|sorge|stress|wunder|grund|plan|idee|lust
        |zeit)[\w-]+(?: [\w-]+)*?(?: (?:in|im|auf|an|mit|ohne|für|vor|nach|bei|außerhalb|zu|per)\b|[.!]?$)
    """),
    ),
    Cue(
        "refusal",
        1,
        words(r"""
        nicht | kein(?:e[nrms]?)? | ohne | vermeid(?:e|et|en) | lass(?:t)? das | finger weg | hör(?:t)? auf
    """),
    ),
    Cue(
        "habit",
        2,
        pattern(rf"""
        ^(?:bitte )?{ORDER} (?:bitte )?(?:nur |nicht )?(?:die |alle |neue |unsere )?[\w-]+(?:en|er|s
        |e) (?:in|im|mit|mittels|über|auf|vor|nach|unter|per|als|immer|direkt|zuerst|bei)\b|\b(?:für
        |bei) (?!mich|jetzt|heute|dich|diese|den\b|die\b|das\b)[\w-]+(?:en|e|s)? (?:bitte )?{ORDER}\b
    """),
    ),
    Cue(
        "conduct",
        3,
        pattern(r"""
        \bantwort(?:e|et|en sie)? (?:mir |bitte |uns )*(?:kurz|knapp|auf|in|immer|nur)\b|\bfass(?:e
        |t)? dich kurz\b|\bfrag(?:e|t|en sie)? (?:mich |bitte |immer )*(?:erst|vorher|zuerst|nach|bevor
        |lieber)\b|\berst fragen\b|\bkeine (?:emojis|entschuldigungen|erklärungen|zusammenfassung\w*
        |floskeln)\b|\bnicht (?:raten|erfinden)\b|\brate nicht\b|\berfinde? (?:bitte )?(?:nichts|keine)\b
        |\bdeutsch\w* (?:kommentare|antworten)\b|\bkurze antworten\b
    """),
    ),
    Cue(
        "preference",
        1,
        words(r"""
        ich (?:möchte|will|bevorzuge|hätte gern\w*|mag|erwarte) | lieber | am liebsten | bitte
    """),
    ),
    Cue("reason", 1, words(r"weil | da (?:die|der|das|wir|sonst|es) | denn | sonst | damit | grund")),
    Cue(
        "change",
        1,
        words(r"""
        jetzt(?=[.,;:!]|$) | (?:ist|sind|läuft|liegt|heißt) (?:jetzt|nun)
        seit (?:gestern|letzter|dieser|heute|version) | umgestellt | umgezogen | gewechselt | neuerdings
        stattdessen | nun
    """),
    ),
    Cue("where", 1, words(r"(?:in|unter|nach|im ordner|aus) [`\"]?[\w.*-]+/[\w./*-]*")),
    Cue(
        "place",
        2,
        words(r"""
        (?:liegt|liegen|gehört|gehören|kommt|kommen|leben|steht|stehen) (?:\w+ )?(?:in|unter|nach|im|ins|auf)
        port \d+
    """),
    ),
    Cue(
        "command",
        1,
        words(r"""
        [`\"]?(?:make|npm|uv|pnpm|yarn|poetry|cargo|tox|pytest|gradle|mvn|docker)[`\"]? [\w:.-]+
    """),
    ),
    Cue("matter of", 1, pattern(r"^(?!ok\b|gut\b|super\b|nein\b)[\w#./-]+(?: [\w#./-]+){0,3}: \S")),
    Cue(
        "hedge",
        -4,
        words(r"""
        vielleicht | ich verstehe nicht | eventuell | evtl | möglicherweise | wahrscheinlich | vermutlich
        ich (?:glaube|denke|frage mich|vermute|finde) | könnte(?:n|st)? (?:wir|man|das|es) | wäre es
        was wenn | wie wäre | weiß nicht | bin (?:mir )?(?:nicht|un)\s?sicher | ich meine | keine ahnung
        oder so
    """),
    ),
    Cue(
        "report",
        -3,
        pattern(r"""
        ^(?!.*\b(?:wenn|falls|sonst|nie|niemals|immer|muss|müssen|darf|nur|ab jetzt)\b).*\b(?:fehler\w*|bug
        |problem|kaputt|abgestürzt|absturz|schlägt fehl|fehlgeschlagen|funktioniert nicht|geht nicht
        |klappt nicht|falsch(?:e[nrs]?)?|doppelt|hängt|leer|fehlt|fehlen|rot|exception|traceback|stürzt ab
        |bricht ab|wirft|liefert|zeigt)\b
    """),
    ),
    Cue("tongue", 2, words(r"auf (?:englisch|deutsch) | in (?:englisch|deutsch|utc)")),
    Cue(
        "behaviour",
        -3,
        pattern(r"""
        ^(?:der|die|das) (?:seite|suche|button|knopf|link|login|liste|tabelle|menü|dialog|formular|export
        |import|upload|app|karte|diagramm|mail|cronjob|anzeige|filter) (?:[\w-]+ ){0,3}?(?:zeigt|lädt
        |springt|hängt|öffnet|schließt|führt|verschwindet|startet|geht|liefert|funktioniert|ist .*ge\w+(?:t
        |en)[.!]?$)
    """),
    ),
    Cue(
        "spec",
        -3,
        pattern(r"""
        ^(?:der|die|das|die neue|der neue|das neue) (?:formular|button|knopf|seite|antwort|titel|tabelle
        |liste|feld|dialog|menü|spalte|endpunkt|funktion|karte) (?:muss|soll|sollte|braucht)\b(?!.*\b(?:nie
        |niemals|immer|nur|jede\w*|alle)\b)
    """),
    ),
    Cue(
        "thanks",
        -2,
        words(r"""
        danke | vielen dank | läuft jetzt | passt so | sieht gut aus | perfekt | klasse | prima
    """),
    ),
    Cue(
        "once",
        -4,
        words(r"""
        (?:erst|für)?\s?(?:einmal|erstmal|mal eben) | vorerst | für jetzt | fürs erste | diesmal
        dieses mal | ausnahmsweise | vorübergehend | nur heute | heute noch | jetzt gleich
        (?<!antworte )(?<!antworten )(?<!dich )(?<!mir )kurz | schnell | vorläufig
        in diesem (?:pr|commit|fall|lauf) | noch nicht | bevor du weitermachst | gerade eben | zuerst mal
        für den moment | noch ein(?:en|e)? | (?:schau|guck|prüf)\w* mal | wieder zurück | rückgängig
    """),
    ),
    Cue(
        "matter",
        -2,
        pattern(r"""
        ^(?:bitte |dann |ok,? |und |jetzt )*\w+ (?:das|es|sie|ihn|den|die|dies
        |diese[nrs]?)(?: \w+){0,3}[.!]?$
    """),
    ),
    Cue(
        "sweep",
        -3,
        pattern(r"""
        ^(?:bitte )?(?:ersetze?|benenn\w*|entfern\w*|lösch\w*|änder\w*|fix\w*|konvertier\w*) .*\b(?:alle
        |überall|jede\w*)\b
    """),
    ),
    Cue(
        "task",
        -2,
        pattern(r"""
        ^(?:bitte )?(?:die |das |den |eine?n? )?(?:summe|liste|übersicht|zusammenfassung|tabelle|bericht
        |diff)\b
    """),
    ),
    Cue("past", -1, pattern(r"^(?:ich|es|das|du|wir) (?:war|waren|hatte|hatten|habe gerade|hat gerade|wurde)\b")),
)

OPENERS: Final = pattern(r"""
        ^(?:(?:nein|nee|nö|ne|ja|jo|jep|ok(?:ay)?|gut|super|halt|stopp?|moment|warte|hm+|ah|oh|ach|also
        |falsch|schön|prima|klasse|perfekt|danke|sorry|entschuldigung|übrigens|hinweis|achtung|wichtig|regel
        |neue regel|entscheidung|beschlossen|entschieden|abgemacht|zur (?:erinnerung|info)|fyi|noch was
        |nochmal|noch einmal|wie (?:schon |bereits )?(?:gesagt|besprochen|vereinbart|abgemacht)|(?:fürs
        |für das) nächste mal|nächstes mal|in zukunft|künftig|ab (?:jetzt|sofort|heute)|von jetzt an|bitte
        |merk(?:e)? dir(?: bitte)?|denk (?:bitte )?dran|vergiss nicht|nicht so|so nicht|das (?:ist
        |war) (?:falsch|nicht richtig|so nicht richtig)
        |(?:das )?hab(?:e)? ich (?:dir |euch |doch )*(?:schon |bereits )?(?:\w+ )?gesagt|lass das
        |doch)(?:\s*[,.;:!?…—–-]+\s*(?:dass )?)|(?:bitte|also|und|aber|dann|ok|okay|nein|doch|hm+
        |in zukunft bitte|ab (?:jetzt|sofort) bitte|künftig bitte)\s+)+
    """)
FILLERS: Final = pattern(
    r"(?:,\s*)?\b(?:bitte|danke|doch|halt|eben mal)\b(?=\s*(?:[,.;!]|$))|\bbitte\b,? ?|\s[:;]-?[)(DP](?!\w)"
)
CLOSERS: Final = pattern(
    r"""
        (?:,?\s+(?:bitte|danke|ok\?|okay\?|ja\?|oder\?|ab (?:jetzt|sofort|heute)|in zukunft|künftig
        |von jetzt an|nochmal|klar\?|verstanden\?))+$
    """
)
OBJECTIONS: Final = pattern(r"""
        ^(?:(?:hm+|oh|ah|ach|moment|warte|halt|ok|sorry)[,.!]? )*(?:nein\b|nee\b|nö\b|falsch\b|nicht so\b
        |so nicht\b|stopp?\b|lass das|das (?:ist|war|stimmt) (?:so )?(?:falsch|nicht)
        |(?:das )?hab(?:e)? ich (?:dir |doch |euch )*(?:schon |bereits )?(?:\w+ )?gesagt|du (?:hast|solltest
        |sollst|hättest)|zu (?:lang|kurz|viel|kompliziert|langsam)\b|fast\b|warum (?:hast|machst|nimmst) du
        |bitte nicht\b|mach das rückgängig|nicht ganz\b|wieso (?:hast|machst) du)
    """)
DOUBTS: Final = words(
    r"""
        statt(?:dessen)? | eigentlich wollte ich | ich meinte | so war das nicht | warum hast du
        hätte(?:st)? .* sollen | ^bitte nicht \w+
    """
)
DISMISSALS: Final = pattern(
    r"""
        ^(?:ok(?:ay)?|gut|nein|stopp?|lass)?[,.! ]*(?:das mach(?:e)? ich|ich (?:mach|übernehm
        |schau)\w*\b.{0,30}\b(?:selbst|selber|weiter|später)|egal|vergiss es|lass es|schon gut|passt schon)
    """
)
QUESTIONS: Final = pattern(
    r"""
        ^(?:(?:und|aber|also|ok|hm+)[, ]+)?(?:was|warum|wieso|weshalb|wie|wer|wo|wann|welche[rsnm]?|ist das
        |sind das|hast du|kannst du|könntest du|gibt es)\b.*\?\s*$|.*\?\s*$
    """,
    whole=True,
)
REQUESTS: Final = pattern(
    r"""
        \b(?:kannst|könntest|würdest|könnt|können sie|könnten sie) (?:du |ihr )?(?:bitte )?(?:immer|nie
        |niemals|in zukunft|künftig|ab jetzt|aufhören)\b
    """
)
IMPERATIVES: Final = pattern(rf"^{ORDER}\b")
NEGATIVES: Final = pattern(r"^(?:nicht|nie|niemals|kein(?:e[nrms]?)?)\b")
FRAGMENTS: Final = pattern(
    r"""
        ^(?:(?:immer|nie|niemals|nur|alle|jede[rsn]?|und|oder|bis|außer|für)\b[^,;:]{0,50}$
        |(?:nicht mehr)\b.{0,40}$|(?:beschlossen|abgemacht)\b.{0,40}$)
    """
)
DEICTICS: Final = pattern(r"^(?:das|dies|es|die hier|diese[rsn]?|der hier|so)\b")
POLITE: Final = pattern(r"^(?:kannst|könntest|würdest) du (?:bitte )?(?!.*\boder\b)(?=\w+ ).*")
STRANGERS: Final = words(
    r"""
        mail | e-mail | review | reviewer | kommentar\w* | kolleg\w+ | log(?:s)? | ausgabe | ticket | issue
        bericht | schreibt | schrieb | meint(?:e)? | sagt | sagte | artikel | blog | doku | readme | slack
        kund\w+ | feedback | antwort
    """
)
PASTED: Final = pattern(
    r"\bman könnte erwägen\b|^sehr geehrte|\bmit freundlichen grüßen\b|\bviele grüße\b|\bTraceback \(most recent",
    lines=True,
)
PERSONS: Final = words(r"ich | wir | du | ihr | sie | mir | mich | uns | dir | dich | unser\w* | mein\w* | bitte")
RULES: Final = r"(?:regel|vorgabe|einschränkung|ausnahme|grenze|pflicht|sperre)"
ENDED: Final = (
    r"(?:ist|gilt|entfällt|fällt)(?: \w+)? ?"
    r"(?:hinfällig|aufgehoben|weg|vorbei|nicht mehr|passé|erledigt)"
)
REVOCATIONS: Final = words(rf"""
        {RULES} {ENDED}
        (?:gilt|gelten|brauchst du|braucht man|brauchen wir) (?:\w+ )*nicht mehr
        (?:ist|sind) nicht mehr (?:nötig|notwendig|erforderlich|gültig)
        (?:du )?(?:darfst|kannst|dürft|könnt) (?:\w+ ){{0,5}}wieder | vergiss die regel | hinfällig
    """)
ONCE: Final = pattern(
    r"""
        (?<!\w)(?:(?:nur )?dieses (?:eine )?mal|diesmal|nur (?:heute|jetzt|hier)|nur für (?:heute|jetzt)|ausnahmsweise
        |vorerst|fürs erste|vorläufig|vorübergehend|für den moment|bis ich (?:zurück|fertig) bin|bis morgen
        |(?:nur )?(?:für|in|bei) (?:diese[rsnm]?|die nächste|der nächsten)(?: eine[rn]?)? (?:nachricht|antwort|frage
        |sitzung|aufgabe|ticket|pr|commit|änderung|lauf|demo))(?!\w)
    """
)
WITHDRAWALS: Final = pattern(
    r"""
        (?:^|[.!?…;,—–-]+\s*)(?:(?:nein|nee|ach|oh|hm+|moment|warte|doch|sorry|stopp|quatsch)[,.!…]*\s+)*
        (?:(?:vergiss|streich|ignorier(?:e|t)?|verwirf) (?:das|es|was ich gesagt habe)(?: wieder| bitte)?
        |(?:ich )?nehm(?:e)? (?:das|es) zurück|das nehme ich zurück|doch nicht|lass es|vergiss es
        |(?:ach )?egal)(?=\s*(?:$|[.,;!?…—–-]))
    """
)
AS_BEFORE: Final = words("wieder")
STANDING: Final = pattern(
    r"""
        (?:^|[.!?\n]\s*|[,;:]\s+)(?:bitte )?(?:immer|nie|niemals|merk dir|ab (?:jetzt|sofort|heute)
        |in zukunft|künftig|wir (?:verwenden|nutzen|nehmen|schreiben|machen)|bei uns|in diesem (?:projekt
        |repo)|grundsätzlich|denk dran|fürs nächste mal)\b
    """
)
CHOICES: Final = words(
    r"""
        wir (?:bleiben|nehmen|wechseln|steigen)\b | entschieden | geeinigt | beschlossen | entscheidung
        abgemacht | ausgemacht | lass(?:t)? uns | einigen wir uns | bleiben wir
    """
)
REASONS: Final = pattern(r"(?:,\s*|\s+)(?:weil|denn|da (?=die |der |das |wir |sonst|es )|damit|sonst|grund:)\s*")
KINDS: Final = (
    (
        words(r"""
        antwort\w* | frag\w* mich | erst fragen | erklär\w* | ich (?:mag|will|möchte|bevorzuge) | erfind\w*
        raten | rate nicht | fass dich | emojis
    """),
        "feedback",
    ),
    (
        words(rf"""
        {TOOL} [\w:.-]+ (?:aus(?:führen)?|laufen|starten|vor|nach)
    """),
        "command",
    ),
    (
        words(r"""
        ports? \d+ | lauscht auf | localhost | umgebungsvariable | auf diesem rechner | [A-Z_]{4,}=
    """),
        "env_quirk",
    ),
)

REWRITES: Final = (
    Rewrite(
        pattern(r"""
        ^(?P<who>(?:der|die|das|jede[rs]?|alle) [\w-]+) (?P<rest>[^,]+) (?P<verb>muss|müssen|darf|dürfen
        |soll|sollen|ist|sind|wird|werden)$
    """),
        r"\g<who> \g<verb> \g<rest>",
    ),
    Rewrite(
        pattern(r"""
        ^(?:benutz|verwend|nutz|nimm|nehm)\w* (?:nicht|kein(?:e[nrms]?)?
        |nie) (?P<bad>[^,;.]+), sondern (?:immer )?(?P<good>[^,;.]+)(?P<rest>.*)$
    """),
        r"Verwende \g<good> statt \g<bad>\g<rest>",
    ),
    Rewrite(
        pattern(r"""
        ^(?:nicht|kein(?:e[nrms]?)?|nie) (?P<bad>[^,;.]+?)(?: (?:verwenden|benutzen|nutzen
        |nehmen))?, sondern (?P<good>[^,;.]+)(?P<rest>.*)$
    """),
        r"Verwende \g<good> statt \g<bad>\g<rest>",
    ),
    Rewrite(
        pattern(r"""
        ^(?:verwend|benutz|nutz|nimm|nehm)\w* (?:bitte )?(?:nie(?:mals)?|nicht
        |kein(?:e[nrms]?)?) (?P<what>.+)$
    """),
        r"Vermeide \g<what>",
    ),
    Rewrite(
        pattern(r"""
        ^kein(?:en?)? (?P<what>(?!mehr\b)[\w`-]+(?: [\w`-]+)? (?:in|im|auf|an|außerhalb|vor|nach|bei|mit
        |ohne) .+)$
    """),
        r"Verzichte auf \g<what>",
    ),
    Rewrite(
        pattern(r"""
        ^(?:ab (?:jetzt|sofort|heute)|von jetzt an|künftig|in zukunft|grundsätzlich) (?P<verb>\w+(?:t
        |en)) (?P<who>wir|(?:die |der |das |alle )?[\w-]+) (?P<rest>.+)$
    """),
        r"\g<who> \g<verb> \g<rest>",
    ),
    Rewrite(
        pattern(r"^wir haben uns (?:auf|für) (?P<what>.+?) (?:geeinigt|entschieden|festgelegt)(?P<rest>.*)$"),
        r"Verwende \g<what>\g<rest>",
    ),
    Rewrite(
        pattern(r"^(?:lass(?:t)? uns|bleiben wir|wir bleiben) (?:also )?bei (?P<what>.+?)(?: bleiben)?$"),
        r"Bleib bei \g<what>",
    ),
    Rewrite(
        pattern(r"^(?:bei uns |hier )?(?:verwenden|nutzen|benutzen|nehmen) wir (?:immer |nur )?(?P<what>.+)$"),
        r"Verwende \g<what>",
    ),
    Rewrite(
        pattern(r"^wir (?:verwenden|nutzen|benutzen|nehmen) (?:hier |immer |jetzt )?(?:nur )?(?P<what>.+)$"),
        r"Verwende \g<what>",
    ),
    Rewrite(pattern(r"^wir wechseln (?:jetzt )?(?:zu|auf) (?P<what>.+)$"), r"Verwende \g<what>"),
    Rewrite(
        pattern(r"^(?:kannst|könntest|würdest) du (?:bitte )?(?:immer |in zukunft |künftig )?(?P<what>.+)$"),
        r"\g<what>",
    ),
    Rewrite(pattern(r"^(?:du |sie )?(?:musst|müssen|sollst|sollen) (?:immer )?(?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^(?:nicht|nie|niemals) (?:mehr|länger|größer) als (?P<what>.+)$"), r"Höchstens \g<what>"),
    Rewrite(pattern(r"^(?P<verb>\w+) (?:nie(?:mals)?|nicht) mehr als (?P<rest>.+)$"), r"\g<verb> höchstens \g<rest>"),
    Rewrite(pattern(r"^immer (?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^ich (?:möchte|will|hätte gerne?) (?P<what>(?!dass).+)$"), r"Bevorzugt: \g<what>"),
    Rewrite(
        pattern(r"^(?:nimm|verwend\w*|benutz\w*|nutz\w*) (?P<good>[^,;.]+), (?:und )?nicht (?P<bad>[^,;.]+)$"),
        r"Verwende \g<good> statt \g<bad>",
    ),
)

CHANGES: Final = words(
    r"""
        ab (?:jetzt|sofort|heute|nun) | von (?:jetzt|nun|heute) an | nicht mehr | jetzt | nun | künftig
        in zukunft | neuerdings | umgestellt | umgezogen | gewechselt | wir wechseln | neue regel
        alte[nrs]? | stattdessen | seit (?:heute|gestern)
    """
)
ENDINGS: Final = pattern(
    r"""
        \b([\w.#/-]+(?: [\w.#/-]+)?) (?:ist|sind) (?:jetzt |nun )?(?:raus|weg|tot|veraltet|abgeschafft
        |geschichte|passé|archiviert|hinfällig)\b|\b(?:weg von|schluss mit|kein(?:e[nrs]?)?
        |nicht mehr) ([\w.#/-]+)(?: mehr)?\b|\balte[nrs]? ([\w.-]+)
    """
)
FUNCTION_WORDS: Final = frozenset(
    """
    der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen nie niemals
    immer ist sind war wird werden wir ihr ich du sie es er man mir mich dir dich uns euch im am auf aus bei mit
    von vom zu zum zur für über unter nach vor bitte danke ja nein nee auch nur noch schon mal doch wie als wenn
    weil dass hier jetzt ab alle alles jede jeder jedes muss müssen soll sollen darf dürfen kann kannst könntest
    können unser unsere statt sondern bevor gehört heißt heißen nimm verwende benutze nutze mach lass künftig
    zukunft zeig schau warum was wer wo haben hat habe hast gut ok falsch antworte frag läuft kommt kommen liegt
    bleib bleiben gibt wieder behebe benenn bedeutet diese dieser dieses diesem diesen füge ersetze lösche
    entferne um
    """.split()  # noqa: SIM905 (a page of words)
)

GERMAN: Final = Language(
    code="de",
    cues=CUES,
    openers=OPENERS,
    fillers=FILLERS,
    closers=CLOSERS,
    objections=OBJECTIONS,
    doubts=DOUBTS,
    dismissals=DISMISSALS,
    questions=QUESTIONS,
    requests=REQUESTS,
    imperatives=IMPERATIVES,
    negatives=NEGATIVES,
    fragments=FRAGMENTS,
    deictics=DEICTICS,
    polite=POLITE,
    strangers=STRANGERS,
    pasted=PASTED,
    persons=PERSONS,
    revocations=REVOCATIONS,
    once=ONCE,
    withdrawals=WITHDRAWALS,
    as_before=AS_BEFORE,
    standing=STANDING,
    choices=CHOICES,
    reasons=REASONS,
    kinds=KINDS,
    rewrites=REWRITES,
    relative_days=(
        (words(r"heute(?: früh| morgen| abend)?"), 0),
        (words(r"gestern(?: abend)?"), -1),
        (words(r"vorgestern"), -2),
        (words(r"übermorgen"), 2),
    ),
    changes=CHANGES,
    endings=ENDINGS,
    function_words=FUNCTION_WORDS,
    letters=pattern(r"[äöüß]"),
)
