"""Frontmatter by our schema, not by YAML's guesses: every scalar is the text that a person sees.

The handler plugs into python-frontmatter but reads our own tree of YAML, in which every key knows its lines. Where
the text is no YAML it is read entry by entry, so that one slip hides neither the other fields nor the other slips.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

import frontmatter
from frontmatter.default_handlers import BaseHandler

from mdmem.markdown.decoding import BOM, WORD_JOINER
from mdmem.markdown.field import Field, Mark
from mdmem.markdown.hints import diagnose, not_a_mapping, quoted, tabbed
from mdmem.markdown.nodes import Mapping, Scalar, Sequence, compose, compose_slowly
from mdmem.markdown.problems import Problem
from mdmem.markdown.scalars import header_length, iter_control_escapes, rest_of, text_of
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mdmem.markdown.fences import Layout
    from mdmem.markdown.field import Value
    from mdmem.markdown.nodes import Node, Tree

MOST_PROBLEMS: Final = 20
"""So many slips of one frontmatter are told; a text with more of them is not a memory that went wrong."""
_TAB: Final = pattern(r" *\t\s*[^\s#]")
_NUMERIC: Final = pattern(r"[-+.]?\d[\d._:+-]*(?:[Ee][-+]?\d+)?|0[xo][\da-fA-F_]+|[-+]?\.(?:inf|nan)", re.IGNORECASE)
_CONTINUES: Final = pattern(r"\s|$|#|-(?:\s|$)|[\]}]")


def read_yaml(layout: Layout) -> tuple[dict[str, Field], tuple[Problem, ...]]:
    """The fields by key of any frontmatter, in the file's order, and what was wrong with it."""
    handler = StrictHandler(layout)
    metadata, _ = frontmatter.parse("", handler=handler)
    return {key: field for key, field in metadata.items() if isinstance(field, Field)}, handler.problems


class StrictHandler(BaseHandler):
    """python-frontmatter's interface over our fences and our reading of YAML; `problems` tells what was wrong."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.problems: tuple[Problem, ...] = ()

    def detect(self, text: str) -> bool:  # noqa: ARG002
        """Always: the fences were found before."""
        return True

    def split(self, text: str) -> tuple[str, str]:  # noqa: ARG002
        """(frontmatter, body), cut at our fences."""
        return self.layout.frontmatter, self.layout.body

    def load(self, fm: str, **_: object) -> dict[str, Field]:
        """The fields by key, in the file's order."""
        fm = fm.replace(BOM, WORD_JOINER)
        lines = fm.split("\n")[:-1]
        reader = _Reader(lines, self.layout.start + 1)
        tree = compose(fm)
        if tree.is_whole:
            reader.read(tree)
        else:
            reader.read_entries(lines)
        reader.refuse_tabs()
        self.problems = tuple(reader.problems)
        return reader.fields


class _Reader:
    """Trees to fields and problems. `top` is the index in Layout.lines of the line after the fence.

    `lines` are all of the frontmatter; `tree_lines` those of the tree that is being read, the first of which stands
    at `offset` in Layout.lines.
    """

    def __init__(self, lines: list[str], top: int) -> None:
        self.lines = self.tree_lines = lines
        self.top = self.offset = top
        self.fields: dict[str, Field] = {}
        self.problems: list[Problem] = []
        self.styles: dict[int, str] = {}
        self.cuts: list[int] = []

    def read_entries(self, lines: list[str]) -> None:
        """Take in a text that is no YAML, entry by entry; if each is some for itself, the whole is to blame."""
        for first, entry in entries(lines):
            self.tree_lines, self.offset = entry, self.top + first
            tree = compose_slowly("\n".join([*entry, ""]))
            if tree.is_whole and isinstance(tree.root, Mapping | None):
                self.read(tree)
            else:
                self.refuse(tree)
            if len(self.problems) >= MOST_PROBLEMS:
                break
        if not self.problems:
            self.tree_lines, self.offset = lines, self.top
            self.refuse(compose_slowly("\n".join([*lines, ""])))

    def refuse(self, tree: Tree) -> None:
        """Say why these lines are not read."""
        self.note_findings(tree)
        if not tree.findings:
            index, message, hint = diagnose(self.tree_lines, tree.error)
            self.report("E_YAML", Mark(index, 0), message, hint, self.key_above(index))

    def note_findings(self, tree: Tree) -> None:
        for found in tree.findings[:MOST_PROBLEMS]:
            key = self.key_above(found.mark.line)
            hint = "write the keys out" if key == "<<" else found.hint or quoted(self.tree_lines[found.mark.line])
            self.report(found.code, found.mark, found.message, hint, key)

    def read(self, tree: Tree) -> None:
        """Take in the fields of a tree."""
        self.note_findings(tree)
        root = tree.root
        if isinstance(root, Mapping) and not root.is_flow:
            for name, value in root.pairs:
                self.read_pair(name, value)
        elif isinstance(root, Mapping):
            self.report("E_FORMAT", root.start, "the frontmatter is written as JSON", "write one `key: value` a line")
        elif root is not None:
            message = "the frontmatter is not a list of `key: value` lines"
            self.report("E_FM_NOT_MAPPING", root.start, message, not_a_mapping(self.tree_lines[root.start.line]))

    def read_pair(self, name: Node, value: Node) -> None:
        """Take in one key with its value."""
        key = self.key(name)
        if key in self.fields:
            first, second = self.fields[key].line, self.offset + name.start.line + 1
            message, hint = f"`{key}` stands on line {first} already", f"keep one of lines {first} and {second}"
            self.report("E_DUP_KEY", name.start, message, hint, key)
        elif key:
            self.fields[key] = self.field(key, name, value)

    def key(self, name: Node) -> str:
        """The text of a top-level key, '' when it is none."""
        if not isinstance(name, Scalar):
            message = "a list or mapping stands where a key should"
            self.report("E_YAML_TYPE", name.start, message, "fill in the placeholder, or quote the key")
            return ""
        key = unicodedata.normalize("NFC", name.text)
        if not self.has_colon(name):
            self.report("E_YAML", name.start, "a key written with `?`", "write `key: value`", key)
        elif key == "<<" and any(problem.line == self.offset + name.start.line + 1 for problem in self.problems):
            return ""  # its alias was told
        elif key == "<<":
            self.report("E_ANCHOR", name.start, "YAML merge keys are not read", "write the keys out", key)
        elif _NUMERIC.fullmatch(key) or not any(map(str.isalpha, key)):
            self.report("E_KEY_TYPE", name.start, f"the key {key!r} is not a word", "begin the key with a letter", key)
        else:
            return key
        return ""

    def field(self, key: str, name: Node, node: Node) -> Field:
        """The field that a key and its node make, and the places where it stands."""
        self.cuts = []
        value = self.value(node, key)
        start, end = self.span(name, node)
        first = self.offset + name.start.line
        last = max(first + 1, end.line + 1, self.offset + self.line_after(node))
        items = node.items if isinstance(node, Sequence) else ()
        places = tuple((self.moved(item.start), self.moved(item.end)) for item in items)
        return Field(key, value, style_of(node), first, last, start, end, places, tuple(self.cuts))

    def value(self, node: Node, key: str) -> Value:
        """What a node says, as texts, lists and mappings of texts."""
        if isinstance(node, Scalar):
            return self.scalar(node, key)
        if isinstance(node, Sequence):
            return [self.value(item, key) for item in node.items]
        values: dict[str, Value] = {}
        lines: dict[str, int] = {}
        for name, inner in node.pairs:
            if not isinstance(name, Scalar):
                message = f"`{key}` holds a mapping where one value should stand"
                self.report("E_YAML_TYPE", name.start, message, "fill in the placeholder, or quote the value", key)
                continue
            text = unicodedata.normalize("NFC", name.text)
            if not node.is_flow and not self.has_colon(name):
                self.report("E_YAML", name.start, f"a key of `{key}` written with `?`", "write `key: value`", key)
            line = self.offset + name.start.line + 1
            if text in lines:
                message = f"`{text}` of `{key}` stands on line {lines[text]} already"
                which = f"lines {lines[text]} and {line}" if line != lines[text] else "the two"
                self.report("E_DUP_KEY", name.start, message, f"keep one of {which}", key)
            lines[text] = line
            values[text] = self.value(inner, key)
        return values

    def scalar(self, node: Scalar, key: str) -> str | None:
        for index in range(node.start.line + 1, node.end.line + 1):
            self.styles[self.offset + index] = node.style
        for index, escape in iter_control_escapes(node, self.tree_lines):
            message = f"the escape {escape} in double quotes gives a control character"
            self.report("E_CONTROL_CHAR", Mark(index, 0), message, "use single quotes or forward slashes", key)
        line = self.text(node.end.line)
        if rest_of(node, line):
            self.cuts.append(self.offset + node.end.line + 1)
        return text_of(node, line)

    def has_colon(self, name: Node) -> bool:
        """Whether a key is followed by its colon; one written with `?` need not be."""
        return self.text(name.end.line)[name.end.column :].lstrip(" \t").startswith(":")

    def span(self, name: Node, node: Node) -> tuple[Mark, Mark]:
        """Where the text of a value stands on the lines that say more than it."""
        colon = Mark(name.end.line, self.text(name.end.line).find(":", name.end.column) + 1)
        start, end = node.start, node.end
        if isinstance(node, Scalar) and node.style in ("|", ">"):
            end = Mark(start.line, start.column + header_length(self.text(start.line), start.column))
        elif isinstance(node, Scalar):
            rest = rest_of(node, self.text(end.line))
            if not node.text and not node.style:
                end = end if rest else colon
                start = Mark(end.line, end.column + len(rest) - len(rest.lstrip(" \t")))
            end = Mark(end.line, end.column + len(rest))
        elif not node.is_flow:
            start = end = colon
        return self.moved(start), self.moved(end)

    def line_after(self, node: Node) -> int:
        """The line of the tree after the last one on which a node stands."""
        if isinstance(node, Scalar):
            last = node.end.line + (node.end.column > 0 or node.end.line == node.start.line)
            is_trimmed = node.style in ("|", ">") and not self.keeps_blanks(node)
            while is_trimmed and last - 1 > node.start.line and not self.text(last - 1).strip():
                last -= 1
            return last
        if node.is_flow:
            return node.end.line + 1
        parts = node.items if isinstance(node, Sequence) else [part for pair in node.pairs for part in pair]
        return max(map(self.line_after, parts), default=node.start.line + 1)

    def keeps_blanks(self, node: Scalar) -> bool:
        """Whether blank lines at the end of a block scalar are part of it (`|+`)."""
        line, column = self.text(node.start.line), node.start.column
        return "+" in line[column : column + header_length(line, column)]

    def refuse_tabs(self) -> None:
        """The first tab as indentation. Between quotes it is text, and so it is behind the blanks of a block scalar."""
        for index, line in enumerate(self.lines):
            style = self.styles.get(self.top + index, "")
            is_text = style in ("'", '"') or (style in ("|", ">") and line.startswith(" "))
            if not is_text and _TAB.match(line):
                self.tree_lines, self.offset = self.lines, self.top
                hint = tabbed(self.lines[index - 1] if index else "", line)
                self.report("E_YAML", Mark(index, 0), "a tab as indentation", hint, self.key_above(index))
                return

    def key_above(self, index: int) -> str:
        """The top-level key to which a line of the tree belongs, as far as its shape tells."""
        width = indent_of(self.tree_lines)
        for line in reversed(self.tree_lines[: index + 1]):
            if not _CONTINUES.match(line[width:]):
                return re.split("[:\uff1a]", line, maxsplit=1)[0].strip().strip("'\"")
        return ""

    def text(self, line: int) -> str:
        return self.tree_lines[line] if line < len(self.tree_lines) else ""

    def moved(self, mark: Mark) -> Mark:
        """A mark of the tree as one of the file."""
        return Mark(self.offset + mark.line, mark.column)

    def report(self, code: str, at: Mark, message: str, hint: str, key: str = "") -> None:
        self.problems.append(Problem(code, self.offset + at.line + 1, message, key=key, hint=hint))


def style_of(node: Node) -> str:
    """The style of a value, as Field.style has it."""
    if isinstance(node, Scalar):
        return node.style
    if isinstance(node, Sequence):
        return "[" if node.is_flow else "-"
    return "{" if node.is_flow else ":"


def entries(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The text cut before each line that looks like the begin of a top-level entry: (its index, its lines)."""
    width = indent_of(lines)
    starts = [index for index, line in enumerate(lines) if not _CONTINUES.match(line[width:])]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        yield start, lines[start:end]


def indent_of(lines: Iterable[str]) -> int:
    """How far the first key is indented, and with it all of them."""
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    return len(first) - len(first.lstrip(" "))
