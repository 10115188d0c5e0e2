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
from mdmem.memory import MemoryType
from mdmem.near import nearest
from mdmem.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PROJECT_FILE: Final = "mdmem.toml"
USER_FILE: Final = "config.toml"
EXTRA: Final = "extra."
AGENTS: Final = "agents."
AGENT_KEY: Final = pattern(r"agents\.(?P<agent>[a-z0-9][a-z0-9-]*)\.(?P<switch>memory|extract|consolidate)")
AGENT_NAMES: Final = ("claude-code", "codex", "opencode", "cursor", "gemini")
"""Agents whose switches have a variable each; a file may name any."""
LEARNING: Final = frozenset({"extract", "consolidate"})
"""Switches that start programs: off until the user says otherwise, and not a project's to set."""
MEMORY_TYPES: Final = frozenset(MemoryType)
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
        True, "memory.enabled", "Off: nothing is extracted, embedded or briefed; editing and search by words go on."
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
    sessions_commit: bool = _setting(
        False, "sessions.commit", "Write the summary of each run to sessions/ in the store, too, for a team to share."
    )
    brief_budget: int = _setting(5000, "brief.budget", "Characters of a brief, at most.", low=500, high=9500)
    embedding_path: str = _setting(
        "",
        "embedding.path",
        "A local embedding model: its folder or .onnx file, `hash`, or `none`; by default what is installed or pulled.",
        personal=True,
    )
    search_profile: str = _setting(
        "default",
        "search.profile",
        "How search ranks: what is measured to find most, reciprocal ranks, or by age and strength too.",
        choices=("default", "rrf", "strength"),
    )
    extraction_when: str = _setting(
        "run",
        "extraction.when",
        "When hooks and sweeps learn: from a finished run, after every turn, or never. A named file always is.",
        choices=("run", "turn", "off"),
    )
    extraction_runner: str = _setting(
        "local",
        "extraction.runner",
        "Who summarises runs: rules (`local`), the agent that made the run (`auto`), a program, or an endpoint.",
        choices=("local", "auto", "claude", "codex", "opencode", "openai", "anthropic"),
        personal=True,
    )
    extraction_model: str = _setting(
        "", "extraction.model", "The model that the runner asks; by default its small one.", personal=True
    )
    extraction_url: str = _setting(
        "", "extraction.url", "The address of the runner `openai` or `anthropic`, up to `/v1`.", personal=True
    )
    extraction_review: bool = _setting(
        False, "extraction.review", "Every memory that is learned waits as pending until someone has looked at it."
    )
    extraction_daily_calls: int = _setting(
        50, "extraction.daily_calls", "Calls of a model that a day has, over all stores.", low=0, high=1000
    )
    extraction_idle_minutes: int = _setting(
        10, "extraction.idle_minutes", "A run is over when its file has not changed for so long.", low=1, high=1440
    )
    extraction_max_bytes: int = _setting(
        1_000_000_000,
        "extraction.max_bytes",
        "Bytes of a transcript that hooks and sweeps read; a larger one is left until it is named.",
        low=100_000,
        high=100_000_000_000,
    )
    agents: tuple[tuple[str, bool], ...] = _setting(
        (),
        "agents.<name>.<switch>",
        "Of one agent (`claude-code`, `codex` …): `memory`, whether it is briefed; `extract` and `consolidate`, whether"
        " its runs are learned from by themselves (off until you say so; not in a project's file).",
    )
    extra: tuple[tuple[str, str], ...] = _setting(
        (), "extra.<type>", "A glob from the project's root: other markdown files, read as memories of that type."
    )

    def allows(self, agent: str, switch: str) -> bool:
        """Whether `memory`, `extract` or `consolidate` is on for an agent; the two that learn are off by default."""
        return dict(self.agents).get(f"{AGENTS}{agent}.{switch}", switch not in LEARNING)


KEYS: Final[Mapping[str, Field[Any]]] = {f.metadata["key"]: f for f in fields(Config) if "<" not in f.metadata["key"]}
"""Every setting by its key; `extra.<type>` and `agents.<name>.<switch>` come besides."""


SWITCHES: Final = tuple(
    f"{AGENTS}{agent}.{switch}" for agent in AGENT_NAMES for switch in ("memory", "extract", "consolidate")
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, and for each key where its value comes from (`default`, a variable, a file)."""

    config: Config
    origins: Mapping[str, str]

    def rows(self) -> list[tuple[str, object, str]]:
        """(key, value, where it comes from) of every setting, in the order of Config."""
        own = [(key, getattr(self.config, of.name), self.origins[key]) for key, of in KEYS.items()]
        switches = [(key, value, self.origins[key]) for key, value in self.config.agents]
        return [
            *own,
            *switches,
            *((EXTRA + kind, glob, self.origins[EXTRA + kind]) for kind, glob in self.config.extra),
        ]

    def value(self, key: str) -> tuple[object, str]:
        """One setting's value, and where it comes from. Raises ConfigError for an unknown key."""
        check_value(key, None, "config", is_project=False)
        found = next(((value, origin) for name, value, origin in self.rows() if name == key), None)
        switch = AGENT_KEY.fullmatch(key)
        unset = self.config.allows(switch["agent"], switch["switch"]) if switch else None
        return found or (unset, "default")


def setting_fields() -> tuple[Field[Any], ...]:
    """The fields of Config, each with `key`, `doc`, `choices`, `personal`, `low` and `high` in its metadata."""
    return fields(Config)


def variable(key: str) -> str:
    """The environment variable of a setting: MDMEM_ and the key in capitals."""
    return "MDMEM_" + key.upper().replace(".", "_").replace("-", "_")


def load(
    environ: Mapping[str, str],
    user_file: Path | None,
    project_file: Path | None,
    flags: Mapping[str, object] | None = None,
) -> Loaded:
    """Read all sources and let the first that says something win.

    Raises ConfigError, with the file, for a value that can't be used, an unknown key, a setting that a project may
    not make, or a file that is not TOML.
    """
    values: dict[str, object] = {}
    extra: dict[str, str] = {}
    agents: dict[str, bool] = {}
    origins = dict.fromkeys(KEYS, "default")
    variables = {key: environ[variable(key)] for key in (*KEYS, *SWITCHES) if environ.get(variable(key))}
    sources = (
        (str(project_file), _read(project_file), True),
        (str(user_file), _read(user_file), False),
        ("environment", variables, False),
        ("flag", {key: value for key, value in (flags or {}).items() if value is not None}, False),
    )
    for origin, found, is_project in sources:
        for key, value in found.items():
            name = variable(key) if origin == "environment" else origin
            checked = check_value(key, value, name, is_project=is_project)
            if key.startswith(EXTRA):
                extra[key.removeprefix(EXTRA)] = str(checked)
            elif key.startswith(AGENTS):
                agents[key] = checked is True
            else:
                values[KEYS[key].name] = checked
            origins[key] = name
    values |= {"extra": tuple(extra.items()), "agents": tuple(agents.items())}
    return Loaded(replace(Config(), **cast("Any", values)), origins)


def check_value(key: str, value: object, origin: str, *, is_project: bool) -> object:
    """The value of a setting in its type; None (unset) passes.

    Raises ConfigError naming `origin` for an unknown key, a value that can't be used, or a setting that only the user
    may make.
    """
    if key.startswith(EXTRA) and key.removeprefix(EXTRA) in MEMORY_TYPES and isinstance(value, str | list | None):
        return " ".join(map(str, value)) if isinstance(value, list) else value
    if switch := AGENT_KEY.fullmatch(key):
        return _switch(key, switch["switch"], value, origin, is_project=is_project)
    if key not in KEYS:
        near = nearest(key, KEYS)
        raise ConfigError(
            f"{origin}: unknown setting `{key}`", f"did you mean `{near}`?" if near else "`mdmem config` lists them"
        )
    if is_project and KEYS[key].metadata["personal"]:
        raise ConfigError(f"{origin}: a project may not set `{key}`", "set it in your own configuration")
    return None if value is None else _checked(KEYS[key], value, origin)


def _switch(key: str, switch: str, value: object, origin: str, *, is_project: bool) -> object:
    """The value of an agent's switch. Raises ConfigError."""
    if is_project and switch in LEARNING:
        raise ConfigError(f"{origin}: a project may not set `{key}`", "set it in your own configuration")
    text = str(value).strip().lower()
    if value is not None and text not in _TRUE | _FALSE:
        raise ConfigError(f"{origin}: `{key}` is {value!r}", "write true or false")
    return None if value is None else text in _TRUE


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


def user_state_folder() -> Path:
    """Where mdmem keeps what it knows of this user's work across projects."""
    return platformdirs.user_state_path("mdmem", appauthor=False)


def user_cache_folder() -> Path:
    """Where vectors and pulled models lie, for all of the user's stores; it may be deleted at any moment."""
    return platformdirs.user_cache_path("mdmem", appauthor=False)


def log_folder() -> Path:
    """Where reports of mdmem's own bugs go."""
    return platformdirs.user_log_path("mdmem", appauthor=False)


def _read(path: Path | None) -> dict[str, object]:
    """The settings of a file by key. Raises ConfigError when it is not TOML."""
    if path is None or not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}", "mend the file, or delete it") from error
    return dict(_flat(tables, ""))


def _flat(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


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
