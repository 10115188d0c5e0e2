"""Start-up: the commands that run in hooks and before commits import what they need and nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

import pytest

from mdmem.store.table import RACY_NS
from support.source import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HEAVY: Final = frozenset({"numpy", "onnxruntime", "tokenizers", "tantivy", "watchdog", "mcp"})
"""Libraries of search by index, of models, of the watcher and of the server: 20 to 1,200 ms each."""
NEEDLESS: Final = frozenset(
    {"asyncio", "ssl", "http", "unittest", "multiprocessing", "xml", "pydoc", "tkinter", "filelock"}
)
"""What no command that only reads has use for; filelock, which brings asyncio, is for writing."""
AT_START: Final = frozenset({"click"})
"""All libraries that a command may load before it knows what it was asked."""
READERS: Final = (["check"], ["brief"], ["list"], ["status"], ["--help"], ["check", "--json"], ["show", "--help"])
WRITING: Final = frozenset(
    {"frontmatter", "yaml", "tomlkit", "difflib", "mdmem.redact", "mdmem.markdown.parse", "mdmem.markdown.render"}
    | {"mdmem.markdown.screen", "mdmem.store.store", "mdmem.store.saving", "mdmem.store.check"}
)
"""What parses, judges and changes files: of no use where none has changed since the last look."""
UNCHANGED: Final = (
    (["brief"], HEAVY),
    (["list"], HEAVY | {"mdmem.git", "subprocess"}),
    (["status"], HEAVY),
    (["search", "--lexical", "one"], HEAVY - {"tantivy"}),
    (["--version"], HEAVY | {"platformdirs", "sqlite3", "json", "mdmem.memory", "mdmem.project"}),
)
MODELS: Final = frozenset({"numpy", "onnxruntime", "tokenizers", "huggingface_hub"})
WORDS_ONLY: Final = (
    (["search", "--lexical", "one"], {"MDMEM_EMBEDDING_PATH": "hash"}),
    (["search", "one"], {"MDMEM_EMBEDDING_PATH": "none"}),
    (["search", "one"], {"MDMEM_EMBEDDING_PATH": "hash", "MDMEM_MEMORY_ENABLED": "off"}),
    (["model", "status"], {"MDMEM_EMBEDDING_PATH": "hash"}),
)
RUN: Final = """\
import json, sys
before = set(sys.modules)
from mdmem.cli.main import main
try:
    code = main(sys.argv[1:])
except SystemExit as exit:
    code = exit.code
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
sys.exit(code)
"""


def loaded(folder: Path, code: str, *args: str) -> set[str]:
    """Modules, and the packages at their top, that a fresh interpreter has imported after running `code`."""
    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    names = set(json.loads(done.stderr.splitlines()[-1]))
    return names | {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("args", READERS, ids=" ".join)
def test_a_reading_command_starts_light(args: list[str], filled: Path) -> None:
    assert loaded(filled, RUN, *args) & (HEAVY | NEEDLESS) == set()


@pytest.mark.parametrize(("args", "heavy"), UNCHANGED, ids=lambda of: " ".join(of) if isinstance(of, list) else "")
def test_what_has_not_changed_is_read_without_its_parser(
    args: list[str], heavy: frozenset[str], filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_EMBEDDING_PATH", "none")
    time.sleep(2 * RACY_NS / 1e9)
    loaded(filled, RUN, "search", "--lexical", "one")
    assert loaded(filled, RUN, *args) & (WRITING | heavy) == set()


@pytest.mark.parametrize(("tags", "needed"), [("[a, b]", set()), ("{a: b}", {"frontmatter", "yaml"})])
def test_a_changed_file_brings_a_yaml_parser_only_where_it_needs_one(tags: str, needed: set[str], filled: Path) -> None:
    (filled / "memory/lesson/two.md").write_text(f"---\ntitle: Two\ntags: {tags}\n---\nx\n", encoding="utf-8")
    assert loaded(filled, RUN, "list") & {"frontmatter", "yaml"} == needed


def test_a_hook_that_asks_for_a_job_goes_round_the_command_line(filled: Path) -> None:
    code = RUN.replace("mdmem.cli.main", "mdmem.__main__").replace("main(sys.argv[1:])", "main()")
    code = f"import os, sys\nos._exit = sys.exit\n{code}"
    assert loaded(filled, code, "hook", "session-end") & (WRITING | HEAVY | {"click", "sqlite3"}) == set()


@pytest.mark.parametrize(("args", "env"), WORDS_ONLY)
def test_words_need_no_model(
    args: list[str], env: dict[str, str], filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert loaded(filled, RUN, *args) & MODELS == set()


def test_the_command_line_itself_brings_few_libraries(repo: Path) -> None:
    code = RUN.replace("main(sys.argv[1:])", "None").replace("sys.exit(code)", "")
    names = {name for name in loaded(repo, code) if "." not in name} - sys.stdlib_module_names - {"mdmem"}
    assert {name for name in names if not re.match(r"_|cython_runtime", name)} <= AT_START


def test_what_is_imported_is_seen(repo: Path) -> None:
    code = RUN.replace("from mdmem.cli.main import main", "import sqlite3\nmain = len")
    assert "sqlite3" in loaded(repo, code.replace("sys.exit(code)", ""))


@pytest.fixture
def filled(repo: Path) -> Path:
    """A repository with a store of one memory."""
    folder = repo / "memory/lesson"
    folder.mkdir(parents=True)
    (folder / "one.md").write_text("---\ntitle: One\n---\nBody.\n", encoding="utf-8")
    (repo / "memory/MEMORY.md").write_text(
        "<!-- mdmem:index begin -->\n## Lessons\n\n- [One](lesson/one.md) — Body.\n<!-- mdmem:index end -->\n",
        encoding="utf-8",
    )
    return repo
