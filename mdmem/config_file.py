"""Changing one setting in a settings file, with everything else in it kept: comments, order, blank lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tomlkit
from tomlkit.exceptions import ParseError

from mdmem import disk
from mdmem.config import check_value
from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def set_in_file(path: Path, key: str, value: str | None, *, is_project: bool) -> None:
    """Write `key` (section.name) to the file, or remove it when `value` is None.

    Raises ConfigError for an unknown key, a value that can't be used, a setting that a project may not make, or a
    file that is not TOML; ConflictError, ReadOnlyError or DiskError when it can't be written.
    """
    checked = check_value(key, value, str(path), is_project=is_project)
    data = disk.read_if_exists(path)
    try:
        document = tomlkit.parse((data or b"").decode("utf-8"))
    except (ParseError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}", "mend the file, or delete it") from error
    section, _, name = key.rpartition(".")
    table = document.setdefault(section, tomlkit.table())
    if value is None:
        table.pop(name, None)
        if not table:
            document.pop(section)
    else:
        table[name] = checked
    disk.make_folder(path.parent)
    disk.write(path, tomlkit.dumps(document).encode("utf-8"), expect=disk.etag(data) if data is not None else None)
