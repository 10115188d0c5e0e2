"""Text that leaves the store: into a prompt, where it must stay data, and onto a terminal, which it must not steer."""

from __future__ import annotations

import re
from typing import Final

from mdmem.markdown.hidden import without_hidden
from mdmem.pattern import pattern

TAG: Final = pattern(r"<(?=[A-Za-z/!?|<])")
COMMENT_END: Final = pattern(r"--!?>")
OUR_MARK: Final = pattern(r"mdmem:(?=\w)|\[(?=mdmem-)")
LINE_MARK: Final = pattern(r"^((?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*+)(?=#|`{3}|~{3})", re.MULTILINE)
RULE: Final = pattern(r"^([ \t]*)(?=([-=*_])[ \t]*(?:\2[ \t]*)*$)", re.MULTILINE)
SIGNS: Final = ("<", ">", "#", "```", "~~~", "mdmem")
"""Text on one line of plain ASCII without these, and with more in it than what rules are made of, is safe as it is."""
LINE_END: Final = pattern(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def escape_for_brief(text: str) -> str:
    """The text as data inside a prompt: it closes no tag or comment, opens no section, and is none of our marks.

    `<` before a name becomes `&lt;`, a heading, fence or rule at the start of a line gets a backslash, invisible
    and control characters go. Links `[[name]]` stay. Idempotent.
    """
    if text.isascii() and text.isprintable() and text.strip("-=*_ ") and not any(sign in text for sign in SIGNS):
        return text
    return _escaped(text)


def _escaped(text: str) -> str:
    text = without_hidden(strip_control(LINE_END.sub("\n", text)))
    text = COMMENT_END.sub(lambda match: match[0][:-1] + "&gt;", TAG.sub("&lt;", text))
    text = OUR_MARK.sub(lambda match: "mdmem " if match[0] != "[" else "(", text)
    return RULE.sub(r"\1\\", LINE_MARK.sub(r"\1\\", text))


ESCAPES: Final = pattern(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"  # ECMA-48 control sequences: colours, cursor
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*+(?:\x07|\x1b\\|\x9c)?"  # operating system commands: titles, links
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*+(?:\x1b\\|\x9c)?"  # device control and other strings
    r"|\x1b[ -/]*+[0-~]?"
    r"|\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|[\ud800-\udfff]"
)


def strip_control(text: str) -> str:
    """The text without terminal escapes, control characters (tab and line end stay) and lone surrogates."""
    return ESCAPES.sub("", text)
