"""`mdmem review` as a user meets it: the queue, the walk, the file, and that nothing else is decided."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

import click
import pytest

from mdmem.history.review import differing
from mdmem.memory import Memory, MemoryType, Source, Status
from mdmem.store.caller import Caller
from support.machine import git

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdmem.project import Project
    from mdmem.store.store import Store
    from support.machine import Answer

PENDING: Final = "convention/crane-ids-are-strings.md"
UNREVIEWED: Final = "lesson/run-the-linter-first.md"


@pytest.fixture
def queue(project: Project) -> Store:
    """One pending memory, one that an agent wrote, and one of the user's that is near the first."""

    def add(kind: MemoryType, title: str, body: str, caller: Caller, status: Status = Status.ACTIVE) -> None:
        source = Source.USER if caller is Caller.USER else Source.AGENT
        draft = Memory(type=kind, title=title, body=body, source=source, status=status)
        project.store.add(draft, caller=caller, now=project.now)

    add(MemoryType.DECISION, "Crane ids are numbers", "The port sends digits.", Caller.USER)
    add(MemoryType.CONVENTION, "Crane ids are strings", "The port sends letters.", Caller.AGENT, Status.PENDING)
    add(MemoryType.LESSON, "Run the linter first", "The push is refused otherwise.", Caller.AGENT)
    return project.store


@pytest.fixture
def person(cli: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """Walks through the review on a terminal, with these answers in turn."""

    def walk(*answers: str) -> Answer:
        given = iter(answers)
        monkeypatch.setattr("mdmem.cli.reviewing.sys", type("Sys", (), {"stdin": Terminal()}))
        monkeypatch.setattr(click, "prompt", lambda *args, **options: next(given))
        return cli("review")

    return walk


class Terminal:
    """A standard input that is a terminal."""

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return True


def statuses(store: Store) -> dict[str, str]:
    """The status of each memory."""
    return {one.path: one.memory.status.value for one in store.load()}


def waiting(cli: Callable[..., Answer]) -> list[str]:
    """The paths that wait."""
    return [line.split("\t")[1] for line in cli("review").out.splitlines()]


def test_without_a_terminal_the_queue_is_printed(cli: Callable[..., Answer], queue: Store) -> None:
    done = cli("review")
    assert done.out == (
        f"pending\t{PENDING}\tCrane ids are strings\tagent\n"
        f"unreviewed\t{UNREVIEWED}\tRun the linter first\tagent\n"
    )  # fmt: skip
    assert "mdmem review --accept PATH" in done.err
    assert [one["waits"] for one in json.loads(cli("review", "--json").out)] == ["pending", "unreviewed"]


def test_nothing_waits(cli: Callable[..., Answer], store: Store) -> None:
    done = cli("review")
    assert (done.code, done.out, done.err) == (0, "", "nothing waits for review\n")


def test_accepting_makes_a_pending_memory_active_and_any_other_reviewed(
    cli: Callable[..., Answer], queue: Store
) -> None:
    before = {one.path: one.etag for one in queue.load()}
    assert cli("review", "--accept", PENDING, "--accept", UNREVIEWED).out == (
        f"accepted {PENDING}\naccepted {UNREVIEWED}\n"
    )
    assert statuses(queue)[PENDING] == "active"
    assert {one.path: one.etag for one in queue.load()}[UNREVIEWED] == before[UNREVIEWED]
    assert waiting(cli) == []
    assert "unreviewed" not in cli("brief").out.split("## How to use it")[0]


def test_what_changes_after_it_was_accepted_waits_again(cli: Callable[..., Answer], queue: Store) -> None:
    cli("review", "--accept", UNREVIEWED)
    path = queue.root / UNREVIEWED
    path.write_text(path.read_text(encoding="utf-8").replace("refused", "lost"), encoding="utf-8")
    assert UNREVIEWED in waiting(cli)


def test_what_the_users_own_commit_holds_does_not_wait(cli: Callable[..., Answer], queue: Store) -> None:
    git("add", "-A", cwd=queue.root.parent)
    git("commit", "-qm", "memory", cwd=queue.root.parent)
    assert waiting(cli) == [PENDING]


def test_rejecting_removes_and_keeps_from_being_learned_again(cli: Callable[..., Answer], queue: Store) -> None:
    cli("review", "--reject", PENDING, "--reject", UNREVIEWED)
    assert list(statuses(queue)) == ["decision/crane-ids-are-numbers.md"]
    assert len(queue.vetoes()) == 2


def test_an_agent_reviews_nothing(cli: Callable[..., Answer], queue: Store) -> None:
    done = cli("--as", "agent", "review", "--accept", PENDING)
    assert done.code == 1
    assert "only a person" in done.err
    assert statuses(queue)[PENDING] == "pending"


def test_what_does_not_wait_is_named(cli: Callable[..., Answer], queue: Store) -> None:
    done = cli("review", "--accept", "crane-ids-are-numbers")
    assert done.code == 1
    assert "does not wait for review" in done.err


def test_the_walk_shows_each_beside_the_nearest(person: Callable[..., Answer], queue: Store) -> None:
    done = person("a", "r")
    assert "1 of 2: Crane ids are strings\n(pending, convention, from agent, confidence 0.6; " in done.out
    assert "nearest: Crane ids are numbers\n" in done.out
    assert "Crane ids are [-numbers.-] {+strings.+} The port sends [-digits.-] {+letters.+}" in done.out
    assert f"accepted {PENDING}\n\n2 of 2: Run the linter first\n" in done.out
    assert done.out.endswith(f"The push is refused otherwise.\nrejected {UNREVIEWED}\n")
    assert done.err == "2 of 2 decided\n"


def test_skipping_and_leaving_decide_nothing(
    person: Callable[..., Answer], cli: Callable[..., Answer], queue: Store
) -> None:
    before = statuses(queue)
    assert person("s", "q").err == "0 of 2 decided\n"
    assert statuses(queue) == before


def test_what_is_edited_is_accepted_as_it_then_is(
    person: Callable[..., Answer], queue: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edit(path: object, name: str) -> None:
        file = queue.root / name
        file.write_text(file.read_text(encoding="utf-8").replace("letters", "letters and digits"), encoding="utf-8")

    monkeypatch.setattr("mdmem.cli.reviewing.edit_file", edit)
    person("e", "q")
    (one,) = [one for one in queue.load() if one.path == PENDING]
    assert (one.memory.status, one.memory.body) == (Status.ACTIVE, "The port sends letters and digits.")


def test_what_is_gone_when_its_turn_comes_is_skipped(
    cli: Callable[..., Answer], queue: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(*args: object, **options: object) -> str:
        (queue.root / UNREVIEWED).unlink(missing_ok=True)
        return "s"

    monkeypatch.setattr("mdmem.cli.reviewing.sys", type("Sys", (), {"stdin": Terminal()}))
    monkeypatch.setattr(click, "prompt", answer)
    assert f"{UNREVIEWED} is gone, or waits no longer: skipped" in cli("review").err


def test_what_changed_while_it_was_shown_is_not_decided(
    cli: Callable[..., Answer], queue: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(*args: object, **options: object) -> str:
        file = queue.root / PENDING
        file.write_text(file.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
        return "a"

    monkeypatch.setattr("mdmem.cli.reviewing.sys", type("Sys", (), {"stdin": Terminal()}))
    monkeypatch.setattr(click, "prompt", answer)
    assert f"{PENDING} changed meanwhile: skipped" in cli("review").err
    assert statuses(queue)[PENDING] == "pending"


def editor(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """An editor that replaces one text by another."""
    code = f"import sys; p = sys.argv[1]; t = open(p).read(); open(p, 'w').write(t.replace('{old}', '{new}'))"
    program = f'{sys.executable} -c "{code}"'
    monkeypatch.setenv("VISUAL", program)


def test_the_queue_as_one_file(cli: Callable[..., Answer], queue: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(monkeypatch, "skip 1", "accept 1")
    done = cli("review", "--editor")
    assert (done.out, done.err) == (f"accepted {PENDING}\n", "1 of 2 decided\n")
    assert UNREVIEWED in statuses(queue)


@pytest.mark.parametrize("new", ["delete 1", "accept 7", "accept x", "hello"])
def test_a_file_that_can_not_be_read_decides_nothing(
    new: str, cli: Callable[..., Answer], queue: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = statuses(queue)
    editor(monkeypatch, "skip 1", new)
    done = cli("review", "--editor")
    assert done.code == 1
    assert "nothing was done" in done.err
    assert statuses(queue) == before


def test_the_text_of_a_memory_decides_nothing(
    cli: Callable[..., Answer], project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "accept 1 00000000 x\n\nreject 1 00000000 x"
    draft = Memory(type=MemoryType.LESSON, title="Odd", body=body, source=Source.AGENT, status=Status.PENDING)
    project.store.add(draft, caller=Caller.AGENT, now=project.now)
    editor(monkeypatch, "no such text", "")
    assert cli("review", "--editor").err == "0 of 1 decided\n"


def test_words_that_differ_are_marked() -> None:
    assert differing("use A here", "use B here now") == "use [-A-] {+B+} here {+now+}"
    assert differing("", "new") == "{+new+}"
    assert differing("same words", "same words") == "same words"
