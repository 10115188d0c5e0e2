"""Comments of code reviews, as `gh api repos/…/pulls/comments` prints them: those that state a general rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mdmem.agents.importing.draft import Draft, SourceFile, draft, plain
from mdmem.agents.importing.foreign import day_of
from mdmem.agents.importing.records import child, iter_records, text
from mdmem.agents.importing.ruling import states_general_rule
from mdmem.memory import SENTENCE_END, MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

KIND: Final = "review-comments"
CODE: Final = re.compile(r"^(`{3,}).*?^\1\s*$", re.DOTALL | re.MULTILINE)
QUOTE: Final = re.compile(r"^>.*$", re.MULTILINE)
PREFIX: Final = re.compile(r"^(?:nit|minor|style|suggestion)\s*[:-]\s*", re.IGNORECASE)


def accepts(files: Sequence[SourceFile]) -> bool:
    """Whether a file holds comments: records with a `body` and a `user`."""
    return any(text(one, "body") and child(one, "user") for file in files for one, _ in iter_records(file.text))


def read(files: Sequence[SourceFile]) -> Iterator[Draft]:
    """A draft for each comment by a person that states a rule; it is about the file that was commented on."""
    for file in files:
        for record, line in iter_records(file.text):
            user = child(record, "user")
            if text(user, "type") != "Bot" and (one := _rule(file, record, text(user, "login"), line)):
                yield one


def _rule(file: SourceFile, record: Mapping[str, object], login: str, line: int) -> Draft | None:
    said = QUOTE.sub("", CODE.sub("", text(record, "body"))).replace("\r\n", "\n").strip()
    sentences = (PREFIX.sub("", plain(part)) for part in SENTENCE_END.split(said))
    rule = next((one for one in sentences if states_general_rule(one)), "")
    if not rule:
        return None
    where = text(record, "html_url") or text(record, "path")
    context = f"Said by {login or 'a reviewer'} in a review" + (f": {where}" if where else ".")
    body = context if normal(said) == normal(rule) else f"{said}\n\n{context}"
    return draft(
        KIND,
        file,
        line,
        body,
        type=MemoryType.CONVENTION,
        title=rule[:1].upper() + rule[1:],
        files=(text(record, "path"),),
        tags=("review",),
        created=day_of(text(record, "created_at")),
    )


def normal(said: str) -> str:
    """A text as far as it says the same."""
    return PREFIX.sub("", plain(said)).casefold().rstrip(".")
