"""What a secret's value looks like, and what stands for one: placeholders, references, code, words.

Everything here looks at one value, without the text that it stands in.
"""

from __future__ import annotations

import re
from typing import Final

from mdmem.pattern import pattern

MARK: Final = "[redacted:"

PLACEHOLDER: Final = pattern(
    r"""
      (?: < .* | \{ .* | \[ .* | \$[({] .* | \$[A-Za-z_]\w* (?: [/.:\[] .* )?     # <x> {x} [x] ${X} $(x) $X $env:X
        | %\w+% | %\(\w+\)s | %[a-z]                                              # %X% %(x)s %s
        | ! (?:vault|ref|sub|getatt|importvalue|secret|env|reference)\b .*        # YAML tags
        | ENC[\[(] .*                                                            # sops and jasypt: encrypted already
        | [*•x.…\-_\#?0]{3,} | (.)\1{5,}                                          # *** xxx … ---- aaaaaa
        | [\w.-]{0,16}? (?:x{8}|\*{3}|\.{3}|…) [\w.…*-]*+                         # sk-xxxxxxxx, ab***yz
        | your[a-z]*+ | your[-_ ][\w -]*+ | (?:my|the|some|put|insert|enter|replace|add)[-_ ][a-z_ -]*+
        | change[-_ ]?(?:me|it|this)\w* | .{0,30} [-_ ]here                        # your-key, my-token, put-it-here
        | none|null|nil|undefined|true|false|yes|no|on|off|empty|unset|missing|required|optional|hidden|redacted|removed
        | masked|secret|example|sample|dummy|placeholder|default|unknown|todo|tbd|value|invalid
        | pass|passwd|password|passphrase|passwort|kennwort|contraseña|senha|pw|pwd|token|key|apikey|api[-_]key
        | root|admin|guest|user|username|test|testing|foo|bar|baz|foobar|postgres|mysql|redis|minioadmin
        | any|bool|boolean|str|string|text|char|object|number|integer|secretstr|buffer
        | (?:base\d\d|sha\d*|md5|bcrypt|scrypt|argon2\w*|pbkdf2)[-_ ]?[a-z]*+
        | u?int\d*|u\d{1,3}|bytes\d*|float\d*|varchar\d*
      )
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
"""Values that stand for a secret, mean that there is none, name a type, or are a default everybody knows."""

REFERENCE: Final = pattern(
    r"""
      (?: ~|\.{1,2})? / (?:[\w.@-]+/?)* | [A-Za-z]:\\ .* | [\w./~-]* \. (?:pem|key|json|ya?ml|toml|env|txt|cfg|ini|conf
        |crt|cer|p12|pfx|jks|py|tsx?|jsx?|go|rs|rb|sh|md|html?|sql|log)                   # a path
    | [a-z][a-z0-9+.-]*:// .*                                                         # an address
    | (?:sha\d+|md5|blake2\w*) [:=-] .* | 0x[0-9a-fA-F]{40}                           # a hash, a public address
    | (?:arn|vault|op|env|file|ssm|secretsmanager|keyring|keychain|sops|pass|ref|kms|projects) [:/] .*  # its place
    | id_(?:rsa|dsa|ecdsa|ed25519)\w* | ssh-\w+                                       # a key file, a public key
    """,
    re.VERBOSE | re.DOTALL,
)
"""Values that say where a secret is, or what its hash is."""

EXPRESSION: Final = pattern(
    r"[A-Za-z_][\w.:>?!-]*+[(\[].*|[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+"
    r"|[A-Za-z_]*?(?i:password|passwd|secret|token|key)\d?",
    re.DOTALL,
)
"""Code: a call, an index, an attribute (`process.env.X`, `config.token`), a variable that is named for a secret."""

WORDS: Final = pattern(r"[a-z]+(?:[A-Z][a-z]+)*|(?:[A-Z][a-z]+)+|[A-Z]+")
"""What a random string is not: a word, or words in camel case."""


def is_literal(value: str) -> bool:
    """Whether it is a value at all, and no placeholder of one or mark of a redaction."""
    return bool(value) and MARK not in value and not PLACEHOLDER.fullmatch(value)


def is_mixed(value: str) -> bool:
    """A literal with an upper-case letter or a digit: no name in kebab-case."""
    return is_literal(value) and any(c.isupper() or c.isdigit() for c in value)


def is_credential(value: str) -> bool:
    """A mixed literal that is no word."""
    return is_mixed(value) and not WORDS.fullmatch(value)


def is_machine_made(value: str) -> bool:
    """A credential that nobody thought up."""
    return is_credential(value) and is_random(value, lenient=False)


def is_bot_part(value: str) -> bool:
    """A mixed literal that is no hash and no UUID."""
    return is_mixed(value) and not re.fullmatch(r"[0-9a-f-]+", value)


def is_random(value: str, *, lenient: bool) -> bool:
    """Whether a machine made the value; `lenient` where its place leaves little doubt that it is a secret."""
    if len(value) < 8 or not any(c.isalpha() for c in value):
        return False
    for part in re.findall(r"[A-Za-z0-9]+", value):
        has_both = any(c.isdigit() for c in part) and any(c.isalpha() for c in part)
        if (len(part) >= 6 and has_both) or (len(part) >= 16 and not WORDS.fullmatch(part)) or len(part) >= 32:
            return True
    return lenient and len(value) >= 12 and any(c.isdigit() for c in value)
