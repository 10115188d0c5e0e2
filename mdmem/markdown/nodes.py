"""YAML to a small tree that knows its places, strictly: no anchors, no tags, at most twenty levels.

PyYAML's events are read and nothing is expanded. Its C parser is fast but optional; where it refuses a text the one
written in Python has the last word, so that every build gives the same verdict on the same line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import yaml

from mdmem.markdown.field import Mark
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

FAST_LOADER: Final[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
DEPTH: Final = 20
_ONLY_SLOWLY: Final = pattern(r"(?:^|[\s\[{,])!|[&*][\w-]+\?|[|>][-+0-9]*#|\t", re.MULTILINE)
"""Where the C parser lets odd tags, anchors, block headers and tabs pass that the other one refuses."""
_QUESTION: Final = pattern(r"(?<=[^ \t\n\[{,\\!&*?])\?")
_INNER_TAB: Final = pattern(r"(?<=[^ \t\n])[ \t]*\t")
"""Tabs behind text; those in front of it may be the text of a block scalar (a Makefile's)."""
_STAND_INS: Final = "\ue000\uf71d\uf8ff"
"""Private characters, one of which the Python parser is given instead of a ? inside a word."""


class Scalar(NamedTuple):
    """One text. `style` is YAML's: '' for plain, a quote, | or >."""

    text: str
    style: str
    start: Mark
    end: Mark
    is_flow: bool


class Sequence(NamedTuple):
    """A list, in brackets when `is_flow`."""

    items: tuple[Node, ...]
    start: Mark
    end: Mark
    is_flow: bool


class Mapping(NamedTuple):
    """Keys with their values, in braces when `is_flow`."""

    pairs: tuple[tuple[Node, Node], ...]
    start: Mark
    end: Mark
    is_flow: bool


Node = Scalar | Sequence | Mapping


class Finding(NamedTuple):
    """What is not read although it is YAML: its code, and where it stands."""

    code: str
    mark: Mark
    message: str
    hint: str = ""


@dataclass(slots=True)
class Tree:
    """A composed text. `root` is None where there is nothing, or where `error` or a depth stopped the reading."""

    root: Node | None = None
    findings: list[Finding] = field(default_factory=list)
    error: yaml.YAMLError | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the text was read to its end."""
        return self.root is not None or not (self.error or self.findings)


class _TooDeep(Exception):
    """Nested more than DEPTH levels: reading stops at once."""


def compose(text: str) -> Tree:
    """The tree of a YAML text."""
    if FAST_LOADER is not yaml.BaseLoader and not _ONLY_SLOWLY.search(text):
        tree = _Composer(yaml.parse(text, Loader=FAST_LOADER)).tree()
        if tree.error is None:
            return tree
    return compose_slowly(text)


def compose_slowly(text: str) -> Tree:
    """`compose` by the parser that is there on every machine, and that names the same error on each."""
    tree = Tree()
    stand_in = next((char for char in _STAND_INS if char not in text), "")
    for reading in _readings(text, stand_in):
        tree = _Composer(yaml.parse(reading, Loader=yaml.BaseLoader), stand_in).tree()
        if tree.error is None:
            break
    return tree


def _readings(text: str, stand_in: str) -> Iterator[str]:
    """The text, and what it is taken for where the Python parser is stricter than YAML's readers mostly are.

    It takes no ? in a word between brackets, and no tab outside of quotes (whether one stands as indentation is for
    the caller to see).
    """
    yield text
    if "?" in text and stand_in:
        yield _QUESTION.sub(stand_in, text)
    if _INNER_TAB.search(text):
        yield from _readings(_INNER_TAB.sub(_blanks, text), stand_in)
    if "\t" in text:
        yield from _readings(text.replace("\t", " "), stand_in)
    elif "?" in text:
        yield text


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


class _Composer:
    """Walks the events of one text."""

    def __init__(self, events: Iterator[Any], stand_in: str = "") -> None:
        self.events = events
        self.stand_in = stand_in
        self.made = Tree()
        self.depth = 0

    def tree(self) -> Tree:
        try:
            for event in self.events:
                if isinstance(event, yaml.NodeEvent):
                    root = self.node(event, is_flow=False)
                    self.made.root = self.made.root or root
                elif isinstance(event, yaml.DocumentStartEvent) and self.made.root:
                    self.report("E_YAML", event, "a second YAML document", "keep one block of frontmatter")
        except _TooDeep:
            self.made.root = None
        except yaml.YAMLError as error:
            self.made.root, self.made.error = None, error
        return self.made

    def node(self, event: Any, *, is_flow: bool) -> Node:
        if event.anchor or event.tag:
            self.refuse(event)
        if isinstance(event, yaml.ScalarEvent):
            text = event.value.replace(self.stand_in, "?") if self.stand_in else event.value
            return Scalar(text, event.style or "", _start(event), _end(event), is_flow)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(event)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(event)
        return Scalar("", "", _start(event), _end(event), is_flow)

    def sequence(self, start: Any) -> Sequence:
        items = []
        self.enter(start)
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, is_flow=bool(start.flow_style)))
        self.depth -= 1
        return Sequence(tuple(items), _start(start), _end(event), bool(start.flow_style))

    def mapping(self, start: Any) -> Mapping:
        pairs = []
        self.enter(start)
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, is_flow=bool(start.flow_style))
            pairs.append((key, self.node(next(self.events), is_flow=bool(start.flow_style))))
        self.depth -= 1
        return Mapping(tuple(pairs), _start(start), _end(event), bool(start.flow_style))

    def enter(self, event: Any) -> None:
        self.depth += 1
        if self.depth > DEPTH:
            self.report("E_DEPTH", event, f"nested more than {DEPTH} levels deep", "keep lists and mappings flat")
            raise _TooDeep

    def refuse(self, event: Any) -> None:
        if event.anchor:
            self.report("E_ANCHOR", event, "YAML anchors and aliases are not read")
        else:
            self.report("E_TAG", event, "YAML tags are not read")

    def report(self, code: str, event: Any, message: str, hint: str = "") -> None:
        """Note it, once a line."""
        finding = Finding(code, _start(event), message, hint)
        if all((one.code, one.mark.line) != (code, finding.mark.line) for one in self.made.findings[-1:]):
            self.made.findings.append(finding)


def _start(event: Any) -> Mark:
    mark = event.start_mark
    return Mark(mark.line, mark.column)


def _end(event: Any) -> Mark:
    mark = event.end_mark
    return Mark(mark.line, mark.column)
