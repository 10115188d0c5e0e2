"""Settings: each stated once, with its default, its meaning and who may set it.

Order: flag, environment, the user's file, the project's `mdmem.toml`, default. A cloned repository is not trusted: a
project's file may only hold settings that run no program, open no socket and name no file to load.
"""

from __future__ import annotations

import tomllib
from dataclasses import Field, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, cast

import platformdirs

from mdmem.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PROJECT_FILE: Final = "mdmem.toml"
USER_FILE: Final = "config.toml"
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off"})


def _setting(default: Any, key: str, doc: str, *, choices: tuple[str, ...] = (), personal: bool = False,
             low: int = 0, high: int = 0) -> Any:  # fmt: skip
    """A field of Config: `key` is its name in files, `personal` keeps it out of a project's file."""
    meta = {"key": key, "doc": doc, "choices": choices, "personal": personal, "low": low, "high": high}
    return field(default=default, metadata=meta)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. A setting `section.key` has the variable MDMEM_SECTION_KEY."""

    memory_dir: str = _setting(
        "", "memory.dir", "The memory folder, relative to the project; '' looks for memory/ and .memory/."
    )
    memory_enabled: bool = _setting(
        True, "memory.enabled", "Off: nothing is extracted or briefed; browsing, editing and search go on."
    )
    memory_write: str = _setting(
        "on",
        "memory.write",
        "What agents may write: nothing, only pending memories, or all.",
        choices=("off", "ask", "on"),
    )
    memory_trust: str = _setting(
        "all",
        "memory.trust",
        "Which memories are briefed: all, or only those reviewed here.",
        choices=("all", "reviewed"),
    )
    brief_budget: int = _setting(5000, "brief.budget", "Characters of a brief, at most.", low=500, high=9500)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, and for each key where its value comes from (`default`, a variable, a file)."""

    config: Config
    origins: Mapping[str, str]


def setting_fields() -> tuple[Field[Any], ...]:
    """The fields of Config, each with `key`, `doc`, `choices`, `personal`, `low` and `high` in its metadata."""
    return fields(Config)


def variable(key: str) -> str:
    """The environment variable of a setting: MDMEM_ and the key in capitals."""
    return "MDMEM_" + key.upper().replace(".", "_").replace("-", "_")


def load(environ: Mapping[str, str], user_file: Path | None, project_file: Path | None,
         flags: Mapping[str, object] | None = None) -> Loaded:  # fmt: skip
    """Read all sources and let the first that says something win.

    Raises ConfigError, with the file, for a value that can't be used, an unknown key, a setting that a project may
    not make, or a file that is not TOML.
    """
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    by_key = {f.metadata["key"]: f for f in setting_fields()}
    sources = (
        (str(project_file), _read(project_file, by_key, is_project=True)),
        (str(user_file), _read(user_file, by_key, is_project=False)),
        ("environment", {key: environ[variable(key)] for key in by_key if variable(key) in environ}),
        ("flag", {key: value for key, value in (flags or {}).items() if value is not None}),
    )
    for origin, found in sources:
        for key, value in found.items():
            name = variable(key) if origin == "environment" else origin
            values[by_key[key].name] = _checked(by_key[key], value, name)
            origins[key] = name
    return Loaded(replace(Config(), **cast("Any", values)), {key: origins.get(key, "default") for key in by_key})


def find_project_file(start: Path) -> Path | None:
    """The nearest mdmem.toml from a folder upwards."""
    return next(
        (folder / PROJECT_FILE for folder in (start, *start.parents) if (folder / PROJECT_FILE).is_file()), None
    )


def user_config_file() -> Path:
    """Where the user's own settings stand, as the platform has it."""
    return platformdirs.user_config_path("mdmem", appauthor=False) / USER_FILE


def personal_folder() -> Path:
    """Where the user's personal memories stand."""
    return platformdirs.user_data_path("mdmem", appauthor=False) / "memory"


def log_folder() -> Path:
    """Where reports of mdmem's own bugs go."""
    return platformdirs.user_log_path("mdmem", appauthor=False)


def _read(path: Path | None, by_key: Mapping[str, Field[Any]], *, is_project: bool) -> dict[str, object]:
    if path is None or not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}", "mend the file, or delete it") from error
    found = {
        f"{section}.{key}": value
        for section, table in tables.items()
        if isinstance(table, dict)
        for key, value in table.items()
    }
    loose = [key for key, value in tables.items() if not isinstance(value, dict)]
    for key in (*loose, *found):
        if key not in by_key:
            raise ConfigError(f"{path}: unknown setting `{key}`", f"one of {', '.join(by_key)}")
        if is_project and by_key[key].metadata["personal"]:
            raise ConfigError(f"{path}: a project may not set `{key}`", "set it in your own configuration")
    return found


def _checked(of: Field[Any], value: object, origin: str) -> object:
    """The value in the setting's type. Raises ConfigError naming the source."""
    meta, kind = of.metadata, type(of.default)
    text = str(value).strip()
    if kind is bool and text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    if kind is int and text.isascii() and text.isdigit() and meta["low"] <= int(text) <= meta["high"]:
        return int(text)
    if kind is str and not isinstance(value, bool | int | list) and (not meta["choices"] or text in meta["choices"]):
        return text
    wanted = {bool: "true or false", int: f"a whole number from {meta['low']} to {meta['high']}"}
    rule = wanted.get(kind) or f"one of {', '.join(meta['choices'])}"
    raise ConfigError(f"{origin}: `{meta['key']}` is {value!r}", f"write {rule}")
