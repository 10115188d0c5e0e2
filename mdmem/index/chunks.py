"""The texts that are embedded: a memory's title and body, in pieces when they are too long for the model."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from mdmem.memory import normal_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Spans = Sequence[tuple[int, int]]

VERSION: Final = 2
"""Raise it with every change that alters a piece: vectors are kept under it."""
PIECE: Final = 128
"""Tokens of a piece. A vector of 128 says more precisely what stands there than one of 256: of what is long, MRR is
.81 against .79 (sessions of chat, see `docs/explanation/retrieval.md`)."""
TITLE_SHARE: Final = 0.5
"""The most that a title may take of each piece."""
SENTENCE_ENDS: Final = frozenset(".!?。！？:;")


def chunks(title: str, body: str, room: int, token_spans: Callable[[str], Spans]) -> list[str]:
    """The pieces of a memory in order, each with the title in front, as `normal_text`; none for an empty memory.

    A memory of at most `room` tokens (0: any number), which `token_spans` finds in a text, is one piece. A longer
    body is parted into pieces of at most `PIECE` tokens, where a paragraph, else a line, else a sentence, else a word
    ends.
    """
    whole = normal_text(f"{title}\n{body}")
    # a token takes at least one byte
    if not room or len(whole.encode("utf-8", "surrogatepass")) <= room or len(token_spans(whole)) <= room:
        return [whole] if whole else []
    room = min(room, PIECE)
    title = _beginning(normal_text(title), int(room * TITLE_SHARE), token_spans)
    body = unicodedata.normalize("NFC", body)
    left = max(room - len(token_spans(title)), 1)
    return [normal_text(f"{title}\n{passage}") for passage in passages(body, left, token_spans(body)) or [""]]


def passages(text: str, room: int, spans: Spans) -> list[str]:
    """The text in passages of at most `room` of its tokens."""
    found: list[str] = []
    first = 0
    while first < len(spans):
        last = first + room
        if last < len(spans):
            last = max(range(first + max(room // 2, 1), last + 1), key=lambda i: (_break_before(text, spans, i), i))
        end = spans[last][0] if last < len(spans) else len(text)
        found.append(text[spans[first][0] if found else 0 : end])
        first = last
    return found


def _break_before(text: str, spans: Spans, i: int) -> int:
    """How good a place to part the text is before its token `i`, 0 to 4."""
    before, gap = text[: spans[i - 1][1]][-1:], text[spans[i - 1][1] : spans[i][0]]
    if "\n" in gap:
        return 4 if gap.count("\n") > 1 else 3
    return (2 if before in SENTENCE_ENDS else 1) if gap else 0


def _beginning(text: str, room: int, token_spans: Callable[[str], Spans]) -> str:
    spans = token_spans(text)
    return text if len(spans) <= room else text[: spans[room][0]].rstrip()
