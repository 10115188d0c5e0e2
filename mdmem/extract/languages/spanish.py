"""Spanish: tú, vos and usted, with the English words that developers mix in."""

from __future__ import annotations

from typing import Final

from mdmem.extract.languages.language import TOOL, Cue, Language, Rewrite, pattern, words

NUMBER: Final = r"(?:\d[\d.,]*|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|treinta)"
STATES: Final = (
    r"(?:es|son|va|van|vive|viven|está|están|empieza|empiezan|termina|terminan|queda|quedan|lleva|llevan|usa|usan"
    r"|debe|deben|tiene|tienen|necesita|necesitan|se \w+n?|escucha|corre|corren|viene|vienen|cuenta|cuentan"
    r"|pertenece|pertenecen|tarda|requiere|requieren|hay|llama|llaman|puede|pueden)"
)
ORDER: Final = (
    r"(?:usa|usá|use|utiliza|utilice|escribe|escribí|escriba|haz|hacé|haga|pon|poné|ponga|deja|dejá|deje|mete"
    r"|mueve|crea|ejecuta|ejecutá|corre|corré|prueba|probá|revisa|borra|elimina|quita|agrega|añade|mantén|mantené"
    r"|responde|respondé|contesta|explica|pregunta|preguntá|pregúntame|preguntame|evita|evitá|nombra|ordena|guarda"
    r"|llama|abre|cierra|muestra|muéstrame|cambia|reemplaza|sube|haceme|documenta|comenta|formatea|instala|lanza"
    r"|pasa|toma|sigue|separa|divide|limita|espera|lee|busca|dime|dame|arregla|quédate|quedate|recuerda|acuérdate)"
)

CUES: Final = (
    Cue(
        "standing",
        3,
        words(r"""
        siempre | nunca | jamás | no vuelvas a | a partir de (?:ahora|hoy) | de ahora en adelante | desde (?:ahora|hoy)
        en (?:el )?(?:adelante|futuro) | cada vez que | por (?:norma|regla|defecto|convención)(?: general)?
        ya no | nunca más | en todas partes | sin excepción(?:es)? | bajo ningún concepto | en ningún caso
        la (?:próxima|siguiente)(?: vez)? | (?:nueva )?(?:regla|norma)(?=:| es) | así lo hacemos | no más
        en todos los casos
    """),
    ),
    Cue(
        "reminder",
        3,
        words(r"""
        recuerda(?: que)? | acuérdate(?: de)? | acordate | ten en cuenta | tené en cuenta | tenga en cuenta
        no (?:te )?olvides | como (?:ya )?(?:te )?(?:dije|dijimos|acordamos|comenté|hablamos)
        ya te (?:he dicho|dije|lo dije) | te (?:dije|he dicho) que | para que (?:conste|sepas)
        que quede claro | otra vez | de nuevo | por cierto | apunta
    """),
    ),
    Cue(
        "decision",
        3,
        words(r"""
        (?:hemos )?decid(?:ido|imos) | (?:hemos )?acord(?:ado|amos) | nos quedamos con | vamos con
        seguimos con | decidido | acordado | quedémonos con | pasamos a | nos pasamos a | cambiamos a
        optamos por | elegimos | la decisión(?: es)?
    """),
    ),
    Cue(
        "contrast",
        2,
        pattern(r"""
        \bno us(?:es|e) [^,;.]+, (?:mejor )?(?:usa|utiliza)\b|\ben (?:vez|lugar) de\b|\bsino\b|, no (?!sé
        |creo|hay|está|puedo|me|te|lo|la|funciona)[\w"'`./#-]+|\by no\b(?! sé| puedo)|\b(?:está|están|queda
        |quedan) (?:fuera|prohibid\w+|obsolet\w+|descartad\w+|deprecad\w+|retirad\w+|vetad\w+)\b
    """),
    ),
    Cue(
        "obligation",
        2,
        words(r"""
        debe(?:n|mos|s)? | tiene[ns]? que | tenemos que | hay que | no (?:se )?(?:puede|pueden|debe|deben)
        prohibid[oa]s? | obligatori[oa]s?
        (?:solo|sólo|únicamente) (?:con|por|desde|en|si|cuando|a través|mediante|se|para|hay)
        se permite\w* | no se (?:toca|tocan|usa|usan|permite|hace|hacen) | nadie | intocable
        va(?:n)? (?:en|dentro|bajo) | exclusivamente | necesita(?:n)?
    """),
    ),
    Cue(
        "bound",
        3,
        words(rf"""
        (?:como (?:máximo|mucho|mínimo)|máximo|mínimo|al menos|por lo menos) (?:de )?{NUMBER}
        no más de {NUMBER} | más de {NUMBER}
    """),
    ),
    Cue(
        "limit",
        2,
        words(r"""
        como (?:máximo|mucho|mínimo) | al menos | por ciento | límite | tope | hasta \d+
        (?:\d+|una?) por \w+
    """),
    ),
    Cue(
        "universal",
        2,
        words(r"""
        tod[oa]s? (?:los |las |el |la )?\w+ | cada (?!vez)\w+ | cualquier(?:a)? | todo lo que | ambos
        en todo el (?:proyecto|repo) | para todos
    """),
    ),
    Cue(
        "ours",
        2,
        words(r"""
        no \w+[aei]mos | aquí (?:usamos|se|no|nunca|escribimos)
        (?:nosotros )?(?:usamos|utilizamos|escribimos|hacemos|guardamos|trabajamos|llamamos|ponemos|probamos|partimos)
        nuestr[oa]s? (?!próxim|últim)\w+ | en (?:este|el) (?:proyecto|repo|repositorio|equipo)
        como (?:en )?el resto
    """),
    ),
    Cue(
        "generic",
        2,
        pattern(rf"""
        ^(?!(?:esto|eso|esta|este|ese|ella|él|ahí|aquí|qué|quién|cómo|dónde|cuándo|por|ahora|yo|tú|me|te|ya
        |la página|el error|el botón|el test|los tests)\b)(?:(?:los|las|el|la
        |nuestr\w+) )?(?:[\w"'`./#<>*-]+ ){{1,5}}?{STATES} +[\w`'"#/.-]
    """),
    ),
    Cue(
        "condition",
        2,
        words(r"""
        antes de (?:cada |cualquier |que )?\w+ | después de (?:cada |que )?\w+ | cuando (?:\w+ ){1,6}\w+
        si (?:\w+ ){1,6}\w+ | salvo | a menos que | excepto | mientras | en caso de | ante la duda
        hasta que
    """),
    ),
    Cue("ban", 2, pattern(r"(?:^|[,;:.!] ?)(?:nada de [\w-]+|ningún \w+|ninguna \w+|cero [\w-]+)")),
    Cue("prohibition", 2, pattern(r"^(?:(?:queda|está) )?prohibido\b")),
    Cue("refusal", 1, words(r"no | sin | evit[aáe] | deja de \w+ | nada de")),
    Cue(
        "habit",
        2,
        pattern(rf"""
        ^(?:por favor,? )?(?:no )?(?:{ORDER}|\w+(?:es|as|e
        |a)) (?:los |las |todos los |todas las |nuestr\w+ )?[\w-]+s (?:en|con|como|por|desde|antes|después
        |dentro|bajo|al|a|para|sin|de)\b|\bpara (?:los|las|el|la) [\w-]+,? {ORDER}\b
    """),
    ),
    Cue(
        "conduct",
        3,
        pattern(r"""
        \b(?:responde|respondé|contesta|responder)(?:me)? (?:siempre |solo )?(?:en|corto|breve|con)\b
        |\bsé (?:breve|conciso)\b|\brespuestas (?:cortas|breves)\b|\bpreg[uú]nta(?:me)? (?:antes|primero)\b
        |\bsin (?:emojis|disculpas|resúmenes|rodeos)\b|\bno (?:inventes|adivines|supongas|te disculpes)\b
        |\bantes (?:me )?pregunta(?:s|me)?\b
    """),
    ),
    Cue("preference", 1, words(r"prefiero | preferimos | quiero que | me gusta(?:n|ría)? | por favor | mejor")),
    Cue("reason", 1, words(r"porque | ya que | pues | si no | así | para que | motivo")),
    Cue(
        "change",
        1,
        words(r"""
        ahora(?=[.,;:!]|$) | (?:es|son|está|están|usa|usamos|va|van|escucha) ahora
        desde (?:ayer|la versión|esta semana) | hemos (?:cambiado|migrado|movido) | ya
    """),
    ),
    Cue("where", 1, words(r"(?:en|bajo|dentro de) [`\"]?[\w.*-]+/[\w./*-]*")),
    Cue(
        "place",
        2,
        words(r"""
        (?:va|van|vive|viven|está|están|se guarda|se guardan) (?:en|dentro|bajo) [`\"]?[\w.*-]*[/.:#][\w./*-]*
        puerto \d+
    """),
    ),
    Cue(
        "command",
        1,
        words(r"""
        [`\"]?(?:make|npm|uv|pnpm|yarn|poetry|cargo|tox|pytest|gradle|mvn|docker)[`\"]? [\w:.-]+
    """),
    ),
    Cue("matter of", 1, pattern(r"^(?!ok\b|vale\b|no\b|bien\b)[\w#./-]+(?: [\w#./-]+){0,3}: \S")),
    Cue(
        "hedge",
        -4,
        words(r"""
        quizás? | tal vez | no entiendo | a lo mejor | probablemente | creo que | me parece | supongo | podríamos
        podría ser | y si | igual (?:deberíamos|podemos) | no (?:sé|estoy segur[oa]) | qué tal si
        me pregunto | sería
    """),
    ),
    Cue(
        "report",
        -3,
        pattern(r"""
        ^(?!.*\b(?:cuando|si no|nunca|siempre|debe|deben|hay que|solo
        |a partir)\b).*\b(?:(?<!mensajes de )(?<!mensaje de )error(?:es)?|fallo|falla|fallan|bug|problema
        |roto|rota|se cae|se rompe|no funciona|no carga|mal|duplicad\w+|colgad\w+|vací[oa]|falta|faltan|rojo
        |excepción|se cuelga|devuelve|muestra|lanza)\b
    """),
    ),
    Cue("tongue", 2, words(r"en (?:inglés|español|castellano|utc)")),
    Cue("taste", 3, pattern(r"^prefiero (?!que|est|es[oae]|(?:el|la) (?:otr|anterior|viej))")),
    Cue(
        "behaviour",
        -3,
        pattern(r"""
        ^(?:el|la|los|las) (?:página|búsqueda|botón|enlaces?|lista|tabla|menú|diálogo|formulario|exportación
        |importación|app|mapa|gráfico|correo|login|cron|filtros?) (?:[\w-]+ ){0,3}?(?:muestra|carga|salta
        |queda|abre|cierra|lleva|va|desaparece|devuelve|funciona)\b
    """),
    ),
    Cue(
        "spec",
        -3,
        pattern(r"""
        ^(?:el|la) (?:nuev[oa] )?(?:formulario|botón|página|respuesta|título|tabla|lista|campo|modal|diálogo
        |menú|columna|función) (?:debe|debería|tiene que)\b(?!.*\b(?:nunca|siempre|solo|cada|tod[oa]s)\b)
    """),
    ),
    Cue("thanks", -2, words(r"gracias | ya funciona | ahora funciona | perfecto | genial | queda bien")),
    Cue(
        "once",
        -4,
        words(r"""
        por ahora | de momento | por el momento | esta vez | solo (?:hoy|esta vez) | una vez | temporalmente
        provisionalmente | un momento | rápido | ahora mismo | en este (?:pr|commit|caso|archivo) | todavía
        aún | antes de (?:seguir|continuar) | otra vez como estaba | como estaba | de vuelta
    """),
    ),
    Cue(
        "matter",
        -2,
        pattern(r"""
        ^(?:por favor |entonces |ok,? |y |ahora )*(?:\w+(?:lo|la|los|las)|\w+ (?:esto|eso|esta|este
        |ese))(?: \w+){0,3}[.!]?$
    """),
    ),
    Cue(
        "sweep",
        -3,
        pattern(r"""
        ^(?:por favor,? )?(?:reemplaza|renombra|elimina|borra|cambia|arregla|convierte|quita
        |corrige) .*\b(?:tod[oa]s|cada)\b
    """),
    ),
    Cue(
        "task",
        -2,
        pattern(r"^(?:por favor,? )?(?:dame|muéstrame|muestrame|la suma|la lista|un resumen|haz una lista)\b"),
    ),
    Cue("past", -1, pattern(r"^(?:lo |me |se )?(?:era|estaba|fue|había|tenía|hice|hizo)\b")),
)

OPENERS: Final = pattern(r"""
        ^(?:(?:no|nop|sí|si|ok(?:ay)?|vale|bien|bueno|genial|perfecto|espera|esperá|para|pará|hm+|ah|oh|ojo
        |cuidado|mal|error|gracias|perdona|perdón|por cierto|nota|importante|regla|norma|nueva (?:regla
        |norma)|decisión|decidido|acordado|recordatorio|que quede claro|otra vez|de nuevo
        |para la próxima(?: vez)?|la próxima vez|a partir de (?:ahora|hoy)|de ahora en adelante|en adelante
        |desde (?:ahora|hoy)|en el futuro|por favor|como (?:ya )?(?:te )?(?:dije|dijimos|acordamos|comenté)
        |ya te (?:he dicho|dije|lo dije)|te lo dije|así no|eso no|(?:eso|esto) está mal|recuerda|acuérdate
        |ten en cuenta|tené en cuenta|apunta)(?:\s*[,.;:!¡…—–-]+\s*(?:que )?|\s+que\s+)|[¡¿]+|(?:por favor
        |pues|entonces|y|pero|ok|vale|bueno|a partir de ahora|de ahora en adelante|desde ahora|en adelante
        |acuérdate de)\s+)+
    """)
FILLERS: Final = pattern(
    r"(?:,\s*)?\b(?:por favor|gracias|porfa)\b(?=\s*(?:[,.;!]|$))|\b(?:por favor|porfa)\b,? ?|\s[:;]-?[)(DP](?!\w)"
)
CLOSERS: Final = pattern(
    r"""
        (?:,?\s+(?:por favor|porfa|gracias|vale\?|ok\?|a partir de (?:ahora|hoy)|de ahora en adelante
        |en adelante|en el futuro|la próxima vez|ahora|entendido\?))+$
    """
)
OBJECTIONS: Final = pattern(r"""
        ^(?:(?:hm+|oh|ah|espera|ok|perdona|bueno)[,.]? )*(?:no[,.!;:—-]|no (?:así|es eso|uses|hagas|toques
        |quiero|era)\b|mal\b|así no\b|eso no\b|(?:eso|esto) (?:está mal|no es|no era)|te (?:dije|he dicho)
        |ya te|demasiado (?:largo|corto|complicado|lento)|casi\b|por qué (?:has|usas|haces|hiciste)
        |deja de\b|has (?:olvidado|roto)|te (?:has )?olvidaste|deshaz\b|no del todo|para[,.!])
    """)
DOUBTS: Final = words(
    r"en (?:vez|lugar) de | no era lo que | quería decir | por qué has | deberías haber | ^no \w+(?:es|as)"
)
DISMISSALS: Final = pattern(
    r"""
        ^(?:ok|vale|bien|no|para|espera)?[,.! ]*(?:ya lo hago yo|lo hago yo|me encargo yo|yo (?:sigo|termino
        |me encargo)|da igual|olvídalo|déjalo|no importa|no pasa nada)
    """
)
QUESTIONS: Final = pattern(
    r"""
        ^(?:¿|(?:y|pero|ok|hm+)[, ]+)?(?:qué|por qué|cómo|quién|dónde|cuándo|cuál(?:es)?|puedes|podrías|hay
        |es|son|has)\b.*\?\s*$|.*\?\s*$
    """,
    whole=True,
)
REQUESTS: Final = pattern(
    r"""
        \b(?:puedes|podrías|podés|puede|podría)(?: por favor)? (?:siempre|nunca|dejar de
        |a partir de ahora)\b|\b(?:usar|escribir|poner|hacer) siempre\b
    """
)
IMPERATIVES: Final = pattern(rf"^{ORDER}\b")
NEGATIVES: Final = pattern(r"^(?:no|nunca|jamás|nada de|ningún|ninguna)\b")
FRAGMENTS: Final = pattern(
    r"""
        ^(?:(?:siempre|nunca|jamás|solo|tod[oa]s|cada|y|o|hasta|salvo|para)\b[^,;:]{0,50}$
        |(?:ya no)\b.{0,40}$|(?:decidido|acordado)\b.{0,40}$)
    """
)
DEICTICS: Final = pattern(r"^(?:eso|esto|esta|este|ese|esa|así|estos|esas)\b")
POLITE: Final = pattern(r"^¿?(?:puedes|podrías|podés) (?:por favor )?(?!.*\bo\b.*)(?=\w+ ).*")
STRANGERS: Final = words(
    r"""
        correo | e-?mail | review | revisión | revisor\w* | comentario\w* | compañer\w+ | log(?:s)? | salida
        ticket | issue | informe | escribe | escribió | dice | dijo | artículo | blog | docs? | readme
        slack | cliente | respuesta
    """
)
PASTED: Final = pattern(
    r"""
        \bconsidere (?:la|el|añadir|usar)\b|^estimad[oa]s?\b|\bun saludo\b|\bsaludos cordiales\b
        |\bTraceback \(most recent
    """,
    lines=True,
)
PERSONS: Final = words(
    r"""
        yo | nosotros | tú | usted(?:es)? | me | mi | nos | te | tu | nuestr\w+ | usamos | quiero | prefiero
        por favor
    """
)
RULES: Final = r"(?:regla|norma|restricción|excepción|límite|veda) (?:\w+ ){0,6}"
ENDED: Final = (
    r"(?:ya no (?:vale|aplica|se aplica|rige)|queda (?:anulada|sin efecto)"
    r"|está derogada|se acabó)"
)
REVOCATIONS: Final = words(rf"""
        {RULES}{ENDED}
        ya no (?:hace falta|es necesari[oa]|aplica|se aplica|vale|hay que)
        (?:ya )?(?:puedes|se puede|podemos) (?:\w+ ){{0,4}}(?:otra vez|de nuevo) | olvida (?:esa|la) regla
    """)
ONCE: Final = pattern(
    r"""
        (?<!\w)(?:(?:solo )?por (?:esta vez|ahora|hoy|el momento)|(?:solo|sólo) (?:esta vez|hoy)|esta (?:única )?vez
        |de momento|temporalmente|provisionalmente|como excepción|hasta mañana|hasta que vuelva
        |(?:solo |sólo )?(?:para|en) (?:este|esta|el próximo|la próxima) (?:mensaje|respuesta|pregunta|sesión|tarea
        |ticket|pr|commit|cambio|demo))(?!\w)
    """
)
WITHDRAWALS: Final = pattern(
    r"""
        (?:^|[.!?…;,—–-]+\s*)(?:(?:no|ay|uy|eh|espera|perdón|mejor|bueno)[,.!…]*\s+)*
        (?:(?:olvida|ignora|descarta) (?:eso|esto|lo que (?:he )?dicho|lo que dije)|olvídalo|ignóralo|déjalo|mejor no
        |retiro lo dicho|da igual)(?=\s*(?:$|[.,;!?…—–-]))
    """
)
AS_BEFORE: Final = words("de nuevo")
STANDING: Final = pattern(
    r"""
        (?:^|[.!?\n]\s*|[,;:]\s+)(?:por favor,? )?(?:siempre|nunca|jamás|recuerda|acuérdate
        |a partir de (?:ahora|hoy)|de ahora en adelante|en adelante|(?:aquí )?usamos|en este (?:proyecto
        |repo)|por norma|ten en cuenta|nuestra (?:regla|norma))\b
    """
)
CHOICES: Final = words(
    r"""
        decid(?:ido|imos) | acord(?:ado|amos) | nos quedamos con | vamos con | seguimos con | nos pasamos a
        pasamos a | cambiamos a | optamos por | elegimos | quedémonos con | la decisión
    """
)
REASONS: Final = pattern(r"(?:,\s*|\s+)(?:porque|ya que|pues|si no(?=,| )|para que|motivo:)\s*")
KINDS: Final = (
    (
        words(r"""
        respond\w+ | contest\w+ | preg[uú]nta\w* | expli\w+ | prefiero | me gusta\w* | inventes | adivines
        breve | emojis | disculp\w+
    """),
        "feedback",
    ),
    (
        words(rf"""
        (?:ejecut\w+|corr\w+|lanza|usa) {TOOL} [\w:.-]+
    """),
        "command",
    ),
    (
        words(r"""
        puertos? \d+ | escucha en | localhost | variable de entorno | en esta máquina | [A-Z_]{4,}=
    """),
        "env_quirk",
    ),
)

REWRITES: Final = (
    Rewrite(
        pattern(r"""
        ^(?:no|nunca) us(?:es|e|ar) (?P<bad>[^,;.]+)[,;.]+ (?:sino |mejor )?(?:usa |utiliza )?(?P<good>
        (?:el |la |los |las )?[\w./`-]+(?: (?:de|en) [\w./`-]+)?)(?P<rest>.*)$
    """),
        r"Usa \g<good> en vez de \g<bad>\g<rest>",
    ),
    Rewrite(pattern(r"^(?:no|nunca|jamás) us(?:es|e) (?:nunca )?(?P<what>.+)$"), r"Evita \g<what>"),
    Rewrite(pattern(r"^nada de (?P<what>.+)$"), r"Evita \g<what>"),
    Rewrite(pattern(r"^(?:no|nunca|jamás) (?P<what>\w+(?:ar|er|ir)\b.+)$"), r"Evita \g<what>"),
    Rewrite(pattern(r"^(?:no|nunca) más de (?P<what>.+)$"), r"Como máximo \g<what>"),
    Rewrite(pattern(r"^(?:hemos )?(?:decid(?:ido|imos)|acord(?:ado|amos)) (?:que )?(?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^(?:nos quedamos|vamos|seguimos|quedémonos) con (?P<what>.+)$"), r"Usa \g<what>"),
    Rewrite(pattern(r"^(?:nos )?(?:pasamos|cambiamos) a (?P<what>.+)$"), r"Usa \g<what>"),
    Rewrite(pattern(r"^(?:aquí |siempre )?(?:usamos|utilizamos) (?:siempre |ahora )?(?P<what>.+)$"), r"Usa \g<what>"),
    Rewrite(pattern(r"^¿?(?:puedes|podrías|podés) (?:siempre )?(?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^(?:tienes|tenés|tiene) que (?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^hay que (?P<what>.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^siempre (?P<what>\w.+)$"), r"\g<what>"),
    Rewrite(pattern(r"^(?:prefiero|quiero) (?P<what>(?!que\b).+)$"), r"Preferible: \g<what>"),
    Rewrite(pattern(r"^quiero que (?P<what>.+)$"), r"Que \g<what>"),
    Rewrite(pattern(r"^usa(?:mos)? (?P<good>[^,;.]+), (?:y )?no (?P<bad>[^,;.]+)$"), r"Usa \g<good> en vez de \g<bad>"),
)

CHANGES: Final = words(
    r"""
        a partir de (?:ahora|hoy) | de ahora en adelante | desde (?:ahora|hoy|ayer) | ya no | ahora
        nos pasamos a | cambiamos a | pasamos a | hemos (?:cambiado|migrado) | nueva (?:regla|norma)
        viej[oa]s? | antigu[oa]s?
    """
)
ENDINGS: Final = pattern(
    r"""
        \b([\w.#/-]+(?: [\w.#/-]+)?) (?:está|están|queda|quedan) (?:ya )?(?:fuera|obsolet\w+|retirad\w+
        |archivad\w+|descartad\w+)\b|\b(?:adiós a|dejamos(?: de usar)?|ya no (?:usamos|se usa)
        |se acabó) (?:el |la |los |las )?([\w.#/-]+)|\b(?:viej[oa]|antigu[oa])s? ([\w.-]+)
    """
)
FUNCTION_WORDS: Final = frozenset(
    """
    a el la los las un una unos unas y o pero no es son está están de del al en con por para sin sobre que qué se
    lo le les me te nos mi tu su nuestro nuestra nuestros nuestras siempre nunca jamás cada todo toda todos
    todas cuando como cómo si sí ya más muy también solo sólo aquí ahora antes después desde hasta entre porque
    hay debe deben usa usamos use uses haz deja pon gracias vale favor esto eso esta este ese esa mejor vez
    puedes podrías tengo tiene tienen va van donde cuál era fue responde pregunta nada ningún otra otro quiero
    prefiero bien mal espera hazlo ponlo
    """.split()  # noqa: SIM905 (a page of words)
)

SPANISH: Final = Language(
    code="es",
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
        (words(r"hoy"), 0),
        (words(r"ayer|anoche"), -1),
        (words(r"anteayer"), -2),
        (words(r"pasado mañana"), 2),
    ),
    changes=CHANGES,
    endings=ENDINGS,
    function_words=FUNCTION_WORDS,
    letters=pattern(r"[ñ¿¡áíóú]"),
)
