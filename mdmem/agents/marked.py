"""A block of ours in a markdown file that is somebody else's, between two marks."""

from __future__ import annotations

from typing import Final

from mdmem.errors import ConfigError

BEGIN: Final = "<!-- mdmem:agents begin -->"
END: Final = "<!-- mdmem:agents end -->"


def with_block(text: str | None, name: str, block: str) -> str:
    """The text with this block between the marks: where they stand, else at its end.

    Raises ConfigError with file and line when the marks are no pair.
    """
    text = text or ""
    eol = "\r\n" if "\r\n" in text else "\n"
    inner = eol.join([BEGIN, *block.strip("\n").split("\n"), END])
    place = _place(text, name)
    if place:
        return text[: place[0]] + inner + text[place[1] :]
    if not text.strip("\ufeff \t\r\n"):
        return text + inner + eol
    gap = "" if text.endswith(eol * 2) else eol if text.endswith("\n") else eol * 2
    return text + gap + inner + eol


def without_block(text: str, name: str) -> str:
    """The text without the block, its marks and the blank line before it. Raises ConfigError as `with_block` does."""
    place = _place(text, name)
    if not place:
        return text
    before, after = text[: place[0]], text[place[1] :]
    eol = "\r\n" if "\r\n" in text else "\n"
    after = after.removeprefix(eol)
    return before.removesuffix(eol) + after if before.endswith(eol * 2) else before + after


def has_block(text: str) -> bool:
    """Whether one of the marks stands in the text."""
    return BEGIN in text or END in text


def _place(text: str, name: str) -> tuple[int, int] | None:
    """From where to where the block goes, marks included; None when there is none."""
    counts = text.count(BEGIN), text.count(END)
    if counts == (0, 0):
        return None
    begin, end = text.find(BEGIN), text.find(END)
    if counts != (1, 1) or end < begin:
        at = begin if begin >= 0 else end
        line = text.count("\n", 0, at) + 1
        what = "the marks of mdmem's block are no pair; the file was left as it is"
        raise ConfigError(f"{name}:{line}: {what}", f"keep one `{BEGIN}` and one `{END}` after it, or delete both")
    return begin, end + len(END)
