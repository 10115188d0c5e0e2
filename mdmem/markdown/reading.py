"""What is known while one file's fields are read: the values so far, and the problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from mdmem.markdown.problems import Problem
from mdmem.redact import redact

if TYPE_CHECKING:
    from mdmem.markdown.field import Field

NULLS: Final = frozenset({"null", "Null", "NULL", "~"})
"""How YAML says "nothing"; a title is the word itself, any other field is empty."""
_SMART: Final = {"‘": "’", "“": "”", "„": "“”", "«": "»", "‚": "‘’"}


@dataclass(slots=True)
class Reading:
    """One file's values by field, and its problems; both grow."""

    values: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def report(self, code: str, at: Field, message: str, hint: str = "", line: int = 0) -> None:
        """Note a problem of one field; `line` where it is not the key's."""
        self.problems.append(Problem(code, line or at.line, f"`{at.key}` {message}", key=at.key, hint=hint))

    def has_error(self, *keys: str) -> bool:
        """Whether one of these fields has an error already."""
        return any(problem.is_error and problem.key in keys for problem in self.problems)

    def text(self, at: Field, *, null_is_text: bool = False) -> str:
        """The field as one line of text, '' when it is empty or no text."""
        if isinstance(at.value, str):
            text = one_line(at.value)
            if at.style:
                return text
            if text in NULLS and not null_is_text:
                return ""
            self.warn_smart_quotes(at, text, at.line)
            return text
        if at.style == "{":
            hint = "fill in the placeholder, or quote the value"
            self.report("E_YAML_TYPE", at, "holds a mapping where one value should stand", hint)
        elif at.value is not None:
            kind = "list" if isinstance(at.value, list) else "mapping"
            self.report("E_TYPE", at, f"must be one value, not a {kind}", f"write one value: `{at.key}: …`")
        return ""

    def list(self, at: Field) -> tuple[str, ...]:
        """The field as a list of texts."""
        return tuple(text for text, _ in self.items(at))

    def items(self, at: Field) -> tuple[tuple[str, int], ...]:
        """(text, line) of each item; one comma-separated text is split, and warned about."""
        if isinstance(at.value, str):
            return tuple((part, at.line) for part in self._parts(at))
        values = at.value or []
        if not isinstance(values, list) or not all(item is None or isinstance(item, str) for item in values):
            self.report("E_TYPE", at, "must be a plain list of texts", f"write `{at.key}: [one, two]`")
            return ()
        found = []
        for value, (start, _) in zip(values, at.items, strict=True):
            text = one_line(value) if isinstance(value, str) else ""
            if text:
                self.warn_smart_quotes(at, text, start.line + 1)
                found.append((text, start.line + 1))
        return tuple(found)

    def _parts(self, at: Field) -> tuple[str, ...]:
        text = self.text(at)
        is_bracketed = text.startswith("[") and text.endswith("]")
        parts = [part.strip() for part in (text[1:-1] if is_bracketed else text).split(",")]
        if is_bracketed:
            parts = [part.strip("'\"").strip() for part in parts]
        if is_bracketed or len(parts) > 1:
            hint = redact(f"write `{at.key}: [{', '.join(filter(None, parts))}]`").text
            self.report("W_TAGS_STRING", at, "is one text with commas; it is read as a list", hint)
        return tuple(filter(None, parts))

    def warn_smart_quotes(self, at: Field, text: str, line: int) -> None:
        """Note typographic quotes around an unquoted text: they are part of it, which is hardly meant."""
        if len(text) > 1 and text[-1] in _SMART.get(text[0], ()):
            message = "is wrapped in typographic quotes, which are part of it"
            self.report("W_SMART_QUOTES", at, message, "delete them, or type ' or \"", line)


def one_line(text: str) -> str:
    """A text on one line: line ends and what stands around them become one blank, a tab another."""
    if "\n" not in text and "\t" not in text:
        return text.strip()
    parts = (part.strip(" ") for part in text.replace("\t", " ").split("\n"))
    return " ".join(part for part in parts if part).strip()
