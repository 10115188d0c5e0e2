"""What a memory's text should not hold: secrets, orders to agents, invisible characters, private facts, noise.

Pure functions from text to problems. Some of them only warn, some keep a memory out of every prompt (see
`problems.KEPT_OUT`). False alarms cost trust, so each detector reads only what the text says itself where that
matters: code and quotations are mentions.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from mdmem.markdown.hidden import iter_hidden, name_of
from mdmem.markdown.injection import ORDER_HINTS, find_injection, has_injection
from mdmem.markdown.mask import without_code, without_quotes
from mdmem.markdown.problems import KEPT_OUT, Problem
from mdmem.pattern import pattern
from mdmem.redact import SECRET_HINTS, find_secrets
from mdmem.sieve import fold, held, hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = [
    "has_injection",
    "is_fit",
    "is_low_value",
    "screen",
    "screen_frontmatter",
]


class Part(NamedTuple):
    """A stretch of a file: its text, the line it begins on, and the field it belongs to ('' for the body)."""

    text: str
    first_line: int
    key: str = ""

    def line_at(self, offset: int) -> int:
        """The line of the file on which the character at `offset` stands."""
        return self.first_line + self.text.count("\n", 0, offset)


def screen(title: str, body: str, first_body_line: int, title_line: int) -> tuple[Problem, ...]:
    """Everything that is wrong with what a memory says, by line.

    `first_body_line` and `title_line` are the lines of the file (from 1) on which the two begin.
    """
    parts = (Part(title, title_line, "title"), Part(body, first_body_line))
    found = [problem for part in parts for problem in _findings(part, DETECTORS)]
    found += _control(parts[1])
    if is_low_value(title, body):
        hint = "say what was learned and when it applies, or `mdmem forget` it"
        found.append(Problem("W_LOW_VALUE", title_line, "says nothing worth remembering", hint=hint))
    return tuple(sorted(found, key=lambda problem: problem.line))


def _findings(part: Part, detectors: Iterable[Detector]) -> Iterator[Problem]:
    """What the detectors find; most of them need not look, since a text without their hints holds nothing for them.

    So it is in ASCII. Other characters may be invisible, or mean the same as those of a hint.
    """
    seen, is_ascii = held(fold(part.text)), part.text.isascii()
    for signs, detect in detectors:
        if not (is_ascii and signs.isdisjoint(seen)):
            yield from detect(part)


def is_fit(line: str) -> bool:
    """Whether a line of text may stand in a prompt: nothing in it keeps a memory out."""
    return not any(problem.code in KEPT_OUT for problem in screen(line, "", 1, 1))


def screen_frontmatter(lines: Sequence[str], first_line: int) -> tuple[Problem, ...]:
    """Secrets, orders and invisible characters in the fields that `screen` does not see (all but the title).

    `lines` are the frontmatter's with their ends, the first of them on line `first_line` of the file.
    """
    part = Part("".join(lines), first_line)
    found = [*_findings(part, DETECTORS[:ANYWHERE])]
    if not found:
        return ()
    keys = _keys(lines)
    title = next((key for key in ("title", "name") if key in keys), None)
    named = (problem._replace(key=keys[problem.line - first_line]) for problem in found)
    return tuple(problem for problem in named if problem.key != title)


def _keys(lines: Sequence[str]) -> list[str]:
    """For each line the top-level key that it belongs to, '' before the first."""
    keys: list[str] = []
    for line in lines:
        match = FIELD.match(line)
        keys.append(match[1] if match else keys[-1] if keys else "")
    return keys


FIELD: Final = pattern(r"""["']?([A-Za-z_][\w .-]{0,60}?)["']?[ \t]*:(?:\s|$)""")


# --- One detector a code -----------------------------------------------------------------------------------


def _secrets(part: Part) -> Iterator[Problem]:
    """E_SECRET for each secret; names its kind, never its value."""
    for span in find_secrets(part.text):
        yield Problem(
            "E_SECRET",
            part.line_at(span.start),
            f"what looks like a secret ({span.kind})",
            key=part.key,
            hint="say where it is kept instead, and replace it there if it was ever committed",
        )


def _hidden(part: Part) -> Iterator[Problem]:
    """W_HIDDEN_CHAR once for a part, at the first such character."""
    offsets = list(iter_hidden(part.text))
    if offsets:
        more = f" and {len(offsets) - 1} more" if len(offsets) > 1 else ""
        message = f"invisible character {name_of(part.text[offsets[0]])}{more}"
        yield Problem("W_HIDDEN_CHAR", part.line_at(offsets[0]), message, key=part.key, hint="delete it")


CONTROL: Final = pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029](?<!\r(?=\n))")


def _control(part: Part) -> Iterator[Problem]:
    """W_CONTROL_CHAR once for a part, at the first control character."""
    match = CONTROL.search(part.text)
    if match:
        message = f"control character U+{ord(match[0]):04X}"
        hint = "delete it, or write it as text (`\\x1b`)"
        yield Problem("W_CONTROL_CHAR", part.line_at(match.start()), message, key=part.key, hint=hint)


def _injection(part: Part) -> Iterator[Problem]:
    """W_INJECTION once for a part, where orders to an agent begin."""
    line_ends = find_injection(part.text)
    if line_ends is not None:
        hint = "put it as a fact about the project, or `mdmem forget` it"
        message = "reads like orders to an agent"
        yield Problem("W_INJECTION", part.first_line + line_ends, message, key=part.key, hint=hint)


BRIEF_MARK: Final = pattern(r"<!--\s*mdmem:brief (?:begin|end)\s*-->|\[mdmem-extract v\d")
BRIEF_LINE: Final = pattern(
    r"^[ \t]*[-*] [^\n]{1,200} \((?:today|yesterday|\d+ days?|\d+ months?|age unknown), (?:you|agent|run|unreviewed)"
    r"(?:, [^)\n]{1,60})?\)",
    re.MULTILINE,
)

BRIEF_HINTS: Final = hints("mdmem", "day, ", "days, ", "month, ", "months, ", "unknown, ")


def _self_reference(part: Part) -> Iterator[Problem]:
    """E_SELF_REFERENCE where a recalled brief stands: its marks, or a line labelled with age and author."""
    seen = held(fold(part.text))
    match = BRIEF_MARK.search(without_code(part.text)) if "mdmem" in seen else None
    if not match and not BRIEF_HINTS.isdisjoint(seen):
        match = BRIEF_LINE.search(part.text)
    if match:
        hint = "keep only what was learned, in your own words"
        message = "a recalled brief was stored as a memory"
        yield Problem("E_SELF_REFERENCE", part.line_at(match.start()), message, key=part.key, hint=hint)


# ITU-T E.123 and the North American form; nine digits or more, so that ports, dates and versions are none
PHONE: Final = pattern(
    r"(?<![\w.+-])(?:\+\d{1,3}[ ./-]?(?:\(0?\d{1,4}\)[ ./-]?)?\d{1,4}(?:[ ./-]?\d{2,5}){1,4}"
    r"|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?![\w-])"
)
PHONE_HINTS: Final = hints("+", "-", ")")
PHONE_LIKE: Final = pattern(r"\+\d|-\d{3}-\d{4}|\) ?\d{3}-")
SHARED_PHONE: Final = pattern(
    r"hotline|support|on-?call|office|switchboard|help ?desk|front desk|reception|service|fax|test|fake|dummy|sandbox"
    r"|format|E\.?16[34]|E\.?123|regex|validat|normali[sz]|parse|country code|prefix|example number|twilio",
    re.IGNORECASE,
)
HEALTH: Final = (
    r"(?:sick|ill|unwell|injur(?:y|ed)|surgery|operation on|pregnan(?:t|cy)|maternity|diagnosed|cancer|chemotherapy"
    r"|depression|burn-?out|anxiety|adhd|autis(?:m|tic)|diabet(?:es|ic)|epilep(?:sy|tic)|hiv|covid|in (?:the )?hospital"
    r"|hospitali[sz]ed|medication|therapy|rehab|medical (?:leave|condition|reasons)|sick[- ]leave)"
)
PERSON: Final = (
    r"(?:[A-Z][a-zß-ÿ]+(?:[ -][A-Z][a-zß-ÿ]+)?(?: \([^()\n]{1,120}\))?(?:'s|’s)?|[Hh]e|[Ss]he|[Hh]is|[Hh]er)"
)
PRIVATE: Final = pattern(
    rf"\b{PERSON} (?:(?:is|was|has been|will be|has|had|got)\b[^.\n]{{0,40}}?\b(?i:{HEALTH})\b(?!-)"
    r"|(?:on|after|due to)\b[^.\n]{0,20}\b(?i:sick leave|medical leave|maternity leave|surgery)\b"
    r"|(?:lives at|home address is|was born on|earns|salary is|birthday is)\b[^.\n]{0,40}\d)"
    r"|\b(?i:home|private|postal) address(?i: of [^\n:]{1,40})?: ?[^\n]{0,40}\d"
    r"|\b(?i:date of birth|birthday|social security(?: number)?|ssn|passport(?: no\.?| number)?|iban|salary): ?"
    r"[^\n]{0,12}\d"
)
NOT_A_PERSON: Final = pattern(
    r"(?:The|This|That|It|There|Each|Every|No|If|When|A|An|Our|We|Server|Service|Redis|Postgres|Kafka|Worker|Job|CI|Build)\b"
)


def _personal(part: Part) -> Iterator[Problem]:
    """W_PERSONAL for what is private to a named person: a telephone, health, home, birth, pay.

    An e-mail address alone is none of that: every commit carries one, and a memory about ownership needs it. The
    telephone of a desk, a hotline or a test is nobody's either.
    """
    has_phone = bool(PHONE_LIKE.search(part.text))
    has_words = not PRIVATE_HINTS.isdisjoint(held(fold(part.text)))
    for number, line in enumerate(part.text.split("\n")) if has_phone or has_words else ():
        message = (
            "personal data" if has_words and _is_private(line) else "a telephone number" if _has_phone(line) else ""
        )
        if message:
            hint = "leave it out, or keep it in your personal store"
            yield Problem("W_PERSONAL", part.first_line + number, message, key=part.key, hint=hint)
            return


def _is_private(line: str) -> bool:
    match = PRIVATE.search(line)
    return match is not None and not NOT_A_PERSON.match(match[0])


def _has_phone(line: str) -> bool:
    match = PHONE.search(line)
    return match is not None and sum(c.isdigit() for c in match[0]) >= 9 and not SHARED_PHONE.search(line)


PRIVATE_HINTS: Final = hints(
    "sick", " ill", "unwell", "injur", "surgery", "operation on", "pregnan", "maternity", "diagnosed", "cancer",
    "chemo", "depress", "burn", "anxiety", "adhd", "autis", "diabet", "epilep", "hiv", "covid", "hospital",
    "medica", "therapy", "rehab", "lives at", "address", "birth", "born on", "earns", "salary", "social sec", "ssn",
    "passport", "iban",
)  # fmt: skip
_DAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_COUNT: Final = r"(?:two|three|four|five|six|a few|a couple of|several)"
RELATIVE_DATE: Final = pattern(
    rf"""
    (?<![\w'’/{{@-])(?:
        (?: yesterday | tomorrow | tonight | today | the \s day \s (?:before \s yesterday | after \s tomorrow) )
      | (?<!the\s)(?<!each\s)(?<!every\s)(?<!of\s)
        (?: last | next | this | past | coming ) \s
        (?: week | weekend | month | year | quarter | sprint | night | morning | afternoon | evening
          | spring | summer | autumn | winter | {_DAY} )
      | (?: \d{{1,3}} | an? | one | {_COUNT} ) \s (?: minute | hour | day | week | month | year )s? \s ago
      | (?<!expires\s)(?<!expire\s)(?<!takes\s)(?<!done\s)(?<!times\s)(?<!once\s)(?<!twice\s)
        (?<!runs\s)(?<!rotate\s)(?<!out\s)
        in \s {_COUNT} \s (?: day | week | month )s?
      | (?: a | one | two | three ) \s (?: week | month | day )s? \s from \s now
      | earlier \s today | later \s (?: today | this \s week )
      | vorgestern | gestern | heute | übermorgen | (?: letzte | nächste ) [nrs]? \s (?: woche | monat | jahr )
      | ayer | anteayer | hier \s soir | avant-hier | la \s semaine \s (?: prochaine | dernière )
    )(?! ['’]s\b | [\w’/-] | \s* [(=] (?!\d{{4}}) | \s* \(? \d{{4}}-\d\d )
    """,
    re.VERBOSE,
)
"""In a text in lower case."""
DATE_HINTS: Final = hints(
    "yesterday", "today", "tomorrow", "tonight", "last ", "next ", "this ", "past ", "coming ", " ago", "in two",
    "in three", "in four", "in five", "in six", "in a ", "in several", "from now", "gestern", "heute", "übermorgen",
    "ayer", "hier", "semaine", "letzte", "nächste",
)  # fmt: skip
DATE_UNITS: Final = hints(
    "day", "week", "month", "year", "quarter", "sprint", "night", "morning", "afternoon", "evening", "spring", "summer",
    "autumn", "winter", "minute", "hour", "tomorrow", "gestern", "heute", "übermorgen", "woche", "monat", "jahr",
    "ayer", "hier", "semaine",
)  # fmt: skip


def _relative_date(part: Part) -> Iterator[Problem]:
    """W_RELATIVE_DATE once for a part. Code, quotations, `yesterday's` and dates that say which day are none."""
    folded = fold(part.text)
    seen = held(folded)
    if DATE_HINTS.isdisjoint(seen) or DATE_UNITS.isdisjoint(seen) or not RELATIVE_DATE.search(folded):
        return
    plain = without_quotes(part.text)
    match = RELATIVE_DATE.search(fold(plain))
    if match:
        said = " ".join(plain[match.start() : match.end()].split())
        hint = f"write the date that {said!r} stood for"
        yield Problem("W_RELATIVE_DATE", part.line_at(match.start()), f"{said!r} means nothing later", part.key, hint)


Detector: TypeAlias = "tuple[frozenset[str], Callable[[Part], Iterator[Problem]]]"
DETECTORS: Final[tuple[Detector, ...]] = (
    (SECRET_HINTS, _secrets),
    (frozenset(), _hidden),
    (ORDER_HINTS, _injection),
    (BRIEF_HINTS, _self_reference),
    (PRIVATE_HINTS | PHONE_HINTS, _personal),
    (DATE_HINTS, _relative_date),
)
"""Each with the hints of which a text must hold one."""
ANYWHERE: Final = 4
"""So many of them also look at what is no prose."""


# --- Noise -------------------------------------------------------------------------------------------------

REFUSAL: Final = pattern(
    r"(?:i['’]?m |i am )?(?:so |very )?sorry\b[,.]? (?:but )?(?:i |there |this |that |we |the )"
    r"|(?:unfortunately|apologies),? (?:i|there)\b"
    r"|i (?:cannot|can['’]?t|can not|won['’]?t|will not|am (?:not able|unable)|do not|don['’]?t)(?: to)? "
    r"(?:help|assist|comply|provide|do that|extract|find any|see any|have (?:enough|any|access))"
    r"|i['’]?m (?:not able|unable) to|as an? (?:ai|llm|large language|language model)\b"
    r"|there (?:is|was|are|were) (?:not enough|no|nothing|insufficient) (?:\w+ )?"
    r"(?:information|context|content|evidence|memor|durable|worth|to (?:extract|save|remember))"
    r"|(?:no|not enough|insufficient) (?:\w+ )?(?:memor(?:y|ies)|information|context|learnings?|insights?|facts) "
    r"(?:to|were|was|found|could|worth|available)"
    r"|nothing (?:\w+ )?(?:to (?:extract|save|remember|report|add)|worth|durable|new|notable)\b"
)
_REPORT: Final = (
    r"ok(?:ay)?|yes|no|done|fixed|finished|complete|works?|working|ready|success|successful|passed|green|good|great|perfect"
    r"|thanks|thank you|lgtm|n/?a|none|null|nothing|todo|tbd|wip|misc|stuff|various|summary|notes?|updated?|untitled"
    r"|and|now|it|it['’]?s|is|are|was|were|all|the|this|that|i|we|everything|has|have|been|again|finally|just|already"
    r"|successfully|here|as|see|above|below|discussed|requested|expected|usual|before|some|several|in|of|with|without|for"
    r"|\d+(?:/\d+)?|tests?|test suite|suite|checks?|builds?|ci|lint|linter|linting|type ?check|pipeline|compilation"
    r"|code|task|job|changes?|files?|commands?|request|issue|bug|problem|feature|implementation|refactor(?:ing)?|session"
    r"|conversation|pass(?:es|ing)?|succeeds?|succeeded|fail(?:s|ed|ing)?|completed?|created|edited|changed|modified"
    r"|saved|committed|pushed|merged|deployed|resolved|solved|ran|runs?|made|looks?|improvements?|errors?|warnings?"
)
FILLER: Final = pattern(rf"(?:[👍✅🎉✓✔]\s*+|(?:lorem ipsum.*|{_REPORT})(?:[\s,.;:!*_`-]++|(?=[👍✅🎉✓✔])|$))+")
"""Text of nothing but words that report, and report nothing: "All 214 tests passed.", "Done, CI is green"."""

FRAGMENT: Final = pattern(
    r"""\s*(?:[{}\[\](),]+\s*|\\?["'][\]},:\s]*"""
    r"""|\\?["'][\w $.-]{1,60}\\?["']\s*:\s*(?:\\?["'\[{\d-]|true|false|null|$).*)"""
)
SHELL_LINE: Final = pattern(
    r"\s*(?:[$❯]\s+\S.*|(?:cd|ls|ll|cat|pwd|echo|clear|which|mkdir|rm|cp|mv|touch|exit|npm|pnpm|yarn|pip|pytest|make|cargo"
    r"|go|docker|kubectl|python3?|node|git (?:status|diff|log|add|commit|push|pull|fetch|stash|checkout|branch|show))"
    r"(?:\s+[^\s`]+){0,4}|(?:[\w./-]+\s+)?exit (?:code|status) \d+)\s*"
)


def is_low_value(title: str, body: str) -> bool:
    """Whether nobody would miss it: a refusal, a torn piece of JSON, a bare report, a lone shell line.

    The body decides where there is one. A command between backticks or in a code block is a memory of its own.
    """
    body = body.strip()
    if _is_refusal(body or title) or (len(body) < 200 and _is_refusal(title)):
        return True
    if _is_json_fragment(body) or ('"' in title and FRAGMENT.fullmatch(title)):
        return True
    if _is_filler(body or title) and re.search(r"[^\W\d_]|[👍✅]", body or title):
        return True
    return bool(SHELL_LINE.fullmatch(title)) and all(_is_noise(line) for line in body.split("\n"))


def _is_noise(line: str) -> bool:
    return not line.strip() or bool(SHELL_LINE.fullmatch(line) or _is_filler(line.strip()))


def _is_refusal(text: str) -> bool:
    return REFUSAL.match(fold(text.strip())) is not None


def _is_filler(text: str) -> bool:
    return FILLER.fullmatch(fold(text)) is not None


def _is_json_fragment(body: str) -> bool:
    """Whether it is lines of JSON that do not make a whole."""
    if not body or '"' not in body[:200] or len(body) > 4000:
        return False
    if not all(FRAGMENT.fullmatch(line) for line in body.split("\n") if line.strip()):
        return False
    try:
        json.loads(body)
    except ValueError:
        return True
    return False
