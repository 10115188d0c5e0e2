"""What the fields of one file must say together: a title and a type, no ring, no key that is a slip of another."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from mdmem.markdown.problems import Problem
from mdmem.markdown.schema import FALLBACKS, READERS
from mdmem.memory import TITLE_LENGTH, MemoryType, Status, as_type

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from mdmem.markdown.field import Field
    from mdmem.markdown.reading import Reading

RESERVED_PREFIX: Final = "mdmem-"
_YAML_WORDS: Final = frozenset({"on", "off", "yes", "no", "y", "n", "true", "false", "null"})


def check_required(reading: Reading, fields: Mapping[str, Field], path: str, fence: int) -> None:
    """Report a missing title or type, and give both a value all the same. `fence` is the line of the fence."""
    if not reading.values.get("title"):
        if not reading.has_error("title", "name"):
            line = fields["title"].line if "title" in fields else fence
            reading.problems.append(Problem("E_MISSING", line, "no title", "title", _title_hint(fields)))
        reading.values["title"] = PurePosixPath(path).stem.replace("-", " ")[:TITLE_LENGTH].strip() or "untitled"
    folder, of_folder = type_folder(path)
    if "type" not in reading.values:
        if of_folder is None and not reading.has_error("type", "metadata"):
            line = fields["type"].line if "type" in fields else fence
            hint = f"add `type: …`, one of {', '.join(MemoryType)}"
            reading.problems.append(Problem("E_MISSING", line, "no type, and the folder names none", "type", hint))
        reading.values["type"] = of_folder or MemoryType.LESSON
    elif of_folder and of_folder is not reading.values["type"]:
        stated = reading.values["type"]
        at = fields["type"] if "type" in fields else fields["metadata"]
        message, hint = f"a {stated} in the folder {folder}/", f"`mdmem mv` it to {stated}/, or mend the type"
        reading.problems.append(Problem("W_FOLDER", at.line, message, "type", hint))


def _title_hint(fields: Collection[str]) -> str:
    slips = (
        key for key in fields if key.strip().lower() in ("title", "titel", "titles", "tittle", "headline", "subject")
    )
    meant = next((key for key in slips if key != "title"), None)
    return f"did you mean title instead of {meant}?" if meant else "add `title: …`, one line"


def type_folder(path: str) -> tuple[str, MemoryType | None]:
    """The nearest folder of a path that is named after a type, and that type."""
    folders = reversed(path.split("/")[:-1])
    return next(((name, kind) for name in folders if (kind := as_type(name))), ("", None))


def check_relations(reading: Reading, fields: Mapping[str, Field]) -> None:
    """Report a memory that supersedes itself, and one that is superseded by nothing."""
    values = reading.values
    for key in ("supersedes", "superseded_by"):
        named = values.get(key, ())
        if values["id"] in ((named,) if isinstance(named, str) else named):
            reading.report("E_CYCLE", fields[key], "names the memory itself", "name another memory")
            values[key] = "" if key == "superseded_by" else tuple(ref for ref in named if ref != values["id"])
    is_superseded = values.get("status") is Status.SUPERSEDED
    if is_superseded and "superseded_by" not in values and not reading.has_error("superseded_by"):
        hint = "add `superseded_by: <id>`, or choose another status"
        line = fields["status"].line
        reading.problems.append(Problem("E_MISSING", line, "superseded, but by what?", "superseded_by", hint))


def check_keys(reading: Reading, fields: Mapping[str, Field]) -> None:
    """Report unknown keys that look like a slip, and values that other readers cut."""
    for key, at in fields.items():
        for line in at.cuts:
            reading.report("W_VALUE_CUT", at, "holds ` #`; other YAML readers cut it there", "quote the value", line)
        if key in READERS or key in FALLBACKS:
            continue
        meant = next(_meant(key, fields), None)
        if key.startswith(RESERVED_PREFIX):
            reading.report("W_UNKNOWN_KEY", at, "begins with mdmem-, which is reserved", "choose another name")
        elif key.lower() in _YAML_WORDS:
            reading.report("W_UNKNOWN_KEY", at, "is a word that YAML readers take for true, false or null", "rename it")
        elif meant in fields:
            reading.report("W_UNKNOWN_KEY", at, f"is not read: `{meant}` stands there too", "delete one of the two")
        elif meant:
            reading.report("W_UNKNOWN_KEY", at, f"is unknown; did you mean `{meant}`?", f"write `{meant}:`")


def _meant(key: str, fields: Collection[str]) -> Iterator[str]:
    lower = key.strip().lower().replace("-", "_").replace(" ", "_")
    for known in READERS:
        if lower == known or (known not in fields and is_slip(lower, known)):
            yield known


def is_slip(word: str, known: str) -> bool:
    """Whether `word` is `known` with one typing error (two where it has eight letters or more).

    A typing error is a letter dropped, added, changed, or swapped with its neighbour (Damerau 1964).
    """
    allowed = 2 if len(known) >= 8 else 1
    if abs(len(word) - len(known)) > allowed or len(known) < 4:
        return word == known
    before: list[int] = []
    row = list(range(len(known) + 1))
    for i, a in enumerate(word, 1):
        above, before, row = before, row, [i]
        for j, b in enumerate(known, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == known[j - 2] and word[i - 2] == b:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1] <= allowed
