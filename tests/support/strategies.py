"""Memories and memory files as hypothesis makes them up: tidy values, and files that are messy but readable."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final

from hypothesis import strategies as st

from mdmem.markdown.reading import one_line
from mdmem.memory import Memory, MemoryType, Source, Status

if TYPE_CHECKING:
    from collections.abc import Callable

_ODD: Final = (
    ": ", " #", "'", '"', "\\", "[", "]", "{", "}", "&", "*", "!", "%", "@", "`", "|", ">", "-", "?", ",", "#", "~",
    "=", "no", "null", "0x1f", "1e3", "10:00", "2026-03-01", "🚀", "é", "日本", "\u00a0", "  ", "---", "...", "<<",
    "\\n",
)  # fmt: skip
_CHARACTERS: Final = st.characters(
    codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cn", "Co"), exclude_characters="\ufeff"
)
"""Without the byte-order mark, which is read as the word joiner."""
_PIECES: Final = st.one_of(st.sampled_from(_ODD), st.text(_CHARACTERS, max_size=4), st.sampled_from(["word", " ", "a"]))


def texts(most: int = 60) -> st.SearchStrategy[str]:
    """One-line texts full of what means something to YAML."""
    joined = st.lists(_PIECES, min_size=1, max_size=6).map("".join)
    return joined.map(lambda text: normal(text)[:most].strip()).filter(bool)


def normal(text: str) -> str:
    """A text as the frontmatter can hold it: NFC, on one line."""
    return one_line(unicodedata.normalize("NFC", text))


words: Final = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
ids: Final = st.from_regex(r"[A-Za-z0-9._-]{1,12}", fullmatch=True)
days: Final = st.dates(date(1990, 1, 1), date(2090, 1, 1))
moments: Final = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)).map(lambda when: when.replace(tzinfo=UTC))  # noqa: DTZ001
paths: Final = st.from_regex(r"[a-z0-9_*#@$]{1,6}(/[a-z0-9_* .#-]{0,5}[a-z0-9]){0,2}", fullmatch=True).filter(
    lambda path: path != "."
)
bodies: Final = st.lists(st.one_of(texts(), st.just(""), st.just("---"), st.just("- a\n- b")), max_size=6).map(
    lambda lines: "\n".join(lines).strip("\n").rstrip()
)
"""Bodies without conflict markers, blank lines at their ends dropped, as a file keeps them."""


def foreign_values() -> st.SearchStrategy[object]:
    """Values of keys that are not ours: texts, also of several lines, nothing, lists and mappings."""
    lines = st.lists(
        st.one_of(texts(), st.just(""), st.just("  indented"), st.just("trailing ")), min_size=2, max_size=4
    )
    leaves = st.one_of(texts(), st.just(""), st.none(), lines.map("\n".join))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
        max_leaves=6,
    )


def memories() -> st.SearchStrategy[Memory]:
    """Any memory that a file can say."""
    return st.builds(
        Memory,
        type=st.sampled_from(MemoryType),
        title=texts(),
        body=bodies,
        id=ids,
        description=st.one_of(st.just(""), texts()),
        status=st.sampled_from([status for status in Status if status is not Status.SUPERSEDED]),
        confidence=st.integers(10, 100).map(lambda percent: percent / 100),
        evidence=st.integers(1, 10**6),
        topic=st.one_of(st.just(""), st.from_regex(r"[a-z0-9/\-_.]{1,20}", fullmatch=True)),
        files=st.lists(paths, max_size=4, unique=True).map(tuple),
        scope=st.sampled_from(["project", "global", "agent:claude-code"]),
        source=st.sampled_from(Source),
        origin=st.lists(words, max_size=3, unique=True).map(tuple),
        created=st.one_of(st.none(), days, moments),
        expires=st.one_of(st.none(), days),
        supersedes=st.lists(words.map("x-{}".format), max_size=2, unique=True).map(tuple),
        tags=st.lists(texts(20), max_size=4, unique=True).map(tuple),
        verified=st.one_of(st.just(""), ids.filter(lambda text: text != "~")),
        extra=st.dictionaries(words.map("x_{}".format), foreign_values(), max_size=3).map(lambda d: tuple(d.items())),
    )


@dataclass(frozen=True)
class MessyFile:
    """A readable file with everything in it that people leave in such files."""

    data: bytes
    keys: tuple[str, ...]


_SCALARS: Final[tuple[Callable[[str], str], ...]] = (
    lambda key: f"{key}: plain words",
    lambda key: f"{key}:   wide   ",
    lambda key: f"{key}: words\t",
    lambda key: f"{key}: words # a remark",
    lambda key: f"{key}: closes #42 # a remark",
    lambda key: f"{key}: closes #42 and\n  # a remark\n",
    lambda key: f"{key}: 'it''s quoted' # a remark",
    lambda key: f'{key}: "quoted \\"so\\"" #remark',
    lambda key: f"{key} : blank before the colon",
    lambda key: f'"{key}": quoted key',
    lambda key: f"{key}:\n  on the next line # a remark",
    lambda key: f"{key}: over\n  three\n  lines # a remark",
    lambda key: f'{key}: "over\n  two lines" # a remark',
    lambda key: f"{key}: >-  # a remark\n  folded\n  text",
    lambda key: f"{key}: |\n  literal # no remark\n\n  text\n\n",
    lambda key: f"{key}: 🚀 𝒳 日本 # 𝒳",
    lambda key: f"{key}:  # nothing yet",
    lambda key: f"{key}:",
)
_LISTS: Final[tuple[Callable[[str], str], ...]] = (
    lambda key: f"{key}: [a, 'b', \"c\"] # a remark",
    lambda key: f"{key}: [a,\n  b, # of b\n  c] # a remark",
    lambda key: f"{key}: [ # a remark\n  # above a\n  a,\n  b\n]",
    lambda key: f"{key}:\n  - a\n  # above b\n  - b # of b\n\n  - c",
    lambda key: f"{key}:  # a remark\n- a\n- 'b'",
    lambda key: f"{key}:\n  -\n    a\n  - over\n    two lines\n  - |\n    c",
    lambda key: f"{key}: alone # a remark",
    lambda key: f"{key}: a, b , c",
    lambda key: f"{key}: []",
    lambda key: f"{key}:",
)
_FOREIGN: Final[tuple[Callable[[str], str], ...]] = (
    *_SCALARS,
    *_LISTS,
    lambda key: f"{key}:\n  nested:\n    deep: [1, 2] # a remark\n  other: x",
    lambda key: f"{key}: {{a: b, c: [d]}}",
    lambda key: f"{key}:\n  - a: b\n    c: d\n  - - e\n    - f",
    lambda key: f"{key}: |\n  ---\n  <<<<<<< no conflict\n",
)
TEXT_KEYS: Final = ("title", "description", "verified")
LIST_KEYS: Final = ("tags", "origin", "supersedes", "files")
_TYPED: Final = (
    "type: lesson",
    "confidence: 0.80  # a remark",
    "created: '2026-03-01'",
    "evidence: 3",
    "topic: db/pool # x",
)
_BETWEEN: Final = ("", "# a remark", "  ", "#", "# key: value")


@st.composite
def messy_files(draw: st.DrawFn) -> MessyFile:
    """A readable file: comments, blanks, all styles of values and lists, any order, line ends, marks and indents."""
    entries = [(key, draw(st.sampled_from(_SCALARS))(key)) for key in draw(st.sets(st.sampled_from(TEXT_KEYS)))]
    entries += [(key, draw(st.sampled_from(_LISTS))(key)) for key in draw(st.sets(st.sampled_from(LIST_KEYS)))]
    entries += [
        (key, draw(st.sampled_from(_FOREIGN))(key)) for key in draw(st.sets(words.map("x_{}".format), max_size=3))
    ]
    entries += [(line.partition(":")[0], line) for line in draw(st.sets(st.sampled_from(_TYPED)))]
    entries = draw(st.permutations(entries))
    blocks = [line for _, entry in entries for line in (*draw(st.lists(st.sampled_from(_BETWEEN), max_size=2)), entry)]
    text = "\n".join([*blocks, *draw(st.lists(st.sampled_from(_BETWEEN), max_size=1))])
    indent = draw(st.sampled_from(["", "", "", " "]))
    inner = "".join(f"{indent}{line}".rstrip(" ") + "\n" if indent else f"{line}\n" for line in text.split("\n"))
    body = draw(bodies)
    whole = f"---{draw(st.sampled_from(['', '  ']))}\n{inner}---\n{draw(st.sampled_from(['', chr(10)]))}{body}"
    whole += draw(st.sampled_from(["", "\n", "\n\n"]))
    whole = draw(st.sampled_from(["", "", "\n"])) + whole
    whole = whole.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"])))
    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    return MessyFile((mark + whole).encode(), tuple(key for key, _ in entries))
