"""A store under everything that people, agents and machines do to it, held against a simple model.

The model knows one thing: for each path the text that the file must have. A short run is part of the suite. By hand:

    HYPOTHESIS_PROFILE=long pytest tests/store/test_machine.py

takes 10,000 steps and more (200 runs of 50).
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from mdmem.errors import MdmemError
from mdmem.markdown.decoding import NotAMemory
from mdmem.markdown.parse import parse
from mdmem.memory import normal_text
from mdmem.store.caller import Caller
from mdmem.store.catalog import NEW_FILE, Tree, read_index, render_pages
from mdmem.store.store import Store
from mdmem.store.table import StoredMemory
from support.faults import Killed, fault
from support.memories import NOW, draft, make_store, memory_files, memory_text

if TYPE_CHECKING:
    from collections.abc import Callable

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
TITLES = st.sampled_from(["Pin it", "pin IT", "Über Café", "[a] `b` | c", "x" * 119, "con", "日本語", "<!-- hi -->"])
BODIES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=40)
TOPICS = st.sampled_from(["", "", "db/pool", "ci"])
TYPES = st.sampled_from(["lesson", "decision", "preference"])
BROKEN = b"---\ntitle: [never closed\n"


def said(text: str) -> tuple[str, str] | None:
    """Title and body of a file's text."""
    memory = parse(text.encode(), "lesson/a.md").memory
    return (memory.title, memory.body) if memory else None


class StoreMachine(RuleBasedStateMachine):
    """Writes through two stores (as two processes have them), by hand, and with a disk that fails."""

    paths = Bundle("paths")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="mdmem-machine-"))
        self.stores = [make_store(self.folder / "memory"), Store(self.folder / "memory")]
        self.root = self.stores[0].root
        self.texts: dict[str, str] = {}
        self.broken: dict[str, str] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize()
    def sync_first(self) -> None:
        self.stores[0].sync()

    def learn(self) -> None:
        """After a write of mdmem: what it made is in the model, and nothing else changed."""
        files = {path: text for path, text in memory_files(self.root).items() if path not in self.broken}
        self.texts = files

    def expect_kept(self, before: dict[str, str], *touched: str) -> None:
        """Files that a command had no business with are byte for byte what they were."""
        now = memory_files(self.root)
        for path, text in before.items():
            if path not in touched and path not in self.broken:
                assert now.get(path) == text, f"{path} changed"

    def confirmed(self, before: dict[str, str]) -> list[str]:
        """Files that say what they said, though their frontmatter may count one more piece of evidence."""
        now = memory_files(self.root)
        return [path for path, text in before.items() if path in now and said(now[path]) == said(text)]

    @rule(
        target=paths, title=TITLES, body=BODIES, kind=TYPES, topic=TOPICS, agent=st.booleans(), which=st.integers(0, 1)
    )
    def add(self, title: str, body: str, kind: str, topic: str, agent: bool, which: int) -> object:
        before = dict(self.texts)
        caller = Caller.AGENT if agent else Caller.USER
        source = {"source": "agent"} if agent else {}
        memory = draft(title, body, kind, topic=topic, **source)
        try:
            saved = self.stores[which].add(memory, caller=caller, now=NOW)
        except MdmemError:
            self.expect_kept(before)
            return multiple()
        path = saved.stored.path
        self.expect_kept(before, path)
        if agent and path in before:
            assert "source: agent" in before[path] or memory_files(self.root)[path] == before[path]
        found = parse(memory_files(self.root)[path].encode(), path).memory
        assert found is not None
        assert normal_text(found.body) == normal_text(body)
        self.learn()
        return path

    @rule(path=paths, body=BODIES, old_time=st.booleans(), in_place=st.booleans())
    def edit_by_hand(self, path: str, body: str, old_time: bool, in_place: bool) -> None:
        if path not in self.texts:
            return
        file, text = self.root / path, memory_text("By hand", body)
        times = file.stat()
        if in_place:
            file.write_text(text, encoding="utf-8")
        else:
            temp = file.with_name("saved by an editor~")
            temp.write_text(text, encoding="utf-8")
            temp.replace(file)
        if old_time:
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.texts[path] = text

    @rule(path=paths, value=st.sampled_from(["0.3", "0.9", "1"]), body=st.none() | BODIES, which=st.integers(0, 1))
    def set(self, path: str, value: str, body: str | None, which: int) -> None:
        before = dict(self.texts)
        try:
            self.stores[which].change(path, {"confidence": value}, body, caller=Caller.USER, now=NOW)
        except MdmemError:
            self.expect_kept(before)
            return
        self.expect_kept(before, path)
        assert f"confidence: {value}\n" in memory_files(self.root)[path]
        self.learn()

    @rule(path=consumes(paths), which=st.integers(0, 1), agent=st.booleans())
    def forget(self, path: str, which: int, agent: bool) -> None:
        before = dict(self.texts)
        try:
            self.stores[which].forget([path], caller=Caller.AGENT if agent else Caller.USER, now=NOW)
        except MdmemError:
            self.expect_kept(before)
            return
        assert not agent or "source: agent" in before[path]
        self.expect_kept(before, path)
        trash = [file.read_text(encoding="utf-8") for file in (self.root / ".mdmem/state/trash").iterdir()]
        assert before[path] in trash
        self.learn()

    @rule(path=consumes(paths))
    def delete_by_hand(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        self.texts.pop(path, None)
        self.broken.pop(path, None)

    @rule(target=paths, path=consumes(paths), name=st.sampled_from(["a b (c).md", "ü#1%.md", "sub/Deep.md"]))
    def rename_by_hand(self, path: str, name: str) -> object:
        target = self.root / name
        if path not in self.texts or target.exists():
            return multiple(path)
        target.parent.mkdir(exist_ok=True)
        (self.root / path).rename(target)
        self.texts[name] = self.texts.pop(path)
        return name

    @rule(path=paths)
    def break_and_mend(self, path: str) -> None:
        if path in self.texts:
            self.broken[path] = self.texts.pop(path)
            (self.root / path).write_bytes(BROKEN)
        elif path in self.broken:
            self.texts[path] = self.broken.pop(path)
            (self.root / path).write_text(self.texts[path], encoding="utf-8")

    @rule(how=st.sampled_from(["delete", "garbage", "cut", "flip"]), at=st.integers(0, 60_000))
    def damage_the_cache(self, how: str, at: int) -> None:
        cache = self.root / ".mdmem/cache/memories.sqlite"
        if not cache.exists():
            return
        data = bytearray(cache.read_bytes())
        if how == "delete":
            shutil.rmtree(cache.parent)
        elif how == "garbage":
            cache.write_bytes(b"no database at all" * 100)
        elif how == "cut":
            cache.write_bytes(data[: at % len(data)])
        else:
            data[at % len(data)] ^= 0x40
            cache.write_bytes(data)
        self.stores[at % 2] = Store(self.root)

    @rule(text=st.sampled_from(["My words.\n", "", "- [x](no.md)\n", "\ufeffMine\r\n"]))
    def write_in_memory_md(self, text: str) -> None:
        index = self.root / "MEMORY.md"
        old = index.read_bytes() if index.exists() else b""
        index.write_bytes(text.encode() + old.removeprefix("\ufeff".encode()))

    @rule(title=TITLES, body=BODIES, at=st.integers(1, 14), dies=st.booleans(), path=paths, verb=st.integers(0, 3))
    def fail(self, title: str, body: str, at: int, dies: bool, path: str, verb: int) -> None:
        store, before = self.stores[at % 2], dict(self.texts)
        commands: list[Callable[[], object]] = [
            lambda: store.add(draft(title, body), caller=Caller.USER, now=NOW),
            lambda: store.change(path, {"confidence": "0.5"}, caller=Caller.USER, now=NOW),
            lambda: store.forget([path], caller=Caller.USER, now=NOW),
            store.sync,
        ]
        error = Killed if dies else (lambda: OSError(errno.ENOSPC, "full"))
        with fault(self.root, at, error, once=not dies), contextlib.suppress(Killed, MdmemError):
            commands[verb]()
        self.stores[at % 2] = Store(self.root)
        self.expect_kept(before, path, *(self.confirmed(before) if verb == 0 else ()))
        for file in self.root.rglob(".mdmem-*.tmp"):
            file.unlink()
        if path in before and path not in memory_files(self.root):
            trash = [file.read_text(encoding="utf-8") for file in (self.root / ".mdmem/state/trash").iterdir()]
            assert before[path] in trash
        self.learn()

    @rule(which=st.integers(0, 1))
    def sync(self, which: int) -> None:
        before = dict(self.texts)
        self.stores[which].sync()
        assert self.stores[1 - which].sync().written == ()
        self.expect_kept(before)

    @invariant()
    def every_fact_is_there(self) -> None:
        assert {p: t for p, t in memory_files(self.root).items() if p not in self.broken} == self.texts

    @invariant()
    def stores_say_what_the_files_say(self) -> None:
        fresh = {path: parse(text.encode(), path) for path, text in self.texts.items()}
        for store in self.stores:
            sweep = store.sweep()
            said = {one.path: one for one in sweep.memories if one.is_readable}
            assert {path: one.memory for path, one in said.items()} == {p: d.memory for p, d in fresh.items()}
            assert {path: one.problems for path, one in said.items()} == {p: d.problems for p, d in fresh.items()}
            assert set(sweep.unreadable) == set(self.broken)

    @invariant()
    def memory_md_follows_from_the_files(self) -> None:
        index = self.root / "MEMORY.md"
        data = index.read_bytes() if index.exists() else NEW_FILE.encode()
        documents = [parse(text.encode(), path) for path, text in self.texts.items()]
        stored = [StoredMemory(d.path, d.memory, "", d.problems) for d in documents if d.memory]
        try:
            expected = render_pages(read_index(data), Tree(stored, self.broken)).index
        except NotAMemory:
            return
        assert self.stores[0].planned_sync() == expected


StoreMachine.TestCase.settings = settings(
    max_examples=200 if IS_LONG else 12,
    stateful_step_count=50 if IS_LONG else 15,
    deadline=None,
    derandomize=not IS_LONG,
    suppress_health_check=list(HealthCheck),
)
TestStore = StoreMachine.TestCase
