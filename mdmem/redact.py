"""Secrets in text: found by shape, replaced span by span, never shown.

Five finders share one idea of what a value is: tokens that carry their own prefix (SHAPES), private keys,
values given to a secret's name (`DB_PASSWORD=…`) or told in a sentence, and password flags of known programs.
Whatever only *names* a secret (a placeholder, a variable, a type, a call, a path) is left alone, and so are hashes,
UUIDs and ids.

Everything here is linear in the text: runs are possessive or bounded, and no finder looks at a character more
than a fixed number of times.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mdmem.literal import (
    EXPRESSION,
    MARK,
    REFERENCE,
    is_bot_part,
    is_credential,
    is_literal,
    is_machine_made,
    is_mixed,
    is_random,
)
from mdmem.pattern import pattern
from mdmem.sieve import fold, held, hints
from mdmem.spoken import HINTS as SPOKEN_HINTS
from mdmem.spoken import find_spoken, key_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class SecretSpan(NamedTuple):
    """Where a secret stands, `text[start:end]`, and its kind; it never holds the value itself."""

    start: int
    end: int
    kind: str


class Redacted(NamedTuple):
    """The text without its secrets, and the kinds that were taken out, each once, in order of appearance."""

    text: str
    kinds: tuple[str, ...]


def redact(text: str) -> Redacted:
    """Replace every secret by `[redacted:<kind>]`; all other characters stay as they are.

    Idempotent: what a mark's new neighbourhood uncovers is taken out in the same call.
    """
    kinds: dict[str, None] = {}
    while spans := find_secrets(text):
        kinds.update(dict.fromkeys(span.kind for span in spans))
        text = _replace(text, spans)
    return Redacted(text, tuple(kinds))


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Every secret of the text, in order, none overlapping another."""
    folded = fold(text)
    seen = held(folded)
    found = [span for signs, find in FINDERS if not signs.isdisjoint(seen) for span in find(text, folded)]
    if not SPOKEN_HINTS.isdisjoint(seen):
        found += (SecretSpan(start, end, "assigned-secret") for start, end in find_spoken(text, folded))
    return tuple(_joined(sorted(found, key=lambda span: span.start))) if found else ()


def _replace(text: str, spans: tuple[SecretSpan, ...]) -> str:
    parts: list[str] = []
    end = 0
    for span in spans:
        parts += text[end : span.start], f"{MARK}{span.kind}]"
        end = span.end
    return "".join((*parts, text[end:]))


def _joined(spans: list[SecretSpan]) -> Iterator[SecretSpan]:
    """Overlapping spans as one; spans that begin together keep the order of the finders, most telling first."""
    current = spans[0]
    for span in spans[1:]:
        if span.start < current.end:
            current = current._replace(end=max(current.end, span.end))
        else:
            yield current
            current = span
    yield current


# --- Tokens that carry their own prefix --------------------------------------------------------------------


class Shape(NamedTuple):
    """A kind of token: `hints` are lower-case strings of which one must be there before `pattern` is tried.

    The secret is the group `value`, or the whole match (`group` 0); `holds` tells a token from a mention of one.
    """

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    group: str | int
    holds: Callable[[str], bool]


def _shape(kind: str, hints: str, text: str, holds: Callable[[str], bool] = is_mixed) -> Shape:
    return Shape(kind, tuple(hints.split()), pattern(text), "value" if "(?P<value>" in text else 0, holds)


# Minimum lengths are below the published ones where the prefix alone is telling: a token that was cut off by a
# log's line limit is still most of a token.
SHAPES: Final = (
    # AWS "IAM identifiers": AKIA long-lived, ASIA temporary, ABIA and ACCA bearer and context-specific; 16 of base 32
    _shape(
        "aws-access-key",
        "akia asia abia acca a3t",
        r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    # AWS credentials file, `aws configure` and `get-session-token`: 40 of base 64 after their name
    _shape(
        "aws-secret-key",
        "secret",
        r"(?i:secret[ _-]?(?:access[ _-]?)?key)(?![A-Za-z0-9])[^A-Za-z0-9/+\n]{1,12}(?:None[^A-Za-z0-9/+\n]{1,6})?"
        r"(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
    ),
    # GitHub "token formats": personal, OAuth, user-to-server, server-to-server, refresh: prefix + 36 or more
    _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,}+"),
    # GitHub fine-grained personal access token: 22 + `_` + 59
    _shape("github-token", "github_pat_", r"(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}+"),
    # GitLab "token prefixes": personal, deploy, runner, job, trigger, feed, incoming mail, agent, SCIM, OAuth secret
    _shape(
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- gr1348941",
        r"(?<![A-Za-z0-9])(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas)-|GR1348941)(?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_-])){16,}+",
    ),
    # Slack "token types": bot, user, legacy workspace, refresh, configuration; app-level tokens begin with xapp
    _shape("slack-token", "xox xapp-", r"(?<![A-Za-z0-9])(?:xoxe\.)?(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}+"),
    # Slack "incoming webhooks": the path is the secret
    _shape(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[A-Za-z0-9/]{16,}+)",
    ),
    # Anthropic API, admin and OAuth keys; must stand before OpenAI's
    _shape("anthropic-key", "sk-ant-", r"(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{16,}+"),
    # OpenAI project, service-account and admin keys; OpenRouter's `sk-or-`
    _shape(
        "openai-key",
        "sk-proj- sk-svcacct- sk-admin- sk-or-",
        r"(?<![A-Za-z0-9_-])sk-(?:proj|svcacct|admin|or)-[A-Za-z0-9_-]{16,}+",
    ),
    # OpenAI legacy keys, and the many services that took over their form
    _shape("openai-key", "sk-", r"(?<![A-Za-z0-9_-])sk-[A-Za-z0-9]{20,}+"),
    # Stripe "API keys": secret and restricted, live and test (publishable ones are public); webhook signing secrets
    _shape(
        "stripe-key",
        "_live_ _test_ whsec_",
        r"(?<![A-Za-z0-9])(?:(?:sk|rk)_(?:live|test)|whsec)_[A-Za-z0-9+/]{10,}+",
    ),
    # Google Cloud API key: AIza + 35
    _shape("google-api-key", "aiza", r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,64}+"),
    # Google OAuth client secrets and access tokens
    _shape("google-token", "gocspx-", r"(?<![A-Za-z0-9])GOCSPX-[A-Za-z0-9_-]{20,}+"),
    _shape("google-token", "ya29.", r"(?<![A-Za-z0-9])ya29\.(?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_-])){20,}+"),
    # npm "about access tokens": npm_ + 36
    _shape("npm-token", "npm_", r"(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{20,}+"),
    # PyPI API token: a macaroon in URL-safe base 64
    _shape("pypi-token", "pypi-", r"(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{20,}+"),
    # Hugging Face "user access tokens": hf_ + 34; organisations': api_org_
    _shape("huggingface-token", "hf_ api_org_", r"(?<![A-Za-z0-9_])(?:hf|api_org)_[A-Za-z0-9]{20,}+"),
    # Telegram Bot API "authorizing your bot": the bot's number, `:`, 35 characters
    _shape(
        "telegram-token",
        "0: 1: 2: 3: 4: 5: 6: 7: 8: 9:",
        r":(?<=\d{8}:)(?P<value>[A-Za-z0-9_-]{35}|AA[A-Za-z0-9_-]{24,43})(?![A-Za-z0-9_-])",
        is_bot_part,
    ),
    # Tokens of other services, by the prefix each documents: SendGrid, Shopify, DigitalOcean, Databricks, Linear,
    # Notion, Atlassian, Vault, Docker, Supabase, Postman, Groq, Replicate, xAI, Perplexity, Grafana, Sentry, age
    _shape(
        "api-token",
        "sg. shpat_ shpss_ shpca_ dop_v1_ doo_v1_ dapi lin_api_ ntn_ atatt3 hvs. dckr_pat_ sbp_ pmak- gsk_ r8_ xai- "
        "pplx- glsa_ sntrys_ age-secret-key-",
        r"(?<![A-Za-z0-9_-])(?:SG\.|shp(?:at|ss|ca|pa)_|do[opr]_v1_|dapi(?=[0-9a-f]{32})|lin_api_|ntn_|ATATT3|hvs\."
        r"|dckr_pat_|sbp_|PMAK-|gsk_|r8_|xai-|pplx-|glsa_|sntrys_|AGE-SECRET-KEY-)(?:[A-Za-z0-9_=-]|\.(?=[A-Za-z0-9_-])){20,}+",
    ),
    # RFC 7519: base 64 of `{"`, a dot, more parts; an unsigned or cut one counts
    _shape("jwt", "eyj", r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{4,}+(?:\.[A-Za-z0-9_-]++){0,3}"),
    # RFC 9110, 11.6.2: scheme and credentials
    _shape(
        "authorization",
        "authorization",
        r"""(?i:authorization)\\?["'`]?\s{0,4}[:=]\s{0,4}\\?["'`]?(?i:(?:bearer|basic|token|apikey|digest|negotiate)\s{1,4})?"""
        r"""(?!(?i:bearer|basic|token)\s)(?P<value>(?:[^\s"'`<>,;\\.)]|[.)](?=[^\s"'`<>,;\\.)])){6,}+)""",
        is_credential,
    ),
    # RFC 6750: the scheme alone is telling when random text follows
    _shape(
        "authorization",
        "bearer",
        r"(?<![A-Za-z0-9])[Bb](?:earer|EARER)\s{1,4}(?P<value>(?:[A-Za-z0-9_~+/-]|\.(?=[A-Za-z0-9_-])){16,}+={0,2})",
        is_machine_made,
    ),
    # Oracle "logon": user/password@service
    _shape(
        "password-flag",
        "sqlplus impdp expdp sqlldr",
        r"""(?:sqlplus|impdp|expdp|sqlldr)\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}["']?\w{1,64}/(?P<value>[^\s@/"']{1,128}+)@""",
        is_literal,
    ),
    # RFC 3986, 3.2.1: user information before a host; digits before a slash are a port
    _shape(
        "url-password",
        "://",
        r"""://[^\s:/?#@"'`<>\[\]]{0,128}+:(?!\d{1,5}[/?#])(?P<value>[^\s@"'`<>]{1,256}+(?:@[^\s@/"'`<>]{1,256}+(?=@))?)@(?=[\w\[$<{%])""",
        is_literal,
    ),
)

HINTED: Final = {hint: index for index, shape in enumerate(SHAPES) for hint in shape.hints}
SHAPE_HINTS: Final = hints(*HINTED)


def _shaped(text: str, folded: str) -> Iterator[SecretSpan]:
    """Tokens of the table."""
    indexes = {HINTED[hint] for hint in SHAPE_HINTS & held(folded)}
    for shape in (SHAPES[index] for index in sorted(indexes)):
        for match in shape.pattern.finditer(text):
            if shape.holds(match[shape.group]):
                yield SecretSpan(*match.span(shape.group), shape.kind)


# --- Private keys ------------------------------------------------------------------------------------------

# RFC 7468 and OpenSSH, OpenPGP and PKCS#1 relatives: `-----BEGIN RSA PRIVATE KEY-----`
BOUNDARY: Final = pattern(r"-----(?P<edge>BEGIN|END) (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
LINE_END: Final = pattern(r"\r?\n|\\r\\n|\\n")
KEY_PART: Final = pattern(r"[A-Za-z0-9+/]{16,}+={0,2}|[A-Za-z0-9+/]{2,15}+={1,2}")
KEY_LINE: Final = pattern(
    r"""[\s>#|*"'+-]{0,16}(?:[A-Za-z0-9+/=]{16,}+|(?=\S*[0-9+/=])[A-Za-z0-9+/=]{2,15}+)[\s"',\\]{0,8}"""
)
KEY_HINTS: Final = hints("private key")
KEY_HEADER: Final = pattern(r"[\s>#|*]{0,16}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\n]{0,200}|\s*)")


def _private_keys(text: str, _folded: str) -> Iterator[SecretSpan]:
    """PEM blocks, boundaries included; of one that was cut off, what is left of it."""
    edges = [*BOUNDARY.finditer(text)]
    end = 0
    for i, edge in enumerate(edges):
        following = edges[i + 1] if i + 1 < len(edges) else None
        if edge["edge"] == "END":
            start = _key_start(text, end, edge.start())
            if start < edge.start():
                yield SecretSpan(start, edge.end(), "private-key")
        elif following and following["edge"] == "END":
            if KEY_PART.search(text, edge.end(), following.start()):
                yield SecretSpan(edge.start(), following.end(), "private-key")
        else:
            stop = _key_end(text, edge.end(), following.start() if following else len(text))
            if stop > edge.end() or (following is None and _is_last_line(text, edge)):
                yield SecretSpan(edge.start(), stop, "private-key")
        end = edge.end()


def _is_last_line(text: str, edge: re.Match[str]) -> bool:
    """Whether a key was cut off right behind its header, which stands alone on the last line."""
    return not (text[text.rfind("\n", 0, edge.start()) + 1 : edge.start()].strip(" \t>") or text[edge.end() :].strip())


def _key_end(text: str, start: int, limit: int) -> int:
    """Where the key lines that follow `start` end; `start` itself when there are none."""
    end = at = start
    while at < limit:
        line_end = LINE_END.search(text, at, limit)
        stop = line_end.start() if line_end else limit
        if KEY_LINE.fullmatch(text, at, stop):
            end = stop
        elif not KEY_HEADER.fullmatch(text, at, stop):
            part = KEY_PART.match(text, at + (text[at : at + 1] == " "), stop)
            return part.end() if part else end
        at = line_end.end() if line_end else limit
    return end


def _key_start(text: str, limit: int, end: int) -> int:
    """Where the key lines that lead up to `end` begin; `end` itself when there are none."""
    start = stop = end
    for line_end in reversed([*LINE_END.finditer(text, limit, end)]):
        if line_end.end() < stop:
            if not KEY_LINE.fullmatch(text, line_end.end(), stop):
                return start
            start = line_end.end()
        stop = line_end.start()
    return limit if limit < stop and KEY_LINE.fullmatch(text, limit, stop) else start


# --- Values given to a secret's name -----------------------------------------------------------------------

OPENING: Final = pattern(r"""\\?["'`]""")
QUOTED: Final = {
    '"': pattern(r'(?:[^"\\\n]|\\[^\n]){0,4096}+(?=")'),
    "'": pattern(r"(?:[^'\\\n]|\\[^\n]){0,4096}+(?=')"),
    "`": pattern(r"[^`\n]{0,4096}+(?=`)"),
    '\\"': pattern(r'[^"\\\n]{0,4096}+(?=\\")'),
    "\\'": pattern(r"[^'\\\n]{0,4096}+(?=\\')"),
}
BARE: Final = pattern(r"""[^\s"'`;&|<>]{1,4096}+""")
SHELL_WORD: Final = pattern(r"""[^\s"'`]{1,4096}+""")
NEXT_PAIR: Final = pattern(r",[\w.-]{1,64}[=:]")


class Value(NamedTuple):
    """A value in its place, `text[start:end]`, and whether quotes stand around it."""

    start: int
    end: int
    is_quoted: bool


def _value_at(text: str, at: int, bare: re.Pattern[str]) -> Value | None:
    """The value that begins at `at`: between quotes, or up to white space less the punctuation behind it."""
    opening = OPENING.match(text, at)
    if opening:
        quoted = QUOTED[opening[0]].match(text, opening.end())
        if quoted:
            return Value(*quoted.span(), is_quoted=True)
        at = opening.end()  # never closed: the line was cut off
    match = bare.match(text, at)
    if not match:
        return None
    pair = NEXT_PAIR.search(text, at, match.end()) if bare is BARE else None
    stop = pair.start() if pair else match.end()
    return Value(at, at + len(text[at:stop].rstrip(".,:;)]}&|*\\")), is_quoted=False)


KINDS_OF_KEY: Final = ("api", "access", "private", "signing", "encryption", "auth", "account", "master", "shared")
# What gitleaks, detect-secrets and trufflehog look for by name, in snake, kebab and camel case
NAME: Final = pattern(
    r"(?P<password>password|passwd|passphrase|passcode|pwd|(?<=[_-])pass|passwort|kennwort|contraseña|senha|пароль|密码)"
    r'|secret[ _-]?key|secret|token|credentials?|(?<=[_"])auth'
    rf"|(?:{'|'.join(KINDS_OF_KEY)})[ _-]?key"
)
NAME_HINTS: Final = hints(
    *("passw", "passphrase", "passcode", "_pass", "-pass", "pwd", "kennwort", "contrase", "senha", "парол", "密码"),
    *("secret", "token", "credential", "_auth", '"auth'),
    *key_names(KINDS_OF_KEY),
)
NAME_BACKWARDS: Final = pattern(r"[\w.-]{0,64}+(?:<|:\w(?!n[eE]\$))?")
SHELL_NAME: Final = pattern(r"[A-Z][A-Z0-9_]*")
ASSIGNS: Final = pattern(
    r"""
    (?P<suffix> [_-]? (?: prod(?:uction)? | dev(?:elopment)? | test | staging | live | base | \d{1,2} ) )?
    (?: (?P<closed> \\? ["'`*]{0,3} (?: [?!] | \[ [^\]\n]{0,24} \] | \\?["']? \] )? \s{0,4}
          (?: : \s{0,4} [a-z][\w.\[\]|]{0,40}+ \s{1,4} = (?!=)                          # password: str = …
            | (?: := | => | ={1,3} | : ) (?!:) )
          [ \t*]{0,8} (?: [|>][+-]? [ \t]{0,4} \n [ \t]{1,16} )? )                      # password: | and the next line
      | (?P<pair> \\?["']? [,\s]{1,40} \\?["']? value \\?["']? \s{0,4} [:=] \s{0,4} )   # name: …, value: …
      | (?P<said> \s (?: is | was ) \s (?=["'`]) )                                      # the password is `…`
      | (?P<blank> [ \t]{1,4} )                                                         # --password …, ENV TOKEN …
      | (?P<element> > (?=[^<\n]{1,512}</) ) )                                           # <password>…
    """,
    re.VERBOSE,
)


class Assignment(NamedTuple):
    """A secret's whole name, and how a value is given to it.

    `word` is the telling part of the name, `is_password` whether people think up such values (they need not look
    random), `way` the group of ASSIGNS, `sign` its text, `before` the four characters in front of the name.
    """

    name: str
    word: str
    is_password: bool
    way: str
    sign: str
    before: str

    @property
    def kind(self) -> str:
        """What a mark says was there."""
        return "password-flag" if self.name.startswith("--") else "assigned-secret"

    @property
    def is_one(self) -> bool:
        """Whether a value may follow at all: `--password x` is an option, `password x` is prose."""
        if self.way == "blank":
            return self.name.startswith("--") or self.before in {"ENV ", "etx "}
        if self.way == "element":
            return self.name.startswith("<")
        if self.way == "said":
            return self.is_password
        return self.name[1:2] != ":"  # a part of an ARN or a path

    @property
    def is_shell(self) -> bool:
        """`DB_PASSWORD=…`: the value is text up to the next blank, never code."""
        return self.sign == "=" and bool(SHELL_NAME.fullmatch(self.name))

    @property
    def takes_text(self) -> bool:
        """Whether an unquoted value here is text rather than a variable of some program."""
        is_pair = self.sign == "=" and (self.before.endswith((";", "?", "&")) or self.name.startswith("--"))
        return self.is_shell or is_pair or self.way in {"pair", "element"}

    def holds(self, value: str, *, is_quoted: bool) -> bool:
        """Whether the value is a secret and no placeholder, reference, expression or word of prose."""
        if not is_literal(value) or REFERENCE.fullmatch(value):
            return False
        is_text = is_quoted or self.takes_text
        if not is_text and ("==" in self.sign or EXPRESSION.fullmatch(value)):
            return False
        if any(c.isspace() for c in value):
            return self.word == "passphrase" and not value[0].isspace()
        if not self.is_password:
            is_compound = self.is_shell or not self.word.isalpha() or len(self.name) > len(self.word)
            return is_random(value, lenient=is_compound) or (self.is_shell and len(value) >= 16)
        if is_text and self.way != "said":
            return len(value) >= 4
        return len(value) >= 6 and any(c.isalpha() for c in value) and bool(re.search(r"[\d!@#$%^&+~]", value))


def _assigned(text: str, folded: str) -> Iterator[SecretSpan]:
    """Values given to a secret's name: `DB_PASSWORD=…`, `client_secret: …`, JSON, YAML, XML, long options."""
    at = 0
    while word := NAME.search(folded, at):
        at = word.end()
        ways = ASSIGNS.match(folded, at)
        if not ways:
            continue
        at = max(at, ways.end("suffix"))
        prefix = NAME_BACKWARDS.match(text[max(0, word.start() - 70) : word.start()][::-1])
        start = word.start() - (prefix.end() if prefix else 0)
        before = text[max(0, start - 4) : start]
        sign = folded[at : ways.end()]
        assignment = Assignment(text[start:at], word[0], bool(word["password"]), ways.lastgroup or "", sign, before)
        value = _value_at(text, ways.end(), SHELL_WORD if assignment.is_shell else BARE) if assignment.is_one else None
        if not value:
            continue
        if assignment.holds(text[value.start : value.end], is_quoted=value.is_quoted):
            yield SecretSpan(value.start, value.end, assignment.kind)
            at = value.end
        elif not value.is_quoted:
            at = max(at, value.end)


# --- Password flags of known programs ----------------------------------------------------------------------

# From each program's manual page; `\s{0,4}` where the value may be attached, `:` where a user stands before it
FLAGS: Final = {
    "sqlcmd osql bcp isql mosquitto_pub mosquitto_sub zip unzip": r"\s-P\s{0,4}",
    "mysql mysqldump mysqladmin mysqlimport mysqlsh mycli mariadb mariadb-dump mariadb-admin": r"\s-p(?=\S)",
    "7z 7za 7zz rar unrar": r"\s-(?:p|hp)(?=\S)",
    "sshpass": r"\s-p\s{0,4}",
    "curl wget xh httpie": r"""\s(?:-u|-U|--user|--proxy-user|-a|--auth)(?:\s{0,4}|=)["']?[^\s:"'|]{0,128}:""",
    "docker podman nerdctl helm oras buildah crane argocd az cf oc": r"\slogin\s(?:[^\n]*?\s)??-p\s{1,4}",
    "twine": r"\supload\s(?:[^\n]*?\s)??-p\s{1,4}",
    "skopeo": r"""\s--(?:src-|dest-)?creds(?:\s{1,4}|=)["']?[^\s:"'|]{0,128}:""",
    "redis-cli": r"\s-a\s{1,4}",
    "mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh snowsql": r"\s-p\s{1,4}",
    "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami": r"\s-w\s{1,4}",
    "openssl": r"""\s-(?:pass|passin|passout)\s{1,4}["']?pass:|\s-k\s{1,4}""",
    "keytool jarsigner": r"\s-(?:src|dest|new)?(?:storepass|keypass)\s{1,4}",
    "plink pscp psftp": r"\s-pw\s{1,4}",
    "smbclient rpcclient": r"""\s-U\s{0,4}["']?[^\s%"'|]{1,128}%""",
    "htpasswd": r"\s-\w{0,4}b\w{0,4}\s(?:[^\n]*\s)??[^\s-]\S*\s{1,4}[^\s-]\S*\s{1,4}",
    "xfreerdp wfreerdp": r"\s/p:",
    "rabbitmqctl": r"\s(?:add_user|change_password)\s{1,4}\S{1,128}\s{1,4}",
    "wpa_passphrase": r"\s[^\s-]\S{0,64}\s{1,4}",
    "machine": r"\slogin\s{1,4}\S{1,128}\s{1,4}password\s{1,4}",  # a line of .netrc
}
OPTIONS: Final = {program: pattern(text) for programs, text in FLAGS.items() for program in programs.split()}
PROGRAM_HINTS: Final = hints(*OPTIONS)
PROGRAM: Final = pattern(rf"(?<![\w.-])(?:{'|'.join(sorted(OPTIONS, key=len, reverse=True))})(?=(?:\.exe)?\s)")
COMMAND_HINTS: Final = hints(
    " -p", " -u", " -a", " -w", " -k", " -hp", "storepass", "keypass", "--user", "--proxy-user", "--auth",
    "creds", " /p:", "machine", "htpasswd", "rabbitmqctl", "wpa_passphrase",
)  # fmt: skip
COMMAND: Final = pattern(r"(?:[^\n|;&\\]|\\\n|\\.){0,500}+")
WORD_OR_PORT: Final = pattern(r"[a-z]+|\d{1,5}(?::\d{1,5})?|-.*")


def _flagged(text: str, folded: str) -> Iterator[SecretSpan]:
    """Values of password flags, read within the command of the program they belong to."""
    programs = [*PROGRAM.finditer(folded)] if not PROGRAM_HINTS.isdisjoint(held(folded)) else []
    for i, program in enumerate(programs):
        limit = programs[i + 1].start() if i + 1 < len(programs) else len(text)
        command = COMMAND.match(text, program.end(), limit)
        stop = command.end() if command else limit
        for option in OPTIONS[program[0]].finditer(text, program.end(), stop):
            value = _value_at(text, option.end(), SHELL_WORD)
            if value and _is_flag_value(text, value, is_attached=not text[option.end() - 1].isspace()):
                yield SecretSpan(value.start, value.end, "password-flag")


def _is_flag_value(text: str, value: Value, *, is_attached: bool) -> bool:
    """Whether it is a password; a lone word behind a blank is prose (`-p asks for the password`)."""
    secret = text[value.start : value.end]
    if not is_literal(secret) or REFERENCE.fullmatch(secret):
        return False
    return not WORD_OR_PORT.fullmatch(secret) or value.is_quoted or (is_attached and secret.isalpha())


FINDERS: Final = (
    (KEY_HINTS, _private_keys),
    (SHAPE_HINTS, _shaped),
    (NAME_HINTS, _assigned),
    (COMMAND_HINTS, _flagged),
)
"""Each with the hints of which a text must hold one; of spans that begin together the first finder's is the kind."""
SECRET_HINTS: Final = SPOKEN_HINTS.union(*(signs for signs, _ in FINDERS))
