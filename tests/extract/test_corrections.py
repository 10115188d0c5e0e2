"""What people say, and what of it lasts: rules, episodes without one, and talk that only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.extract.corrections import Heard, Setting, heard, listen
from mdmem.extract.phrasing import title
from mdmem.extract.transcripts.session import Said, ToolCall, Voice
from mdmem.memory import TITLE_LENGTH
from support.runs import Transcript, worked

AT_WORK = Setting(has_acted=True, has_spoken=True)


def said(text: str, voice: Voice = Voice.PROMPT, setting: Setting = AT_WORK) -> Heard | None:
    if voice is Voice.REJECTION:
        setting = Setting(ToolCall("Edit", 4, path="/home/ada/dock/a.py", is_rejected=True), True, True)
    return listen(Said(text, 7, None, voice), setting)


def rule(text: str, voice: Voice = Voice.PROMPT, setting: Setting = AT_WORK) -> str:
    found = said(text, voice, setting)
    return title(found.ruling.sentence, found.language) if found and found.ruling.sentence else ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No, don't use curl, use the client in lib/http instead.", "Use the client in lib/http instead of curl"),
        ("no, don't use cat, always use the Read tool in this project",
         "Use the Read tool in this project instead of cat"),
        ("please always write the migration before the model", "Write the migration before the model"),
        ("Would you always rebase before you open a review?", "Rebase before you open a review"),
        ("wrong. Crane ids are strings, not numbers", "Crane ids are strings, not numbers"),
        ("our staging database listens on 6543 now", "Our staging database listens on 6543"),
        ("from now on lint runs before every commit", "Lint runs before every commit"),
        ("let's settle it: we go with gRPC between services, since REST was too chatty",
         "Stay on gRPC between services"),
        ("I told you: no force pushes to shared branches", "No force pushes to shared branches"),
        ("never load more than 200 containers in one batch", "Load at most 200 containers in one batch"),
        ("For every test in tests/test_load.py i'd like to see fixed numbers instead of ranges",
         "Use fixed numbers instead of ranges in every test in tests/test_load.py"),
        ("Uploads are kept 30 days. No longer.", "Uploads are kept 30 days"),
        ("answer in two sentences, I read the code myself", "Answer in two sentences, I read the code myself"),
        ("Don't invent ids, take them from fixtures/ids.json", "Don't invent ids, take them from fixtures/ids.json"),
        ("if a load fails, keep the manifest, ops reads it", "If a load fails, keep the manifest, ops reads it"),
        ("that's how we name branches: ticket first", "That's how we name branches: ticket first"),
    ],
)  # fmt: skip
def test_rules_become_titles_that_stand_alone(text: str, expected: str) -> None:
    assert rule(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tabs here, as everywhere.", "Tabs here, as everywhere"),
        ("split it into two modules, this is now too long", "Split it into two modules once it is too long"),
        ("not before the harbour master has signed, no deploys on Sundays", "no deploys on Sundays"),
    ],
)  # fmt: skip
def test_a_refusal_weighs_towards_a_rule(text: str, expected: str) -> None:
    assert expected in rule(text, Voice.REJECTION)


@pytest.mark.parametrize(
    "text",
    [
        "make it green",
        "Thanks, that works now.",
        "wait, show me both",
        "the page is empty now",
        "no, the other file",
        "hmm, I liked the old one better. put it back",
        "can you show me the diff first?",
        "is a berth always a quay?",
        "the tests are still red",
        "maybe we should never have split it",
        "for now keep all of them in one file",
        "let's try with a smaller batch",
        "fix all the lint errors in this file",
        "I'll take it from here",
        "never mind",
    ],
)
def test_taste_thanks_questions_and_one_off_requests_state_no_rule(text: str) -> None:
    assert rule(text) == ""


@pytest.mark.parametrize("text", ["I'll do the rest myself", "stop, I'll take it from here", "Dock Ltd.", "8080"])
def test_a_refusal_that_takes_over_or_fills_in_is_no_correction(text: str) -> None:
    assert said(text, Voice.REJECTION) is None


@pytest.mark.parametrize(
    "text",
    [
        "a review from a colleague, what do you think?\nNever compare floats.\nAlways use Decimal.",
        'the customer wrote:\n"Dear team, always call before you deliver."',
        "> you must never do this\nwhat does he mean?",
        "```\nalways = never\n```",
        "Consider adding tests for every validator, they must cover edge cases.",
        "HIGH src/a.py:14: you must never use md5\nis this real?",
    ],
)
def test_what_others_wrote_is_not_learned(text: str) -> None:
    assert rule(text) == ""


def test_an_opening_request_states_a_rule_only_when_it_says_so() -> None:
    opening = Setting()
    assert rule("Make sure that the alert never fires twice.", setting=opening) == ""
    assert rule("The importer must keep every field, at most one warning each.", setting=opening) == ""
    assert rule("We never use floats for money in this project. Fix the invoice.", setting=opening) != ""


def test_the_end_of_a_rule_is_a_revocation() -> None:
    found = said("The Friday rule is void, drop it.")
    assert found is not None
    assert (found.kind, found.ruling.sentence) == ("revocation", "")


@pytest.mark.parametrize(
    ("text", "voice", "kind"),
    [
        ("no, that is overkill", Voice.REJECTION, "rejection"),
        ("why would the hash be empty?", Voice.REJECTION, "rejection"),
        ("actually, start with the parser", Voice.QUEUED, "correction"),
        ("you are wrong, it is in the header", Voice.PROMPT, "correction"),
        ("Almost there. I'd like us to compare with a literal", Voice.PROMPT, "correction"),
        ("decided: we stay with TOML for all settings", Voice.PROMPT, "decision"),
    ],
)
def test_kinds_of_episodes(text: str, voice: Voice, kind: str) -> None:
    found = said(text, voice)
    assert found is not None
    assert found.kind == kind


def test_talk_before_any_work_is_weighed_with_care() -> None:
    talk = Transcript().user("How do loads work?").agent("In batches.")
    talk.user("but a batch as a unit has the issue that then the order would never be right any more")
    talk.user("this is not fully true, it would ONLY break when two of them run at once, or?")
    assert heard(talk.read()) == ()


@given(st.text(max_size=400), st.sampled_from(Voice))
def test_whatever_is_said_gives_a_valid_title_or_none(text: str, voice: Voice) -> None:
    assert len(rule(text, voice)) <= TITLE_LENGTH


@pytest.mark.parametrize(
    "piece", ["a ", "not in, ", "no a-", "the x is ", '"', "need nobody any ", "they don't ", "1 "]
)
def test_long_texts_take_no_time(piece: str) -> None:
    for length in (300, 1150, 20_000):
        said(piece * (length // len(piece)), Voice.REJECTION)


def test_a_finding_knows_the_refused_call_and_what_was_said_before() -> None:
    run = worked().call("Bash", command="git push origin main").refuse("Never push to main.")
    (finding,) = heard(run.read())
    assert finding.setting.call is not None
    assert finding.setting.call.command == "git push origin main"
    assert finding.setting.before == "Add a crane to the model."
    assert finding.said.line == 6
