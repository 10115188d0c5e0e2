"""Problems found in text: where, which code, how to mend it.

CODES states every code once, with its severity and its meaning; the error reference is generated from it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

ERROR: Final = "error"
WARNING: Final = "warning"


class Code(NamedTuple):
    """What a code means, in one sentence, and whether a file with it can still be read as a memory."""

    meaning: str
    readable: bool = True


CODES: Final = {
    "E_EMPTY": Code("The file is empty.", readable=False),
    "E_ENCODING": Code("The file is not UTF-8.", readable=False),
    "E_EOL": Code("Lines end in CR alone.", readable=False),
    "E_NO_FRONTMATTER": Code("The file does not begin with a `---` line.", readable=False),
    "E_FM_UNCLOSED": Code("The frontmatter has no closing `---` line.", readable=False),
    "E_FM_NOT_MAPPING": Code("The frontmatter is not a list of `key: value` lines.", readable=False),
    "E_FORMAT": Code("The frontmatter is not YAML (TOML or JSON).", readable=False),
    "E_YAML": Code("The frontmatter is not valid YAML.", readable=False),
    "E_YAML_TYPE": Code(
        "A mapping stands where one value should, usually from an unfilled `{{placeholder}}`.", readable=False
    ),
    "E_ANCHOR": Code("The frontmatter uses YAML anchors, aliases or merge keys.", readable=False),
    "E_TAG": Code("The frontmatter uses a YAML tag (`!name`).", readable=False),
    "E_DEPTH": Code("The frontmatter is nested more than 20 levels deep.", readable=False),
    "E_KEY_TYPE": Code("A frontmatter key is not a word.", readable=False),
    "E_DUP_KEY": Code("A frontmatter key stands twice.", readable=False),
    "E_CONFLICT": Code("Merge-conflict markers stand in the file.", readable=False),
    "E_CONTROL_CHAR": Code("The frontmatter holds a control character.", readable=False),
    "E_TOO_BIG": Code("The file is larger than 64 KiB.", readable=False),
    "E_ACCESS": Code("The system can't read the file (its permissions, or a failing disk).", readable=False),
    "E_MISSING": Code("A required field is missing or empty."),
    "E_TYPE": Code("A field holds the wrong kind of value."),
    "E_ENUM": Code("A field holds a value that is not in its list."),
    "E_RANGE": Code("A number is out of range."),
    "E_DATE": Code("A date does not exist or is not ISO 8601."),
    "E_LENGTH": Code("A field is too long."),
    "E_PATH": Code("A path leaves the repository."),
    "E_CYCLE": Code("A memory supersedes itself, directly or through others."),
    "E_SECRET": Code("The file holds what looks like a secret; it is not shown."),
    "E_SELF_REFERENCE": Code("A recalled brief was stored as a memory."),
    "E_NAME_CLASH": Code("Two file names differ only by case or Unicode form."),
    "E_DUP_ID": Code("Two memories have the same id."),
    "E_DUP_TOPIC": Code("Two active memories have the same topic and scope."),
    "E_MARKERS": Code("MEMORY.md has one marker of the index without the other, or two sections."),
    "E_READONLY": Code("The disk is read-only."),
    "E_NOT_JSONL": Code("The transcript is not one JSON record a line."),
    "E_LLM_JSON": Code("The model's reply is not the JSON that was asked for."),
    "E_LLM_EMPTY": Code("The model's reply is empty."),
    "E_LLM_CLI": Code("The program that runs the model reported an error."),
    "W_BOM": Code("The file begins with a byte-order mark."),
    "W_MIXED_EOL": Code("Some lines end in LF, others in CRLF."),
    "W_LEADING_BLANK": Code("Blank lines stand before the frontmatter."),
    "W_DOTS_CLOSE": Code("The frontmatter closes with `...` instead of `---`."),
    "W_SECOND_BLOCK": Code("The body begins with another frontmatter block."),
    "W_EMPTY_BODY": Code("The memory has a title but no body."),
    "W_VALUE_CUT": Code("An unquoted value holds ` #`; other YAML readers cut it there."),
    "W_SMART_QUOTES": Code("A value is wrapped in typographic quotes, which are kept as part of it."),
    "W_CONTROL_CHAR": Code("The body holds a control character."),
    "W_HIDDEN_CHAR": Code("The text holds invisible characters (zero-width, bidirectional, tag)."),
    "W_TAGS_STRING": Code("A list is written as one comma-separated value."),
    "W_PATH_SEP": Code("A path uses backslashes."),
    "W_FUTURE_DATE": Code("A date lies in the future."),
    "W_UNKNOWN_KEY": Code("An unknown key looks like a slip of a known one."),
    "W_FOLDER": Code("The file's folder and its type differ."),
    "W_LENGTH": Code("The text is longer than agents can use."),
    "W_RELATIVE_DATE": Code("The text holds a relative date, which means nothing later."),
    "W_EXPIRED": Code("The memory's `expires` date has passed."),
    "W_LINK": Code("A link leads to no memory."),
    "W_INJECTION": Code("The text reads like instructions to an agent; it is kept out of briefs."),
    "W_PERSONAL": Code("The text holds personal data (address, telephone, health)."),
    "W_LOW_VALUE": Code("The text says nothing worth remembering; it is kept out of briefs."),
    "W_SYMLINK": Code("A symbolic link in the store is not read."),
    "W_NO_MARKERS": Code("MEMORY.md has no markers for the generated index."),
    "W_STALE_LINE": Code("An index line differs from its file."),
    "W_ORPHAN": Code("An index line links to no file, or a file has no line."),
    "W_DUP_ENTRY": Code("A memory stands in the index twice."),
    "W_CONFLICT": Code("Merge-conflict markers stand in the generated section; it is rebuilt from the files."),
    "W_BAD_LINE": Code("A transcript line can't be read and was skipped."),
    "W_GLUED_LINE": Code("Two records stand on one transcript line; both were read."),
    "W_BIG_LINE": Code("A transcript line is too big and was trimmed or skipped."),
    "W_ENCODING": Code("The text holds bytes that are not UTF-8; they were replaced."),
    "W_SHAPE": Code("A record or reply has an unexpected shape; what could be used was."),
    "W_NO_JSON": Code("The model answered in prose: nothing to save."),
    "W_TOO_MANY": Code("The model proposed more than six memories; the rest was dropped."),
    "W_PATH": Code("A proposed path leaves the repository and was dropped."),
    "W_REDACTED": Code("A secret in the reply was redacted."),
}
UNREADABLE: Final = frozenset(code for code, info in CODES.items() if not info.readable)
KEPT_OUT: Final = frozenset({"W_INJECTION", "W_HIDDEN_CHAR", "W_LOW_VALUE"})
"""Warnings that keep a memory out of the brief and out of what hooks inject."""


class Problem(NamedTuple):
    """One finding. `line` counts from 1 in the file; `key` is the field, if there is one; `hint` mends it."""

    code: str
    line: int
    message: str
    key: str = ""
    hint: str = ""
    path: str = ""

    @property
    def severity(self) -> str:
        """`error` or `warning`, by the code's first letter."""
        return ERROR if self.code.startswith("E_") else WARNING

    @property
    def is_error(self) -> bool:
        """Whether `check` fails for it."""
        return self.severity == ERROR

    def at(self, path: str) -> Problem:
        """The same finding, in the named file."""
        return self._replace(path=path)

    def as_json(self) -> dict[str, str | int | None]:
        """The shape that `check --json` prints."""
        return {
            "path": self.path,
            "line": self.line,
            "code": self.code,
            "severity": self.severity,
            "key": self.key or None,
            "message": self.message,
            "hint": self.hint or None,
        }

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.path}:{self.line}: {self.code} {self.message}{hint}"
