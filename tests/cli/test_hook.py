"""`mdmem hook` as agents call it: silent, quick to import, exit 0 whatever comes, nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

import pytest

from mdmem.hooks import capture
from mdmem.hooks.detach import clean
from mdmem.hooks.payload import SIZE_MOST, Payload, parse
from mdmem.memory import Memory, MemoryType
from mdmem.search.candidates import BUDGET_MOST
from mdmem.store.caller import Caller
from mdmem.store.ledger import JobState, read_jobs
from mdmem.store.state import read_usage
from support.runs import worked
from support.source import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mdmem.project import Project
    from mdmem.store.store import Store
    from support.machine import Answer

EVENTS: Final = ("session-start", "user-prompt-submit", "stop", "session-end", "pre-compact")
RULE: Final = "No, crane ids are always strings"
HEAVY: Final = frozenset({"tantivy", "numpy", "onnxruntime", "frontmatter", "yaml", "click", "filelock", "asyncio"})
QUICK: Final = """\
import json, os, sys
os._exit = sys.exit
before = set(sys.modules)
sys.argv[1:] = ["hook", "session-end"]
from mdmem import __main__ as start
try:
    start.main()
except SystemExit as exit:
    assert not exit.code
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})), file=sys.stderr)
"""


@pytest.fixture
def learning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learning from Claude Code is on; what is started finds the package."""
    monkeypatch.setenv("MDMEM_AGENTS_CLAUDE_CODE_EXTRACT", "true")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The transcript of a run with one rule."""
    return worked().user(RULE).edit().agent("Strings.").write(tmp_path)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What hooks called in this process start in the background, instead of starting it."""
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(capture.detach, "start", lambda args, folder, store=None: calls.append(tuple(args)))
    return calls


def event(repo: Path, **fields: str) -> str:
    """What an agent writes to a hook's standard input."""
    return json.dumps({"session_id": "s-1", "cwd": str(repo), **fields})


def wait_for(holds: Callable[[], object]) -> None:
    """Waits until something in the background has happened."""
    until = time.monotonic() + 30
    while not holds() and time.monotonic() < until:
        time.sleep(0.05)
    assert holds()


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize(
    "given", ["", "no JSON", "[1]", '{"session_id": ', "\x00\x01}", '{"a": 1} trailing', "[" * 9999]
)
def test_whatever_comes_the_answer_is_silence_and_0(
    name: str, given: str, shell: Callable[..., Answer], tmp_path: Path
) -> None:
    done = shell("hook", name, stdin=given)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_binary_and_huge_input_end_in_silence(repo: Path) -> None:
    for data in (bytes(range(256)) * 10, b'{"prompt": "' + b"x}" * SIZE_MOST + b'"}'):
        done = subprocess.run(
            [sys.executable, "-m", "mdmem", "hook", "user-prompt-submit"], input=data, capture_output=True, timeout=60
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("args", [("hook",), ("hook", "no-such-event"), ("hook", "stop", "--agent"), ("hook", "--new")])
def test_even_a_wrong_call_ends_in_0(args: tuple[str, ...], shell: Callable[..., Answer], store: Store) -> None:
    assert shell(*args, stdin="{}").code == 0


def test_broken_settings_end_in_silence_and_a_line_in_the_log(
    shell: Callable[..., Answer], store: Store, hermetic: Path
) -> None:
    (hermetic / ".config/mdmem").mkdir(parents=True)
    (hermetic / ".config/mdmem/config.toml").write_text("[", encoding="utf-8")
    for name in EVENTS:
        done = shell("hook", name, stdin=event(store.root.parent))
        assert (done.code, done.out) == (0, "")
    log = next((hermetic / ".local").rglob("jobs.log")).read_text(encoding="utf-8")
    assert "hook session-end: " in log
    assert "hook session-start: " in log
    assert "not TOML" in log


@pytest.mark.parametrize("name", EVENTS)
def test_nobody_waits_for_the_end_of_the_input(name: str, store: Store, run: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "mdmem", "hook", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    child.stdin.write(event(store.root.parent, transcript_path=str(run)).encode())
    child.stdin.flush()
    try:
        assert child.wait(30) == 0
    finally:
        child.kill()
        child.communicate()


def test_an_object_in_pieces_is_put_together(store: Store, run: Path, learning: None) -> None:
    child = subprocess.Popen([sys.executable, "-m", "mdmem", "hook", "session-end"], stdin=subprocess.PIPE)
    assert child.stdin is not None
    data = event(store.root.parent, transcript_path=str(run), reason="}").encode()
    for piece in (data[:30], data[30:-3], data[-3:]):
        child.stdin.write(piece)
        child.stdin.flush()
        time.sleep(0.1)
    assert child.wait(30) == 0
    child.stdin.close()
    wait_for(lambda: store.load())


def test_an_event_is_read_whatever_its_fields_are() -> None:
    assert parse(b'\xef\xbb\xbf {"session_id": 3, "prompt": "a\\u0000b", "cwd": null}{') == Payload(prompt="ab")
    assert parse(b'{"transcript_path": "/h/.codex/sessions/2026/rollout-1.jsonl"}') is not None
    assert Payload(transcript="/h/sessions/rollout-1.jsonl").agent == "codex"
    assert Payload(transcript="/h/.claude/projects/x/1.jsonl").agent == "claude-code"


def test_the_quick_way_imports_little(store: Store, run: Path, learning: None) -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUICK],
        input=event(store.root.parent, transcript_path=str(run)),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert loaded & HEAVY == set()
    assert len(read_jobs(store.state_folder)) == 1
    wait_for(lambda: not any(job.is_open for job in read_jobs(store.state_folder)))


def test_a_session_that_ends_is_learned_from_in_the_background(
    shell: Callable[..., Answer], store: Store, run: Path, learning: None
) -> None:
    done = shell("hook", "session-end", stdin=event(store.root.parent, transcript_path=str(run), reason="other"))
    assert (done.code, done.out, done.err) == (0, "", "")
    wait_for(lambda: store.load())
    wait_for(lambda: not read_jobs(store.state_folder)[0].is_open)
    (job,) = read_jobs(store.state_folder)
    assert (job.state, job.cause, job.agent, job.session) == (JobState.DONE, "session-end", "claude-code", "s-1")


def test_no_module_of_the_project_is_run(store: Store, run: Path, learning: None, tmp_path: Path) -> None:
    for name in ("click", "json", "platformdirs"):
        trap = f"open({str(tmp_path / name)!r}, 'w')\n"
        (store.root.parent / f"{name}.py").write_text(trap, encoding="utf-8")
    capture.capture("session-end", Payload("s-1", str(run), str(store.root.parent)))
    wait_for(lambda: store.load())
    wait_for(lambda: not read_jobs(store.state_folder)[0].is_open)
    assert not {path.name for path in tmp_path.iterdir()} & {"click", "json", "platformdirs"}


def test_fifty_hooks_at_once_lose_no_job(store: Store, tmp_path: Path, learning: None) -> None:
    code = """\
import sys, threading
from mdmem.hooks import capture
from mdmem.hooks.payload import Payload
capture.detach.start = lambda *args: None
def ask(name):
    capture.capture("session-end", Payload("s", name, sys.argv[1]))
for name in sys.argv[2:]:
    threading.Thread(target=ask, args=(name,)).start()
"""
    runs = [tmp_path / f"{number}.jsonl" for number in range(50)]
    for path in runs:
        path.write_text("{}\n", encoding="utf-8")
    shares = [runs[at::10] for at in range(10)]
    command = [sys.executable, "-c", code, str(store.root.parent)]
    children = [subprocess.Popen([*command, *map(str, share)]) for share in shares]
    assert [child.wait(60) for child in children] == [0] * 10
    assert {job.transcript for job in read_jobs(store.state_folder)} == set(map(str, runs))


@pytest.mark.parametrize(
    ("variables", "fields", "name", "jobs"),
    [
        ({}, {}, "session-end", 1),
        ({}, {}, "pre-compact", 1),
        ({}, {}, "stop", 0),
        ({"MDMEM_EXTRACTION_WHEN": "turn"}, {}, "stop", 1),
        ({"MDMEM_EXTRACTION_WHEN": "turn"}, {"agent_id": "helper"}, "stop", 0),
        ({"MDMEM_EXTRACTION_WHEN": "off"}, {}, "session-end", 0),
        ({"MDMEM_MEMORY_ENABLED": "off"}, {}, "session-end", 0),
        ({"MDMEM_MEMORY_WRITE": "off"}, {}, "session-end", 0),
        ({"MDMEM_AGENTS_CLAUDE_CODE_EXTRACT": "off"}, {}, "session-end", 0),
        ({}, {"transcript_path": "/no/such/file.jsonl"}, "session-end", 0),
    ],
)
def test_a_job_is_asked_for_only_where_the_user_wants_it(
    variables: dict[str, str],
    fields: dict[str, str],
    name: str,
    jobs: int,
    store: Store,
    run: Path,
    learning: None,
    started: list[tuple[str, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    given = event(store.root.parent, **{"transcript_path": str(run), **fields})
    capture.capture(name, parse(given.encode()))
    assert len(read_jobs(store.state_folder)) == len(started) == jobs


def test_an_agent_that_may_only_plan_is_not_learned_from(
    store: Store, run: Path, learning: None, started: list[tuple[str, ...]]
) -> None:
    given = Payload("s-1", str(run), str(store.root.parent), permission_mode="plan")
    capture.capture("session-end", given)
    (job,) = read_jobs(store.state_folder)
    assert (job.state, job.reason, started) == (JobState.SKIPPED, capture.PLANNING, [])


def test_where_there_is_no_store_nothing_happens(tmp_path: Path, learning: None, shell: Callable[..., Answer]) -> None:
    for name in EVENTS:
        done = shell("hook", name, stdin=event(tmp_path, prompt="cranes", transcript_path=str(tmp_path)))
        assert (done.code, done.out, done.err) == (0, "", "")


def test_the_first_mark_makes_every_hook_return_at_once(shell: Callable[..., Answer], store: Store, run: Path) -> None:
    given = event(store.root.parent, transcript_path=str(run), prompt="crane ids")
    for name in EVENTS:
        done = shell("hook", name, stdin=given, MDMEM_EXTRACTING="1", MDMEM_AGENTS_CLAUDE_CODE_EXTRACT="on")
        assert (done.code, done.out, done.err) == (0, "", "")
    assert read_jobs(store.state_folder) == ()


def test_what_is_started_is_no_part_of_the_session() -> None:
    environ = {
        "CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli", "CODEX_THREAD_ID": "x", "GIT_DIR": "/x", "MDMEM_AGENT": "y",
        "CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/h", "ANTHROPIC_API_KEY": "k", "MDMEM_DIR": "/m", "PATH": "/bin",
    }  # fmt: skip
    kept = {"CLAUDE_CONFIG_DIR", "CODEX_HOME", "ANTHROPIC_API_KEY", "MDMEM_DIR", "PATH", "MDMEM_EXTRACTING"}
    assert set(clean(environ)) == kept


@pytest.fixture
def cranes(project: Project) -> Project:
    """A store with three memories."""
    for title, body in (
        ("Crane ids are strings", "The port sends letters in them."),
        ("Run migrations before the worker", "The pool test hangs otherwise: " + "a connection opens too early. " * 20),
        ("Berths are numbered from one", "The harbour office asks for it."),
    ):
        draft = Memory(type=MemoryType.CONVENTION, title=title, body=body)
        project.store.add(draft, caller=Caller.USER, now=project.now)
    return project


def test_a_session_begins_with_the_brief(shell: Callable[..., Answer], cranes: Project) -> None:
    done = shell("hook", "session-start", stdin=event(cranes.root.parent, source="startup"))
    assert done.code == 0
    assert done.out.startswith("<!-- mdmem:brief begin -->")
    assert "Crane ids are strings" in done.out
    assert len(done.out) <= BUDGET_MOST


@pytest.mark.parametrize("switch", ["MDMEM_MEMORY_ENABLED", "MDMEM_AGENTS_CLAUDE_CODE_MEMORY"])
def test_no_brief_where_memory_is_off(switch: str, shell: Callable[..., Answer], cranes: Project) -> None:
    for name in ("session-start", "user-prompt-submit"):
        given = event(cranes.root.parent, prompt="are crane ids strings?")
        assert shell("hook", name, stdin=given, **{switch: "off"}).out == ""


def test_a_prompt_gets_what_answers_it_once_a_session(shell: Callable[..., Answer], cranes: Project) -> None:
    given = event(cranes.root.parent, prompt="should crane ids be strings or numbers?")
    first = shell("hook", "user-prompt-submit", stdin=given)
    assert first.out.startswith("<!-- mdmem:brief begin -->\n# Project memory about this request\n")
    assert "## Crane ids are strings\n" in first.out
    assert "memory/convention/crane-ids-are-strings.md" in first.out
    assert "Berths" not in first.out
    assert shell("hook", "user-prompt-submit", stdin=given).out == ""
    other = json.dumps(json.loads(given) | {"session_id": "s-2"})
    assert shell("hook", "user-prompt-submit", stdin=other).out == first.out
    assert [usage.recalls for usage in read_usage(cranes.store.state_folder).values()] == [2]


NO_QUESTIONS: Final = (
    "make the button green",
    "",
    "[mdmem-extract v1] should crane ids be strings?",
    "<system-reminder>should crane ids be strings?</system-reminder>",
)


@pytest.mark.parametrize("prompt", NO_QUESTIONS)
def test_a_prompt_that_no_memory_answers_gets_nothing(
    prompt: str, shell: Callable[..., Answer], cranes: Project
) -> None:
    assert shell("hook", "user-prompt-submit", stdin=event(cranes.root.parent, prompt=prompt)).out == ""


def test_what_the_brief_showed_in_full_is_not_shown_again_until_the_context_is_emptied(
    shell: Callable[..., Answer], cranes: Project
) -> None:
    start = event(cranes.root.parent, source="startup")
    given = event(cranes.root.parent, prompt="should crane ids be strings or numbers?")
    shell("hook", "session-start", stdin=start)
    assert shell("hook", "user-prompt-submit", stdin=given).out == ""
    (one,) = [one for one in cranes.store.load() if "crane" in one.path]
    cranes.store.change(one.path, {"title": "Crane ids are always strings"}, caller=Caller.USER, now=cranes.now)
    assert "always strings" in shell("hook", "user-prompt-submit", stdin=given).out


@pytest.mark.slow
def test_a_watcher_answers_prompts(shell: Callable[..., Answer], cranes: Project) -> None:
    given = event(cranes.root.parent, prompt="should crane ids be strings or numbers?")
    other = json.dumps(json.loads(given) | {"session_id": "s-2"})
    alone = shell("hook", "user-prompt-submit", stdin=other)
    assert shell("watch", "--daemon").code == 0
    try:
        answers = json.loads(shell("watch", "--status", "--json").out)["answers"]
        assert shell("hook", "user-prompt-submit", "--agent", "claude-code", stdin=given) == alone
        assert shell("hook", "user-prompt-submit", "--agent", "claude-code", stdin=given).out == ""
        off = {"MDMEM_AGENTS_CLAUDE_CODE_MEMORY": "off"}
        fresh = json.dumps(json.loads(given) | {"session_id": "s-3"})
        assert shell("hook", "user-prompt-submit", stdin=fresh, **off).out == ""
        wait_for(lambda: json.loads(shell("watch", "--status", "--json").out)["answers"] >= answers + 3)
    finally:
        shell("watch", "--stop")


def test_where_nothing_can_be_noted_the_brief_is_told_all_the_same(
    shell: Callable[..., Answer], cranes: Project, tmp_path: Path, learning: None
) -> None:
    own = cranes.store.state_folder
    own.rename(tmp_path / "elsewhere")
    own.symlink_to(tmp_path / "elsewhere")
    done = shell("hook", "session-start", stdin=event(cranes.root.parent, source="startup"))
    assert (done.code, done.err) == (0, "")
    assert "Crane ids are strings" in done.out
    given = event(cranes.root.parent, prompt="should crane ids be strings or numbers?")
    assert "Crane ids are strings" in shell("hook", "user-prompt-submit", stdin=given).out


HUNG: Final = """\
import time
from mdmem.cli import hooking, main
from mdmem.search.select import Select
hooking.SECONDS = 0.5
Select.__call__ = lambda *args, **named: time.sleep(60)
main.main(["hook", "user-prompt-submit"])
"""


def test_no_prompt_waits_for_a_search_that_hangs(cranes: Project, hermetic: Path) -> None:
    given = event(cranes.root.parent, prompt="should crane ids be strings or numbers?")
    done = subprocess.run([sys.executable, "-c", HUNG], input=given, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    log = next((hermetic / ".local").rglob("jobs.log")).read_text(encoding="utf-8")
    assert "hook user-prompt-submit: took longer than 0.5 s" in log


def test_old_and_unreviewed_memories_say_so(shell: Callable[..., Answer], cranes: Project) -> None:
    (one,) = [one for one in cranes.store.load() if "crane" in one.path]
    cranes.store.change(one.path, {"confirmed": "2026-03-01"}, caller=Caller.USER, now=cranes.now)
    given = event(cranes.root.parent, prompt="should crane ids be strings or numbers?")
    assert "(Said 9 days ago: " in shell("hook", "user-prompt-submit", stdin=given).out


def test_a_session_that_starts_looks_for_runs_that_no_hook_told_of(
    shell: Callable[..., Answer], cranes: Project, hermetic: Path, learning: None
) -> None:
    repo = cranes.root.parent
    folder = hermetic / ".claude/projects" / str(repo).replace("/", "-").replace("_", "-").replace(".", "-")
    folder.mkdir(parents=True)
    missed = worked().user("No, tug ids are always strings").edit().agent("Strings.")
    for record in missed.records:
        record["cwd"] = str(repo)
    path = missed.write(folder)
    os.utime(path, (cranes.now.timestamp() - 3600,) * 2)
    for _ in range(2):
        shell("hook", "session-start", stdin=event(repo, source="startup"))
    wait_for(lambda: any("tug-ids" in one.path for one in cranes.store.load()))
    wait_for(lambda: not any(job.is_open for job in read_jobs(cranes.store.state_folder)))
    assert [(job.transcript, job.cause) for job in read_jobs(cranes.store.state_folder)] == [(str(path), "sweep")]
