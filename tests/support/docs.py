"""Documentation as data: blocks of code, commands in them, headings and links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from support.source import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FENCE: Final = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING: Final = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
LINK: Final = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
REST: Final = "…"
"""In expected output: a line of its own stands for any lines, within a line for any text."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line of its opening fence."""

    language: str
    text: str
    line: int


def pages() -> tuple[Path, ...]:
    """Every markdown page for readers: README, changelog, docs/ and the pages of examples/."""
    return tuple(
        sorted(
            [ROOT / "README.md", ROOT / "CHANGELOG.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/README.md")]
        )
    )


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for match in FENCE.finditer(text):
        yield Block(match[1], match[2], text.count("\n", 0, match.start()) + 1)


@dataclass(frozen=True)
class Step:
    """A command of a console block and the output that is shown for it."""

    command: str
    shown: tuple[str, ...]

    def agrees(self, output: str) -> bool:
        """Whether the output is what is shown, lines of `…` standing for any."""
        parts = (
            r"(?:.*\n)*" if line == REST else ".*".join(map(re.escape, line.split(REST))) + "\n" for line in self.shown
        )
        return re.fullmatch("".join(parts), output and output.rstrip("\n") + "\n") is not None


def steps(block: Block) -> Iterator[Step]:
    """The commands of a console block: lines after `$ `, each with the lines up to the next one."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield Step(command, tuple(shown.splitlines()))


def anchors(text: str) -> set[str]:
    """What `#…` in a link to this page may name: its headings, lower case, blanks as hyphens."""
    titles = HEADING.findall(FENCE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def dead_links(page: Path, text: str) -> Iterator[str]:
    """Links of a page that lead to no file, or to no heading in it."""
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{target}: no such file"
        elif anchor and anchor not in anchors(text if file == page else file.read_text(encoding="utf-8")):
            yield f"{target}: no such heading"
