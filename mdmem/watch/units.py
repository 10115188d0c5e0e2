"""Unit files that let the system start the watcher when the user logs in."""

from __future__ import annotations

import re
import sys
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SYSTEMD: Final = """\
# ~/.config/systemd/user/{name}.service, then: systemctl --user enable --now {name}
[Unit]
Description=mdmem watcher of {root}

[Service]
WorkingDirectory={folder}
ExecStart={command}
Restart=on-failure
RestartSec=10
Nice=5

[Install]
WantedBy=default.target
"""
LAUNCHD: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- ~/Library/LaunchAgents/{name}.plist, then: launchctl load ~/Library/LaunchAgents/{name}.plist -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>{name}</string>
  <key>ProgramArguments</key>
  <array>{command}</array>
  <key>WorkingDirectory</key><string>{folder}</string>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ProcessType</key><string>Background</string>
</dict>
</plist>
"""
KINDS: Final = ("systemd", "launchd")
_NO_NAME: Final = re.compile(r"[^\w.-]+")


def unit(kind: str, root: Path, folder: Path, options: Sequence[str]) -> str:
    """The unit for the store at `root` that these global options find from `folder`; `kind` is one of `KINDS`."""
    words = (sys.executable, "-m", "mdmem", *options, "watch")
    values = {"name": f"mdmem-{_NO_NAME.sub('-', root.parent.name)}", "root": str(root), "folder": str(folder)}
    if kind == "systemd":
        quoted = {key: value.replace("%", "%%") for key, value in values.items()}
        return SYSTEMD.format(**quoted, command=" ".join(map(_quoted, words)))
    escaped = {key: escape(value) for key, value in values.items()}
    return LAUNCHD.format(**escaped, command="".join(f"<string>{escape(word)}</string>" for word in words))


def _quoted(word: str) -> str:
    """A word as systemd reads it: `%` and `$` doubled, in quotes where there are blanks or quotes."""
    plain = word.replace("%", "%%").replace("$", "$$")
    if not set(plain) & set(" \t\"'\\"):
        return plain
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
