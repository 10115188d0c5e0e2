"""Changing one setting in a settings file, with everything else in it kept: comments, order, blank lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import tomlkit
from tomlkit.exceptions import ParseError

from mdmem import disk
from mdmem.config import check_value
from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import MutableMapping
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
    *sections, name = key.split(".")
    tables: list[MutableMapping[str, object]] = [document]
    for depth, section in enumerate(sections, 1):
        new = tomlkit.table(is_super_table=depth < len(sections))
        tables.append(cast("MutableMapping[str, object]", tables[-1].setdefault(section, new)))
    if value is None:
        tables[-1].pop(name, None)
        for table, section in zip(tables[-2::-1], reversed(sections), strict=True):
            if not table[section]:
                table.pop(section)
    else:
        tables[-1][name] = checked
    disk.make_folder(path.parent)
    disk.write(path, tomlkit.dumps(document).encode("utf-8"), expect=disk.etag(data) if data is not None else None)
