"""The prompt and the schema: their text, their limits, and that nothing gets out of its fence."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import TYPE_CHECKING, Final

from hypothesis import given
from hypothesis import strategies as st

from mdmem.extract.prompt import again, near, prompt
from mdmem.extract.shape import MEMORY_KEYS, SUMMARY_KEYS, schema
from mdmem.extract.transcripts.session import EXTRACT_MARK
from mdmem.memory import TYPES, Memory, MemoryType, Status
from mdmem.store.state import OUTCOMES
from mdmem.store.tasks import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DAY: Final = date(2026, 5, 4)
DIGEST: Final = "## User asked\n- Add a crane to the model.\n\n## Agent said\n- The crane is in."
FENCE: Final = re.compile(r"^<<<([0-9a-f]{12})\n(.*?)\n\1>>>$", re.MULTILINE | re.DOTALL)


def memory(title: str, **fields: object) -> Memory:
    """A memory of that title."""
    return Memory(type=MemoryType.LESSON, title=title, **fields)  # type: ignore[arg-type]


def test_the_prompt(snapshot: Callable[..., None]) -> None:
    task = Task("tasks/cranes.md", "Model the cranes", body="Every crane of the port, with its reach.")
    known = (memory("Crane ids are strings", topic="model/ids"), memory("Run `make tables` first"))
    snapshot(prompt(DIGEST, DAY, title="Add a crane", task=task, known=known))


def test_the_schema(snapshot: Callable[..., None]) -> None:
    snapshot(json.dumps(schema(), indent=2) + "\n")


def objects(value: object) -> Iterator[dict[str, object]]:
    """Every schema of an object within a schema."""
    if isinstance(value, dict):
        if value.get("type") == "object":
            yield value
        for inner in value.values():
            yield from objects(inner)


def test_every_key_is_required_and_no_other_allowed() -> None:
    found = list(objects(schema()))
    assert len(found) == 3
    for one in found:
        assert one["additionalProperties"] is False
        assert isinstance(one["properties"], dict)
        assert one["required"] == list(one["properties"])


def test_schema_and_prompt_name_the_same() -> None:
    text = prompt(DIGEST, DAY)
    top = schema()["properties"]
    assert isinstance(top, dict)
    assert list(top["summary"]["properties"]) == list(SUMMARY_KEYS)
    assert list(top["memories"]["items"]["properties"]) == list(MEMORY_KEYS)
    assert top["memories"]["items"]["properties"]["type"]["enum"] == list(TYPES)
    assert all(f"- {key}: " in text for key in (*SUMMARY_KEYS, *MEMORY_KEYS, *TYPES))
    assert ", ".join(OUTCOMES) in text


def test_it_begins_with_the_mark_and_ends_with_the_run() -> None:
    text = prompt(DIGEST, DAY)
    assert text.startswith(f"{EXTRACT_MARK}\n")
    assert FENCE.findall(text)[-1][1] == DIGEST
    assert text.rstrip().endswith(">>>")
    assert "The run ended on 2026-05-04." in text
    assert "Already known" not in text.partition("<<<")[2]


def test_the_same_run_gives_the_same_prompt() -> None:
    assert prompt(DIGEST, DAY) == prompt(DIGEST, DAY)
    assert prompt(DIGEST, DAY) != prompt(DIGEST + ".", DAY)


def test_secrets_do_not_pass() -> None:
    token = "ghp_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"
    task = Task("tasks/a.md", f"Use {token}", body=f"With {token}")
    assert token not in prompt(DIGEST, DAY, title=f"Use {token}", task=task, known=[memory(f"Use {token}")])


def test_what_is_long_is_cut() -> None:
    task = Task("tasks/a.md", "Long", body="x" * 10_000)
    assert len(prompt("d" * 12_000, DAY, title="t" * 900, task=task)) < 20_000


@given(st.text(alphabet="<>0123456789abcdef\n#", max_size=200))
def test_no_text_closes_its_fence(digest: str) -> None:
    text = prompt(f"x{digest}", DAY, title=digest)
    assert FENCE.findall(text)[-1][1] == f"x{digest}"


def test_the_second_try_says_what_was_wrong() -> None:
    text = prompt(DIGEST, DAY)
    second = again(text, "it holds no JSON")
    assert second.startswith(text)
    assert "it holds no JSON" in second[len(text) :]


def test_near_memories_share_words_with_the_run() -> None:
    memories = [
        memory("Crane model ids are strings"),
        memory("Add every crane to the model"),
        memory("Deploy on fridays only"),
        memory("Crane model: old", status=Status.RETRACTED),
        memory("Crane"),
    ]
    assert [one.title for one in near(memories, DIGEST)] == [
        "Add every crane to the model",
        "Crane",
        "Crane model ids are strings",
    ]
    assert len(near([memory(f"Crane model {n}") for n in range(40)], DIGEST)) == 20
