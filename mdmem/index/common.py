"""Words that say little about what a rule is about, in the languages that rules are learned in.

Folded as `analysis.without_accents` folds them; faint words and opposites are compared by their stems.
"""

from __future__ import annotations

from typing import Final

from mdmem.index.analysis import STOP_WORDS

SILENT_WORDS: Final = STOP_WORDS | frozenset(
    """
    aber al alle alles als always anywhere aren't au auch auf aus aussi aux avec bei bitte cada can't ce ces
    cette chaque comme como con dans darf das dass de debe deben deja del dem den der des die doesn't doit
    doivent don't du durch durfen ein eine einem einen einer eines el elle en entre era es est esta estan et
    etait ever every everywhere faut favor fur hay hier i'd i'll ich ihr il im immer isn't ist it's jamais jamas
    je jede jeder jedes kein keine keinen la las le les let's lets like lo los mais man may might mit muss
    mussen must muy nach ne never nicht nie niemals noch nos nosotros notre nous nuestra nuestro nuestros nunca
    nur o oder one ou par para pas per pero plait por pour que qui sans schon se ser seulement shall si sich sie
    siempre sin sind single sobre soll sollen solo son sont sous statt su sur sus svp tambien that's toda todas
    todo todos toujours tous tout toute toutes tres tu uber un una unas und une unos unser unsere unseren unter
    upon via vom von vor votre vous war we'd we'll we've wenn werden whatever whenever whole wie wir wird within
    won't y ya yes yo you'd you're zu zum zur
    """.split()  # noqa: SIM905 (a page of words)
)

FAINT_WORDS: Final = frozenset(
    """
    add after agree all alt anything approve archivo ask avoid become before beforehand begin benutz build call
    change check code codigo come datei day dia do ecrire escribe everything faire fichier file first found get
    give go hacer happen hour jour keep kept know least leave let limit line list listen live look mach make max
    maximum mean minimum minute monat month most name need nehmen neu new nimm nouveau nuevo nutz old other
    percent place please project prueba put read readings recall regel regla regle remain repo rest right rule
    run same say schreib second see semaine semana set show skip start stay stop tag take team tell temps test
    thing think tiempo time try usa usar use utilise utiliza value verwend want way week woche work write writes
    written year zeit
    """.split()  # noqa: SIM905 (a page of words)
)

OPPOSITES: Final = (
    ("before", "after"), ("enable", "disable"), ("allow", "forbid"), ("add", "remove"), ("include", "exclude"),
    ("minimum", "maximum"), ("least", "most"), ("start", "stop"), ("start", "end"), ("begin", "end"), ("first", "last"),
    ("public", "private"), ("new", "old"), ("tab", "space"), ("read", "write"), ("above", "below"), ("local", "remote"),
    ("internal", "external"), ("upper", "lower"), ("merge", "rebase"), ("squash", "rebase"), ("up", "down"),
    ("open", "close"), ("input", "output"), ("import", "export"), ("sync", "async"), ("required", "optional"),
    ("left", "right"), ("front", "back"), ("frontend", "backend"), ("client", "server"), ("dev", "prod"),
    ("staging", "production"), ("staging", "prod"), ("upload", "download"), ("encode", "decode"), ("accept", "reject"),
    ("success", "failure"), ("ascending", "descending"), ("even", "odd"), ("early", "late"), ("more", "less"),
    ("more", "fewer"), ("true", "false"), ("keep", "delete"), ("keep", "drop"), ("kept", "deleted"), ("major", "minor"),
    ("short", "long"), ("english", "german"), ("warning", "error"), ("unit", "integration"), ("singular", "plural"),
    ("vor", "nach"), ("antes", "despues"), ("avant", "apres"), ("lokal", "entfernt"), ("offentlich", "privat"),
    ("erste", "letzte"), ("primero", "ultimo"), ("premier", "dernier"), ("kurz", "lang"), ("englisch", "deutsch"),
)  # fmt: skip
"""Words of which one turns the other's rule around."""

COUNTS: Final = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9",
    "ten": "10", "twelve": "12", "zwei": "2", "drei": "3", "vier": "4", "funf": "5", "sechs": "6", "sieben": "7",
    "acht": "8", "neun": "9", "zehn": "10", "dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6",
    "siete": "7", "ocho": "8", "nueve": "9", "diez": "10", "deux": "2", "trois": "3", "quatre": "4", "cinq": "5",
    "sept": "7", "huit": "8", "neuf": "9", "dix": "10",
}  # fmt: skip
