"""JSON as text: single values put in, set and taken out, with every other byte kept.

Comments and trailing commas, which some agents allow in their settings, are read over and kept too. Paths are tuples
of keys and of places in lists. Every function raises ConfigError, with file and line, for text that is not JSON.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

DEPTH_MOST: Final = 100
UNIT: Final = "  "
SPACE: Final = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
PLAIN: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")
BLANKS: Final = " \t\r\n"
ENDS: Final = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands: `start` to `end` in the text, in an object from its key's `head` on.

    `comma` is the place of the comma after it, None where there is none. `value` is the value in Python.
    """

    value: object
    start: int
    end: int
    head: int
    key: str = ""
    inner: tuple[Node, ...] = ()
    comma: int | None = None


def value_of(text: str, name: str) -> object:
    """The value that the text holds; `name` is what the file is called in errors."""
    return parse(text, name).value


def parse(text: str, name: str) -> Node:
    """The text as a tree of values and places."""
    return _Parser(text, name).whole()


def append(text: str, name: str, keys: Sequence[str], value: object) -> str:
    """The text with `value` at the end of the list under these keys; what is missing on the way is made."""
    return _put(text, name, keys, value, is_item=True)


def put(text: str, name: str, keys: Sequence[str], value: object) -> str:
    """The text with `value` under these keys: in place of what stands there, else as the last of its object."""
    return _put(text, name, keys, value, is_item=False)


def take_out(text: str, name: str, path: Sequence[str | int]) -> str:
    """The text without the value at that path, and without the objects and lists that it leaves empty."""
    root = parse(text, name)
    *outer, last = path
    holder = find(root, outer)
    assert holder is not None
    if len(holder.inner) == 1 and outer:
        return take_out(text, name, outer)
    at = last if isinstance(last, int) else [one.key for one in holder.inner].index(last)
    return _without(text, holder, at)


def find(root: Node, path: Sequence[str | int]) -> Node | None:
    """The value at a path, None where there is none."""
    found: Node | None = root
    for step in path:
        inner = found.inner if found else ()
        if isinstance(step, int):
            found = inner[step] if step < len(inner) else None
        else:
            found = next((one for one in inner if one.key == step), None)
    return found


def _put(text: str, name: str, keys: Sequence[str], value: object, *, is_item: bool) -> str:
    root = parse(text, name)
    depth = next((n for n in range(len(keys), 0, -1) if find(root, keys[:n])), 0)
    holder = find(root, keys[:depth])
    assert holder is not None
    if depth == len(keys) and not is_item:
        inner = _dump(text, value, _margin(text, holder.head))
        return text[: holder.start] + inner + text[holder.end :]
    rest = list(keys[depth:])
    wanted = dict if rest or not is_item else list
    if not isinstance(holder.value, wanted):
        where = f"`{'.'.join(keys[:depth])}`" if depth else "the whole"
        _refuse(text, name, holder.start, f"{where} is not {'a list' if wanted is list else 'an object'}")
    if rest and is_item:
        value = [value]
    for key in reversed(rest[1:]):
        value = {key: value}
    return _with(text, holder, rest[0] if rest else None, value)


def _with(text: str, holder: Node, key: str | None, value: object) -> str:
    """The text with one more value at the end of an object (under `key`) or a list (None)."""
    close = holder.end - 1
    last = holder.inner[-1] if holder.inner else None
    if last and "\n" not in text[holder.start : last.head]:
        return text[: last.end] + ", " + _member(key, json.dumps(value, ensure_ascii=False)) + text[last.end :]
    eol, outer = _eol(text), _margin(text, holder.start)
    margin = _margin(text, last.head) if last else outer + _unit(text)
    member = _member(key, _dump(text, value, margin))
    if last is None:
        return text[:close].rstrip(BLANKS) + f"{eol}{margin}{member}{eol}{outer}" + text[close:]
    kept = text[last.end : close].rstrip(BLANKS)
    tail = text[last.end + len(kept) :]
    before, after = ("", ",") if last.comma is not None else (",", "")
    return f"{text[: last.end]}{before}{kept}{eol}{margin}{member}{after}{tail}"


def _without(text: str, holder: Node, at: int) -> str:
    """The text without one value, its comma, and the line it leaves blank."""
    one = holder.inner[at]
    front = len(text[: one.head].rstrip(BLANKS))
    before, gap, after = text[:front], text[front : one.head], text[one.end :]
    comma = one.comma if one.comma is not None else holder.inner[at - 1].comma if at else None
    if comma is not None and comma >= one.end:
        after = after[: comma - one.end] + after[comma - one.end + 1 :]
    elif comma is not None:
        before = before[:comma] + before[comma + 1 :]
    is_last = after.lstrip(BLANKS)[:1] == ENDS[text[holder.start]]
    if is_last and front == holder.start + 1:
        return before + after.lstrip(BLANKS)
    if "\n" in gap:  # a line comment may end where the gap begins
        return before + after if re.match(r"[ \t]*\r?\n", after) else before + gap + after.lstrip(" \t")
    return before + (gap + after.lstrip(" \t") if at == 0 else after)


def _member(key: str | None, value: str) -> str:
    return value if key is None else f"{json.dumps(key, ensure_ascii=False)}: {value}"


def _dump(text: str, value: object, margin: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=_unit(text)).replace("\n", _eol(text) + margin)


def _unit(text: str) -> str:
    """What the file indents by: the margin of its first indented key."""
    found = re.search(r'^([ \t]+)"', text, re.MULTILINE)
    return found[1] if found else UNIT


def _margin(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _eol(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _refuse(text: str, name: str, place: int, what: str) -> NoReturn:
    line = text.count("\n", 0, place) + 1
    raise ConfigError(f"{name}:{line}: {what}; the file was left as it is", "mend it by hand, then run this again")


class _Parser:
    """Reads a text once, from left to right; every method raises ConfigError where it is no JSON."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def whole(self) -> Node:
        """The text's one value."""
        node = self.value(self.skip(1 if self.text.startswith("\ufeff") else 0), 0)
        if (end := self.skip(node.end)) < len(self.text):
            self.refuse(end, "more text after the end")
        return node

    def value(self, at: int, depth: int, key: str = "", head: int | None = None) -> Node:
        """The value that begins at a place."""
        head = at if head is None else head
        char = self.text[at : at + 1]
        if depth > DEPTH_MOST:
            self.refuse(at, f"nested more than {DEPTH_MOST} levels deep")
        if char in ENDS:
            return self.holder(at, depth, key, head)
        if not (found := (STRING if char == '"' else PLAIN).match(self.text, at)):
            self.refuse(at, f"a value is expected, not {self.shown(at)}")
        return Node(self.loaded(found), at, found.end(), head, key)

    def holder(self, at: int, depth: int, key: str, head: int) -> Node:
        """An object or a list."""
        end, inner = ENDS[self.text[at]], list[Node]()
        place = self.skip(at + 1)
        while self.text[place : place + 1] != end:
            if inner and inner[-1].comma is None:
                self.refuse(place, f"a comma or {end!r} is expected, not {self.shown(place)}")
            one = self.member(place, depth + 1) if end == "}" else self.value(place, depth + 1)
            place = self.skip(one.end)
            comma = place if self.text[place : place + 1] == "," else None
            inner.append(Node(one.value, one.start, one.end, one.head, one.key, one.inner, comma))
            place = self.skip(place + 1) if comma is not None else place
        keys = [one.key for one in inner]
        if end == "}" and len(set(keys)) < len(keys):
            twice = next(one for at, one in enumerate(inner) if one.key in keys[:at])
            self.refuse(twice.head, f"the key {twice.key!r} stands twice")
        value: object = {one.key: one.value for one in inner} if end == "}" else [one.value for one in inner]
        return Node(value, at, place + 1, head, key, tuple(inner))

    def member(self, at: int, depth: int) -> Node:
        """A key and its value."""
        found = STRING.match(self.text, at)
        if not found:
            self.refuse(at, f"a key in quotes is expected, not {self.shown(at)}")
        colon = self.skip(found.end())
        if self.text[colon : colon + 1] != ":":
            self.refuse(colon, f"a colon is expected, not {self.shown(colon)}")
        return self.value(self.skip(colon + 1), depth, str(self.loaded(found)), at)

    def loaded(self, found: re.Match[str]) -> object:
        """What a string or number says."""
        try:
            return json.loads(found[0])
        except ValueError:
            self.refuse(found.start(), f"no JSON value: {found[0][:40]}")

    def skip(self, at: int) -> int:
        """The next place that is neither blank nor comment."""
        found = SPACE.match(self.text, at)
        return found.end() if found else at

    def shown(self, at: int) -> str:
        """What stands at a place, for an error."""
        return repr(self.text[at : at + 1]) if at < len(self.text) else "the end"

    def refuse(self, at: int, what: str) -> NoReturn:
        """Say what is wrong at a place."""
        _refuse(self.text, self.name, at, what)
