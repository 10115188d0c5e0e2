"""A memory as the text of a new file, and single values as YAML that every reader takes for the same text."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import yaml

from mdmem.markdown.schema import READERS
from mdmem.markdown.nodes import FAST_LOADER
from mdmem.memory import CONFIDENCE, Memory, Source, Status, rounded, when_text

if TYPE_CHECKING:
    from collections.abc import Mapping

FLOW_WIDTH: Final = 100
"""A list whose line would be longer is written one item a line."""
TYPED_KEYS: Final = frozenset({"confidence", "evidence", "created", "confirmed", "expires"})
_RESOLVER: Final[Any] = yaml.resolver.Resolver()
_DEFAULTS: Final[Mapping[str, object]] = {
    "status": Status.ACTIVE,
    "confidence": CONFIDENCE,
    "evidence": 1,
    "scope": "project",
    "source": Source.USER,
}

Plain = str | tuple[str, ...]
"""A value as the frontmatter states it: one text, or a list of them."""


def render(memory: Memory) -> str:
    """The text of a new file: frontmatter in the order of the schema, then the body, LF line ends."""
    lines = [entry(key, value) for key, value in stated(memory).items()]
    body = f"{memory.body.rstrip()}\n" if memory.body.strip() else ""
    return f"---\n{''.join(lines)}{_extra(memory)}---\n{body}"


def stated(memory: Memory) -> dict[str, Plain]:
    """What the frontmatter of a memory has to state, by key; what equals its default is left out."""
    values = {key: getattr(memory, key) for key in READERS}
    if values["confirmed"] == values["created"]:
        values["confirmed"] = None
    return {
        key: as_plain(value)
        for key, value in values.items()
        if value not in (None, "", ()) and _DEFAULTS.get(key) != value
    }


def as_plain(value: object) -> Plain:
    """One value of a Memory as text or a list of texts."""
    if isinstance(value, tuple):
        return tuple(str(item) for item in value)
    if isinstance(value, float):
        return f"{rounded(value):g}"
    if isinstance(value, date):
        return when_text(value)
    return str(value)


def entry(key: str, value: Plain, indent: str = "") -> str:
    """The line (or lines) of one key, LF line ends."""
    inline = inline_value(key, value)
    if isinstance(value, str) or len(key) + len(inline) <= FLOW_WIDTH:
        return f"{indent}{key}: {inline}\n"
    return f"{indent}{key}:\n" + "".join(f"{indent}  - {scalar(item)}\n" for item in value)


def inline_value(key: str, value: Plain, like: str = "") -> str:
    """A value on one line; `like` is the quote that was used before ('' for none)."""
    if isinstance(value, tuple):
        return f"[{', '.join(scalar(item, in_list=True) for item in value)}]"
    return value if key in TYPED_KEYS and not like else scalar(value, like)


def scalar(text: str, like: str = "", *, in_list: bool = False) -> str:
    """A YAML scalar that every reader takes for exactly this text, in the quotes of before where they can hold it."""
    if like == '"' and "\\" not in text and '"' not in text:
        return f'"{text}"'
    if like != "'" and _is_plain(text, in_list):
        return text
    return "'" + text.replace("'", "''") + "'"


@cache
def _is_plain(text: str, in_list: bool) -> bool:
    """Whether an unquoted text is read as itself, by our reading and as a string by YAML 1.1."""
    if not text or text != " ".join(text.split()) or " #" in text or not text.isprintable():
        return False
    if _RESOLVER.resolve(yaml.ScalarNode, text, (True, False)) != "tag:yaml.org,2002:str":
        return False
    source = f"[{text}, {text}]" if in_list else f"key: {text}"
    try:
        values = [event.value for event in yaml.parse(source, Loader=FAST_LOADER) if isinstance(event, yaml.ScalarEvent)]
    except yaml.YAMLError:
        return False
    return values == ([text, text] if in_list else ["key", text])


def _extra(memory: Memory) -> str:
    """Foreign keys; nested ones as YAML writes them, in their order."""
    lines = []
    for key, value in memory.extra:
        if isinstance(value, str):
            lines.append(f"{key}: {scalar(value)}\n")
        else:
            lines.append(yaml.safe_dump({key: value}, sort_keys=False, allow_unicode=True, default_flow_style=None))
    return "".join(lines)
