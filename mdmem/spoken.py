"""Secrets in plain sentences: `my password is …`, `use … as the API key`, `log in with password …`.

Only the words around such a value give it away, so it must look like one too: what could be a word, a number with its
unit, the name of an algorithm, an identifier or a version is taken for prose ("the password is base64-encoded").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.literal import EXPRESSION, REFERENCE, is_literal, is_random
from mdmem.pattern import pattern
from mdmem.sieve import hints

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def key_names(kinds: Iterable[str]) -> Iterator[str]:
    """`apikey`, `api key`, `api_key` and `api-key` for each kind of key."""
    return (f"{kind}{mark}key" for kind in kinds for mark in ("", " ", "_", "-"))


KINDS_OF_KEY: Final = (
    *("api", "access", "secret", "private", "signing", "encryption", "auth", "account", "master", "shared", "deploy"),
    *("license", "licence", "webhook"),
)
HINTS: Final = hints(
    *("passw", "pass word", "passphrase", "passcode", "pw", "kennwort", "mot de passe", "contrase", "senha", "парол"),
    *("密码", "密碼", "パスワード", "secret", "token", "cred", "login", "log in ", "logged in "),
    *key_names(KINDS_OF_KEY),
)
NOUN: Final = pattern(
    r"(?P<password>(?<![\w-])(?:pass ?words?|passwd|passphrase|passcode|pwd|pw|[\wäöü]{0,24}passwort|kennwort"
    r"|mot de passe|contraseña|senha|пароль)(?![\w-])|密码|密碼|パスワード)"
    r"|(?<![\w-])(?<!pad )(?<!eos )(?<!bos )(?<!mask )(?<!next )(?<!special )(?<!design )(?<!public )"
    rf"(?:(?:{'|'.join(KINDS_OF_KEY)})[ _-]?"
    r"(?:key|token|secret)|secret|token|(?P<account>credentials|creds|login|log(?:ged)? in (?:as|with)))(?![\w-])"
)
"""What a value is given to; people think up passwords, everything else is random."""

PLACE: Final = r"\ (?:for|of|to|on|in|at|from|für|von|para|de|pour)(?:\ [^\s.:;!?]{1,40}){1,5}?"
GIVES: Final = pattern(
    rf"""
    (?P<verb>
      (?: (?:{PLACE})?
          (?: ['’]s | \ (?:is|was|are|ist|war|lautet|es|est|era|é|equals|becomes|to)
            | \ (?:should|must|will|can|has\ to|needs\ to)\ be
            | \ (?:(?:is|was|were|has\ been|got|will\ be|be)\ )?(?:set|changed|reset|rotated|updated)\ (?:back\ )?to
            | [.?!,;]?\ (?:it|that|which)(?:['’]s|\ is) )
          [:,]?
        | {PLACE}: )
      \ {{1,4}}
      (?: (?:now|still|currently|just|simply|always|jetzt|ahora|maintenant)[:,]?\ )?
      (?: (?:set|changed)\ to\ )?
      | \ ?(?:是|为|為|は|：)\ ?
    )
    | (?P<colon> :\ {{1,4}})
    | (?P<beside> ,?\ {{1,4}})
    """,
    re.VERBOSE,
)
ACCOUNT: Final = pattern(r"[\w.@+-]{1,64}(?: ?[/:] ?| and | with )")
"""Whose password follows: `admin / …`."""
VALUE: Final = pattern(r"""[“„«"'`*(]{0,3}(?P<value>[^\s"'`<>“”„«»\u2e80-\uffef]{6,256}+)""")

# what may stand between a value and its name
ROLE: Final = pattern(
    r"""(?<!\S)[“„«"'`*]{0,3}(?P<value>[^\s"'`<>“”„«»]{6,256}+)[”“»"'`*]{0,3},?
    \ (?:as|is|was|for|als|ist|como|comme|es|est)
    (?:\ (?!(?:that|which|where|in|of|to|for|with|by|and|or|not|hash)\b)[\w./-]{1,24}){0,4}?\ ?\Z""",
    re.VERBOSE,
)
ROLE_REACH: Final = 360
AFTER_ROLE: Final = pattern(
    r"""["'`*”»]{0,3}\s{0,2}(?:$|[.,;:!?)\n—–-]|(?:for|in|on|of|to|from|at|with|when|and|until|if|here|there|now
    |instead|because|everywhere|too|please|this|next|but|so|or|für)\b)""",
    re.VERBOSE,
)

UNITS: Final = (
    r"(?:char\w*|digit|bit|byte|day|hour|minute|min|second|sec|week|month|year|time|letter|word|symbol|round)s?"
)
PROSE: Final = pattern(
    rf"""
      \d+ (?:[-–.,]\d+)* [-–]? (?: {UNITS} | [hsxk] | ms | fa | [kmg]b | st | nd | rd | th | password )?
      (?:[-–/][a-z]+)*
    | (?:[a-z]+[-_/])* (?: base | sha | md | [rhep]s | aes | \d?des | utf | http | tls | ssl | o?auth | argon
        | [bs]crypt | pbkdf | rsa | ed | ipv? | iso | rfc | uuid | blake | hmac | x | v
        | version | win | python | py | node | log4j
      ) [-_]? \d+ [a-z]{{0,5}} (?:[-_/.][a-z0-9]+)*                              # sha256, HMAC-SHA256, v2beta1
    | (?:[a-z]+[-_/])* (?: level | step | type | tier | phase | option | case | line | field | slot | port | user
        | group | env | stage | staging | prod | production | test | dev | key | token | password | secret | id | node
        | host | server | db | app | api | client | release | sprint | column | section | chapter | note | issue
      ) [-_]? \d{{1,2}}                                                          # app-prod-2, field2
    | [a-z]\d{{1,2}}[a-z] (?:[-_/.]\w+)* | [a-z]+\d{{1,3}} (?:[-_/][a-z]+)+      # i18n, ec2-instance
    | [a-z]{{2,10}}-\d{{1,6}} | (?:[a-z]+_)+ v?\d{{1,2}}                         # PROJ-123, session_v2
    | \d{{4}}-\d\d-\d\d.* | v?\d+(?:\.\d+)+\S*                                   # dates, versions
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                                               # an address of mail
    | [a-z]+ (?:[+&/~^%-][a-z]+)+ | [a-z]+(?:['’][a-z]+)? | [^a-z0-9]+           # user+password
    | .*[()\[\]{{}}].*                                                           # code
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What looks a little like a secret and is found in sentences about them."""
VARIABLE: Final = pattern(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
THOUGHT_UP: Final = pattern(r"(?=.*[A-Za-z])(?:.*\d.*|.+[!@#$%^*&+~].+)")
PIN: Final = pattern(r"(?!(?:19|20)\d{6}$)\d{6,16}")
TAIL: Final = ".,:;)]}*|\\”»…"


class Spoken(NamedTuple):
    """Where a value stands that a sentence gives to a secret's name: `text[start:end]`."""

    start: int
    end: int


def find_spoken(text: str, folded: str) -> Iterator[Spoken]:
    """The secrets that sentences tell, of a text that holds one of `HINTS`; `folded` is as long, in lower case."""
    for noun in NOUN.finditer(folded):
        yield from _told_after(text, folded, noun)
        yield from _told_before(text, noun)


def _told_after(text: str, folded: str, noun: re.Match[str]) -> Iterator[Spoken]:
    """`the password for the db is …`, `with password …`, `credentials: admin / …`.

    A value right behind a colon is an assignment's.
    """
    gives = GIVES.match(folded, noun.end())
    if not gives:
        return
    account = ACCOUNT.match(text, gives.end()) if noun["account"] else None
    starts = (account.end() if account else None, gives.end() if not gives["colon"] else None)
    for value in (VALUE.match(text, start) for start in starts if start is not None):
        told = value["value"].rstrip(TAIL) if value else ""
        is_pin = bool(noun["password"] and gives["verb"] and PIN.fullmatch(told))
        if value and (is_pin or _is_secret(told, is_password=bool(noun["password"]))):
            yield Spoken(value.start("value"), value.start("value") + len(told))
            return


def _told_before(text: str, noun: re.Match[str]) -> Iterator[Spoken]:
    """`use … as the API key`, `… is the db password`."""
    if not AFTER_ROLE.match(text, noun.end()):
        return
    role = ROLE.search(text, max(0, noun.start() - ROLE_REACH), noun.start())
    if role and _is_secret(role["value"], is_password=bool(noun["password"])):
        yield Spoken(*role.span("value"))


def _is_secret(value: str, *, is_password: bool) -> bool:
    """Whether a value that was called a secret looks like one."""
    core = value.rstrip("!?")
    if len(core) < 6 or not is_literal(value) or PROSE.fullmatch(core) or VARIABLE.fullmatch(core):
        return False
    if REFERENCE.fullmatch(value) or EXPRESSION.fullmatch(value):
        return False
    return is_random(core, lenient=False) or (is_password and bool(THOUGHT_UP.fullmatch(core)))
