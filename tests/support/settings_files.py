"""Settings files of agents as people have them: any style, comments, hooks of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

COMMANDS = st.sampled_from(
    ["./lint.sh", "echo mdmem hook", "npm run hook stop", "/opt/other/mdmemo hook stop", "notify"]
)
EVENTS = st.sampled_from(["SessionStart", "Stop", "PreToolUse", "SessionEnd", "UserPromptSubmit"])


def groups() -> st.SearchStrategy[dict[str, Any]]:
    """Hooks of somebody else."""
    hook = st.fixed_dictionaries(
        {"type": st.just("command"), "command": COMMANDS}, optional={"timeout": st.integers(1)}
    )
    return st.fixed_dictionaries({"hooks": st.lists(hook, min_size=1, max_size=2)}, optional={"matcher": st.text()})


def settings_values() -> st.SearchStrategy[dict[str, Any]]:
    """What settings say."""
    plain = st.none() | st.booleans() | st.integers() | st.text(max_size=12)
    more = st.dictionaries(st.text(max_size=6), plain | st.lists(plain, max_size=3), max_size=3)
    hooks = st.dictionaries(EVENTS, st.lists(groups(), max_size=2), max_size=3)
    both = st.tuples(more, st.none() | hooks)
    return both.map(lambda pair: {k: v for k, v in pair[0].items() if k not in ("hooks", "ours", "version")}
                    | ({"hooks": pair[1]} if pair[1] is not None else {}))  # fmt: skip


def settings_texts() -> st.SearchStrategy[str]:
    """The text of a settings file, in some style."""
    indents: st.SearchStrategy[int | str | None] = st.sampled_from([None, 1, 2, 4, "\t"])
    return st.builds(_styled, settings_values(), indents, st.sampled_from(list(STYLES)), st.booleans())


def _styled(value: dict[str, Any], indent: int | str | None, style: str, is_ascii: bool) -> str:
    return STYLES[style](json.dumps(value, indent=indent, ensure_ascii=is_ascii))


def _commented(text: str) -> str:
    """Comments before, in and after."""
    return "// mine\n" + text.replace("{\n", '{\n  /* a comment, with } and " */\n', 1) + "\n// end\n"


STYLES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "final newline": lambda text: text + "\n",
    "crlf": lambda text: text.replace("\n", "\r\n") + "\r\n",
    "bom": lambda text: "\ufeff" + text,
    "comments": _commented,
    "wide": lambda text: f"\n\n  {text}  \n",
}
