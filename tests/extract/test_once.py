"""What holds but once and what is taken back in the same breath state no rule; they stay episodes."""

from __future__ import annotations

from typing import Final

import pytest

from mdmem.extract.corrections import heard
from support.runs import Transcript
from support.speech import talk

ONCE: Final = (
    "For this one message, answer in German.",
    "for this one message, always answer in German",
    "just this once, use tabs for indentation",
    "Just this once, never mind the linter and use pip, not uv.",
    "this time only: commit directly to main, don't open a PR",
    "Use yarn instead of npm this time only.",
    "No, use pip instead of uv, but only this time.",
    "only for this commit, skip the pre-commit hooks",
    "For this PR only, never squash the commits",
    "Don't run the tests for this change, never mind the CI.",
    "use pnpm, not npm. no wait, forget that",
    "Always use pnpm, never npm. no wait, forget that.",
    "Never use mocks in tests. Actually, scratch that.",
    "From now on use tabs. Hmm, no, forget I said that.",
    "always put types in types.ts. wait no, ignore that",
    "We use ruff, not black. Sorry, wrong project, ignore that.",
    "Never push to main directly... never mind",
    "Use conventional commits from now on. Never mind, keep it as it is.",
    "for the next reply only, always keep it short",
    "In this session, never commit; I will do it myself.",
    "for the rest of this session always run the tests with -x",
    "For now, always use the staging database",
    "until I'm back tomorrow, don't push anything",
    "today, never push to main",
    "Only in this file, use single quotes, not double quotes.",
    "as an exception, use print instead of the logger here",
    "this one time, don't ask me first, just do it",
    "Just for this one, use a class instead of functions.",
    "for the moment always deploy from the branch",
    "Please answer in French for this one question.",
    "Temporarily always use the mock server",
    "always use tabs. On second thought, leave it.",
    "use bun instead of npm — no, cancel that",
    "no, use bun instead of npm. wait, no. keep npm",
    "use tabs instead of spaces, strike that",
    "don't use any mocks in tests, disregard that",
    "I said always use tabs, I take it back",
    "For this task only, always answer with a single sentence.",
    "Never touch the lockfile in this task.",
    "on this branch only, never rebase",
)
FOREIGN: Final = (
    "Nimm diesmal pip statt uv, sonst immer uv... nein, nur dieses Mal pip",
    "Antworte für diese eine Nachricht immer auf Englisch",
    "Immer pnpm nehmen, nie npm. Ach nein, vergiss das.",
    "Schreib Tests immer mit pytest. Doch nicht.",
    "Nur dieses Mal: nie den Linter laufen lassen",
    "Usa siempre pnpm, nunca npm. No, espera, olvídalo.",
    "Solo por esta vez, usa siempre npm en lugar de pnpm",
    "Para este mensaje responde siempre en inglés",
    "Utilise toujours pnpm, jamais npm. Non, oublie ça.",
    "Juste pour cette fois, utilise toujours npm au lieu de pnpm",
    "Pour ce message, réponds toujours en anglais",
    "以后总是用 pnpm，不要用 npm。算了，忘了吧。",
    "就这一次，总是用 npm，不要用 pnpm",
    "这条消息里总是用英文回答",
    "必ず pnpm を使って、npm は使わないで。やっぱりなしで。",
    "今回だけ必ず npm を使ってください",
    "このメッセージだけは必ず英語で答えてください",
)
LASTING: Final = (
    "Never push to main directly.",
    "always use pnpm, never npm",
    "From now on, answer in German.",
    "use uv instead of pip, always",
    "Don't run the whole test suite, only the tests you touched, every time.",
    "Always run make lint once before every commit.",
    "No wait, never use floats for money, always Decimal.",
    "Forget what I said about tabs; from now on we always use spaces.",
    "Ignore the linter's line length, our limit is 120 everywhere.",
    "Never use time.sleep in tests, only this project's fake clock.",
    "Only use single quotes in this project.",
    "No no, forget poetry, we always use uv here.",
    "Every time you change a model, make a migration.",
    "For every commit, add a changelog line.",
    "Wait, no: always use absolute imports here, never relative ones.",
    "Run each migration only once, at this point in the deploy: before the workers start, always.",
    "Actually, always use pathlib instead of os.path.",
    "Cancel requests on timeout, always; never leave them open.",
    "Use tabs. No wait, forget that. Never use tabs here, always spaces.",
)


@pytest.mark.parametrize("text", [*ONCE, *FOREIGN])
def test_what_holds_but_once_states_no_rule(text: str) -> None:
    assert talk(text) == ""


@pytest.mark.parametrize("text", LASTING)
def test_a_rule_that_only_sounds_like_it_is_one(text: str) -> None:
    assert talk(text) != ""


def test_what_follows_a_withdrawal_counts() -> None:
    assert "always spaces" in talk("Use tabs. No wait, forget that. Never use tabs here, always spaces.")


def test_of_a_long_text_only_the_sentence_before_is_taken_back() -> None:
    first, last = "Never use floats for money, always Decimal.", "Always put the types in types.ts. Scratch that."
    story = "The rest is as we said on the phone with the people from the harbour office. " * 4
    assert "floats" in talk(f"{first} {story} {last}")
    assert "types" not in talk(f"{first} {story} {last}")


def worked() -> Transcript:
    return Transcript().user("Add a crane.").edit().agent("Added.")


@pytest.mark.parametrize(("answer", "rules"), [("no wait, forget that", 0), ("Never mind.", 0), ("and do it now", 1)])
def test_the_next_message_may_take_a_rule_back(answer: str, rules: int) -> None:
    run = worked().user("Always use pnpm, never npm.").agent("Yes.").user(answer).agent("Done.")
    found = heard(run.read())
    assert [one.text for one in found][:1] == ["Always use pnpm, never npm."]
    assert sum(bool(one.ruling.sentence) for one in found) == rules


def test_a_secret_is_gone_before_the_sentences_are_told_apart() -> None:
    run = worked().user("Never print the db password in the logs! It's " + "hunter22" + "xyz.").agent("Right.")
    (found,) = heard(run.read())
    assert "hunter22" not in f"{found.text} {found.ruling.sentence}"
