"""A memory as the text of a new file, and single values as YAML that every reader takes for the same text."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import yaml

from mdmem.markdown.decoding import BOM, WORD_JOINER
from mdmem.markdown.nodes import Mapping as MappingNode
from mdmem.markdown.nodes import Scalar, Sequence, compose
from mdmem.markdown.reading import one_line
from mdmem.markdown.schema import READERS
from mdmem.memory import CONFIDENCE, Memory, Source, Status, rounded, when_text
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FLOW_WIDTH: Final = 100
"""A list whose line would be longer is written one item a line."""
TYPED_KEYS: Final = frozenset({"confidence", "evidence", "created", "confirmed", "expires"})
_TYPED: Final = pattern(r"[0-9][0-9A-Z.:+-]*")
_NUMBER_LIKE: Final = pattern(r"[-+.]?[0-9][0-9a-fA-FxXoO_.:eE+-]*")
_BOOLEANS: Final = frozenset("yYnN")
"""Words that YAML 1.1 has for true and false and PyYAML has not."""
_NOT_WRITABLE: Final = pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
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
    """The text of a new file: frontmatter in the order of the schema, then the body, LF line ends.

    Characters that can't stand in frontmatter (control characters, line separators) become blanks.
    """
    lines = [entry(key, value) for key, value in stated(memory).items()]
    lines += ["".join(_nested(f"{_key(key)}:", value, "")) for key, value in memory.extra]
    body = f"{memory.body.rstrip()}\n" if memory.body.strip() else ""
    return f"---\n{''.join(lines)}---\n{body}"


def stated(memory: Memory) -> dict[str, Plain]:
    """What the frontmatter of a memory has to state, by key; what equals its default is left out."""
    values = {key: getattr(memory, key) for key in READERS}
    if values["confirmed"] == values["created"]:
        values["confirmed"] = None
    if _is_native(memory) and memory.source is Source.USER:
        return {key: as_plain(value) for key, value in values.items() if _is_stated(key, value) or key == "source"}
    return {key: as_plain(value) for key, value in values.items() if _is_stated(key, value)}


def _is_stated(key: str, value: object) -> bool:
    return value not in (None, "", ()) and _DEFAULTS.get(key) != value


def _is_native(memory: Memory) -> bool:
    """Whether its foreign keys are those of an agent's own memory, which is read as said by the agent."""
    metadata = dict(memory.extra).get("metadata")
    return any(key == "name" for key, _ in memory.extra) or (isinstance(metadata, dict) and "type" in metadata)


def as_plain(value: object) -> Plain:
    """One value of a Memory as text or a list of texts."""
    if isinstance(value, tuple):
        return tuple(str(item) for item in value)
    if isinstance(value, float):
        return f"{rounded(value):g}"
    if isinstance(value, date):
        return when_text(value)
    return str(value)


def writable(value: Plain) -> Plain:
    """The value as frontmatter can hold it: on one line, without control characters; empty items dropped."""
    if isinstance(value, tuple):
        return tuple(text for item in value if (text := _writable_text(item)))
    return _writable_text(value)


def _writable_text(text: str) -> str:
    return one_line(_NOT_WRITABLE.sub(" ", text.replace(BOM, WORD_JOINER)))


def entry(key: str, value: Plain, indent: str = "") -> str:
    """The line (or lines) of one key, LF line ends."""
    value = writable(value)
    inline = inline_value(key, value)
    if isinstance(value, str) or len(key) + len(inline) <= FLOW_WIDTH:
        return f"{indent}{key}: {inline}\n"
    return f"{indent}{key}:\n" + "".join(f"{indent}  - {scalar(item)}\n" for item in value)


def inline_value(key: str, value: Plain, like: str = "") -> str:
    """A value on one line; `like` is the quote that was used before ('' for none)."""
    if isinstance(value, tuple):
        return f"[{', '.join(scalar(item, in_list=True) for item in value)}]"
    is_typed = key in TYPED_KEYS and not like and _TYPED.fullmatch(value)
    return value if is_typed else scalar(value, like)


def scalar(text: str, like: str = "", *, in_list: bool = False) -> str:
    """A YAML scalar that every reader takes for exactly this text, in the quotes of before where they can hold it."""
    if like == '"' and "\\" not in text and '"' not in text:
        return f'"{text}"'
    if like != "'" and _is_plain(text, in_list):
        return text
    return "'" + text.replace("'", "''") + "'"


@lru_cache(maxsize=4096)
def _is_plain(text: str, in_list: bool) -> bool:
    """Whether an unquoted text is read as itself, by our reading and as a string by YAML 1.1 and 1.2."""
    if not text or text != " ".join(text.split()) or " #" in text or not text.isprintable():
        return False
    if _NUMBER_LIKE.fullmatch(text) or text in _BOOLEANS or (in_list and "?" in text):
        return False
    if _RESOLVER.resolve(yaml.ScalarNode, text, (True, False)) != "tag:yaml.org,2002:str":
        return False
    tree = compose(f"[{text}, {text}]\n" if in_list else f"key: {text}\n")
    nodes: tuple[object, ...] = ()
    if isinstance(tree.root, Sequence):
        nodes = tree.root.items
    elif isinstance(tree.root, MappingNode):
        nodes = tuple(value for _, value in tree.root.pairs)
    texts = [node.text for node in nodes if isinstance(node, Scalar)]
    return not tree.findings and texts == [text] * (2 if in_list else 1)


def _key(key: str) -> str:
    return key if _is_plain(key, in_list=False) and ":" not in key else scalar(key, "'")


def _nested(head: str, value: object, indent: str) -> Iterator[str]:
    """The lines of a foreign value behind `head` (`key:` or `-`); what is nested stands two blanks deeper."""
    if isinstance(value, dict) and value:
        yield f"{head}\n"
        for key, inner in value.items():
            yield from _nested(f"{indent}  {_key(key)}:", inner, f"{indent}  ")
    elif isinstance(value, list) and value:
        yield f"{head}\n"
        for inner in value:
            yield from _nested(f"{indent}  -", inner, f"{indent}  ")
    elif isinstance(value, str) and "\n" in value:
        yield from _literal(head, _NOT_WRITABLE.sub(" ", value), f"{indent}  ")
    else:
        text = {"dict": "{}", "list": "[]"}.get(type(value).__name__, "")
        text = scalar(_NOT_WRITABLE.sub(" ", value)) if isinstance(value, str) else text
        yield f"{head} {text}\n" if text else f"{head}\n"


def _literal(head: str, text: str, indent: str) -> Iterator[str]:
    """A text of several lines as a block scalar, which keeps every blank and every line end."""
    chomping = "" if text.endswith("\n") and text.strip("\n") and not text.endswith("\n\n") else "+"
    lines = text.split("\n")
    if text.endswith("\n"):
        lines.pop()
    else:
        chomping = "-"
    yield f"{head} |2{chomping}\n"
    yield from (f"{indent}{line}\n" if line else "\n" for line in lines)
