"""What a person most likely meant by a line that YAML can't read, and how to write it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import yaml

from mdmem.pattern import pattern
from mdmem.redact import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

NBSP: Final = "\u00a0"
FULL_WIDTH_COLON: Final = "\uff1a"
_SAMPLE: Final = 60
_SPECIAL: Final = tuple("@`%&*!|>[]{},?")
_BEGINS_AT_CONTEXT: Final = ("while scanning a simple key", "while scanning a quoted scalar")
_LINE: Final = pattern(r"(?P<head>\s*(?:- +)*(?:[^\s:'\"\[{#-][^:]*:(?:\s+|$))?)(?P<value>.*)")
_GLUED: Final = pattern(r"[\w-]+:[^\s/]")
_KEYED: Final = pattern(r"\s+[\w-]+\s*:(?:\s|$)")


class Diagnosis(NamedTuple):
    """The line of a slip (`at`, from 0), what the parser said, and what mends it."""

    at: int
    message: str
    hint: str


def diagnose(lines: Sequence[str], error: yaml.YAMLError | None) -> Diagnosis:
    """What is wrong with a few lines that are no YAML mapping; `error` is the parser's, if it found one."""
    hint = slip(lines[0])
    if hint:
        return Diagnosis(0, "not a `key: value` line", hint)
    index, message = 0, "not a `key: value` line"
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.context_mark if error.context in _BEGINS_AT_CONTEXT else error.problem_mark
        index = min(mark.line if mark else 0, len(lines) - 1)
        message = f"no valid YAML: {error.problem}"
    while index > 0 and not lines[index].strip():
        index -= 1
    return Diagnosis(index, message, _hint(lines, index))


def slip(line: str) -> str:
    """The hint for a line that looks like `key: value` and is none, '' for any other."""
    line = line.lstrip()
    key, _, value = line.partition(":")
    if line.startswith("%"):
        return "a line can't begin with %: delete it"
    if FULL_WIDTH_COLON in key and not value[:1].isspace():
        return "a full-width colon stands after the key: type a plain : and a space"
    if value.startswith(NBSP):
        return "a non-breaking space follows the colon: type a plain space"
    if re.match(r"[\w-]+ *= *\S", line) and ": " not in line:
        return "this is TOML: write `key: value`"
    if _GLUED.match(line):
        return f"put a space after the colon: {key}: {_sample(value)}"
    return ""


def not_a_mapping(line: str) -> str:
    """The hint for frontmatter that is a list or a text."""
    return slip(line) or (
        "write `key: value` lines, without the dash" if line.startswith("-") else "write `key: value` lines"
    )


def quoted(line: str) -> str:
    """The hint to quote the value of a line, written out where it is short."""
    head, value = split_value(redact(line).text)
    if value.startswith("[") and value.endswith("]"):
        return "quote the texts in the list, as in ['one', 'two']"
    if len(value) > _SAMPLE:
        return "quote the value: put it between single quotes"
    return f"quote the value: {head.strip()} '{value.replace(chr(39), chr(39) * 2)}'"


def tabbed(above: str, line: str) -> str:
    """The hint for a line that is indented with a tab, under another one."""
    if _KEYED.match(line) and split_value(above)[1]:
        return "delete the tab: the line begins where the other keys begin"
    return "indent with spaces, not with a tab"


def split_value(line: str) -> tuple[str, str]:
    """A line as what stands before its value (key, colon, dash) and the value."""
    match = _LINE.fullmatch(line)
    return (match["head"], match["value"].strip()) if match else ("", line.strip())


def _hint(lines: Sequence[str], index: int) -> str:
    line = lines[index]
    _, value = split_value(line)
    if index and _KEYED.match(line) and split_value(lines[0])[1]:
        return "begin the line where the other keys begin, or quote the value above"
    if re.search(r'"[^"]*\\', value):
        return "in double quotes a backslash is an escape: use single quotes or forward slashes"
    if value.startswith(("'", '"')):
        return _quote_hint(value)
    if value.startswith("[") and "]" not in value:
        return "close the list with ], and quote texts that hold # or a colon"
    if value.startswith(("[", "{")) and re.search(r"[\[,]\s*,", value):
        return "delete the comma too many"
    if ":" not in line and not value.startswith(_SPECIAL):
        return "write `key: value`, with a colon and a space; indent a line that goes on"
    return quoted(line)


def _quote_hint(value: str) -> str:
    """The hint for a value that begins with a quote and is no YAML."""
    quote = value[0]
    if value.endswith(f"{quote},"):
        return "delete the comma at the end of the line"
    if quote not in value[1:]:
        return "close the quote"
    if quote == "'" and re.search(r"\w'\w", value):
        return "write '' for an apostrophe between single quotes"
    return "put the whole value between quotes"


def _sample(value: str) -> str:
    value = redact(value).text
    return value if len(value) <= _SAMPLE else value[: _SAMPLE - 1] + "…"
