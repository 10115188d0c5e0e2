"""Where the frontmatter begins and ends, and what is wrong with a file's outer form.

python-frontmatter is silent where a validator must speak (no fence, a byte-order mark, TOML), so the fences are
found here and its handler is given exactly what stands between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem.markdown.decoding import BOM, NotAMemory, decode, split_lines
from mdmem.markdown.problems import Problem
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OPEN: Final = "---"
CLOSE: Final = frozenset({"---", "..."})
_CONFLICT: Final = pattern(r"(?:<{7}|>{7}|\|{7})(?: |$)")
_CONFLICT_MARKS: Final = ("<<<<<<<", ">>>>>>>", "|||||||")
_CODE_FENCE: Final = pattern(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_CONTROL: Final = pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff](?<!\r(?=\n))")
_NEARLY_A_FENCE: Final = pattern(r"\s*(?:-{2,}|[–—][-–—]*)\s*|-{3}\s*\S+")
_JSON: Final = pattern(r'\{\s*(?:"|$)')
_ENTRY: Final = pattern(r"\s*(?:[\w-]+\s*:|#|-\s|$)")


@dataclass(frozen=True, slots=True)
class Layout:
    """The text of a file as lines with their ends, and where the fences stand.

    `lines[start]` is the opening fence, `lines[end]` the closing one (indexes from 0). "".join(lines), after a
    byte-order mark when `has_bom`, gives the file back.
    """

    lines: tuple[str, ...]
    start: int
    end: int
    has_bom: bool

    @property
    def eol(self) -> str:
        """The line end of the opening fence: what new lines get."""
        return "\r\n" if self.lines[self.start].endswith("\r\n") else "\n"

    @property
    def frontmatter(self) -> str:
        """What stands between the fences, with LF line ends."""
        return "".join(self.lines[self.start + 1 : self.end]).replace("\r\n", "\n")

    @property
    def body(self) -> str:
        """The text after the closing fence with LF line ends, blank lines at its ends dropped."""
        return without_blank_ends("".join(self.lines[self.end + 1 :]))

    @property
    def body_line(self) -> int:
        """The line (from 1) on which the body's first text stands."""
        line = self.end + 1
        while line < len(self.lines) and not self.lines[line].strip():
            line += 1
        return line + 1

    def encoded(self) -> bytes:
        """The bytes of the file."""
        return ((BOM if self.has_bom else "") + "".join(self.lines)).encode("utf-8")


def without_blank_ends(text: str) -> str:
    """A text with LF line ends and without the blank lines around it; an indentation of its first line stays."""
    text = text.replace("\r\n", "\n").rstrip()
    indented = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, indented) + 1 :]


def find_fences(data: bytes) -> tuple[Layout, tuple[Problem, ...]]:
    """The layout of a file, and the problems of its outer form by line.

    Raises NotAMemory for a file without frontmatter.
    """
    text = decode(data)
    has_bom = text.startswith(BOM)
    lines = split_lines(text.removeprefix(BOM))
    start = next((i for i, line in enumerate(lines) if line.strip()), 0)
    end = next((i for i in range(start + 1, len(lines)) if lines[i].rstrip() in CLOSE), None)
    conflict = _conflict(lines, start, end) if any(map(text.__contains__, _CONFLICT_MARKS)) else None
    missing = _not_opened(lines, start) or (_not_closed(lines, start) if end is None else None)
    if end is None or missing:
        raise NotAMemory(conflict or missing or _not_closed(lines, start))
    layout = Layout(lines, start, end, has_bom)
    found = [*([conflict] if conflict else ()), *_control_characters(layout), *_outer_warnings(layout)]
    return layout, tuple(sorted(found, key=lambda problem: problem.line))


def outside_code(lines: Iterable[str], first_line: int = 1) -> Iterable[tuple[int, str]]:
    """The (line number, line) pairs that lie in no fenced code block."""
    fence = ""
    for number, line in enumerate(lines, first_line):
        mark = _CODE_FENCE.match(line.rstrip("\r\n"))
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line[mark.end() :].strip():
            fence = ""
        elif not fence:
            yield number, line


def conflict_line(lines: Sequence[str], first_line: int = 1) -> int | None:
    """The number of the first line outside code blocks that is a merge-conflict marker."""
    return next((number for number, line in outside_code(lines, first_line) if _is_conflict(line)), None)


def _is_conflict(line: str) -> bool:
    return _CONFLICT.match(line.rstrip("\r\n")) is not None


def _conflict(lines: Sequence[str], start: int, end: int | None) -> Problem | None:
    """Conflict markers: in the frontmatter anywhere, in the body outside of code blocks."""
    last = start if end is None else end
    line = next((i + 1 for i in range(start, last) if _is_conflict(lines[i])), None)
    line = line or conflict_line(lines[last:], last + 1)
    if line is None:
        return None
    hint = "choose one side and delete the lines <<<<<<<, ======= and >>>>>>>"
    return Problem("E_CONFLICT", line, "merge-conflict markers", hint=hint)


def _not_opened(lines: Sequence[str], start: int) -> Problem | None:
    """What the file begins with where it does not begin with the opening fence."""
    opening = lines[start].rstrip()
    if opening == OPEN:
        return None
    format_name = _format_name(lines, start)
    if format_name:
        hint = f"mdmem reads YAML, not {format_name}: `key: value` lines between two --- lines"
        return Problem("E_FORMAT", start + 1, f"{format_name} frontmatter", hint=hint)
    fence = next((i for i, line in enumerate(lines) if line.rstrip() == OPEN), len(lines))
    if opening.startswith(BOM):
        hint = "delete the invisible character before ---"
    elif _CODE_FENCE.match(opening):
        hint = "take the frontmatter out of the code fence"
    elif _NEARLY_A_FENCE.fullmatch(opening):
        hint = "write the first line as --- and nothing else"
    elif fence + 1 < len(lines) and _ENTRY.match(lines[fence + 1]) and ":" in lines[fence + 1]:
        hint = f"move what stands above line {fence + 1} below the frontmatter"
    elif _ENTRY.match(opening) and ":" in opening:
        hint = "put a line that holds only --- above the keys, and one below them"
    else:
        hint = "put `---`, `title: …`, `type: …`, `---` on top"
    return Problem("E_NO_FRONTMATTER", start + 1, "the file does not begin with ---", hint=hint)


def _format_name(lines: Sequence[str], start: int) -> str:
    opening = lines[start].rstrip()
    if opening in ("+++", "---toml", "--- toml"):
        return "TOML"
    following = lines[start + 1].lstrip() if start + 1 < len(lines) else ""
    is_json = _JSON.match(opening) and (opening != "{" or following.startswith('"'))
    return "JSON" if is_json or opening in (";;;", "---json", "--- json") else ""


def _not_closed(lines: Sequence[str], start: int) -> Problem:
    nearly = next((i for i in range(start + 1, len(lines)) if _NEARLY_A_FENCE.fullmatch(lines[i].rstrip())), None)
    hint = "end it with a line that holds only ---" if nearly is None else f"write line {nearly + 1} as ---"
    return Problem("E_FM_UNCLOSED", start + 1, "the frontmatter is never closed", hint=hint)


def _control_characters(layout: Layout) -> Iterable[Problem]:
    if not _CONTROL.search("".join(layout.lines[layout.start : layout.end + 1])):
        return
    for index in range(layout.start, layout.end + 1):
        found = _CONTROL.search(layout.lines[index])
        if found:
            key, colon, _ = layout.lines[index].partition(":")
            what = f"control character U+{ord(found[0]):04X}"
            is_return = found[0] == "\r"
            hint = "a lone CR: save with LF line ends" if is_return else "delete it"
            yield Problem("E_CONTROL_CHAR", index + 1, what, key=key.strip().strip("'\"") if colon else "", hint=hint)
            if is_return:
                return  # so end all the other lines


def _outer_warnings(layout: Layout) -> Iterable[Problem]:
    if layout.has_bom:
        yield Problem("W_BOM", 1, "byte-order mark", hint="save as UTF-8 without BOM; it is kept on writing")
    if layout.start:
        yield Problem("W_LEADING_BLANK", 1, "blank lines before the frontmatter", hint="delete them")
    if layout.lines[layout.end].rstrip() == "...":
        yield Problem("W_DOTS_CLOSE", layout.end + 1, "the frontmatter closes with ...", hint="close it with ---")
    yield from _mixed_ends(layout.lines)
    yield from _second_block(layout)


def _mixed_ends(lines: Sequence[str]) -> Iterable[Problem]:
    """The first line that does not end as the first one does."""
    if "\r\n" not in "".join(lines):
        return
    ends = [line.endswith("\r\n") for line in lines if line.endswith("\n")]
    if not all(ends):
        odd = ends.index(not ends[0]) + 1
        yield Problem("W_MIXED_EOL", odd, "some lines end in LF, others in CRLF", hint="save with one line end")


def _second_block(layout: Layout) -> Iterable[Problem]:
    """A body that begins with a block of keys: an agent's text with its own frontmatter, or a bad merge."""
    first = layout.body_line - 1
    if first >= len(layout.lines) or layout.lines[first].rstrip() != OPEN:
        return
    has_key = False
    for line in layout.lines[first + 1 :]:
        if line.rstrip() == OPEN:
            if has_key:
                message = "the body begins with another frontmatter block"
                yield Problem("W_SECOND_BLOCK", first + 1, message, hint="move its keys into the first, or delete it")
            return
        if not _ENTRY.match(line):
            return
        has_key = has_key or ":" in line
