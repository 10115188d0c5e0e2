"""Bytes to lines, and where the frontmatter begins and ends.

python-frontmatter is silent where a validator must speak (no fence, a byte-order mark, TOML), so the fences are
found here and its handler is given exactly what stands between them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mdmem.markdown.problems import Problem
from mdmem.memory import FILE_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BOM: Final = "\ufeff"
OPEN: Final = "---"
CLOSE: Final = frozenset({"---", "..."})
_CONFLICT: Final = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |$)")
_CODE_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|\r(?!\n)")


class NotAMemory(Exception):
    """The text can't be read as a memory; `problem` says why. Never leaves this package."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


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
        text = "".join(self.lines[self.end + 1 :]).replace("\r\n", "\n")
        return re.sub(r"\A(?:[ \t]*\n)+", "", text).rstrip()

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


def find_fences(data: bytes) -> tuple[Layout, tuple[Problem, ...]]:
    """The layout of a file and the warnings about its outer form.

    Raises NotAMemory for a file that has no readable frontmatter at all.
    """
    text = decode(data)
    has_bom = text.startswith(BOM)
    lines = split_lines(text.removeprefix(BOM))
    start = next((i for i, line in enumerate(lines) if line.strip()), 0)
    _refuse_conflict(lines, start)
    _check_opening(lines[start], start)
    end = next((i for i in range(start + 1, len(lines)) if lines[i].rstrip() in CLOSE), None)
    if end is None:
        raise NotAMemory(
            Problem(
                "E_FM_UNCLOSED",
                start + 1,
                "the frontmatter is never closed",
                hint="end it with a line that holds only ---",
            )
        )
    _refuse_control(lines, start, end)
    layout = Layout(lines, start, end, has_bom)
    return layout, tuple(_outer_warnings(layout))


def decode(data: bytes) -> str:
    """The file's bytes as text, a byte-order mark kept.

    Raises NotAMemory for an empty or too large file, for another encoding than UTF-8 and for CR-only line ends.
    """
    if not data.strip():
        raise NotAMemory(Problem("E_EMPTY", 1, "the file is empty", hint="write the memory, or delete the file"))
    if len(data) > FILE_SIZE:
        raise NotAMemory(
            Problem(
                "E_TOO_BIG",
                1,
                f"{len(data):,} bytes; a memory has at most {FILE_SIZE:,}",
                hint="keep the point, and link to the rest",
            )
        )
    if looks_like_utf16(data):
        raise NotAMemory(Problem("E_ENCODING", 1, "the file is UTF-16", hint="save it as UTF-8, not UTF-16"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        torn = error.reason == "unexpected end of data"
        hint = "incomplete UTF-8 at end: the file was cut" if torn else "save it as UTF-8 (is it Windows-1252?)"
        raise NotAMemory(Problem("E_ENCODING", line, "the file is not UTF-8", hint=hint)) from error
    if "\r" in text and "\n" not in text:
        raise NotAMemory(Problem("E_EOL", 1, "lines end in CR alone", hint="CR-only line ends: save with LF line ends"))
    return text


def split_lines(text: str) -> tuple[str, ...]:
    """Lines with their ends; only LF ends a line (CRLF with it)."""
    return tuple(re.findall(r"[^\n]*\n|[^\n]+", text))


def looks_like_utf16(data: bytes) -> bool:
    """Whether the bytes are UTF-16, by their mark or by the zero bytes of ASCII text in it."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return True
    head = data[:64]
    half = len(head) // 2
    return half > 1 and any(head[i::2].count(0) >= half - 1 and head[1 - i :: 2].count(0) == 0 for i in (0, 1))


def outside_code(lines: Iterable[str], first_line: int = 1) -> Iterable[tuple[int, str]]:
    """The (line number, line) pairs that lie in no fenced code block."""
    fence = ""
    for number, line in enumerate(lines, first_line):
        mark = _CODE_FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line[mark.end() :].strip():
            fence = ""
        elif not fence:
            yield number, line


def conflict_line(lines: Sequence[str], first_line: int = 1) -> int | None:
    """The number of the first line outside code blocks that is a merge-conflict marker."""
    return next((n for n, line in outside_code(lines, first_line) if _CONFLICT.match(line.rstrip("\r\n"))), None)


def _refuse_conflict(lines: Sequence[str], start: int) -> None:
    line = conflict_line(lines[start:], start + 1)
    if line is not None:
        raise NotAMemory(
            Problem(
                "E_CONFLICT",
                line,
                "merge-conflict markers",
                hint="choose one side and delete the lines <<<<<<<, ======= and >>>>>>>",
            )
        )


def _check_opening(line: str, start: int) -> None:
    opening = line.rstrip()
    if opening == OPEN:
        return
    if opening in ("+++", ";;;"):
        name = "TOML" if opening == "+++" else "JSON"
        raise NotAMemory(
            Problem(
                "E_FORMAT",
                start + 1,
                f"{name} frontmatter",
                hint=f"mdmem reads YAML, not {name}: `key: value` lines between two --- lines",
            )
        )
    raise NotAMemory(
        Problem(
            "E_NO_FRONTMATTER",
            start + 1,
            "the file does not begin with ---",
            hint="put `---`, `title: …`, `type: …`, `---` on top",
        )
    )


def _refuse_control(lines: Sequence[str], start: int, end: int) -> None:
    for number, line in enumerate(lines[start:end], start + 1):
        found = _CONTROL.search(line)
        if found:
            key = line.partition(":")[0].strip() if ":" in line else ""
            raise NotAMemory(
                Problem(
                    "E_CONTROL_CHAR",
                    number,
                    f"control character U+{ord(found[0][0]):04X}",
                    key=key,
                    hint="delete it",
                )
            )


def _outer_warnings(layout: Layout) -> Iterable[Problem]:
    if layout.has_bom:
        yield Problem("W_BOM", 1, "byte-order mark", hint="save as UTF-8 without BOM; it is kept on writing")
    if layout.start:
        yield Problem("W_LEADING_BLANK", 1, "blank lines before the frontmatter", hint="delete them")
    if layout.lines[layout.end].rstrip() == "...":
        yield Problem("W_DOTS_CLOSE", layout.end + 1, "the frontmatter closes with ...", hint="close it with ---")
    ends = [line.endswith("\r\n") for line in layout.lines if line.endswith("\n")]
    if len(set(ends)) > 1:
        odd = ends.index(not ends[0]) + 1
        yield Problem("W_MIXED_EOL", odd, "some lines end in LF, others in CRLF", hint="save with one line end")
    yield from _second_block(layout)


def _second_block(layout: Layout) -> Iterable[Problem]:
    first = layout.body_line - 1
    if first >= len(layout.lines) or layout.lines[first].rstrip() != OPEN:
        return
    for line in layout.lines[first + 1 :]:
        if line.rstrip() == OPEN:
            yield Problem(
                "W_SECOND_BLOCK",
                first + 1,
                "the body begins with another frontmatter block",
                hint="move its keys into the first block, or delete it",
            )
            return
        if not re.match(r"\s*(?:[\w-]+\s*:|#|-\s|$)", line):
            return
