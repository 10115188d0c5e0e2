"""French: tu and vous, the ne that speech leaves out, with the English words that developers mix in."""

from __future__ import annotations

from typing import Final

from mdmem.extract.languages.language import TOOL, Cue, Language, Rewrite, pattern, words

NUMBER: Final = r"(?:\d[\d.,]*|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|trente)"
STATES: Final = (
    r"(?:est|sont|va|vont|vit|vivent|reste|restent|commence|commencent|finit|finissent|doit|doivent|peut|peuvent"
    r"|utilise|utilisent|passe|passent|tourne|tournent|écoute|se \w+|s'\w+|a|ont|prend|prennent|vient|viennent"
    r"|appartient|appartiennent|nécessite|contient|compte|comptent|dure|coûte|suit|suivent|portent|porte|n'\w+"
    r"|ne \w+)"
)
ORDER: Final = (
    r"(?:utilise[sz]?|utilisez|prends|prenez|écris|écrivez|mets|mettez|fais|faites|laisse[sz]?|lance[sz]?"
    r"|garde[sz]?|crée[sz]?|ajoute[sz]?|supprime[sz]?|enlève[sz]?|vérifie[sz]?|teste[sz]?|réponds|répondez"
    r"|explique[sz]?|demande[sz]?(?:-moi)?|évite[sz]?|nomme[sz]?|trie[sz]?|range[sz]?|appelle[sz]?|ouvre[sz]?"
    r"|ferme[sz]?|montre[sz]?(?:-moi)?|change[sz]?|remplace[sz]?|documente[sz]?|commente[sz]?|formate[sz]?"
    r"|installe[sz]?|passe[sz]?|suis|sépare[sz]?|découpe[sz]?|limite[sz]?|attends|lis|cherche[sz]?|dis(?:-moi)?"
    r"|donne[sz]?(?:-moi)?|corrige[sz]?|reste[sz]?|rebase[sz]?|commite[sz]?|pousse[sz]?|pense[sz]?|préfère[sz]?"
    r"|respecte[sz]?|sois|soyez)"
)

CUES: Final = (
    Cue(
        "standing",
        3,
        words(r"""
        toujours(?! pas| rouge| le même| aussi) | jamais | désormais | dorénavant
        à partir (?:de maintenant|d'aujourd'hui|de là) | à l'avenir | chaque fois | à chaque fois
        par (?:défaut|convention|principe) | en règle générale | ne (?:\w+ ){1,2}plus | plus jamais
        partout | sans exception | en aucun cas | sous aucun prétexte | la prochaine fois
        (?:nouvelle )?règle(?=[ ]?:| est) | c'est comme ça qu'on | dans tous les cas | on (?:ne )?\w+ jamais
    """),
    ),
    Cue(
        "reminder",
        3,
        words(r"""
        rappelle-toi | souviens-toi | n'oublie[sz]? pas | pense[sz]? à | pour rappel | rappel
        note[sz]? (?:bien )?que | sache[sz]? que
        comme (?:je l'ai |on l'a |déjà )?(?:dit|convenu|décidé|évoqué|vu)
        je (?:te |vous )?l?'?(?:l')?ai (?:déjà )?dit | je t'ai (?:déjà )?dit | pour info | encore une fois
        garde[sz]? en tête | retien[st] | retenez
    """),
    ),
    Cue(
        "decision",
        3,
        words(r"""
        (?:on a|nous avons|c'est) (?:\w+ )?(?:décidé|convenu|choisi|tranché|acté)
        on (?:reste|part|continue) (?:sur|avec) | on passe (?:à|sur|au) | restons sur | partons sur | décidé
        convenu | décision | on garde | on choisit | on bascule | on migre
    """),
    ),
    Cue(
        "contrast",
        2,
        pattern(r"""
        \bn'utilise[sz]? (?:pas|jamais) [^,;.]+, (?:mais )?(?:utilise|prends)|\bau lieu d[e'u]
        |\bplutôt qu[e']|\bà la place d|\bet (?:non )?pas\b|, pas (?!sûr|encore|mal|besoin|grave|vraiment
        |de souci)[\w"'`./#-]+|\bnon pas\b|\b(?:est|sont) (?:mort\w*|interdit\w*|proscrit\w*|obsolètes?
        |déprécié\w*|banni\w*|abandonné\w*|terminé\w*)\b
    """),
    ),
    Cue(
        "obligation",
        2,
        words(r"""
        doi(?:t|s|vent|vez) | il faut | faut | ne (?:peut|peuvent|doit|doivent) (?:pas|jamais|plus)
        interdit(?:e|es|s)? | obligatoires? | autorisé(?:e|es|s)? | (?:seulement|uniquement|exclusivement)
        ne \w+ qu[e'] | personne | on (?:ne )?touche pas | va(?:\s|nt )?(?:dans|sous) | vont (?:dans|sous)
        passe(?:nt)? par
    """),
    ),
    Cue(
        "bound",
        3,
        words(rf"""
        (?:au (?:plus|maximum|moins|minimum)|maximum|minimum|max\.?) {NUMBER} | (?:pas )?plus de {NUMBER}
        {NUMBER} (?:\w+ )?(?:au (?:plus|maximum)|maximum|max)
    """),
    ),
    Cue(
        "limit",
        2,
        words(r"""
        au (?:plus|maximum|moins|minimum) | pour ?cent | limite | plafond | jusqu'à \d+
        (?:\d+|une?) par \w+
    """),
    ),
    Cue(
        "universal",
        2,
        words(r"""
        tou(?:s|tes) (?:les |nos )?\w+ | chaque (?!fois)\w+ | n'importe (?:quel|quelle|qui|où) | tout ce qui
        les deux | dans tout le (?:projet|dépôt|repo) | quoi qu'il arrive | aucun(?:e)? \w+
    """),
    ),
    Cue(
        "ours",
        2,
        words(r"""
        chez nous | ici,? on
        on (?!a\b|va\b|peut\b|dirait\b|verra\b|voit\b|pourrait\b|devrait\b|était\b|essaie\b|en\b|y\b|est\b)\w+e
        nous \w+ons | nos (?!prochain)\w+ | notre (?!prochain)\w+ | dans ce (?:projet|dépôt|repo)
        sur ce projet | dans l'équipe | comme (?:partout|ailleurs|le reste)
    """),
    ),
    Cue(
        "generic",
        2,
        pattern(rf"""
        ^(?!(?:ça|cela|ce|cet|cette|c'est|il|elle|ici|là|que|quoi|qui|comment|où|quand|pourquoi|maintenant
        |je|tu|moi|la page|l'erreur|le bouton|le test|les tests|le bug)\b)(?:(?:les|le|la|nos
        |notre) |l')?(?:[\w"'`./#<>*-]+ ){{1,5}}?{STATES} +[\w`'"#/.-]
    """),
    ),
    Cue(
        "condition",
        2,
        words(r"""
        avant (?:chaque|de|tout|toute|d'\w+|que) ?\w+ | après (?:chaque|tout|avoir) \w+
        quand (?:\w+ ){1,6}\w+ | dès (?:que|qu'\w+) | si (?:\w+ ){1,6}\w+ | sauf | à moins (?:que|d')
        en cas de | dans le doute | lorsque | jusqu'à ce que | tant que
    """),
    ),
    Cue(
        "ban",
        2,
        pattern(r"""
        (?:^|[,;:.!] ?)(?:pas d(?:e |'|u )(?!souci|problème|panique|stress|quoi)[\w-]+|aucune? (?!idée
        |problème|souci)[\w-]+|plus d(?:e |')(?!\d)[\w-]+)
    """),
    ),
    Cue("prohibition", 2, pattern(r"^(?:il est )?interdi(?:t|ction)\b")),
    Cue("refusal", 1, words(r"pas | ne | sans | évite[sz]? | arrête[sz]? de \w+")),
    Cue(
        "habit",
        2,
        pattern(rf"""
        ^(?:s'il (?:te|vous) plaît,? )?(?:ne )?{ORDER} (?:pas |toujours )?
        (?:les |des |nos |tous les |toutes les )[\w-]+[sx] (?:dans|avec|en|comme|par|sur|avant|après|sous|au
        |à|pour|sans|de)\b|\bpour (?:les|le|la) [\w-]+,? {ORDER}\b
    """),
    ),
    Cue(
        "conduct",
        3,
        pattern(r"""
        \brépond(?:s|ez|re)(?:-moi)? (?:toujours |juste )?(?:en|court|brièvement|avec)\b|\bsois (?:bref
        |concis)\b|\bréponses? (?:courtes?|brèves?)\b|\bdemande[sz]?(?:-moi)? (?:d'abord|avant)\b
        |\bpas d(?:'emojis?|'excuses|e résumé\w*|e blabla)\b|\b(?:n'invente|ne devine
        |ne suppose)[sz]? (?:pas|rien|jamais)\b|\bd'abord (?:me )?demande
    """),
    ),
    Cue(
        "preference",
        1,
        words(r"""
        je (?:préfère|veux|voudrais|souhaite) | j'aime(?:rais)? | s'il (?:te|vous) plaît | stp | svp
        plutôt
    """),
    ),
    Cue("reason", 1, words(r"parce qu(?:e|'\w+) | car | puisqu(?:e|'\w+) | sinon | pour que | afin | raison")),
    Cue(
        "change",
        1,
        words(r"""
        maintenant(?=[.,;:!]|$) | (?:est|sont|passe|écoute|tourne) (?:maintenant|désormais)
        depuis (?:hier|la version|cette semaine) | on a (?:changé|migré|déplacé|basculé) | nouveau schéma
    """),
    ),
    Cue("where", 1, words(r"(?:dans|sous) [`\"]?[\w.*-]+/[\w./*-]*")),
    Cue(
        "place",
        2,
        words(r"""
        (?:va|vont|vit|vivent|est|sont|se trouve|se trouvent|rangé\w*) (?:dans|sous) [`\"]?[\w.*-]*[/.:#][\w./*-]*
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
    Cue("matter of", 1, pattern(r"^(?!ok\b|bon\b|non\b|bien\b)[\w#./-]+(?: [\w#./-]+){0,3} ?: \S")),
    Cue(
        "hedge",
        -4,
        words(r"""
        peut-être | je ne comprends pas | probablement | sans doute | je (?:crois|pense|suppose|me demande|trouve)
        on (?:pourrait|devrait peut-être) | et si | ce serait | ça serait | pas sûr | aucune idée
        j'ai l'impression | il me semble | éventuellement
    """),
    ),
    Cue(
        "report",
        -3,
        pattern(r"""
        ^(?!.*\b(?:quand|si|sinon|jamais|doit|doivent|il faut|désormais|dorénavant
        |uniquement)\b).*\b(?:erreurs?|bug|problème|cassée?s?|plante|planté|échoue(?:nt)?|ne marche pas
        |ne fonctionne pas|marche pas|faux|fausse|en double|doublons?|bloqué\w*|vide|manque(?:nt)?|rouges?
        |exception|s'arrête|renvoie|affiche|pointe)\b
    """),
    ),
    Cue("tongue", 2, words(r"en (?:anglais|français|utc)")),
    Cue(
        "behaviour",
        -3,
        pattern(r"""
        ^(?:le |la |les |l')(?:page|recherche|bouton|liens?|liste|table|menu|dialogue|formulaire|export
        |import|application|carte|graphique|mail|connexion|cron|filtres?) (?:[\w-]+ ){0,3}?(?:affiche|charge
        |saute|reste|ouvre|ferme|mène|va|disparaît|renvoie|marche|fonctionne|n'a pas|n'est pas)\b
    """),
    ),
    Cue(
        "spec",
        -3,
        pattern(r"""
        ^(?:le |la |l')(?:nouve\w+ )?(?:formulaire|bouton|page|réponse|titre|table|liste|champ|modale
        |dialogue|menu|colonne|fonction) (?:doit|devrait)\b(?!.*\b(?:jamais|toujours|seulement|chaque
        |tou(?:s|tes))\b)
    """),
    ),
    Cue("thanks", -2, words(r"merci | ça marche | nickel | parfait | super | top | c'est bon")),
    Cue(
        "once",
        -4,
        words(r"""
        pour l'instant | pour le moment | cette fois(?:-ci)? | juste (?:aujourd'hui|cette fois)
        une fois(?! que) | temporairement | provisoirement | un moment | vite | tout de suite
        dans (?:cette|ce) (?:pr|commit|cas|fichier) | pas encore | avant de continuer | comme avant | remets
        vite fait
    """),
    ),
    Cue(
        "matter",
        -2,
        pattern(r"""
        ^(?:s'il te plaît |alors |ok,? |et |maintenant )*(?:\w+-(?:le|la|les|moi ça)|\w+ (?:ça
        |cela))(?: \w+){0,3}[.!]?$
    """),
    ),
    Cue(
        "sweep",
        -3,
        pattern(r"""
        ^(?:s'il te plaît,? )?(?:remplace|renomme|supprime|change|corrige|convertis|enlève)z? .*\b(?:tous
        |toutes|chaque|partout)\b
    """),
    ),
    Cue(
        "task",
        -2,
        pattern(r"^(?:s'il te plaît,? )?(?:donne|montre)(?:-moi)?|^(?:la somme|la liste|un résumé|fais une liste)\b"),
    ),
    Cue("past", -1, pattern(r"^(?:j'ai|c'était|il était|ça a|tu as|elle était)\b")),
)

OPENERS: Final = pattern(r"""
        ^(?:(?:non|nan|si|oui|ouais|ok(?:ay)?|bon|bien|super|parfait|attends?|attendez|stop|hm+|euh|ah|oh
        |attention|faux|erreur|merci|pardon|désolé|au fait|note|important|règle|nouvelle règle|décision
        |décidé|convenu|rappel|pour (?:rappel|info)|encore une fois|la prochaine fois|pour la prochaine fois
        |à partir de maintenant|à partir d'aujourd'hui|désormais|dorénavant|à l'avenir|s'il (?:te
        |vous) plaît|stp|svp|comme (?:déjà )?(?:dit|convenu)|je (?:te|vous) l'ai (?:déjà )?dit
        |je t'ai (?:déjà )?dit|pas comme ça|c'est (?:faux|pas ça)|ce n'est pas (?:ça|bon)|retiens(?: bien)?
        |souviens-toi|rappelle-toi|sache)(?:\s*[,.;:!…—–-]+\s*(?:que )?|\s+que\s+|\s+qu'(?=\w))
        |(?:s'il (?:te|vous) plaît|stp|svp|alors|donc|et|mais|ok|bon|désormais|dorénavant|à l'avenir
        |à partir de maintenant)\s+)+
    """)
FILLERS: Final = pattern(
    r"""
        (?:,\s*)?\b(?:s'il (?:te|vous) plaît|stp|svp|merci)\b(?=\s*(?:[,.;!]|$))|\b(?:s'il (?:te|vous) plaît
        |stp|svp)\b,? ?|\s[:;]-?[)(DP](?!\w)
    """
)
CLOSERS: Final = pattern(
    r"""
        (?:,?\s+(?:s'il (?:te|vous) plaît|stp|svp|merci|ok ?\?|d'accord ?\?|à partir de maintenant|désormais
        |dorénavant|à l'avenir|la prochaine fois|maintenant|compris ?\?))+$
    """
)
OBJECTIONS: Final = pattern(r"""
        ^(?:(?:hm+|euh|oh|ah|attends|ok|désolé|bon)[,.]? )*(?:non\b|nan\b|faux\b|pas comme ça|c'est (?:faux
        |pas (?:ça|ce que|bon))|ce n'est pas|je (?:te|vous) l'ai (?:déjà )?dit|je t'ai (?:déjà )?dit
        |tu (?:as oublié|aurais dû|n'aurais pas|dois pas)|trop (?:long|court|compliqué|lent|verbeux)
        |presque\b|pourquoi (?:as-tu|tu as|tu)|arrête de\b|annule\b|pas tout à fait|stop\b)
    """)
DOUBTS: Final = words(
    r"""
        au lieu d(?:e|'\w+|u) | c'est pas ce que | je voulais dire | pourquoi (?:tu as|as-tu) | tu aurais dû
        ^ne \w+ pas
    """
)
DISMISSALS: Final = pattern(
    r"""
        ^(?:ok|bon|bien|non|stop|attends)?[,.! ]*(?:je m'en (?:occupe|charge)|je (?:le )?(?:fais|finis
        |termine) (?:moi-même|le reste|la suite)|laisse tomber|oublie(?: ça)?\b|peu importe|tant pis
        |pas grave|c'est bon laisse)
    """
)
QUESTIONS: Final = pattern(
    r"""
        ^(?:(?:et|mais|ok|hm+)[, ]+)?(?:que|quoi|qu'est-ce|pourquoi|comment|qui|où|quand|quel(?:le)?s?
        |peux-tu|tu peux|pourrais-tu|est-ce|y a-t-il|as-tu)\b.*\?\s*$|.*\?\s*$
    """,
    whole=True,
)
REQUESTS: Final = pattern(
    r"""
        \b(?:peux-tu|tu peux|pourrais-tu|tu pourrais|pouvez-vous
        |pourriez-vous) (?:stp |svp |s'il te plaît )?(?:toujours|ne (?:plus|jamais)|arrêter|dorénavant
        |désormais)\b|\b(?:mettre|utiliser|écrire|lancer) toujours\b
    """
)
IMPERATIVES: Final = pattern(rf"^{ORDER}(?!\w)")
NEGATIVES: Final = pattern(r"^(?:ne\b|n'|pas\b|jamais\b|aucune?\b|plus de\b)")
FRAGMENTS: Final = pattern(
    r"""
        ^(?:(?:toujours|jamais|seulement|tous|toutes|chaque|et|ou|jusqu'à|sauf|pour)\b[^,;:]{0,50}$
        |(?:décidé|convenu)\b.{0,40}$)
    """
)
DEICTICS: Final = pattern(r"^(?:ça|cela|c'est|ceci|celui-ci|celle-ci|ces)\b")
POLITE: Final = pattern(r"^(?:peux-tu|tu peux|pourrais-tu|tu pourrais) (?!.*\bou\b)(?=\w+ ).*")
STRANGERS: Final = words(
    r"""
        mail | e-?mail | review | revue | relecteur\w* | commentaire\w* | collègue\w* | log(?:s)? | sortie
        ticket | issue | rapport | écrit | a écrit | dit | article | blog | doc(?:s)? | readme | slack
        client\w* | réponse | retour\w*
    """
)
PASTED: Final = pattern(
    r"\benvisagez d|^cher |^chère |^bonjour (?:madame|monsieur)|\bcordialement\b|\bTraceback \(most recent", lines=True
)
PERSONS: Final = words(r"je | j'\w+ | on | nous | tu | vous | moi | me | te | nos | notre | mon | ma | stp | svp")
RULES: Final = r"(?:règle|consigne|restriction|exception|limite|interdiction|gel) (?:\w+ ){0,6}"
ENDED: Final = (
    r"(?:ne (?:s'applique|vaut|tient) plus|n'est plus (?:valable|en vigueur)"
    r"|est (?:levée?|caduque|abrogée|annulée|morte)|saute)"
)
REVOCATIONS: Final = words(rf"""
        {RULES}{ENDED}
        (?:n'est|n'a|ne sont|ce n'est) plus (?:nécessaires?|besoin|obligatoires?|utiles?|valables?)
        plus besoin d(?:e|') ?\w* | (?:tu peux|on peut) (?:\w+ ){{0,4}}(?:à nouveau|de nouveau)
        oublie cette règle
    """)
ONCE: Final = pattern(
    r"""
        (?<!\w)(?:(?:juste |seulement |rien que )?(?:pour )?cette (?:seule )?fois(?:-ci)?|pour (?:l'instant|le moment
        |aujourd'hui)|(?:juste|seulement) aujourd'hui|temporairement|provisoirement|exceptionnellement|jusqu'à demain
        |(?:juste |seulement )?(?:pour|dans) (?:ce|cette|le prochain|la prochaine) (?:message|réponse|question|session
        |tâche|ticket|pr|commit|changement|démo))(?!\w)
    """
)
WITHDRAWALS: Final = pattern(
    r"""
        (?:^|[.!?…;,—–-]+\s*)(?:(?:non|ah|oh|euh|attends?|pardon|désolée?|finalement)[,.!…]*\s+)*
        (?:(?:oublie|ignore|annule) (?:ça|cela|ce que j'ai dit)|laisse tomber|laisse|je retire ce que j'ai dit
        |finalement non|peu importe)(?=\s*(?:$|[.,;!?…—–-]))
    """
)
AS_BEFORE: Final = words("à nouveau")
STANDING: Final = pattern(
    r"""
        (?:^|[.!?\n]\s*|[,;:]\s+)(?:s'il te plaît,? |stp,? )?(?:toujours|jamais|n'oublie pas
        |à partir de maintenant|désormais|dorénavant|à l'avenir|(?:ici,? |chez nous,? )?on (?:utilise|écrit
        |met|fait|garde)|dans ce (?:projet|dépôt|repo)|par (?:convention|principe)|retiens|note bien
        |notre (?:règle|convention))\b
    """
)
CHOICES: Final = words(
    r"""
        (?:on a|nous avons|c'est) (?:\w+ )?(?:décidé|convenu|choisi|tranché|acté) | décidé | convenu
        décision | on (?:reste|part|passe|bascule|migre|choisit|continue)\b | restons sur | partons sur
    """
)
REASONS: Final = pattern(r"(?:,\s*|\s+)(?:parce qu(?:e |')|car |puisqu(?:e |')|sinon,? |pour que |raison ?: )\s*")
KINDS: Final = (
    (
        words(r"""
        répon\w+ | demande\w*(?:-moi)? | expliqu\w+ | je (?:préfère|veux|voudrais) | j'aime\w* | invente\w*
        devine\w* | bref | concis | emojis? | excuses
    """),
        "feedback",
    ),
    (
        words(rf"""
        (?:lance[sz]?|utilise[sz]?|exécute[sz]?|lancer) {TOOL} [\w:.-]+
    """),
        "command",
    ),
    (
        words(r"""
        ports? \d+ | écoute sur | localhost | variable d'environnement | sur cette machine | [A-Z_]{4,}=
    """),
        "env_quirk",
    ),
)

REWRITES: Final = (
    Rewrite(
        pattern(r"""
        ^n'utilise[sz]? (?:pas|jamais|plus) (?P<bad>[^,;.]+)[,;.]+ (?:mais |plutôt )?
        (?:utilise[sz]? |prends )?(?P<good>[^,;.]+)(?P<rest>.*)$
    """),
        r"Utilise \g<good> au lieu de \g<bad>\g<rest>",
    ),
    Rewrite(
        pattern(r"^n'utilise[sz]? (?:pas|jamais|plus)(?: jamais)? (?:de |d'|du |des )?(?P<what>.+)$"), r"Évite \g<what>"
    ),
    Rewrite(pattern(r"^pas plus de (?P<what>.+)$"), r"Au plus \g<what>"),
    Rewrite(pattern(r"^(?:pas|jamais|plus) d(?:e |')(?P<what>(?!plus\b|moins\b)[\w`-]+.*)$"), r"Évite \g<what>"),
    Rewrite(pattern(r"^ne (?:pas|jamais|plus) (?P<what>\w+(?:er|ir|re)\b.+)$"), r"Évite de \g<what>"),
    Rewrite(pattern(r"^(?:on a|nous avons) (?:\w+ )?(?:décidé|convenu) (?:de |d'|que )(?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^(?:on a|nous avons) (?:choisi|tranché pour) (?P<what>.+)$"), r"Utilise \g<what>"),
    Rewrite(pattern(r"^(?:on reste|restons|on continue) (?:sur|avec) (?P<what>.+)$"), r"Reste sur \g<what>"),
    Rewrite(pattern(r"^(?:on part|partons|on passe|on bascule) (?:sur|avec|à) (?P<what>.+)$"), r"Utilise \g<what>"),
    Rewrite(pattern(r"^(?:ici,? |chez nous,? )?on utilise (?:toujours )?(?P<what>.+)$"), r"Utilise \g<what>"),
    Rewrite(pattern(r"^(?:peux-tu|tu peux|pourrais-tu|tu pourrais) (?:toujours )?(?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^(?:tu dois|vous devez|il faut|faut) (?:toujours )?(?P<what>\w.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^toujours (?P<what>\w.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^(?:pense[sz]? à|n'oublie[sz]? pas de) (?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^je (?:préfère|veux|voudrais) (?P<what>(?!que\b).+)$"), r"De préférence : \g<what>"),
    Rewrite(
        pattern(r"^(?:utilise[sz]?|on utilise|prends) (?P<good>[^,;.]+), (?:et )?pas (?P<bad>[^,;.]+)$"),
        r"Utilise \g<good> au lieu de \g<bad>",
    ),
)

CHANGES: Final = words(
    r"""
        à partir (?:de maintenant|d'aujourd'hui) | désormais | dorénavant | maintenant | ne \w+ plus
        n'\w+ plus | on (?:passe|bascule|migre) | on a (?:changé|migré|basculé) | nouvelle règle
        ancien(?:ne)?s? | vieux | vieille | depuis hier
    """
)
ENDINGS: Final = pattern(
    r"""
        \b([\w.#/-]+(?: [\w.#/-]+)?) (?:est|sont) (?:maintenant |désormais )?(?:mort\w*|obsolètes?
        |abandonné\w*|archivé\w*|terminé\w*|retiré\w*)\b|\b(?:fini|terminé|adieu|on abandonne
        |on n'utilise plus|plus de) (?:le |la |les |l')?([\w.#/-]+)|\b(?:ancien(?:ne)?s?|vieux
        |vieille) ([\w.-]+)
    """
)
FUNCTION_WORDS: Final = frozenset(
    """
    le la les un une des du de et ou mais est sont c' l' d' n' s' j' qu' m' t' ne pas jamais toujours nous vous
    je tu il elle on ce cette ces cet au aux en dans avec par pour sans sur sous entre comme si que qui quoi
    plus moins aussi chaque tout toute tous toutes doit doivent faut notre nos votre mon ma mes ton ta tes merci
    non oui ici là avant après quand où pourquoi utilise fais mets laisse garde évite désormais dorénavant être
    fait même très bien ça y a ai as ont stp svp réponds demande lance montre donne rien encore peux pourrais
    trop attends prends écris remplace supprime ajoute
    """.split()  # noqa: SIM905 (a page of words)
)

FRENCH: Final = Language(
    code="fr",
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
        (words(r"aujourd'hui|ce (?:matin|soir)"), 0),
        (words(r"avant-hier"), -2),
        (words(r"hier(?: soir)?"), -1),
        (words(r"après-demain"), 2),
        (words(r"demain"), 1),
    ),
    changes=CHANGES,
    endings=ENDINGS,
    function_words=FUNCTION_WORDS,
    letters=pattern(r"[éèêàçùœîô]"),
)
